"""The status of an InferenceReplica: counts, and one row for each instance."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from omec.api.models.base import ListSet, Model, list_map
from omec.api.models.scalars import Int32, Int64
from omec.api.models.status.columns import InstanceStatusColumns
from omec.api.models.status.common import ComponentTrafficTarget, Condition, LifecycleStatus, Time
from omec.api.models.status.instance import InstanceFailure, InstanceOperation

MigrationPhase = Literal[
    "Accepted",
    "SurgePending",
    "SurgeReady",
    "Draining",
    "Completed",
    "Failed",
    "Relocated",
    "Pending",
    "InProgress",
]


class OMENativeInstanceStatus(Model):
    """The row of one instance."""

    index: Int32
    """Index of the instance."""
    incarnation: Int64 | None = None
    """How often the instance was made anew."""
    phase: Literal["Pending", "Creating", "Ready", "Updating", "Restarting", "Migrating", "Failed", "Deleting"]
    """What happens to it."""
    running_revision: str | None = None
    """ControllerRevision of its pods."""
    target_revision: str | None = None
    """ControllerRevision that it shall have."""
    pod_count: Int32 | None = None
    """Pods."""
    serving_pod_count: Int32 | None = None
    """Pods in rotation."""
    available_pod_count: Int32 | None = None
    """Pods that have been ready long enough."""
    ready_pod_count: Int32 | None = None
    """Not written any more."""
    scheduled_pod_count: Int32 | None = None
    """Not written any more."""
    admitted: bool | None = None
    """Whether the quota admitted it."""
    nodes_occupied: Annotated[list[str], ListSet()] | None = None
    """Not written."""
    conditions: list[Condition] | None = None
    """Observations."""
    ready_since: Time | None = None
    """Since when it is ready."""
    operation: InstanceOperation | None = None
    """What is being done to it."""
    active_ordinal: Annotated[Int32, Field(ge=0, le=1)] | None = None
    """Which of two sets of pods serves."""
    last_failure: InstanceFailure | None = None
    """Last failure of a pod."""
    announced: Annotated[list[str], ListSet()] | None = None
    """Events that were announced."""


class RetryBlock(Model):
    """A revision that is not tried again for a while."""

    target_revision: str | None = None
    """ControllerRevision."""
    state: Literal["Backoff", "Held", "RetryInProgress"] | None = None
    """What happens to it."""
    attempts_started: Int32 | None = None
    """Attempts so far."""
    next_retry_at: Time | None = None
    """When it is tried again."""
    first_failure_at: Time | None = None
    """First failure."""
    last_failure_at: Time | None = None
    """Last failure."""
    reason: str | None = None
    """Why it failed."""


class MigrationStatus(Model):
    """The move of one instance to another node."""

    request_uuid: str | None = Field(None, alias="requestUUID")
    """Request."""
    trigger: Literal["Manual", "Auto"] | None = None
    """Who asked for it."""
    source_instance: Int32 | None = None
    """Instance that moves."""
    surge_instance: Int32 | None = None
    """Instance that takes its place."""
    allocated_at: Time | None = None
    """When it was allocated."""
    started_at: Time | None = None
    """When it began."""
    deadline: Time | None = None
    """When it is given up."""
    completed_at: Time | None = None
    """When it ended."""
    from_node: str | None = None
    """Node that it leaves."""
    hint_target_nodes: list[str] | None = None
    """Nodes that were proposed."""
    phase: MigrationPhase | None = None
    """How far it is."""
    attempt: Int32 | None = None
    """Attempts so far."""
    reason: str | None = None
    """Why, as one word."""
    message: str | None = None
    """Why, for people."""
    succeeded: bool | None = None
    """Whether it ended well."""


class InferenceReplicaStatus(LifecycleStatus):
    """The status of a replica. The rows of its instances come as a list, or as columns of index sets."""

    placement_observed_generation: Annotated[Int64, Field(ge=1)] | None = None
    """Generation that the placement knows of."""
    instance_statuses: Annotated[list[OMENativeInstanceStatus], list_map("index")] | None = None
    """Rows of the instances; absent where they come as columns."""
    instance_status_encoding: Literal["ColumnarV2"] | None = None
    """How the rows are written; a list unless set."""
    instance_status_columns: InstanceStatusColumns | None = None
    """Rows of the instances as columns."""
    retry_blocks: list[RetryBlock] | None = None
    """Revisions that wait."""
    migrations: list[MigrationStatus] | None = None
    """Moves of instances."""
    traffic: list[ComponentTrafficTarget] | None = None
    """Shares of revisions."""
    coordination_group_ref: str | None = None
    """Rollout group."""
