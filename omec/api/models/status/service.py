"""The status of an InferenceService, as far as the reference describes it; its CRD keeps other fields, too."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from omec.api.models.autoscaling import AutoscalerClass
from omec.api.models.base import Model
from omec.api.models.scalars import Int32, Int64, StringMap
from omec.api.models.status.common import (
    Addressable,
    ComponentTrafficTarget,
    Condition,
    KnativeCondition,
    LifecycleStatus,
    SelectedAccelerator,
    TargetRef,
    Time,
)
from omec.api.models.status.placement import PlacementStatus
from omec.api.models.status.replica import MigrationPhase
from omec.api.models.status.rollout import CanaryStatus, RolloutCoordination, RolloutStatus

ModelState = Literal["", "Pending", "Standby", "Loading", "Loaded", "FailedToLoad"]


class AppliedPolicy(Model):
    """The AutoscalerPolicy that a component follows."""

    name: str | None = None
    """Name."""
    observed_generation: Int64 | None = None
    """Its generation."""
    portable_digest: str | None = None
    """Digest of its spec."""
    resolved_digest: str | None = None
    """Digest of what it was resolved to."""


class ShadowedPolicy(Model):
    """An AutoscalerPolicy that an inline autoscaler outranks."""

    name: str | None = None
    """Name."""
    portable_digest: str | None = None
    """Digest of its spec."""
    would_render_digest: str | None = None
    """Digest of what it would be resolved to."""


class ComponentAutoscalerStatus(Model):
    """The autoscaler of a component."""

    class_: AutoscalerClass | None = Field(None, alias="class")
    """Who scales."""
    managed_by: Literal["ome", "external", "none"] | None = None
    """Who writes the autoscaler."""
    spec_source: str | None = None
    """Where its settings come from, for example ``policy``."""
    policy: AppliedPolicy | None = None
    """Policy that it follows."""
    shadowed_policy_ref: ShadowedPolicy | None = None
    """Policy that an inline autoscaler outranks."""
    current_replicas: Int32 | None = None
    """Replicas now."""
    desired_replicas: Int32 | None = None
    """Replicas that it wants."""
    last_scale_time: Time | None = None
    """When it last scaled."""
    conditions: list[Condition] | None = None
    """Observations."""


class ComponentStatusSpec(Model):
    """The status of one component."""

    url: str | None = None
    """URL."""
    rest_url: str | None = Field(None, alias="restURL")
    """URL of its REST API."""
    address: Addressable | None = None
    """Address inside the cluster."""
    selected_accelerator: SelectedAccelerator | None = None
    """Accelerator that it runs on."""
    lifecycle: LifecycleStatus | None = None
    """Counts of its instances."""
    rollout_phase: (
        Literal[
            "Stable",
            "Canarying",
            "BlueGreenStandby",
            "Pending",
            "Paused",
            "Promoting",
            "RollingBack",
            "RolledBack",
            "Failed",
        ]
        | None
    ) = None
    """How far its rollout is."""
    latest_ready_revision: str | None = None
    """Service of the newest revision that is ready."""
    latest_rolledout_revision: str | None = None
    """Service of the newest revision that has all the traffic."""
    previous_rolledout_revision: str | None = None
    """Service of the one before."""
    traffic: list[ComponentTrafficTarget] | None = None
    """Shares of revisions."""
    canary: CanaryStatus | None = None
    """How far its canary is."""
    autoscaler: ComponentAutoscalerStatus | None = None
    """Its autoscaler."""
    scale_target_ref: TargetRef | None = None
    """What an autoscaler scales."""


class ModelRevisionStates(Model):
    """The states of the model's revisions."""

    active_model_state: ModelState = "Pending"
    """Of the one that serves."""
    target_model_state: ModelState = ""
    """Of the one that is rolled out."""


