"""Placement of a service on several clusters, and the weights of cross-cluster traffic (alpha)."""

from __future__ import annotations

from typing import Annotated, Any, ClassVar, Literal, TypeAlias

from pydantic import Field, field_validator

from omec.api import checks
from omec.api.models.base import DropNullValues, ListSet, Model
from omec.api.models.scalars import Duration, Int32, Quantity, StringMap

PlacementMode = Literal["Single", "All", "Split", "SplitByCapacity"]
HttpMethod = Literal["GET", "HEAD", "POST"]
HttpStatus: TypeAlias = Annotated[Int32, Field(ge=100, le=599)]
HttpPath: TypeAlias = Annotated[str, Field(min_length=1, pattern="^/")]
Factors: TypeAlias = Annotated[dict[str, Quantity], DropNullValues]


class ClusterSelectorRequirement(Model):
    """One requirement on a WorkloadCluster."""

    key: Annotated[str, Field(min_length=1)]
    """Label key, or ``metadata.name``."""
    operator: Literal["In", "NotIn", "Exists", "DoesNotExist", "Gt", "Lt"]
    """As in a node selector."""
    values: Annotated[list[str], Field(max_length=64)] | None = None
    """What the value is compared with."""


class ClusterAffinityTerm(Model):
    """Clusters that fit; the requirements of a term are ANDed."""

    checks: ClassVar = (checks.TERM_NOT_EMPTY,)

    weight: Annotated[Int32, Field(ge=1, le=100)] | None = None
    """Share of the replicas, for mode ``Split``."""
    match_expressions: Annotated[list[ClusterSelectorRequirement], Field(max_length=64)] | None = None
    """Requirements on labels."""
    match_fields: Annotated[list[ClusterSelectorRequirement], Field(max_length=64)] | None = None
    """Requirements on ``metadata.name``."""


class SplitSpec(Model):
    """Bounds of the modes ``Split`` and ``SplitByCapacity``."""

    replicas: Annotated[Int32, Field(ge=1)] | None = None
    """Least number of replicas over all clusters."""
    spread: bool | None = None
    """Deprecated: an even spread."""
    max_replicas_per_cluster: Annotated[Int32, Field(ge=0)] | None = None
    """Most replicas on one cluster; 0 means no cap."""
    min_replicas_per_cluster: Int32 | None = None
    """Deprecated: least number of replicas on one cluster."""


class PlacementSpec(Model):
    """Which clusters serve."""

    checks: ClassVar = (checks.AFFINITY_NEEDS_MODE, checks.TIMEOUT_NEEDS_SINGLE, checks.TIMEOUT_POSITIVE)
    keeps_null: ClassVar = frozenset({"clusterAffinity"})

    policy: Literal["Legacy", "ClusterAffinity"] | None = None
    """How clusters are matched (``Legacy`` unless set); ``ClusterAffinity`` cannot be taken back."""
    mode: PlacementMode | None = None
    """How many clusters serve; required for ``ClusterAffinity``."""
    cluster_affinity: Annotated[list[ClusterAffinityTerm], Field(min_length=1, max_length=64)] | None = None
    """Terms of which one must fit; every cluster unless set. An explicit ``null`` is refused."""
    max_surge: Annotated[Int32, Field(ge=0)] | None = None
    """Replicas that a move may add."""
    replacement_timeout: Duration | None = None
    """Longest wait for a replacement; needs ``ClusterAffinity`` and ``Single``."""
    requirements: str | None = None
    """Deprecated: label selector."""
    cluster_selector: str | None = None
    """Deprecated: selector over labels and ``metadata.name``."""
    split: SplitSpec | None = None
    """Bounds of the split modes."""
    capacity_factors: Factors | None = None
    """Deprecated alias of ``spec.routing.capacityFactors``."""

    @field_validator("cluster_affinity", mode="before")
    @classmethod
    def _refuse_null(cls, value: Any) -> Any:
        if value is None:
            raise ValueError("clusterAffinity must not be null")
        return value


class RoutingProbeSpec(Model):
    """A health probe: switched off, or complete."""

    checks: ClassVar = (
        checks.PROBE_DISABLED_ALONE,
        checks.PROBE_COMPLETE,
        checks.PERIOD_POSITIVE,
        checks.POLL_TIMEOUT_POSITIVE,
        checks.TIMEOUT_BELOW_PERIOD,
        checks.GATE_STATUSES,
    )

    disabled: bool | None = None
    """Turns probing off."""
    path: HttpPath | None = None
    """Path below the endpoint."""
    method: HttpMethod | None = None
    """HTTP method."""
    accept_statuses: Annotated[list[HttpStatus], ListSet(), Field(min_length=1)] | None = None
    """Status codes that pass."""
    gate_statuses: Annotated[list[HttpStatus], ListSet(), Field(min_length=1, max_length=500)] | None = None
    """Status codes that fail."""
    period: Duration | None = None
    """Time between probes."""
    timeout: Duration | None = None
    """Longest answer time; below the period."""
    failure_threshold: Annotated[Int32, Field(ge=1)] | None = None
    """Failures in a row that take a cluster out."""
    success_threshold: Annotated[Int32, Field(ge=1)] | None = None
    """Successes in a row that bring it back."""
    all_failed_policy: Literal["PreserveTraffic", "Drain"] | None = None
    """What to do when every cluster fails."""


class RoutingCapacitySpec(Model):
    """A poll of serving capacity: switched off, or complete."""

    checks: ClassVar = (
        checks.CAPACITY_DISABLED_ALONE,
        checks.CAPACITY_COMPLETE,
        checks.PERIOD_POSITIVE,
        checks.POLL_TIMEOUT_POSITIVE,
        checks.TIMEOUT_BELOW_PERIOD,
        checks.MAX_AGE_COVERS_PERIOD,
        checks.QUORUM_WITHIN_SAMPLES,
    )

    disabled: bool | None = None
    """Turns polling off."""
    path: HttpPath | None = None
    """Path below the endpoint."""
    method: HttpMethod | None = None
    """HTTP method."""
    format: Annotated[str, Field(min_length=1)] | None = None
    """Shape of the answer."""
    options: StringMap | None = None
    """Settings of the format."""
    period: Duration | None = None
    """Time between polls."""
    timeout: Duration | None = None
    """Longest answer time; below the period."""
    samples: Annotated[Int32, Field(ge=1)] | None = None
    """Readings in the window."""
    quorum: Annotated[Int32, Field(ge=1)] | None = None
    """Readings that confirm a lower capacity."""
    max_age: Duration | None = None
    """Oldest report that counts; at least the period."""


class RoutingPublisherSpec(Model):
    """Settings of the operator's publisher."""

    checks: ClassVar = (checks.PUBLISHER_OPTIONS,)

    options: Annotated[dict[str, str], DropNullValues, Field(max_length=32)] | None = None
    """Settings by name."""


class RoutingSpec(Model):
    """Cross-cluster traffic; unset fields inherit the operator's configuration."""

    enabled: bool | None = None
    """``false`` opts out."""
    capacity_factors: Factors | None = None
    """Serving capacity of one replica, by cluster."""
    probe: RoutingProbeSpec | None = None
    """Health probe; replaces the operator's as a whole."""
    capacity: RoutingCapacitySpec | None = None
    """Capacity poll; replaces the operator's as a whole."""
    publisher: RoutingPublisherSpec | None = None
    """Settings of the publisher."""
