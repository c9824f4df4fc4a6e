"""Autoscalers of components (reference 10 §2 and §3)."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from omec.compile.autoscaling.block import Source
from omec.compile.autoscaling.objects import Identity, ScaleTarget, scaled_object_name
from omec.compile.autoscaling.scale import Policies, Scaling, instance_bounds, scale
from omec.compile.capabilities import ASSUMED, Capabilities
from omec.compile.components import Component, merge_components
from omec.compile.inputs import ServiceInputs
from omec.compile.metadata import component_annotations
from omec.compile.modes import Mode
from omec.compile.names import ComponentName
from omec.compile.operator import OperatorConfig
from omec.compile.problems import Origin, RenderError
from omec.compile.replicas import Bounds, fill_operator_defaults, replica_bounds
from tests.compile.crd_schemas import crd_errors
from tests.compile.rendering import RUNNER, inputs

Object = dict[str, Any]

CRON: Object = {"type": "cron", "metadata": {"timezone": "UTC", "start": "0 9 * * *", "end": "0 17 * * *"}}
KEDA: Object = {"class": "KEDA", "keda": {"triggers": [CRON]}}
CPU: Object = {
    "type": "Resource",
    "resource": {"name": "cpu", "target": {"type": "Utilization", "averageUtilization": 80}},
}
MEMORY: Object = {
    "type": "Resource",
    "resource": {"name": "memory", "target": {"type": "AverageValue", "averageValue": "1.5Gi"}},
}
CLASS = "ome.io/autoscalerClass"
TARGET = "ome.io/targetUtilizationPercentage"
NO_POLICIES = Policies()


def component_of(given: ServiceInputs, name: ComponentName = "engine") -> Component:
    component = next(found for found in merge_components(given) if found.name == name)
    fill_operator_defaults(component.spec, component.name, given.operator)
    return component


def scaling(
    own: Object | None = None,
    config: Object | None = None,
    *,
    mode: Mode = Mode.RAW_DEPLOYMENT,
    bounds: Bounds | None = None,
    annotations: Object | None = None,
    capabilities: Capabilities = ASSUMED,
    policies: Policies = NO_POLICIES,
) -> Scaling:
    """What scales the engine ``own`` of service ``prod/chat`` on a runtime with ``config`` for it."""
    given = inputs(
        {"engine": own or {}}, {"engineConfig": {"runner": RUNNER, **(config or {})}}, annotations=annotations
    )
    component = component_of(given)
    native = mode is Mode.OME_NATIVE
    if bounds is None:
        bounds = instance_bounds(component) if native else replica_bounds(component)
    identity = Identity(
        "chat-engine", "prod", {"app": "chat-engine"}, component_annotations(given, component.name, component.spec)
    )
    target = ScaleTarget.inference_replica("chat-engine") if native else ScaleTarget.deployment("chat-engine")
    return scale(
        component,
        mode,
        "chat",
        identity=identity,
        target=target,
        bounds=bounds,
        policies=policies,
        capabilities=capabilities,
    )


def scaler(*args: Any, **more: Any) -> Object:
    found = scaling(*args, **more).scaler
    assert found is not None
    return found


def refusal(*args: Any, **more: Any) -> RenderError:
    with pytest.raises(RenderError) as caught:
        scaling(*args, **more)
    return caught.value


# --- §2 Replica bounds -------------------------------------------------------------------------------------------


def operator(minimum: int | None, maximum: int | None, router: int | None = 2) -> OperatorConfig:
    maxima: dict[ComponentName, int] = {}
    if maximum is not None:
        maxima["engine"] = maximum
    if router is not None:
        maxima["router"] = router
    return OperatorConfig(min_replicas=minimum, max_replicas=maxima)


NONE = OperatorConfig()


@pytest.mark.parametrize(
    ("mode", "name", "own", "config", "defaults", "expected"),
    [
        ("Raw", "engine", {}, {}, operator(1, 3), Bounds(1, 3)),
        ("Raw", "router", {}, {}, operator(1, 3), Bounds(1, 2)),
        ("Raw", "engine", {"minReplicas": 1}, {}, operator(1, 4), Bounds(1, 4)),
        ("Raw", "engine", {"minReplicas": 5}, {}, operator(1, 3), Bounds(5, 5)),
        ("Raw", "engine", {"maxReplicas": 2}, {}, operator(3, None), "minReplicas must not exceed maxReplicas: 3 > 2"),
        ("OMENative", "engine", {"maxReplicas": 2}, {}, operator(3, None), Bounds(3, 3)),
        (
            "Raw",
            "engine",
            {"minReplicas": 4},
            {"maxReplicas": 2},
            operator(1, 3),
            "minReplicas must not exceed maxReplicas: 4 > 2",
        ),
        ("Raw", "engine", {"minReplicas": 1, "maxReplicas": 0}, {}, operator(1, 3), Bounds(1, 3)),
        ("Raw", "engine", {}, {}, NONE, Bounds(1, 1)),
        ("OMENative", "engine", {"minReplicas": 0, "maxReplicas": 2}, {}, NONE, Bounds(1, 2)),
        ("OMENative", "engine", {}, {"minReplicas": 4, "maxReplicas": 4}, NONE, Bounds(4, 4)),
    ],
)
def test_bounds(
    mode: str, name: ComponentName, own: Object, config: Object, defaults: OperatorConfig, expected: Bounds | str
) -> None:
    given = inputs({"engine": {}, name: own}, {f"{name}Config": {"runner": RUNNER, **config}}, operator=defaults)
    component = component_of(given, name)
    bounds = instance_bounds if mode == "OMENative" else replica_bounds
    if isinstance(expected, Bounds):
        assert bounds(component) == expected
    else:
        with pytest.raises(RenderError, match=expected):
            bounds(component)


# --- §3.1 Which block wins ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("own", "config", "annotations", "source", "kind"),
    [
        ({"autoscaler": KEDA}, {"autoscaler": {"class": "HPA"}}, {}, Source.SERVICE, "ScaledObject"),
        ({}, {"autoscaler": KEDA}, {}, Source.RUNTIME, "ScaledObject"),
        ({}, {"autoscaler": KEDA}, {CLASS: "hpa"}, Source.RUNTIME, "ScaledObject"),
        ({}, {}, {CLASS: "hpa"}, Source.LEGACY, "HorizontalPodAutoscaler"),
        ({}, {}, {TARGET: "50"}, Source.LEGACY, "HorizontalPodAutoscaler"),
        ({}, {}, {}, Source.DEFAULT, "HorizontalPodAutoscaler"),
        ({"autoscaler": {"class": "External"}}, {}, {}, Source.SERVICE, None),
        ({"autoscaler": {"class": "None"}}, {}, {}, Source.SERVICE, None),
        ({}, {}, {CLASS: "external"}, Source.LEGACY, None),
    ],
)
def test_source(own: Object, config: Object, annotations: Object, source: Source, kind: str | None) -> None:
    found = scaling(own, config, annotations=annotations)
    assert found.autoscaler.source is source
    assert (found.scaler or {}).get("kind") == kind
    assert found.autoscaler.fixes_replicas == ((own.get("autoscaler") or {}).get("class") == "None")


def test_blocks_are_not_merged() -> None:
    """A block of class HPA without metrics does not take those of the runtime."""
    body = scaler({"autoscaler": {"class": "HPA"}}, {"autoscaler": {"class": "HPA", "hpa": {"metrics": [MEMORY]}}})
    assert body["spec"]["metrics"] == [CPU]


def test_annotations_mean_nothing_on_omenative() -> None:
    found = scaling({}, {}, annotations={CLASS: "external"}, mode=Mode.OME_NATIVE)
    assert found.autoscaler.source is Source.DEFAULT
    assert found.scaler is not None


def test_component_annotation_wins() -> None:
    found = scaling({"annotations": {CLASS: "external"}}, {}, annotations={CLASS: "hpa"})
    assert found.scaler is None
    assert found.autoscaler.place.steps == ("spec", "engine", "annotations", CLASS)


# --- §3.2 to §3.4 HorizontalPodAutoscaler ------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("mode", "target"),
    [
        (Mode.RAW_DEPLOYMENT, {"apiVersion": "apps/v1", "kind": "Deployment", "name": "chat-engine"}),
        (Mode.OME_NATIVE, {"apiVersion": "ome.io/v1beta1", "kind": "InferenceReplica", "name": "chat-engine"}),
    ],
)
def test_target(mode: Mode, target: Object) -> None:
    assert scaler(mode=mode)["spec"]["scaleTargetRef"] == target
    assert scaler({"autoscaler": KEDA}, mode=mode)["spec"]["scaleTargetRef"] == target


@pytest.mark.parametrize(
    ("minimum", "maximum", "utilization", "expected"),
    [
        (1, 0, None, (1, 1, 80)),
        (5, 10, "50", (5, 10, 50)),
        (0, -10, None, (1, 1, 80)),
        (2, 5, None, (2, 5, 80)),
    ],
)
def test_generator(minimum: int, maximum: int, utilization: str | None, expected: tuple[int, int, int]) -> None:
    annotations = {} if utilization is None else {TARGET: utilization}
    spec = scaler(annotations=annotations, bounds=Bounds(minimum, maximum))["spec"]
    metric = spec["metrics"][0]["resource"]
    assert (spec["minReplicas"], spec["maxReplicas"], metric["target"]["averageUtilization"]) == expected
    assert metric["name"] == "cpu"
    assert "behavior" not in spec


def test_default_autoscaler() -> None:
    body = scaler(bounds=Bounds(1, 3))
    assert body == {
        "apiVersion": "autoscaling/v2",
        "kind": "HorizontalPodAutoscaler",
        "metadata": {
            "name": "chat-engine",
            "namespace": "prod",
            "labels": {"app": "chat-engine"},
            "annotations": {"ome.io/serving-runtime": "rt"},
        },
        "spec": {
            "scaleTargetRef": {"apiVersion": "apps/v1", "kind": "Deployment", "name": "chat-engine"},
            "minReplicas": 1,
            "maxReplicas": 3,
            "metrics": [CPU],
        },
    }


def test_metrics_and_behavior_are_copied() -> None:
    behavior = {"scaleDown": {"stabilizationWindowSeconds": 300}}
    block = {"class": "HPA", "hpa": {"metrics": [MEMORY, CPU], "behavior": behavior}}
    spec = scaler({"autoscaler": block})["spec"]
    assert [metric["resource"]["name"] for metric in spec["metrics"]] == ["memory", "cpu"]
    assert spec["metrics"][0]["resource"]["target"]["averageValue"] == "1536Mi"
    assert spec["behavior"] == behavior


@pytest.mark.parametrize("metric", ["memory", "cpu"])
def test_legacy_metric_is_never_applied(metric: str) -> None:
    assert scaler(annotations={CLASS: "hpa", "ome.io/metrics": metric})["spec"]["metrics"] == [CPU]


def test_legacy_target_that_is_no_number() -> None:
    assert scaler({"annotations": {TARGET: "many"}})["spec"]["metrics"] == [CPU]


def test_class_annotation_follows_the_class() -> None:
    body = scaler({"autoscaler": KEDA, "annotations": {CLASS: "hpa"}})
    assert body["metadata"]["annotations"][CLASS] == "keda"
    assert scaler({"annotations": {TARGET: "5"}})["metadata"]["annotations"].get(CLASS) is None


# --- §3.5 ScaledObject -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("component", "expected"),
    [
        ("llama-engine", "scaledobject-llama-engine"),
        ("x" * 43 + "-engine", "scaledobject-" + "x" * 43 + "-engine"),
        (
            "meta-llama-3-1-405b-instruct-fp8-production-eu-frankfurt-engine",
            "scaledobject-1-405b-instruct-fp8-production-eu-frankfurt-engine",
        ),
    ],
)
def test_scaled_object_name(component: str, expected: str) -> None:
    assert scaled_object_name(component) == expected


@pytest.mark.parametrize(
    ("mode", "own", "expected"),
    [
        (Mode.RAW_DEPLOYMENT, {"minReplicas": 0, "maxReplicas": 2}, (0, 2, None)),
        (Mode.OME_NATIVE, {"minReplicas": 0, "maxReplicas": 2}, (1, 2, None)),
        (Mode.RAW_DEPLOYMENT, {"minReplicas": 2, "maxReplicas": 4, "idle": 0}, (2, 4, 0)),
        (Mode.RAW_DEPLOYMENT, {"minReplicas": 3}, (3, 3, None)),
    ],
)
def test_scaled_object_bounds(mode: Mode, own: Object, expected: tuple[int, int, int | None]) -> None:
    own = dict(own)
    idle = own.pop("idle", None)
    keda = dict(KEDA["keda"]) | ({} if idle is None else {"idleReplicaCount": idle})
    spec = scaler({**own, "autoscaler": {"class": "KEDA", "keda": keda}}, mode=mode)["spec"]
    assert (spec["minReplicaCount"], spec["maxReplicaCount"], spec.get("idleReplicaCount")) == expected


def test_scale_to_zero() -> None:
    trigger = {**CRON, "metadata": {**CRON["metadata"], "desiredReplicas": "1"}}
    block = {"class": "KEDA", "keda": {"triggers": [trigger]}}
    body = scaler({"minReplicas": 0, "maxReplicas": 2, "autoscaler": block})
    assert body["apiVersion"] == "keda.sh/v1alpha1"
    assert body["metadata"]["name"] == "scaledobject-chat-engine"
    assert body["spec"] == {
        "scaleTargetRef": {"apiVersion": "apps/v1", "kind": "Deployment", "name": "chat-engine"},
        "minReplicaCount": 0,
        "maxReplicaCount": 2,
        "triggers": [trigger],
    }


def test_scaled_object_fields(testdata: Path) -> None:
    keda = {
        "triggers": [{**CRON, "authenticationRef": {"name": "a"}, "metricType": "AverageValue"}],
        "pollingInterval": 5,
        "cooldownPeriod": 60,
        "idleReplicaCount": 0,
        "fallback": {"failureThreshold": 3, "replicas": 2},
        "advanced": {"horizontalPodAutoscalerConfig": {"behavior": {"scaleUp": {"stabilizationWindowSeconds": 5}}}},
    }
    body = scaler({"autoscaler": {"class": "KEDA", "keda": keda}})
    assert {key: body["spec"][key] for key in keda} == keda
    assert crd_errors(body, testdata) == []


def test_lens_label_is_dropped() -> None:
    given = inputs({"engine": {"autoscaler": KEDA}})
    component = component_of(given)
    identity = Identity("chat-engine", "prod", {"k8slens-edit-resource-version": "v1", "team": "x"}, {})
    found = scale(
        component,
        Mode.RAW_DEPLOYMENT,
        "chat",
        identity=identity,
        target=ScaleTarget.deployment("chat-engine"),
        bounds=Bounds(1, 1),
        policies=NO_POLICIES,
        capabilities=ASSUMED,
    )
    assert found.scaler is not None
    assert found.scaler["metadata"]["labels"] == {"team": "x"}


# --- Refusals ----------------------------------------------------------------------------------------------------


def test_legacy_keda() -> None:
    error = refusal(annotations={CLASS: "keda"})
    assert error.problem.message == "KEDA autoscaler requires at least one trigger"
    assert error.problem.place.steps == ("metadata", "annotations", CLASS)


def test_unknown_legacy_class() -> None:
    error = refusal({"annotations": {CLASS: "vpa"}})
    assert error.problem.message == 'unknown legacy autoscaler class "vpa" in ome.io/autoscalerClass annotation'


def test_reserved_name() -> None:
    keda = {**KEDA["keda"], "advanced": {"horizontalPodAutoscalerConfig": {"name": "chat-engine"}}}
    error = refusal({"autoscaler": {"class": "KEDA", "keda": keda}})
    assert error.problem.message == (
        'KEDA horizontalPodAutoscalerConfig.name "chat-engine" conflicts with the reserved OME HPA name'
    )


def test_keda_that_the_cluster_lacks() -> None:
    error = refusal({"autoscaler": KEDA}, capabilities=Capabilities.of([]))
    assert error.problem.rule.slug == "keda-missing"
    assert scaling({}, capabilities=Capabilities.of([])).scaler is not None


def test_block_of_a_runtime() -> None:
    error = refusal({}, {"autoscaler": {"class": "KEDA"}})
    assert error.problem.message == "engineConfig: KedaTriggersRequired: class=keda requires at least 1 trigger"
    assert error.problem.place.origin is Origin.RUNTIME


def test_idle_above_the_effective_minimum() -> None:
    """The webhook compares with the service's own minimum only; KEDA with the one that counts."""
    keda = {**KEDA["keda"], "idleReplicaCount": 1}
    (problem,) = scaling({"autoscaler": {"class": "KEDA", "keda": keda}}).problems
    assert problem.message == "KEDA refuses idleReplicaCount=1 for the engine: its minReplicaCount is 1"


