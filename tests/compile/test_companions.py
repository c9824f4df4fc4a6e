"""The objects beside the workloads of a whole service: the end-to-end vectors of reference 10 §10, and §7.1."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from omec.compile.capabilities import Capabilities
from omec.compile.companion_settings import companion_settings_of_config_map, companion_settings_of_settings
from omec.compile.companions import admission_problems
from omec.compile.environment import Environment
from omec.compile.exposure.addresses import addresses
from omec.compile.inputs import Service, ServiceInputs
from omec.compile.operator import CHART_DEFAULTS, operator_config_of_settings
from omec.compile.problems import Origin, Place, RenderError
from tests.compile.companion_cases import Made, companions, external, with_capabilities
from tests.compile.crd_schemas import crd_errors
from tests.compile.rendering import NO_DEFAULTS, RUNNER, inputs

Object = dict[str, Any]

PORTED: Object = {**RUNNER, "ports": [{"name": "http1", "containerPort": 8080}]}
RUNTIME: Object = {"engineConfig": {"runner": PORTED}}
ALL: Object = {role: {"runner": PORTED} for role in ("engineConfig", "decoderConfig", "routerConfig")}
NO_EXPOSURE = Environment(companion_settings_of_settings({"ingress": {"disableIngressCreation": True}}))
GATEWAY_TABLE: Object = {
    "disableIngressCreation": False,
    "enableGatewayAPI": True,
    "omeIngressGateway": "eg/ome",
    "requestTimeoutSeconds": 600,
}
GATEWAY = Environment(companion_settings_of_settings({"ingress": GATEWAY_TABLE}))
CRON: Object = {"type": "cron", "metadata": {"timezone": "UTC", "start": "0 9 * * *", "end": "0 17 * * *"}}


def chat(spec: Object | None = None, runtime: Object = RUNTIME, **more: Any) -> ServiceInputs:
    return inputs(spec, runtime, name=more.pop("name", "llama-chat"), operator=CHART_DEFAULTS, **more)


def kinds(made: Made) -> list[tuple[str, str]]:
    return [(body["kind"], body["metadata"]["name"]) for body in made.objects]


def slugs(made: Made) -> list[str]:
    return [problem.rule.slug for problem in made.problems]


# --- §10.1 to §10.5 ----------------------------------------------------------------------------------------------


def test_vector_a_chart_defaults() -> None:
    given = chat()
    made = companions(given, Environment())
    assert kinds(made) == [
        ("HorizontalPodAutoscaler", "llama-chat-engine"),
        ("PodDisruptionBudget", "llama-chat-engine"),
    ]
    spec = made.only("HorizontalPodAutoscaler")["spec"]
    assert (spec["minReplicas"], spec["maxReplicas"]) == (1, 3)
    assert spec["scaleTargetRef"] == {"apiVersion": "apps/v1", "kind": "Deployment", "name": "llama-chat-engine"}
    assert spec["metrics"] == [
        {
            "type": "Resource",
            "resource": {"name": "cpu", "target": {"type": "Utilization", "averageUtilization": 80}},
        }
    ]
    assert made.only("PodDisruptionBudget")["spec"] == {
        "maxUnavailable": 1,
        "selector": {"matchLabels": {"app": "llama-chat-engine"}},
    }
    service = external(given, Environment())
    assert service is not None
    assert service["metadata"]["labels"]["component"] == "external-service"
    assert service["spec"]["ports"] == [{"name": "http", "port": 8080, "targetPort": 8080, "protocol": "TCP"}]
    found = addresses(given.service, Environment().settings.ingress, {"engine": 8080})
    assert found.url == "http://llama-chat.prod.svc.cluster.local:8080"


def test_vector_b_manifest_install() -> None:
    ingress = '{"disableIngressCreation": true, "ingressGateway": "a/b", "ingressService": "c"}'
    bare = Environment(companion_settings_of_config_map({"ingress": ingress}))
    made = companions(inputs(runtime=RUNTIME, operator=NO_DEFAULTS), bare)
    assert kinds(made) == [("HorizontalPodAutoscaler", "chat-engine")]
    spec = made.only("HorizontalPodAutoscaler")["spec"]
    assert (spec["minReplicas"], spec["maxReplicas"]) == (1, 1)


NATIVE: Object = {
    "deploymentMode": "OMENative",
    "engine": {"minReplicas": 4, "maxReplicas": 4, "worker": {"size": 2}},
}
GROUPED: Object = {"engineConfig": {"leader": {"runner": PORTED}, "worker": {"runner": PORTED}}}


def test_vector_c_multi_node() -> None:
    made = companions(chat(NATIVE, GROUPED, name="llama"), Environment())
    spec = made.only("HorizontalPodAutoscaler")["spec"]
    assert spec["scaleTargetRef"] == {
        "apiVersion": "ome.io/v1beta1",
        "kind": "InferenceReplica",
        "name": "llama-engine",
    }
    assert (spec["minReplicas"], spec["maxReplicas"]) == (4, 4)
    assert made.only("PodDisruptionBudget")["spec"]["minAvailable"] == 11
    assert "disruption-budget-fixed" not in slugs(made)


def test_scaled_instances_have_a_fixed_budget() -> None:
    spec = {**NATIVE, "engine": {**NATIVE["engine"], "maxReplicas": 6}}
    made = companions(chat(spec, GROUPED), Environment())
    assert made.only("PodDisruptionBudget")["spec"]["minAvailable"] == 11
    assert "disruption-budget-fixed" in slugs(made)


def test_monitor_of_instances_selects_workers_too() -> None:
    made = companions(chat(NATIVE, GROUPED, name="llama"), with_capabilities(Environment(), pod_monitors=True))
    monitor, budget = made.only("PodMonitor"), made.only("PodDisruptionBudget")
    assert monitor["spec"]["selector"] == budget["spec"]["selector"]
    assert monitor["spec"]["selector"]["matchLabels"] == {
        "ome.io/inferenceservice": "llama-engine",
        "component": "engine",
        "ome.io/managed-by": "OMENative",
    }


def test_vector_d_gateway_api_with_router(testdata: Path) -> None:
    spec: Object = {"engine": {"timeoutSeconds": 60}, "decoder": {}, "router": {"timeoutSeconds": 120}}
    made = companions(chat(spec, ALL, name="x"), GATEWAY)
    routes = made.of_kind("HTTPRoute")
    assert set(routes) == {"x", "x-engine", "x-router", "x-decoder"}
    (top,) = routes["x"]["spec"]["rules"]
    assert top["backendRefs"][0]["name"] == "x-router"
    assert top["timeouts"] == {"request": "120s"}
    for name, route in routes.items():
        (rule,) = route["spec"]["rules"]
        assert rule["matches"] == [{"path": {"type": "PathPrefix", "value": f"/prod/{name}/"}}]
    assert list(made.of_kind("BackendTrafficPolicy")) == ["x"]
    for body in (*routes.values(), made.only("BackendTrafficPolicy")):
        assert crd_errors(body, testdata) == []


def test_vector_e_cluster_local() -> None:
    given = chat(labels={"networking.knative.dev/visibility": "cluster-local"})
    assert external(given, NO_EXPOSURE) is None
    assert addresses(given.service, NO_EXPOSURE.settings.ingress, {"engine": 8080}).url is None
    made = companions(given, GATEWAY)
    assert list(made.of_kind("HTTPRoute")) == ["llama-chat", "llama-chat-engine"]
    assert "cluster-local-exposed" in slugs(made)


# --- Modes and capabilities --------------------------------------------------------------------------------------


def test_multi_node_mode_has_no_scaler_and_no_budget_of_the_operator() -> None:
    """Neither does OME 1.3 make one."""
    spec: Object = {"engine": {"annotations": {"ome.io/deploymentMode": "MultiNode"}, "minReplicas": 2}}
    assert kinds(companions(chat(spec, GROUPED), Environment())) == []


@pytest.mark.parametrize("component", ["engine", "decoder", "router"])
def test_every_component_has_its_own(component: str) -> None:
    made = companions(chat({"engine": {}, "decoder": {}, "router": {}}, ALL), Environment())
    assert f"llama-chat-{component}" in made.of_kind("HorizontalPodAutoscaler")
    assert f"llama-chat-{component}" in made.of_kind("PodDisruptionBudget")


def test_objects_of_absent_apis_are_not_made() -> None:
    nothing = with_capabilities(GATEWAY, envoy_gateway=False, autoscaler_policies=False, keda=False, pod_monitors=False)
    made = companions(chat(), nothing)
    assert {kind for kind, _ in kinds(made)} == {"HorizontalPodAutoscaler", "PodDisruptionBudget", "HTTPRoute"}
    everything = companions(chat(), with_capabilities(GATEWAY, pod_monitors=True))
    assert {kind for kind, _ in kinds(everything)} - {kind for kind, _ in kinds(made)} == {
        "BackendTrafficPolicy",
        "PodMonitor",
    }


def test_keda_without_keda() -> None:
    spec = {"engine": {"autoscaler": {"class": "KEDA", "keda": {"triggers": [CRON]}}}}
    assert kinds(companions(chat(spec), Environment()))[0] == ("ScaledObject", "scaledobject-llama-chat-engine")
    with pytest.raises(RenderError) as caught:
        companions(chat(spec), with_capabilities(Environment(), keda=False))
    assert caught.value.problem.rule.slug == "keda-missing"


@pytest.mark.parametrize(
    ("resources", "keda", "envoy", "monitors"),
    [
        (None, True, True, False),
        ([], False, False, False),
        (["keda.sh"], True, False, False),
        (["scaledobjects.keda.sh", "backendtrafficpolicies.gateway.envoyproxy.io"], True, True, False),
        (["monitoring.coreos.com"], False, False, True),
    ],
)
def test_capabilities(resources: list[str] | None, keda: bool, envoy: bool, monitors: bool) -> None:
    found = Capabilities.of(resources)
    assert (found.keda, found.envoy_gateway, found.pod_monitors) == (keda, envoy, monitors)


@pytest.mark.parametrize("disabled", [True, False])
def test_bad_domain_template_is_refused_with_ingress_on_or_off(disabled: bool) -> None:
    table = {"disableIngressCreation": disabled, "domainTemplate": "{{ .Name"}
    environment = Environment(companion_settings_of_settings({"ingress": table}))
    with pytest.raises(RenderError) as caught:
        companions(chat(), environment)
    assert "unclosed action" in caught.value.problem.message


# --- AutoscalerPolicies ------------------------------------------------------------------------------------------


def test_authentications_are_shared_by_components() -> None:
    query = {"query": 'sum(up{inferenceservice="{{.ISVCName}}"})', "threshold": "5", "ignoreNullValues": "false"}
    trigger = {"type": "prometheus", "providerRef": {"name": "main"}, "metadata": query}
    policy = {"class": "KEDA", "keda": {"triggers": [trigger]}}
    provider = {"serverAddress": "https://metrics.example", "authSecretRef": {"name": "metrics", "key": "token"}}
    settings = companion_settings_of_settings({"autoscalerPolicy": {"metricProviders": {"main": provider}}})
    reference = {"autoscalerPolicyRef": {"name": "load"}}
    spec = {"engine": reference, "decoder": reference}
    made = companions(chat(spec, ALL), Environment(settings, policies={"load": policy}))
    assert sorted(made.of_kind("ScaledObject")) == [
        "scaledobject-llama-chat-decoder",
        "scaledobject-llama-chat-engine",
    ]
    assert len(made.shared) == 2
    assert made.shared[0] == made.shared[1]
    assert made.shared[0]["kind"] == "TriggerAuthentication"


# --- §7.1 appProtocol --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("runner", "config", "own", "unmatched"),
    [
        ({"ports": [{"name": "grpc1", "containerPort": 8080}]}, {}, {"grpc1": "kubernetes.io/h2c"}, []),
        ({"ports": [{"name": "http1", "containerPort": 8080}]}, {}, {"http": "kubernetes.io/h2c"}, ["http"]),
        ({}, {}, {"ome-container": "http"}, []),
        ({}, {}, {"http": "http"}, ["http"]),
        ({"ports": [{"name": "grpc1", "containerPort": 8080}]}, {"grpc1": "kubernetes.io/h2c"}, {"grpc1": ""}, []),
        ({"ports": [{"name": "grpc1", "containerPort": 8080}]}, {"http": "http"}, {"http": ""}, []),
        ({"ports": [{"name": "grpc1", "containerPort": 8080}]}, {"http": "http"}, {}, ["http"]),
    ],
)
def test_app_protocols(runner: Object, config: Object, own: Object, unmatched: list[str]) -> None:
    runtime = {"engineConfig": {"runner": {**RUNNER, **runner}, "servicePortAppProtocols": config}}
    made = companions(chat({"engine": {"servicePortAppProtocols": own}}, runtime), NO_EXPOSURE)
    found = [problem for problem in made.problems if problem.rule.slug == "app-protocol-unmatched"]
    assert [problem.place.steps[-1] for problem in found] == unmatched
    assert {problem.place.origin for problem in found} <= {Origin.SERVICE if own else Origin.RUNTIME}


# --- Settings and admission --------------------------------------------------------------------------------------


def test_settings_are_those_of_the_operator() -> None:
    """The parts that two readers take from the same table agree."""
    for disabled in (True, False):
        table = {"ingress": {"disableIngressCreation": disabled}}
        ours = companion_settings_of_settings(table).ingress.disabled
        assert ours == operator_config_of_settings(table).ingress_disabled


def test_admission_looks_at_scaling_budgets_and_traffic() -> None:
    spec = {
        "engine": {"autoscaler": {"class": "KEDA"}, "minAvailable": 1, "maxUnavailable": 1},
        "traffic": {"algorithm": "ConsistentHash"},
    }
    annotations = {"ome.io/circuit-breaker-per-endpoint-max-connections": "3"}
    found = list(admission_problems(Service("chat", "prod", {}, annotations, spec), Capabilities()))
    assert [problem.rule.slug for problem in found] == [
        "autoscaler-invalid",
        "disruption-budget-invalid",
        "traffic-invalid",
        "sticky-endpoint-limit",
    ]
    assert found[0].place == Place(Origin.SERVICE, ("spec", "engine", "autoscaler"))
