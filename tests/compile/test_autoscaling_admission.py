"""What the webhook says about scaling (reference 09 A4, rules 2 to 14)."""

from __future__ import annotations

from typing import Any

import pytest

from omec.compile.autoscaling.admission import scaling_refusals
from omec.compile.capabilities import Capabilities
from tests.compile.rendering import inputs
from tests.compile.test_autoscaling import CRON, KEDA

Object = dict[str, Any]

IDLE: Object = {"class": "KEDA", "keda": {"triggers": [CRON], "idleReplicaCount": 0}}


def refused(spec: Object, annotations: Object | None = None, capabilities: Capabilities | None = None) -> list[str]:
    service = inputs(spec, annotations=annotations).service
    return [problem.message for problem in scaling_refusals(service, capabilities or Capabilities())]


def hpa(metric: Object) -> Object:
    return {"autoscaler": {"class": "HPA", "hpa": {"metrics": [metric]}}}


_TYPES = "Resource|Pods|Object|External|ContainerResource"


@pytest.mark.parametrize(
    ("engine", "message"),
    [
        ({"autoscaler": {}}, 'AutoscalerClassUnknown: autoscaler.class "" is not one of HPA|KEDA|External|None'),
        (
            {"autoscaler": {"class": "hpa"}},
            'AutoscalerClassUnknown: autoscaler.class "hpa" is not one of HPA|KEDA|External|None',
        ),
        ({"autoscaler": {"class": "KEDA"}}, "KedaTriggersRequired: class=keda requires at least 1 trigger"),
        (
            {"autoscaler": {"class": "KEDA", "keda": {"triggers": []}}},
            "KedaTriggersRequired: class=keda requires at least 1 trigger",
        ),
        (hpa({}), f"HPAMetricMalformed: hpa.metrics[0].type is empty; must be one of {_TYPES}"),
        (hpa({"type": "Cpu"}), f'HPAMetricMalformed: hpa.metrics[0].type "Cpu" is not one of {_TYPES}'),
        (
            hpa({"type": "Pods", "resource": {}}),
            "HPAMetricMalformed: hpa.metrics[0].type=Pods but hpa.metrics[0].pods is nil",
        ),
        (
            hpa({"type": "ContainerResource"}),
            "HPAMetricMalformed: hpa.metrics[0].type=ContainerResource but hpa.metrics[0].containerResource is nil",
        ),
        (
            {"minReplicas": 0, "autoscaler": IDLE},
            "KedaIdleBelowMin: keda.idleReplicaCount must be < minReplicas (got idleReplicaCount=0, minReplicas=0)",
        ),
    ],
)
def test_shape(engine: Object, message: str) -> None:
    assert refused({"engine": engine}) == [f"engine: {message}"]


@pytest.mark.parametrize(
    "engine",
    [
        {"autoscaler": {"class": "HPA"}},
        {"autoscaler": {"class": "External"}},
        {"autoscaler": {"class": "None"}},
        {"autoscaler": KEDA},
        {"autoscaler": IDLE},
        {"minReplicas": 2, "maxReplicas": 4, "autoscaler": IDLE},
        hpa({"type": "Resource", "resource": {"name": "cpu"}}),
    ],
)
def test_admitted_shape(engine: Object) -> None:
    assert refused({"engine": engine}) == []


@pytest.mark.parametrize(
    ("annotations", "message"),
    [
        ({"ome.io/autoscalerClass": "HPA"}, "[HPA] is not a supported autoscaler class type"),
        ({"ome.io/autoscalerClass": "hpa", "ome.io/metrics": "gpu"}, "[gpu] is not a supported metric"),
        (
            {"ome.io/targetUtilizationPercentage": "0"},
            "the target utilization percentage should be a [1-100] integer",
        ),
        (
            {"ome.io/targetUtilizationPercentage": "many"},
            "the target utilization percentage should be a [1-100] integer",
        ),
        ({"ome.io/metrics": "gpu"}, None),
        ({"ome.io/autoscalerClass": "keda"}, None),
        ({"ome.io/autoscalerClass": "external", "ome.io/targetUtilizationPercentage": "100"}, None),
        ({"ome.io/targetUtilizationPercentage": "+00000000080"}, None),
    ],
)
def test_annotations(annotations: Object, message: str | None) -> None:
    assert refused({"engine": {}}, annotations) == ([] if message is None else [message])


def test_conflict() -> None:
    assert refused({"engine": {}, "router": {"autoscaler": KEDA}}, {"ome.io/autoscalerClass": "hpa"}) == [
        "AutoscalerAnnotationConflict: ome.io/autoscalerClass annotation is present together with "
        "spec.router.autoscaler; remove the annotation — per-Component autoscaler block wins"
    ]


def test_reference_to_a_reserved_kind() -> None:
    reference = {"name": "p", "kind": "ClusterAutoscalerPolicy"}
    assert refused({"engine": {"autoscalerPolicyRef": reference}}) == [
        'AutoscalerPolicyRefKindReserved: spec.engine.autoscalerPolicyRef.kind "ClusterAutoscalerPolicy" is not '
        "supported (ClusterAutoscalerPolicy is a reserved shape); use AutoscalerPolicy"
    ]


def test_reference_while_the_feature_is_off() -> None:
    spec = {"engine": {"autoscalerPolicyRef": {"name": "p", "kind": "AutoscalerPolicy"}}}
    assert refused(spec) == []
    assert refused(spec, capabilities=Capabilities.of(["keda.sh"])) == [
        'AutoscalerPolicyFeatureDisabled: spec.engine.autoscalerPolicyRef references "p" but the AutoscalerPolicy '
        "feature is not enabled on this cluster; remove the ref or enable the feature"
    ]


ZERO = (
    "InvalidScaleToZero: engine.minReplicas=0 requires KEDA autoscaling (set spec.engine.autoscaler.class=KEDA or the "
    "ome.io/autoscalerClass=keda annotation); Serverless mode no longer auto-promotes scale-to-zero"
)


@pytest.mark.parametrize(
    ("engine", "annotations", "message"),
    [
        ({"minReplicas": 0}, {}, ZERO),
        ({"minReplicas": 0, "autoscalerPolicyRef": {"name": "p"}}, {}, ZERO),
        ({"minReplicas": 0, "maxReplicas": 2, "autoscaler": KEDA}, {}, None),
        ({"minReplicas": 0}, {"ome.io/autoscalerClass": "keda"}, None),
        ({"minReplicas": -1}, {}, "spec.engine.minReplicas must be >= 0"),
        ({"maxReplicas": -1}, {}, "spec.engine.maxReplicas must be >= 1"),
        ({"minReplicas": 4, "maxReplicas": 3}, {}, "spec.engine.minReplicas (4) must be <= maxReplicas (3)"),
        ({"minReplicas": 4, "maxReplicas": 0}, {}, None),
    ],
)
def test_bounds(engine: Object, annotations: Object, message: str | None) -> None:
    assert refused({"engine": engine}, annotations) == ([] if message is None else [message])


def test_zero_in_a_runtime_is_not_looked_at() -> None:
    """The webhook sees the InferenceService only; OME's controller refuses the rest when it renders."""
    assert refused({"engine": {}}) == []


def test_order_is_the_webhooks() -> None:
    messages = refused(
        {"engine": {"minReplicas": -1, "autoscaler": {}}},
        {"ome.io/autoscalerClass": "vpa", "ome.io/targetUtilizationPercentage": "x"},
    )
    assert [message.split()[0].rstrip(":") for message in messages] == [
        "[vpa]",
        "engine",
        "AutoscalerAnnotationConflict",
        "the",
        "spec.engine.minReplicas",
    ]
