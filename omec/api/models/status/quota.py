"""The status of an AcceleratorQuota."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from omec.api.models.base import Model, list_map
from omec.api.models.scalars import Int64, Quantity, StringMap
from omec.api.models.status.common import Conditions, Time


class QuotaUsage(Model):
    """Amounts of one resource."""

    nominal: Quantity | None = None
    """Allowance."""
    admitted: Quantity | None = None
    """What admitted workloads use."""
    reserved: Quantity | None = None
    """What is reserved for workloads."""
    borrowed: Quantity | None = None
    """What is used above the allowance."""


class ClusterUsage(QuotaUsage):
    """Amounts on one cluster."""

    cluster: str
    """Name of the cluster."""


class BudgetStatus(QuotaUsage):
    """Amounts of one resource in one flavor."""

    resource_name: str
    """Resource."""
    resource_flavor: str
    """ResourceFlavor."""
    per_cluster: Annotated[list[ClusterUsage], list_map("cluster")] | None = None
    """Amounts by cluster."""


class CapacityAttribution(Model):
    """What a capacity was counted by."""

    flavor_uid: str | None = Field(None, alias="flavorUID")
    """UID of the ResourceFlavor."""
    node_labels: StringMap | None = None
    """Labels of the nodes that were counted."""
    flavor_set_hash: str | None = None
    """Hash of all flavors."""
    complete: bool | None = None
    """Whether every node was counted."""


class MeasuredCapacity(Model):
    """What nodes can give."""

    allocatable: Quantity | None = None
    """Amount that the nodes have."""
    high_water_mark: Quantity | None = None
    """Greatest amount so far."""
    observed_at: Time | None = None
    """When it was counted."""
    attribution: CapacityAttribution | None = None
    """What it was counted by."""


class ClusterCapacity(MeasuredCapacity):
    """What the nodes of one cluster can give."""

    cluster: str
    """Name of the cluster."""
    cluster_uid: str | None = Field(None, alias="clusterUID")
    """UID of the cluster."""
    report_uid: str | None = Field(None, alias="reportUID")
    """UID of its report."""
    report_resource_version: str | None = None
    """Version of its report."""
    report_available: bool | None = None
    """Whether there is a report."""


class CapacityStatus(MeasuredCapacity):
    """What the nodes of one flavor can give; on the root only."""

    resource_name: str
    """Resource."""
    resource_flavor: str
    """ResourceFlavor."""
    per_cluster: Annotated[list[ClusterCapacity], list_map("cluster")] | None = None
    """By cluster."""


class QuotaClusterStatus(Model):
    """What one cluster made of the quota."""

    cluster: str
    """Name of the cluster."""
    applied_generation: Int64 | None = None
    """Generation that was applied."""
    applied_time: Time | None = None
    """When it was applied."""
    materialized_generation: Int64 | None = None
    """Generation that the Kueue objects have."""
    message: str | None = None
    """What went wrong."""


class Materialization(Model):
    """How the Kueue objects were written."""

    frozen: bool | None = None
    """Whether writing stopped."""
    frozen_at: Time | None = None
    """Since when."""
    reason: str | None = None
    """Why."""
    last_applied_generation: Int64 | None = None
    """Generation that was written last."""
    last_applied_time: Time | None = None
    """When."""


class AcceleratorQuotaStatus(Model):
    """The status of a node of the quota tree."""

    observed_generation: Int64 | None = None
    """Generation that the status belongs to."""
    parent: str | None = None
    """Parent that was found."""
    source_generation: Int64 | None = None
    """Generation on the control plane, on a copy of it."""
    budgets: Annotated[list[BudgetStatus], list_map("resourceName", "resourceFlavor")] | None = None
    """Amounts by resource and flavor."""
    capacity: Annotated[list[CapacityStatus], list_map("resourceName", "resourceFlavor")] | None = None
    """What the nodes can give; on the root only."""
    clusters: Annotated[list[QuotaClusterStatus], list_map("cluster")] | None = None
    """What the clusters made of it."""
    materialization: Materialization | None = None
    """How the Kueue objects were written."""
    conditions: Conditions | None = None
    """Observations; ``Ready``, ``Degraded``, ``Materialized``."""