class FailureInfo(Model):
    """The last failure."""

    location: str | None = None
    """Pod."""
    reason: (
        Literal[
            "BaseModelNotReady",
            "BaseModelNotFound",
            "ModelLoadFailed",
            "RuntimeUnhealthy",
            "RuntimeDisabled",
            "NoSupportingRuntime",
            "RuntimeNotRecognized",
        ]
        | None
    ) = None
    """Why, as one word."""
    message: str | None = None
    """Why, for people."""
    model_revision_name: str | None = None
    """Revision."""
    time: Time | None = None
    """When."""
    exit_code: Int32 | None = None
    """Exit code of the container."""


class ModelCopies(Model):
    """Counts of the model's copies."""

    failed_copies: Int64 = 0
    """Copies that failed."""
    total_copies: Int64 | None = None
    """All copies."""


class ModelStatus(Model):
    """The status of the model in the service."""

    transition_status: Literal["", "UpToDate", "InProgress", "BlockedByFailedLoad", "InvalidSpec"] | None = None
    """Whether the model that serves is the one that the spec asks for."""
    model_revision_states: ModelRevisionStates | None = None
    """The states of its revisions."""
    last_failure_info: FailureInfo | None = None
    """The last failure."""
    model_copies: ModelCopies | None = None
    """Counts of its copies."""


class MigrationEvent(Model):
    """One step of a migration."""

    at: Time | None = None
    """When."""
    message: str | None = None
    """What."""


class MigrationHistoryEntry(Model):
    """One migration of an instance."""

    id: str | None = None
    """Request."""
    component: str | None = None
    """Component."""
    instance: Int32 | None = None
    """Instance that moved."""
    replacement_instance: Int32 | None = None
    """Instance that took its place; absent is not 0."""
    mode: Literal["Surge"] | None = None
    """How."""
    phase: MigrationPhase | None = None
    """How far it is."""
    requested_at: Time | None = None
    """When it was asked for."""
    started_at: Time | None = None
    """When it began."""
    completed_at: Time | None = None
    """When it ended."""
    reason: str | None = None
    """Why it was asked for."""
    requested_by: str | None = None
    """Who asked for it."""
    outcome_reason: str | None = None
    """Why it ended so."""
    events: list[MigrationEvent] | None = None
    """Its steps."""


class MountedOverlay(Model):
    """A further model in the pods."""

    name: str | None = None
    """Model."""
    env_var: str | None = None
    """Environment variable with its path."""
    mount_path: str | None = None
    """Path."""
    distribution: str | None = None
    """Layout of its weights."""


class TrafficStatus(Model):
    """The load balancing that is in effect."""

    algorithm: str | None = None
    """Algorithm, or ``Default``."""
    backend_policy_resource: TargetRef | None = None
    """Object that carries it."""
    targeted_http_routes: list[str] | None = Field(None, alias="targetedHTTPRoutes")
    """Routes that it applies to."""
    conditions: list[Condition] | None = None
    """Observations; ``BackendPolicyReady``."""


class InferenceServiceStatus(Model):
    """The status of a service."""

    observed_generation: Int64 | None = None
    """Generation that the status belongs to."""
    conditions: list[KnativeCondition] | None = None
    """Observations; ``Ready`` sums them up."""
    annotations: StringMap | None = None
    """Further facts."""
    address: Addressable | None = None
    """Address inside the cluster."""
    url: str | None = None
    """Main URL."""
    addresses: list[Addressable] | None = None
    """Every address."""
    components: dict[str, ComponentStatusSpec] | None = None
    """By component."""
    model_status: ModelStatus | None = None
    """The model."""
    migration_history: list[MigrationHistoryEntry] | None = None
    """Last migrations."""
    mounted_overlays: list[MountedOverlay] | None = None
    """Further models."""
    traffic: TrafficStatus | None = None
    """Load balancing."""
    canary: CanaryStatus | None = None
    """The canary of the entry point."""
    placement: PlacementStatus | None = None
    """Where it was placed."""
    pinned_revision_name: str | None = None
    """ControllerRevision of the runtime in use where ``autoSync`` is false."""
    last_runtime_sync_token: str | None = None
    """``ome.io/runtime-sync`` when the pin last moved."""
    rollout: RolloutStatus | None = None
    """Rollouts."""
    rollout_coordination: RolloutCoordination | None = None
    """Rollout groups."""
