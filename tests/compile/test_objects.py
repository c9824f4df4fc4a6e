"""Deployment, Services and the router's access (reference 04 §11 to §14)."""

from __future__ import annotations

from typing import Any

import pytest

from omec.compile.deployment import update_strategy
from omec.compile.metadata import queue_labels, service_annotations
from omec.compile.operator import OperatorConfig
from omec.compile.render import render
from omec.compile.services import service_ports
from tests.compile.rendering import RUNNER, engine_deployment, inputs, objects_of

Object = dict[str, Any]

MODEL: Object = {
    "vendor": "meta",
    "modelFormat": {"name": "safetensors", "version": "1.0.0"},
    "storage": {"storageUri": "hf://a/b", "path": "/m"},
}
ROUTER: Object = {"runner": {"name": "router", "image": "r:1", "ports": [{"containerPort": 30080}]}}


@pytest.mark.parametrize(
    ("merged", "expected"),
    [
        (None, {"type": "RollingUpdate", "rollingUpdate": {"maxUnavailable": 0, "maxSurge": 1}}),
        ({"type": "Recreate"}, {"type": "Recreate"}),
        ({"rollingUpdate": {"maxSurge": 2}}, {"type": "RollingUpdate", "rollingUpdate": {"maxSurge": 2}}),
        (
            {"type": "Recreate", "rollingUpdate": {"maxSurge": 2}},
            {"type": "Recreate", "rollingUpdate": {"maxSurge": 2}},
        ),
    ],
)
def test_update_strategy(merged: Object | None, expected: Object) -> None:
    assert update_strategy(merged) == expected


def test_deployment() -> None:
    deployment = engine_deployment(inputs(labels={"team": "x"}, annotations={"owner": "me"}, model=MODEL))
    labels = {
        "app": "chat-engine",
        "base-model-name": "llama",
        "base-model-size": "SMALL",
        "base-model-type": "Serving",
        "base-model-vendor": "meta",
        "component": "engine",
        "fine-tuned-serving": "false",
        "ome.io/inferenceservice": "chat",
        "serving-runtime": "rt",
        "team": "x",
    }
    annotations = {
        "ome.io/base-model-format": "safetensors",
        "ome.io/base-model-format-version": "1.0.0",
        "ome.io/base-model-name": "llama",
        "ome.io/base-model-vendor": "meta",
        "ome.io/serving-runtime": "rt",
        "owner": "me",
    }
    assert deployment["metadata"] == {
        "name": "chat-engine",
        "namespace": "prod",
        "labels": labels,
        "annotations": annotations,
    }
    assert deployment["spec"]["template"]["metadata"] == {"labels": labels, "annotations": annotations}
    assert deployment["spec"]["selector"] == {"matchLabels": {"app": "chat-engine"}}
    assert deployment["spec"]["revisionHistoryLimit"] == 10
    assert deployment["spec"]["progressDeadlineSeconds"] == 600
    assert "replicas" not in deployment["spec"]


def test_metadata_of_a_service_without_a_model() -> None:
    metadata = engine_deployment(inputs())["metadata"]
    assert metadata["annotations"] == {"ome.io/serving-runtime": "rt"}
    assert metadata["labels"] == {
        "app": "chat-engine",
        "component": "engine",
        "fine-tuned-serving": "false",
        "ome.io/inferenceservice": "chat",
        "serving-runtime": "rt",
    }


def test_component_metadata_wins_over_the_service_and_loses_to_the_generated() -> None:
    own = {
        "labels": {"team": "engine", "component": "x"},
        "annotations": {"a": "engine", "ome.io/base-model-name": "x", "ome.io/rollout-promote": "y"},
    }
    given = inputs({"engine": own}, labels={"team": "x", "b": ""}, annotations={"a": "x"}, model=MODEL)
    metadata = engine_deployment(given)["metadata"]
    assert metadata["labels"] | {"team": "engine", "component": "engine", "b": ""} == metadata["labels"]
    assert metadata["annotations"]["a"] == "engine"
    assert metadata["annotations"]["ome.io/base-model-name"] == "llama"
    assert metadata["annotations"]["ome.io/rollout-promote"] == "y"


@pytest.mark.parametrize(
    ("key", "copied"),
    [
        ("ome.io/rollout-promote", False),
        ("ome.io/rollout-rollback", False),
        ("kubectl.kubernetes.io/last-applied-configuration", False),
        ("internal.ome.io/storage-initializer-sourceuri", False),
        ("internal.ome.io/in-place-image-transition", False),
        ("autoscaling.knative.dev/min-scale", True),
        ("ome.io/deploymentMode", True),
    ],
)
def test_annotations_of_the_service(key: str, copied: bool) -> None:
    annotations = engine_deployment(inputs(annotations={key: "x"}))["metadata"]["annotations"]
    assert (key in annotations) is copied


