"""InferenceReplica: one set of pods of one component."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from omec.api.models import kubernetes as k8s
from omec.api.models.autoscaling import ComponentAutoscaler
from omec.api.models.base import Model, list_map
from omec.api.models.component import TopologySpread
from omec.api.models.lifecycle import LifecycleSpec
from omec.api.models.meta import KubernetesObject, ModelRef, ServingRuntimeRef
from omec.api.models.rollout import PairingProtocol
from omec.api.models.scalars import Int32, Int64, IntOrString

Sha256 = Annotated[str, Field(pattern="^[a-f0-9]{64}$")]


class ParentReference(Model):
    """The InferenceService that a replica belongs to."""

    name: Annotated[str, Field(min_length=1)]
    """Name of the InferenceService."""


class Runner(Model):
    """The pods of one role."""

    name: Literal["default", "leader", "worker"]
    """Role: ``default`` for single-pod instances, else ``leader`` and ``worker``."""
    size: Annotated[Int32, Field(ge=1)]
    """Pods of this role in each instance."""
    template: k8s.PodTemplateSpec
    """Pod template."""


class InferenceReplicaPacing(Model):
    """How fast a change rolls."""

    partition: Annotated[Int32, Field(ge=0)] | None = None
    """Lowest-indexed instances that are held back."""
    max_unavailable: IntOrString | None = None
    """Reserved, without effect."""
    rollback_to_revision: str | None = None
    """ControllerRevision to go back to."""


class PlacementDemandComponent(Model):
    """The rendering of one component that a demand counts."""

    component: Literal["engine", "decoder"]
    """Component."""
    rendering_hash: Sha256
    """Hash of its rendering."""


class PlacementDemandContract(Model):
    """What the placement counted on."""

    fingerprint: Sha256
    """Hash of the demand."""
    components: Annotated[list[PlacementDemandComponent], list_map("component"), Field(min_length=1, max_length=2)]
    """Components counted."""


class PlacementComponentFloor(Model):
    """Least number of replicas of a component."""

    component: Literal["engine", "decoder", "router"]
    """Component."""
    replicas: Annotated[Int32, Field(ge=0)]
    """Number of replicas."""


class PlacementExecutionPolicy(Model):
    """What the placement controller asks of this cluster; written by OME only."""

    plan_id: str = Field(alias="planID")
    """Plan."""
    revision: Annotated[Int64, Field(ge=1)]
    """Revision of the plan."""
    source_uid: str = Field(alias="sourceUID")
    """UID of the service on the control-plane cluster."""
    cluster_uid: str = Field(alias="clusterUID")
    """UID of this cluster."""
    pause_surge: bool
    """Whether surging is paused."""
    demand: PlacementDemandContract | None = None
    """What the plan counted on."""
    replica_floors: (
        Annotated[list[PlacementComponentFloor], list_map("component"), Field(min_length=1, max_length=3)] | None
    ) = None
    """Least numbers of replicas."""


class InferenceReplicaSpec(Model):
    """One set of pods: rendered ``runners``, or a model and a runtime to render them from."""

    parent_ref: ParentReference | None = None
    """The owning InferenceService; absent on a standalone replica."""
    component: str
    """``engine``, ``decoder`` or ``router``; immutable."""
    model_ref: ModelRef | None = None
    """Model to render for; not beside ``runners``."""
    runtime_ref: ServingRuntimeRef | None = None
    """Runtime to render from; not beside ``runners``."""
    runners: Annotated[list[Runner], list_map("name")] | None = None
    """Rendered pod templates by role."""
    replicas: Annotated[Int32, Field(ge=0)] | None = None
    """Number of instances (1 unless set)."""
    min_ready_seconds: Annotated[Int32, Field(ge=0)] | None = None
    """Seconds that a pod must stay ready to count as available."""
    topology_key: str | None = None
    """Node label whose value leader and workers of an instance must share."""
    topology_spread: TopologySpread | None = None
    """Whether instances are spread over fault domains."""
    topology_spread_key: str | None = None
    """Node label of the fault domains."""
    lifecycle: LifecycleSpec | None = None
    """Policies of the instances."""
    revision_history_limit: Annotated[Int32, Field(ge=1)] | None = None
    """Old ControllerRevisions that are kept."""
    autoscaler: ComponentAutoscaler | None = None
    """Autoscaler; a standalone replica takes only ``External`` and ``None``."""
    pacing: InferenceReplicaPacing | None = None
    """How fast a change rolls; written by rollout control."""
    paused: bool | None = None
    """Whether changes of the fleet stop."""
    pause_mode: Literal["Recover", "Freeze"] | None = None
    """How deep the pause goes (``Recover`` unless set)."""
    pairing_protocol: PairingProtocol | None = None
    """Wire compatibility between engine and decoder."""
    placement_execution: PlacementExecutionPolicy | None = None
    """Written by OME only."""
    placement_replica_limit: Annotated[Int32, Field(ge=1)] | None = None
    """Written by OME only."""


class InferenceReplica(KubernetesObject):
    """One set of pods of one component."""

    kind: Literal["InferenceReplica"]
    """Always ``InferenceReplica``."""
    spec: InferenceReplicaSpec | None = None
    """The pods."""
