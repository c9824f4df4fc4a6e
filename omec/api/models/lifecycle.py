"""Lifecycle policies of OMENative components."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from omec.api.models.base import Model
from omec.api.models.scalars import Duration, Int32, IntOrString


class RollingUpdate(Model):
    """How fast instances are replaced."""

    partition: Annotated[Int32, Field(ge=0)] | None = None
    """Instances with an index below it keep their revision (0 unless set)."""
    max_unavailable: IntOrString | None = None
    """Instances that may be not ready; a percentage is rounded up."""
    max_surge: IntOrString | None = None
    """Instances above the desired count; a percentage is rounded up."""


class InPlaceUpdateStrategy(Model):
    """Details of updates that change pods instead of replacing them."""

    grace_period_seconds: Annotated[Int32, Field(ge=0)] | None = None
    """Accepted, without effect."""
    mark_not_ready_during_lifecycle: bool | None = None
    """Whether the pod leaves rotation before it is changed (true unless set)."""


class UpdateStrategy(Model):
    """How changes of the pod template reach the instances."""

    type: Literal["SurgeThenDrain", "RecreatePod", "InPlaceIfPossible", "InPlaceOnly"] | None = None
    """Mechanism (``SurgeThenDrain`` unless the runtime or the operator says otherwise)."""
    rolling_update: RollingUpdate | None = None
    """Pacing."""
    in_place_update_strategy: InPlaceUpdateStrategy | None = None
    """Ignored for ``RecreatePod``."""


class MigrationPolicy(Model):
    """Whether instances may be moved to other nodes."""

    mode: Literal["Auto", "Surge", "Never"] | None = None
    """``Never`` turns relocation and requested migrations off."""


class LifecycleSpec(Model):
    """Policies of an OMENative component; other modes ignore them."""

    restart_policy: Literal["None", "RecreateInstanceOnPodRestart"] | None = None
    """Whether the whole instance is recreated when one of its pods fails."""
    update_strategy: UpdateStrategy | None = None
    """How template changes roll."""
    ready_policy: Literal["AllPodReady", "None"] | None = None
    """How pod readiness adds up to instance readiness; ``None`` is refused on multi-pod components."""
    instance_ready_timeout: Duration | None = None
    """Longest wait for a new instance to become ready."""
    min_ready_seconds: Annotated[Int32, Field(ge=0)] | None = None
    """Seconds that a pod must stay ready to count as available."""
    migration_policy: MigrationPolicy | None = None
    """Whether migrations are honoured."""
