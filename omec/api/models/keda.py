"""The parts of KEDA's ScaledObject that ome.io kinds embed (KEDA v2, ``keda.sh/v1alpha1``)."""

from __future__ import annotations

from omec.api.models import kubernetes as k8s
from omec.api.models.base import Model
from omec.api.models.scalars import Int32, StringMap


class AuthenticationRef(Model):
    """The TriggerAuthentication that a trigger uses."""

    name: str
    """Name of the object."""
    kind: str | None = None
    """``TriggerAuthentication`` (unless set) or ``ClusterTriggerAuthentication``."""


class ScaleTriggers(Model):
    """One source of scaling decisions."""

    type: str
    """Kind of scaler, for example ``prometheus``."""
    name: str | None = None
    """Name by which ``scalingModifiers`` refer to the trigger."""
    use_cached_metrics: bool | None = None
    """Whether values are cached between polls."""
    metadata: StringMap
    """Settings of the scaler; all values are text."""
    authentication_ref: AuthenticationRef | None = None
    """Credentials of the scaler."""
    metric_type: str | None = None
    """``AverageValue``, ``Value`` or ``Utilization``."""


class HorizontalPodAutoscalerConfig(Model):
    """Settings of the HorizontalPodAutoscaler that KEDA makes."""

    behavior: k8s.HorizontalPodAutoscalerBehavior | None = None
    """Scaling windows and policies, as in autoscaling/v2."""
    name: str | None = None
    """Name of the HorizontalPodAutoscaler."""


class ScalingModifiers(Model):
    """A formula over the values of several triggers."""

    formula: str | None = None
    """Expression over trigger names."""
    target: str | None = None
    """Target of the formula's value, a number as text."""
    activation_target: str | None = None
    """Value from which the workload counts as active, a number as text."""
    metric_type: str | None = None
    """``AverageValue`` or ``Value``."""


class AdvancedConfig(Model):
    """Settings beyond the triggers."""

    horizontal_pod_autoscaler_config: HorizontalPodAutoscalerConfig | None = None
    """Settings of the HorizontalPodAutoscaler that KEDA makes."""
    restore_to_original_replica_count: bool | None = None
    """Whether deleting the ScaledObject restores the replica count from before."""
    scaling_modifiers: ScalingModifiers | None = None
    """A formula over the triggers."""


class Fallback(Model):
    """Replicas while the metrics cannot be read."""

    failure_threshold: Int32
    """Failed readings in a row before the fallback applies."""
    replicas: Int32
    """Replicas while it applies."""
