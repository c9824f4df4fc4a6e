"""AcceleratorQuota: a node of the quota tree."""

from __future__ import annotations

from typing import Annotated, ClassVar, Literal, TypeAlias

from pydantic import Field

from omec.api import checks
from omec.api.models.base import Model, list_map
from omec.api.models.meta import KubernetesObject
from omec.api.models.scalars import DnsSubdomain, Quantity

ShortSubdomain: TypeAlias = Annotated[DnsSubdomain, Field(max_length=63)]
LongSubdomain: TypeAlias = Annotated[DnsSubdomain, Field(max_length=253)]
SharePolicy = Literal["Explicit", "Proportional"]

_RESOURCE_NAME_PATTERN = (
    r"^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*"
    r"(/[A-Za-z0-9]([-A-Za-z0-9_.]*[A-Za-z0-9])?)?$"
)


class QuotaParentRef(Model):
    """The parent node."""

    name: LongSubdomain
    """Name of the AcceleratorQuota."""


class QuotaDistribution(Model):
    """How budgets are split over clusters."""

    policy: SharePolicy | None = None
    """Default of the node's budgets."""


class ClusterShare(Model):
    """The share of one cluster."""

    cluster: Annotated[str, Field(max_length=253)]
    """Name of the cluster."""
    nominal: Quantity
    """Its share."""


class AcceleratorBudget(Model):
    """The allowance of one resource in one flavor."""

    resource_name: Annotated[str, Field(max_length=253, pattern=_RESOURCE_NAME_PATTERN)]
    """For example ``nvidia.com/gpu``."""
    resource_flavor: LongSubdomain
    """ResourceFlavor of Kueue."""
    policy: SharePolicy | None = None
    """How this flavor is split; leaves only."""
    nominal: Quantity
    """Allowance."""
    borrowing_limit: Quantity | None = None
    """How far above its share a leaf may go (0 unless set)."""
    lending_limit: Quantity | None = None
    """How much siblings may borrow."""
    per_cluster: Annotated[list[ClusterShare], list_map("cluster")] | None = None
    """Explicit split."""


class AcceleratorQuotaSpec(Model):
    """A node of the quota tree: a group (``Cohort``) or a leaf (``ClusterQueue``)."""

    checks: ClassVar = (
        checks.QUEUE_NEEDS_PARENT,
        checks.COHORT_BARE,
        checks.COHORT_BUDGETS_BARE,
        checks.QUEUE_NEEDS_BUDGET,
        checks.EXPLICIT_NEEDS_SHARES,
        checks.PROPORTIONAL_FORBIDS_SHARES,
    )

    role: Literal["Cohort", "ClusterQueue"]
    """Group or leaf."""
    parent_ref: QuotaParentRef | None = None
    """Parent node; only ``root`` has none."""
    priority_tier: ShortSubdomain | None = None
    """WorkloadPriorityClass of the leaf's workloads."""
    distribution: QuotaDistribution | None = None
    """Default split; leaves only."""
    budgets: (
        Annotated[list[AcceleratorBudget], list_map("resourceName", "resourceFlavor"), Field(max_length=16)] | None
    ) = None
    """Allowances."""


class AcceleratorQuota(KubernetesObject):
    """A node of the quota tree."""

    checks: ClassVar = (checks.QUOTA_NAME_LENGTH,)

    kind: Literal["AcceleratorQuota"]
    """Always ``AcceleratorQuota``."""
    spec: AcceleratorQuotaSpec | None = None
    """The node."""