def test_annotation_that_no_component_may_set() -> None:
    own = {"annotations": {"internal.ome.io/in-place-image-transition": "x"}}
    annotations = engine_deployment(inputs({"engine": own}))["metadata"]["annotations"]
    assert annotations == {"ome.io/serving-runtime": "rt"}


@pytest.mark.parametrize(
    ("annotations", "labels"),
    [
        (
            {"ome.io/volcano-queue": "q1", "ome.io/dedicated-ai-cluster": "d1", "kueue-enabled": "true"},
            {"volcano.sh/queue-name": "q1"},
        ),
        ({"ome.io/dedicated-ai-cluster": "d1"}, {"volcano.sh/queue-name": "d1"}),
        (
            {"ome.io/dedicated-ai-cluster": "d1", "kueue-enabled": "false"},
            {
                "kueue.x-k8s.io/queue-name": "d1",
                "kueue.x-k8s.io/priority-class": "kueue-scheduling-high-priority",
            },
        ),
        ({"kueue-enabled": "true"}, {}),
    ],
)
def test_queue_labels(annotations: Object, labels: Object) -> None:
    assert queue_labels(annotations) == labels


@pytest.mark.parametrize(
    ("keys", "kept"),
    [
        (
            ["k8s.grafana.com/scrape", "ome.io/base-model-name", "ome.io/service-type"],
            ["ome.io/base-model-name", "ome.io/service-type"],
        ),
        (["prometheus.io/port", "prometheus.ome.io/port"], ["prometheus.ome.io/port"]),
        (["networking.gke.io/interfaces", "ome.io/deploymentMode"], ["ome.io/deploymentMode"]),
        (
            ["rdma.ome.io/auto-inject", "runtime.ome.io/shm-profile", "meta.helm.sh/release-name"],
            ["meta.helm.sh/release-name"],
        ),
        (
            ["ome.io/inject-model-init", "ome.io/inject-serving-sidecar", "ome.io/load-balancer-ip"],
            ["ome.io/load-balancer-ip"],
        ),
        (["loki.grafana.com/scrape", "ome.io/inject-fine-tuned-adapter"], []),
    ],
)
def test_annotations_of_component_services(keys: list[str], kept: list[str]) -> None:
    assert list(service_annotations(dict.fromkeys(keys, "x"))) == kept


def port(number: int, protocol: str = "TCP", **more: str) -> Object:
    return {"port": number, "targetPort": number, "protocol": protocol, **more}


@pytest.mark.parametrize(
    ("ports", "protocols", "expected"),
    [
        ([{"name": "http1", "containerPort": 8080}], {}, [port(8080, name="http1")]),
        (
            [{"name": "http", "containerPort": 30000}, {"name": "bootstrap", "containerPort": 8998}],
            {},
            [port(30000, name="http"), port(8998, name="bootstrap")],
        ),
        ([], {"ome-container": "http"}, [port(8080, name="ome-container", appProtocol="http")]),
        ([{"name": "grpc1", "containerPort": 8080}], {"grpc1": ""}, [port(8080, name="grpc1")]),
        (
            [{"name": "grpc1", "containerPort": 8080}],
            {"grpc1": "kubernetes.io/h2c"},
            [port(8080, name="grpc1", appProtocol="kubernetes.io/h2c")],
        ),
        ([{"name": "http1", "containerPort": 8080}], {"http": "kubernetes.io/h2c"}, [port(8080, name="http1")]),
        ([{"name": "dns", "containerPort": 53, "protocol": "UDP"}], {}, [port(53, "UDP", name="dns")]),
        ([{"containerPort": 8080}], {}, [port(8080)]),
    ],
)
def test_service_ports(ports: list[Object], protocols: Object, expected: list[Object]) -> None:
    assert service_ports({"name": "ome-container", "ports": ports}, protocols) == expected


def test_component_service_points_at_the_first_container() -> None:
    own = {"containers": [{"name": "sidecar", "image": "x", "ports": [{"name": "s", "containerPort": 9000}]}]}
    service = objects_of(inputs({"engine": own}))["Service", "chat-engine"]
    assert service["spec"] == {
        "type": "ClusterIP",
        "selector": {"app": "chat-engine"},
        "ports": [port(9000, name="s")],
    }


@pytest.mark.parametrize(
    ("annotations", "expected"),
    [
        ({"ome.io/service-type": "NodePort", "ome.io/load-balancer-ip": "1.2.3.4"}, {"type": "NodePort"}),
        (
            {"ome.io/service-type": "LoadBalancer", "ome.io/load-balancer-ip": "1.2.3.4"},
            {"type": "LoadBalancer", "loadBalancerIP": "1.2.3.4"},
        ),
        ({"ome.io/service-type": "LoadBalancer", "ome.io/load-balancer-ip": ""}, {"type": "LoadBalancer"}),
        ({"ome.io/service-type": "loadbalancer"}, {"type": "ClusterIP"}),
    ],
)
def test_type_of_component_services(annotations: Object, expected: Object) -> None:
    spec = objects_of(inputs({"engine": {"annotations": annotations}}))["Service", "chat-engine"]["spec"]
    assert {key: spec[key] for key in ("type", "loadBalancerIP") if key in spec} == expected


