"""Autoscalers of components, and the coordination of replica counts between components."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from omec.api.models import keda
from omec.api.models import kubernetes as k8s
from omec.api.models.base import Model
from omec.api.models.scalars import Int32, Quantity

AutoscalerClass = Literal["HPA", "KEDA", "External", "None"]


class HPAAutoscaler(Model):
    """Settings of a HorizontalPodAutoscaler; without metrics it holds the CPU at 80 percent."""

    metrics: list[k8s.MetricSpec] | None = None
    """Metrics, as in autoscaling/v2."""
    behavior: k8s.HorizontalPodAutoscalerBehavior | None = None
    """Scaling windows and policies, as in autoscaling/v2."""


class KedaAutoscaler(Model):
    """Settings that are passed on to a KEDA ScaledObject."""

    triggers: Annotated[list[keda.ScaleTriggers], Field(min_length=1)]
    """What drives the scaling."""
    advanced: keda.AdvancedConfig | None = None
    """Settings of the HorizontalPodAutoscaler that KEDA makes."""
    polling_interval: Int32 | None = None
    """Seconds between checks."""
    cooldown_period: Int32 | None = None
    """Seconds without activity before the component is scaled down."""
    idle_replica_count: Int32 | None = None
    """Replicas while no trigger fires; must be below the least number of replicas."""
    fallback: keda.Fallback | None = None
    """Replicas while the metrics cannot be read."""


class ServiceComponentAutoscaler(Model):
    """The autoscaler of an InferenceService's component, where the CRD does not require the class."""

    class_: AutoscalerClass | None = Field(None, alias="class")
    """Who scales; the webhook refuses an autoscaler without a class."""
    keda: KedaAutoscaler | None = None
    """Required for class ``KEDA``."""
    hpa: HPAAutoscaler | None = None
    """For class ``HPA``."""


class ComponentAutoscaler(ServiceComponentAutoscaler):
    """The autoscaler of a component."""

    class_: AutoscalerClass = Field(alias="class")
    """Who scales."""


class ServiceAutoscalerPolicyRef(Model):
    """The AutoscalerPolicy of an InferenceService's component, where the CRD does not require the name."""

    name: Annotated[str, Field(min_length=1)] | None = None
    """AutoscalerPolicy in the namespace of the service."""
    kind: Literal["AutoscalerPolicy", "ClusterAutoscalerPolicy"] = "AutoscalerPolicy"
    """The webhook refuses ``ClusterAutoscalerPolicy``."""


class AutoscalerPolicyRef(ServiceAutoscalerPolicyRef):
    """The AutoscalerPolicy of a component."""

    name: Annotated[str, Field(min_length=1)]
    """AutoscalerPolicy in the namespace of the service."""


class ProportionalPolicy(Model):
    """Replica counts that follow one component."""

    anchor: Literal["engine", "decoder", "router"] = "engine"
    """Component whose count drives the others."""
    ratios: dict[str, Quantity] | None = None
    """Replicas of each following component per replica of the anchor, rounded up."""


class ScalingPolicy(Model):
    """Coordination of replica counts between components."""

    mode: Literal["Independent", "Proportional", "Pinned"] = "Independent"
    """The webhook accepts only ``Independent`` so far."""
    proportional: ProportionalPolicy | None = None
    """Required for ``Proportional``."""
