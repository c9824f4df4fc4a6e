"""What is done to one instance of a replica, and what went wrong with it."""

from __future__ import annotations

from typing import ClassVar, Literal

from pydantic import Field

from omec.api.models.base import Model
from omec.api.models.scalars import Int32
from omec.api.models.status.common import Time


class InstanceOperation(Model):
    """An operation on one instance."""

    keeps_null: ClassVar = frozenset({"deadline"})

    id: str
    """Identity."""
    type: Literal["Create", "Update", "Restart", "Migrate", "Delete"]
    """What is done."""
    step: str
    """How far it is."""
    started_at: Time
    """When it began."""
    last_progress_at: Time
    """When it last went on."""
    deadline: Time | None = None
    """When it is given up."""
    retry_count: Int32 | None = None
    """Attempts so far."""
    target_revision: str | None = None
    """ControllerRevision that it leads to."""
    reason: str | None = None
    """Why it is done."""
    waiting: str | None = None
    """What it waits for."""
    capacity_refused_at: Time | None = None
    """When the cluster had no room for it."""
    strategy: str | None = None
    """How an update is done."""
    surge_index: Int32 | None = None
    """Instance that takes its place."""
    from_node: str | None = None
    """Node that it leaves."""
    hint_target_nodes: list[str] | None = None
    """Nodes that were proposed."""
    request_uuid: str | None = Field(None, alias="requestUUID")
    """Request that asked for it."""


class InstanceFailure(Model):
    """The last failure of a pod of an instance."""

    pod_name: str
    """Pod."""
    container_name: str | None = None
    """Container."""
    reason: str | None = None
    """Why, as one word."""
    exit_code: Int32 | None = None
    """Exit code of the container."""
    message: str | None = None
    """Why, for people."""
    time: Time | None = None
    """When."""
