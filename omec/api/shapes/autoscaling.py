"""Autoscalers of a component, with the HPA (autoscaling/v2) and KEDA (v2) types inside (OME v1.3)."""

from __future__ import annotations

from omec.api.shapes.container import LABEL_SELECTOR
from omec.api.shapes.model import (
    BOOL,
    INT,
    QUANTITY,
    QUANTITY_MAP,
    STRING,
    STRING_MAP,
    ListOf,
    always,
    by_value,
    default,
    pointer,
    struct,
)

# autoscaling/v2

METRIC_TARGET = struct(
    "MetricTarget",
    type=always(STRING),
    value=pointer(QUANTITY),
    averageValue=pointer(QUANTITY),
    averageUtilization=pointer(INT),
)
METRIC_IDENTIFIER = struct("MetricIdentifier", name=always(STRING), selector=LABEL_SELECTOR)
METRIC_SPEC = struct(
    "MetricSpec",
    type=always(STRING),
    object=struct(
        "ObjectMetricSource",
        describedObject=by_value(
            struct("CrossVersionObjectReference", kind=always(STRING), name=always(STRING), apiVersion=STRING)
        ),
        target=by_value(METRIC_TARGET),
        metric=by_value(METRIC_IDENTIFIER),
    ),
    pods=struct("PodsMetricSource", metric=by_value(METRIC_IDENTIFIER), target=by_value(METRIC_TARGET)),
    resource=struct("ResourceMetricSource", name=always(STRING), target=by_value(METRIC_TARGET)),
    containerResource=struct(
        "ContainerResourceMetricSource",
        name=always(STRING),
        target=by_value(METRIC_TARGET),
        container=always(STRING),
    ),
    external=struct("ExternalMetricSource", metric=by_value(METRIC_IDENTIFIER), target=by_value(METRIC_TARGET)),
)
HPA_SCALING_RULES = struct(
    "HPAScalingRules",
    stabilizationWindowSeconds=pointer(INT),
    selectPolicy=pointer(STRING),
    policies=ListOf(struct("HPAScalingPolicy", type=always(STRING), value=always(INT), periodSeconds=always(INT))),
    tolerance=pointer(QUANTITY),
)
HPA_BEHAVIOR = struct("HorizontalPodAutoscalerBehavior", scaleUp=HPA_SCALING_RULES, scaleDown=HPA_SCALING_RULES)

# keda.sh/v1alpha1

SCALE_TRIGGER = struct(
    "ScaleTriggers",
    type=always(STRING),
    name=STRING,
    useCachedMetrics=BOOL,
    metadata=always(STRING_MAP),
    authenticationRef=struct("AuthenticationRef", name=always(STRING), kind=STRING),
    metricType=STRING,
)
KEDA_ADVANCED = struct(
    "AdvancedConfig",
    horizontalPodAutoscalerConfig=struct("HorizontalPodAutoscalerConfig", behavior=HPA_BEHAVIOR, name=STRING),
    restoreToOriginalReplicaCount=BOOL,
    scalingModifiers=by_value(
        struct("ScalingModifiers", formula=STRING, target=STRING, activationTarget=STRING, metricType=STRING)
    ),
)
KEDA_FALLBACK = struct("Fallback", failureThreshold=always(INT), replicas=always(INT), behavior=STRING)

# ome.io

COMPONENT_AUTOSCALER = struct(
    "ComponentAutoscaler",
    class_=always(STRING),
    keda=struct(
        "KedaAutoscaler",
        triggers=always(ListOf(SCALE_TRIGGER)),
        advanced=KEDA_ADVANCED,
        pollingInterval=pointer(INT),
        cooldownPeriod=pointer(INT),
        idleReplicaCount=pointer(INT),
        fallback=KEDA_FALLBACK,
    ),
    hpa=struct("HPAAutoscaler", metrics=ListOf(METRIC_SPEC), behavior=HPA_BEHAVIOR),
)
AUTOSCALER_POLICY_REF = struct("AutoscalerPolicyRef", name=always(STRING), kind=default(STRING, "AutoscalerPolicy"))
SCALING_POLICY = struct(
    "ScalingPolicy",
    mode=always(STRING, default="Independent"),
    proportional=struct("ProportionalPolicy", anchor=always(STRING, default="engine"), ratios=QUANTITY_MAP),
)
