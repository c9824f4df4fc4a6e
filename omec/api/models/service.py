"""InferenceService: a model, served."""

from __future__ import annotations

from typing import ClassVar, Literal

from omec.api import checks
from omec.api.models.accelerator import AcceleratorSelector
from omec.api.models.autoscaling import ScalingPolicy
from omec.api.models.base import Model, since
from omec.api.models.component import ServiceDecoderSpec, ServiceEngineSpec, ServiceRouterSpec
from omec.api.models.meta import KubernetesObject, ModelRef, ServingRuntimeRef
from omec.api.models.placement import PlacementSpec, RoutingSpec
from omec.api.models.rollout import RolloutSpec
from omec.api.models.traffic import TrafficSpec


class ReplicaRefs(Model):
    """InferenceReplicas of the same namespace that a service stands in front of, by role (reference 05 §9.2)."""

    engine: list[str] | None = None
    """The engine; the webhook wants exactly one name."""
    decoder: list[str] | None = None
    """The decoder; at most one name."""
    router: list[str] | None = None
    """The router; at most one name."""


class InferenceServiceSpec(Model):
    """A model, its runtime, and the components that serve it."""

    checks: ClassVar = (checks.CAPACITY_FACTORS_ONCE,)

    deployment_mode: Literal["OMENative", "RawDeployment"] | None = since("1.3")
    """Backend of all components; a component's annotation ``ome.io/deploymentMode`` outranks it."""
    engine: ServiceEngineSpec | None = None
    """The engine."""
    decoder: ServiceDecoderSpec | None = None
    """The decoder of a prefill-decode service."""
    router: ServiceRouterSpec | None = None
    """The request router."""
    model: ModelRef | None = None
    """Model to serve; may be left out since 1.3 where the runtime loads the weights itself."""
    runtime: ServingRuntimeRef | None = None
    """Runtime to use; OME selects one unless set."""
    accelerator_selector: AcceleratorSelector | None = None
    """Accelerator of engine and decoder."""
    traffic: TrafficSpec | None = since("1.3")
    """Load balancing of the routes."""
    rollout: RolloutSpec | None = since("1.3")
    """Rollout groups."""
    scaling_policy: ScalingPolicy | None = since("1.3")
    """Coordination of replica counts."""
    placement: PlacementSpec | None = since("1.3")
    """Clusters that serve; read on a control-plane cluster only."""
    routing: RoutingSpec | None = since("1.3")
    """Cross-cluster traffic; read on a control-plane cluster only."""
    replica_refs: ReplicaRefs | None = since("1.3")
    """Replicas to stand in front of, instead of components of its own."""


class InferenceService(KubernetesObject):
    """A model, served."""

    kind: Literal["InferenceService"]
    """Always ``InferenceService``."""
    spec: InferenceServiceSpec | None = None
    """What to serve, and how."""
