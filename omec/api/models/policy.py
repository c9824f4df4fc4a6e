"""AutoscalerPolicy: an autoscaler template for several components."""

from __future__ import annotations

from typing import Annotated, ClassVar, Literal

from pydantic import Field

from omec.api import checks
from omec.api.models import keda
from omec.api.models.autoscaling import HPAAutoscaler
from omec.api.models.base import Model
from omec.api.models.meta import KubernetesObject
from omec.api.models.rollout import MetricProviderRef
from omec.api.models.scalars import Int32, StringMap


class KedaTriggerTemplate(Model):
    """A KEDA trigger whose endpoint the operator's configuration supplies."""

    type: Annotated[str, Field(min_length=1)]
    """Kind of scaler, ``prometheus``."""
    provider_ref: MetricProviderRef | None = None
    """Endpoint by the name of its provider."""
    metric_type: Literal["AverageValue", "Value"] | None = None
    """How the value is compared with the target."""
    query_returns_desired_replicas: bool | None = None
    """Whether the query gives a replica count itself."""
    metadata: StringMap
    """Settings of the scaler; may hold template variables such as ``{{ .Namespace }}``."""


class ReplicaValueSource(Model):
    """A replica count: fixed, or a bound of the component that uses the policy."""

    checks: ClassVar = (checks.FALLBACK_ONE_SOURCE,)

    value: Annotated[Int32, Field(ge=0)] | None = None
    """Fixed count."""
    from_component: Literal["MaxReplicas", "MinReplicas"] | None = None
    """Bound of the component."""


class FallbackTemplate(Model):
    """Replicas while the metrics cannot be read."""

    failure_threshold: Annotated[Int32, Field(ge=1)]
    """Failed readings before the fallback applies."""
    replicas: ReplicaValueSource
    """Replicas while it applies."""


class KedaPolicyTemplate(Model):
    """Settings of the KEDA ScaledObjects that the policy makes."""

    triggers: Annotated[list[KedaTriggerTemplate], Field(min_length=1)]
    """What drives the scaling."""
    advanced: keda.AdvancedConfig | None = None
    """Settings of the HorizontalPodAutoscaler that KEDA makes."""
    polling_interval: Int32 | None = None
    """Seconds between checks."""
    cooldown_period: Int32 | None = None
    """Seconds without activity before a component is scaled down."""
    idle_replica_count: Int32 | None = None
    """Replicas while no trigger fires."""
    fallback: FallbackTemplate | None = None
    """Replicas while the metrics cannot be read."""


class AutoscalerPolicySpec(Model):
    """An autoscaler template."""

    checks: ClassVar = (checks.POLICY_CLASS_TEMPLATE,)

    enforcement: Literal["Default", "Required"] = "Default"
    """The webhook accepts only ``Default``."""
    class_: Literal["HPA", "KEDA"] = Field(alias="class")
    """Autoscaler that the template is for."""
    keda: KedaPolicyTemplate | None = None
    """Required for ``KEDA``, forbidden for ``HPA``."""
    hpa: HPAAutoscaler | None = None
    """For ``HPA``; forbidden for ``KEDA``."""


class AutoscalerPolicy(KubernetesObject):
    """An autoscaler template for several components."""

    kind: Literal["AutoscalerPolicy"]
    """Always ``AutoscalerPolicy``."""
    spec: AutoscalerPolicySpec | None = None
    """The template."""