@pytest.mark.parametrize(
    "own",
    [
        {"minReplicas": 0, "autoscaler": KEDA},
        {"minReplicas": 1, "autoscaler": {"class": "KEDA", "keda": {**KEDA["keda"], "idleReplicaCount": 0}}},
    ],
)
def test_omenative_never_reaches_zero(own: Object) -> None:
    (problem,) = scaling(own, mode=Mode.OME_NATIVE).problems
    assert problem.rule.slug == "omenative-never-zero"


@pytest.mark.parametrize(
    ("keda", "message"),
    [
        ({"pollingInterval": 0}, "keda.pollingInterval of the engine: 0 is less than 1"),
        ({"cooldownPeriod": -1}, "keda.cooldownPeriod of the engine: -1 is less than 0"),
        (
            {"fallback": {"failureThreshold": -1, "replicas": 2}},
            "keda.fallback.failureThreshold of the engine: -1 is less than 0",
        ),
        (
            {"advanced": {"scalingModifiers": {"metricType": "Utilization"}}},
            "keda.advanced.scalingModifiers.metricType of the engine: Utilization is not one of AverageValue, Value",
        ),
        (
            {"triggers": [{"type": "cron", "metadata": {}, "authenticationRef": {"name": "a", "kind": "Secret"}}]},
            "keda.triggers[0].authenticationRef.kind of the engine: Secret is not one of TriggerAuthentication, "
            "ClusterTriggerAuthentication",
        ),
        ({"triggers": [{"type": "", "metadata": {}}]}, "keda.triggers[0].type of the engine: it is empty"),
    ],
)
def test_what_the_definition_of_keda_refuses(keda: Object, message: str, testdata: Path) -> None:
    found = scaling({"autoscaler": {"class": "KEDA", "keda": {**KEDA["keda"], **keda}}})
    (problem,) = found.problems
    assert problem.message == f"KEDA refuses {message}"
    assert problem.place.steps[:4] == ("spec", "engine", "autoscaler", "keda")
    assert found.scaler is not None
    assert crd_errors(found.scaler, testdata)
