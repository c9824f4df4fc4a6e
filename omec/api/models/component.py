"""Engine, decoder and router: the components of a service, and their templates in a runtime.

OME's InferenceService CRD deletes ``required`` exactly two levels below ``spec``, and drops ``ephemeralContainers``
there; so a component exists in two forms, one for runtimes (``EngineSpec``) and one for services
(``ServiceEngineSpec``).
"""

from __future__ import annotations

from typing import Literal

from omec.api.models import kubernetes as k8s
from omec.api.models.accelerator import AcceleratorSelector
from omec.api.models.autoscaling import (
    AutoscalerPolicyRef,
    ComponentAutoscaler,
    ServiceAutoscalerPolicyRef,
    ServiceComponentAutoscaler,
)
from omec.api.models.base import Model, since
from omec.api.models.lifecycle import LifecycleSpec
from omec.api.models.pod import PodSpec, ServicePodSpec
from omec.api.models.scalars import Int64, IntOrString, StringMap

TopologySpread = Literal["Preferred", "Required"]


class ComponentFields(Model):
    """Replicas, metadata, disruption and scaling of a component."""

    min_replicas: Int64 | None = None
    """Least number of replicas (1 unless set); 0 asks for scaling to zero."""
    max_replicas: Int64 | None = None
    """Most replicas that an autoscaler may make."""
    timeout_seconds: Int64 | None = None
    """Request timeout."""
    labels: StringMap | None = None
    """Added to the component's pods."""
    annotations: StringMap | None = None
    """Added to the component's pods; the component's own ``ome.io/`` annotations stand here, too."""
    service_port_app_protocols: StringMap | None = since("1.3")
    """``appProtocol`` of Service ports, by port name."""
    min_available: IntOrString | None = None
    """``minAvailable`` of the PodDisruptionBudget."""
    max_unavailable: IntOrString | None = None
    """``maxUnavailable`` of the PodDisruptionBudget."""
    deployment_strategy: k8s.DeploymentStrategy | None = None
    """How a Deployment replaces pods; RawDeployment only."""
    lifecycle: LifecycleSpec | None = since("1.3")
    """Policies of OMENative; other modes ignore them. Not the container's ``lifecycle``, which is the runner's."""


class ComponentExtensionSpec(ComponentFields):
    """What a runtime's component adds to the pod fields."""

    autoscaler: ComponentAutoscaler | None = since("1.3")
    """Autoscaler of the component; outranks the annotation ``ome.io/autoscalerClass``."""
    autoscaler_policy_ref: AutoscalerPolicyRef | None = since("1.3")
    """AutoscalerPolicy of the component; an inline ``autoscaler`` outranks it."""


class ServiceComponentExtensionSpec(ComponentFields):
    """What a service's component adds to the pod fields."""

    autoscaler: ServiceComponentAutoscaler | None = since("1.3")
    """Autoscaler of the component; outranks the annotation ``ome.io/autoscalerClass``."""
    autoscaler_policy_ref: ServiceAutoscalerPolicyRef | None = since("1.3")
    """AutoscalerPolicy of the component; an inline ``autoscaler`` outranks it."""


class LeaderSpec(PodSpec):
    """The leader pod of a multi-node instance; pod fields override the component's."""

    runner: k8s.Container | None = None
    """Main container of the leader."""


class WorkerSpec(PodSpec):
    """The worker pods of a multi-node instance."""

    size: Int64 | None = None
    """Number of worker pods, the leader not counted."""
    runner: k8s.Container | None = None
    """Main container of the workers."""


class MultiNodeFields(Model):
    """What engine and decoder have and the router has not."""

    leader: LeaderSpec | None = None
    """Leader pod of a multi-node component."""
    worker: WorkerSpec | None = None
    """Worker pods of a multi-node component."""
    topology_key: str | None = since("1.3")
    """Node label whose value leader and workers of an instance must share."""
    topology_spread: TopologySpread | None = since("1.3")
    """Whether instances are spread over fault domains."""
    topology_spread_key: str | None = since("1.3")
    """Node label of the fault domains (``topologyKey`` unless set)."""
    accelerator_override: AcceleratorSelector | None = None
    """Replaces the service's ``acceleratorSelector`` for this component."""


class EngineSpec(PodSpec, ComponentExtensionSpec, MultiNodeFields):
    """Engine template of a runtime."""

    runner: k8s.Container | None = None
    """Main container; conventionally called ``ome-container``."""


class DecoderSpec(EngineSpec):
    """Decoder template of a runtime; field for field like the engine."""


class RouterSpec(PodSpec, ComponentExtensionSpec):
    """Router template of a runtime."""

    runner: k8s.Container | None = None
    """Main container."""
    config: StringMap | None = None
    """Further parameters of the router."""


class ServiceEngineSpec(ServicePodSpec, ServiceComponentExtensionSpec, MultiNodeFields):
    """Engine of a service; prefill in a service that has a decoder."""

    runner: k8s.ServiceRunner | None = None
    """Main container."""


class ServiceDecoderSpec(ServiceEngineSpec):
    """Decoder of a prefill-decode service; field for field like the engine."""


class ServiceRouterSpec(ServicePodSpec, ServiceComponentExtensionSpec):
    """Request router of a service."""

    runner: k8s.ServiceRunner | None = None
    """Main container."""
    config: StringMap | None = None
    """Further parameters of the router."""
