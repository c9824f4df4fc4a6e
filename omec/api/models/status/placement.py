"""Where a service was placed."""

from __future__ import annotations

from typing import Annotated, Any, Literal, TypeAlias

from pydantic import Field, WithJsonSchema

from omec.api.models.base import Model
from omec.api.models.placement import PlacementMode
from omec.api.models.scalars import Int32, Int64
from omec.api.models.status.common import Count

Untyped: TypeAlias = Annotated[
    dict[str, Any], WithJsonSchema({"type": "object", "x-kubernetes-preserve-unknown-fields": True})
]
"""An object whose fields the reference does not list."""

Generation: TypeAlias = Annotated[Int64, Field(ge=1)]


class SingleMove(Model):
    """A move from one cluster to another."""

    selected: str | None = None
    """Cluster that was chosen."""
    cursor: Int64 | None = None
    """How far the search is."""


class PlacementPlan(Model):
    """An allocation of replicas to clusters."""

    id: str | None = None
    """Identity."""
    mode: PlacementMode | None = None
    """Placement mode."""
    winner: str | None = None
    """Cluster that won in mode ``Single``."""
    single_move: SingleMove | None = None
    """A move that is going on."""
    adoption_digest: str | None = None
    """Digest of what was adopted."""
    revision: Generation | None = None
    """Revision of the plan."""
    source_uid: str | None = Field(None, alias="sourceUID")
    """UID of the service."""
    observed_generation: Generation | None = None
    """Generation of the service."""
    input_digest: str | None = None
    """Digest of what it was made from."""
    pause_surge: bool | None = None
    """Whether surging is paused."""
    requested_replicas: Annotated[Int64, Field(ge=0)] | None = None
    """Replicas that were asked for."""
    assigned_replicas: Annotated[Int64, Field(ge=0)] | None = None
    """Replicas that found a cluster."""
    unassigned_replicas: Count | None = None
    """Replicas that found none."""
    original_unassigned_replicas: Count | None = None
    """Replicas that found none at first."""


class PlacementCandidate(Model):
    """A cluster that may serve."""

    cluster: str | None = None
    """Name of the WorkloadCluster."""
    phase: Literal["Admitting", "Placed", "Admitted"] | None = None
    """How far it is."""
    endpoint: str | None = None
    """URL of the service there."""
    admitted_replicas: Int32 | None = None
    """Replicas that the quota admitted."""
    ready_replicas: Int32 | None = None
    """Replicas that are ready."""
    applied_plan_id: str | None = Field(None, alias="appliedPlanID")
    """Plan that it follows."""
    observation_known: bool | None = None
    """Whether it was heard of."""
    allocation: Int32 | None = None
    """Replicas allocated."""
    autoscaling: Untyped | None = None
    """What its autoscalers say."""
    rollout: Untyped | None = None
    """How far its rollouts are."""


class PlacementStatus(Model):
    """Where a service was placed."""

    plan: PlacementPlan | None = None
    """The allocation."""
    cluster: str | None = None
    """Cluster that serves in mode ``Single``."""
    phase: Literal["Pending", "Admitting", "Racing", "Placed", "Failed"] | None = None
    """How far it is."""
    endpoint: str | None = None
    """URL."""
    candidates: list[PlacementCandidate] | None = None
    """Clusters that may serve."""
