"""The statuses of the kinds that report little: models, runtimes, accelerators, benchmarks, policies, clusters."""

from __future__ import annotations

from typing import Literal

from omec.api.models.base import Model
from omec.api.models.scalars import Int32, Int64
from omec.api.models.status.common import Condition, Conditions, Time


class ModelCacheStatus(Model):
    """Where a model is cached; not set yet."""

    backend: str | None = None
    """Cache provider."""
    source_uri: str | None = None
    """Source that is cached."""


class ModelStatusSpec(Model):
    """The status of models and fine-tuned weights."""

    lifecycle: str | None = None
    """Stage, for example ``Deprecated``; OME never sets it."""
    state: Literal["Creating", "Importing", "In_Transit", "In_Training", "Ready", "Failed"]
    """State of the weights."""
    observed_generation: Int64 | None = None
    """Generation that the status belongs to."""
    last_reconcile_time: Time | None = None
    """When the controller last looked at the object."""
    nodes_ready: list[str] | None = None
    """Nodes that hold the weights."""
    nodes_failed: list[str] | None = None
    """Nodes that could not fetch them."""
    conditions: Conditions | None = None
    """Observations about ``pvc://`` models."""
    cache: ModelCacheStatus | None = None
    """Where the model is cached."""


class ServingRuntimeStatus(Model):
    """The status of runtimes."""

    inheritance_chain: list[str] | None = None
    """Names of the runtimes that it inherits from, root first, ending with its own."""
    conditions: Conditions | None = None
    """Observations; ``InheritanceReady``."""


class AcceleratorClassStatus(Model):
    """The status of an accelerator class."""

    nodes: list[str] | None = None
    """Nodes of the class."""
    total_accelerators: Int32 | None = None
    """Accelerators on all its nodes."""
    available_accelerators: Int32 | None = None
    """Accelerators that are free."""
    last_updated: Time | None = None
    """When it was counted."""
    conditions: list[Condition] | None = None
    """Observations."""
    available_nodes: Int32 | None = None
    """Nodes that can take pods."""


class BenchmarkJobStatus(Model):
    """The status of a benchmark."""

    state: Literal["Pending", "Running", "Completed", "Failed"]
    """State of the Job."""
    start_time: Time | None = None
    """When it began."""
    completion_time: Time | None = None
    """When it ended."""
    last_reconcile_time: Time | None = None
    """When the controller last looked at the object."""
    failure_message: str | None = None
    """Why it failed."""
    details: str | None = None
    """More about it."""


class AutoscalerPolicyStatus(Model):
    """The status of an autoscaler policy."""

    observed_generation: Int64 | None = None
    """Generation that the status belongs to."""
    portable_digest: str | None = None
    """Digest of the spec with defaults."""
    attached_components: Int32 | None = None
    """Components of the namespace that refer to it."""
    conditions: Conditions | None = None
    """Observations; ``Ready`` and ``InUse``."""


class RolloutPolicyStatus(Model):
    """The status of a rollout policy."""

    observed_generation: Int64 | None = None
    """Generation that the status belongs to."""
    portable_digest: str | None = None
    """Digest of the spec, ``rp1:…``."""
    attached_groups: Int32 | None = None
    """Rollout groups of the namespace that refer to it."""
    conditions: Conditions | None = None
    """Observations; ``Ready`` and ``InUse``."""


class WorkloadClusterStatus(Model):
    """The status of a workload cluster."""

    conditions: Conditions | None = None
    """Observations; ``Ready`` says whether it can be reached."""
