"""The instances of a large replica as columns: each value with the set of instances that have it."""

from __future__ import annotations

from typing import Annotated, Literal, TypeAlias

from pydantic import Field

from omec.api.models.base import ListSet, Model
from omec.api.models.scalars import Int32, Int64
from omec.api.models.status.common import Condition, Count, Time
from omec.api.models.status.instance import InstanceFailure, InstanceOperation

_INDEX = "(0|[1-9][0-9]*)"

IndexSet: TypeAlias = Annotated[str, Field(pattern=f"^{_INDEX}(-{_INDEX})?(,{_INDEX}(-{_INDEX})?)*$")]
"""Instances by index, such as ``0-8,10-114,116``."""


class PhaseGroup(Model):
    """Instances in one phase."""

    value: Literal["Pending", "Creating", "Ready", "Updating", "Restarting", "Migrating", "Failed", "Deleting"]
    """Phase."""
    indexes: IndexSet
    """Instances."""


class TextGroup(Model):
    """Instances of one revision."""

    value: Annotated[str, Field(min_length=1)]
    """Revision."""
    indexes: IndexSet
    """Instances."""


class CountGroup(Model):
    """Instances with the same number of pods."""

    value: Annotated[Int32, Field(ge=1)]
    """Number."""
    indexes: IndexSet
    """Instances."""


class IncarnationGroup(Model):
    """Instances that were made anew equally often."""

    value: Int64
    """How often; 0 is what absent instances have."""
    indexes: IndexSet
    """Instances."""


class InstanceEntry(Model):
    """What columns cannot say about one instance."""

    index: Count
    """Index of the instance."""
    conditions: list[Condition] | None = None
    """Observations."""
    ready_since: Time | None = None
    """Since when it is ready."""
    operation: InstanceOperation | None = None
    """What is being done to it."""
    last_failure: InstanceFailure | None = None
    """Last failure of a pod."""
    announced: Annotated[list[str], ListSet()] | None = None
    """Events that were announced."""


Texts: TypeAlias = Annotated[list[TextGroup], Field(min_length=1)]
Counts: TypeAlias = Annotated[list[CountGroup], Field(min_length=1)]


class InstanceStatusColumns(Model):
    """The rows of all instances as columns."""

    members: IndexSet
    """All instances."""
    row_order: Annotated[list[Count], Field(min_length=1)] | None = None
    """Order of the rows (ascending unless set)."""
    phases: Annotated[list[PhaseGroup], Field(min_length=1)]
    """Phases; every instance is in one of them."""
    running_revisions: Texts | None = None
    """ControllerRevisions of the pods."""
    target_revisions: Texts | None = None
    """ControllerRevisions that the instances shall have."""
    incarnations: Annotated[list[IncarnationGroup], Field(min_length=1)] | None = None
    """How often instances were made anew."""
    pod_counts: Counts | None = None
    """Pods."""
    serving_pod_counts: Counts | None = None
    """Pods in rotation."""
    available_pod_counts: Counts | None = None
    """Pods that have been ready long enough."""
    admitted: IndexSet | None = None
    """Instances that the quota admitted."""
    active_ordinal_one: IndexSet | None = None
    """Instances whose second set of pods serves."""
    entries: Annotated[list[InstanceEntry], Field(min_length=1)] | None = None
    """What columns cannot say."""