def test_long_names_are_shortened_where_ome_shortens_them() -> None:
    name = "isvc-" + "c" * 55
    objects = objects_of(inputs({"engine": {}, "router": ROUTER}, name=name))
    short = "ddea86c5-" + "c" * 47 + "-router"
    assert objects["Deployment", f"{name}-router"]["spec"]["selector"] == {"matchLabels": {"app": short}}
    assert objects["Service", short]["spec"]["selector"] == {"app": short}
    assert ("Role", f"{name}-router") in objects


@pytest.mark.parametrize(
    ("components", "labels", "annotations", "expected"),
    [
        ({"engine": 8080}, {}, {}, ("engine", 8080)),
        ({"engine": 30000, "decoder": 30001}, {}, {}, ("engine", 30000)),
        ({"engine": 30000, "decoder": 30000, "router": 30080}, {}, {}, ("router", 30080)),
        ({"engine": 8080}, {"networking.knative.dev/visibility": "cluster-local"}, {}, None),
        ({"engine": 8080}, {}, {"ome.io/ingress-disable-creation": "yes"}, None),
        ({"engine": 8080}, {}, {"ome.io/ingress-disable-creation": "true"}, ("engine", 8080)),
    ],
)
def test_external_service(
    components: dict[str, int], labels: Object, annotations: Object, expected: tuple[str, int] | None
) -> None:
    spec = {
        name: {"runner": {"name": name, "image": "x", "ports": [{"containerPort": number}]}}
        for name, number in components.items()
    }
    service = objects_of(inputs(spec, {}, labels=labels, annotations=annotations)).get(("Service", "chat"))
    if expected is None:
        assert service is None
        return
    component, number = expected
    assert service is not None
    assert service["metadata"] == {
        "name": "chat",
        "namespace": "prod",
        "labels": {"ome.io/inferenceservice": "chat", "component": "external-service"},
    }
    assert service["spec"] == {
        "type": "ClusterIP",
        "selector": {"ome.io/inferenceservice": "chat", "component": component},
        "ports": [port(number, name="http")],
    }


def test_annotations_of_the_external_service() -> None:
    annotations = {
        "service.beta.kubernetes.io/a": "1",
        "cloud.google.com/b": "2",
        "service.kubernetes.io/c": "3",
        "service.beta.kubernetes.io/": "x",
        "other/d": "4",
        "ome.io/service-type": "LoadBalancer",
        "ome.io/load-balancer-ip": "1.2.3.4",
    }
    service = objects_of(inputs(annotations=annotations))["Service", "chat"]
    assert service["metadata"]["annotations"] == {
        "service.beta.kubernetes.io/a": "1",
        "cloud.google.com/b": "2",
        "service.kubernetes.io/c": "3",
    }
    assert service["spec"]["type"] == "LoadBalancer"
    assert "loadBalancerIP" not in service["spec"]


def test_ingress_by_the_operator_leaves_the_external_service_out() -> None:
    assert ("Service", "chat") not in objects_of(inputs(operator=OperatorConfig()))


def test_access_of_the_router() -> None:
    objects = render(inputs({"engine": {}, "router": ROUTER}, annotations={"a": "b"})).objects
    kinds = [(obj["kind"], obj["metadata"]["name"]) for obj in objects]
    assert kinds == [
        ("Deployment", "chat-engine"),
        ("Service", "chat-engine"),
        ("HorizontalPodAutoscaler", "chat-engine"),
        ("PodDisruptionBudget", "chat-engine"),
        ("ServiceAccount", "chat-router"),
        ("Role", "chat-router"),
        ("RoleBinding", "chat-router"),
        ("Deployment", "chat-router"),
        ("Service", "chat-router"),
        ("HorizontalPodAutoscaler", "chat-router"),
        ("PodDisruptionBudget", "chat-router"),
        ("Service", "chat"),
    ]
    account, role, binding = objects[4:7]
    assert account["metadata"] == {
        "name": "chat-router",
        "namespace": "prod",
        "labels": {
            "ome.io/inferenceservice": "chat",
            "component": "router",
            "serving-runtime": "rt",
            "fine-tuned-serving": "false",
        },
    }
    assert role["rules"] == [{"apiGroups": [""], "resources": ["pods"], "verbs": ["get", "list", "watch"]}]
    assert binding["roleRef"] == {"apiGroup": "rbac.authorization.k8s.io", "kind": "Role", "name": "chat-router"}
    assert binding["subjects"] == [{"kind": "ServiceAccount", "name": "chat-router", "namespace": "prod"}]


def test_component_needs_no_configuration_in_the_runtime() -> None:
    objects = objects_of(inputs({"engine": {"runner": RUNNER}, "decoder": {"runner": RUNNER}}, {}))
    assert ("Deployment", "chat-decoder") in objects
