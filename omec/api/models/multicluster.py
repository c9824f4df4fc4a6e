"""WorkloadCluster and TrafficMap: clusters that OME places services on, and what it writes about their traffic."""

from __future__ import annotations

from typing import Annotated, ClassVar, Literal, TypeAlias

from pydantic import Field

from omec.api import checks
from omec.api.models import kubernetes as k8s
from omec.api.models.base import ListSet, Model, list_map
from omec.api.models.meta import KubernetesObject
from omec.api.models.placement import PlacementMode
from omec.api.models.scalars import Int32, Int64, Quantity

Count: TypeAlias = Annotated[Int32, Field(ge=0)]


class KubeConfigSource(Model):
    """A kubeconfig in a Secret."""

    secret_ref: k8s.SecretReference
    """Name and namespace of the Secret."""
    key: str = "kubeconfig"
    """Key in the Secret."""


class ClusterProfileRef(Model):
    """A ClusterProfile; recorded, not resolved."""

    name: str
    """Name of the ClusterProfile."""


class ClusterConnectionSource(Model):
    """How OME reaches a cluster: one of the two."""

    checks: ClassVar = (checks.CLUSTER_ONE_SOURCE,)

    kube_config: KubeConfigSource | None = None
    """A kubeconfig in a Secret."""
    cluster_profile_ref: ClusterProfileRef | None = None
    """A ClusterProfile."""


class WorkloadClusterSpec(Model):
    """A cluster that serves."""

    cluster_source: ClusterConnectionSource
    """How OME reaches it."""


class WorkloadCluster(KubernetesObject):
    """A cluster that OME places services on."""

    kind: Literal["WorkloadCluster"]
    """Always ``WorkloadCluster``."""
    spec: WorkloadClusterSpec | None = None
    """The cluster."""


class TrafficMapCapacity(Model):
    """The serving capacity of one cluster."""

    allocated: Int32 | None = None
    """Replicas allocated."""
    ready: Int32 | None = None
    """Replicas ready."""
    factor: Quantity | None = None
    """Capacity of one replica."""
    source: Literal["ControlPlane", "Endpoint"] = "ControlPlane"
    """Where the numbers come from."""
    reported: Count | None = None
    """Capacity that the endpoint reports."""
    fallback_reason: str | None = None
    """Why the endpoint's report is not used."""


class TrafficMapProbe(Model):
    """The health of one cluster."""

    policy_digest: Annotated[str, Field(pattern="^sha256:[0-9a-f]{64}$")] | None = None
    """Digest of the probe's settings."""
    result: Literal["Passing", "Failing", "Unknown"] | None = None
    """Last result."""
    gated: bool | None = None
    """Whether the cluster is taken out."""
    last_probe_time: str | None = None
    """Time of the last probe."""
    consecutive_failures: Count | None = None
    """Failures in a row."""
    message: str | None = None
    """Details."""


class TrafficMapEntry(Model):
    """The traffic of one cluster."""

    cluster: str
    """Name of the WorkloadCluster."""
    endpoint: str | None = None
    """External URL."""
    weight: Annotated[Int32, Field(ge=0, le=1_000_000)] | None = None
    """Final weight (0 unless set)."""
    healthy: bool | None = None
    """Whether it may serve (false unless set)."""
    capacity: TrafficMapCapacity | None = None
    """Serving capacity."""
    probe: TrafficMapProbe | None = None
    """Health."""
    drain_refs: Annotated[list[str], ListSet()] | None = None
    """Overrides of the annotation ``ome.io/traffic-drain``."""


class TrafficMapSpec(Model):
    """The routing table of one service; written by OME."""

    placement_plan_id: str | None = Field(None, alias="placementPlanID")
    """Allocation that the table belongs to."""
    service: str
    """Name of the InferenceService."""
    mode: PlacementMode | None = None
    """Placement mode."""
    entries: Annotated[list[TrafficMapEntry], list_map("cluster")] | None = None
    """Traffic by cluster."""
    observed_isvc_generation: Int64 | None = Field(None, alias="observedISVCGeneration")
    """Generation of the service that the table belongs to."""


class TrafficMap(KubernetesObject):
    """The routing table of one service; written by OME, not by people."""

    kind: Literal["TrafficMap"]
    """Always ``TrafficMap``."""
    spec: TrafficMapSpec | None = None
    """The routing table."""
