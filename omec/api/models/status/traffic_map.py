"""The status of a TrafficMap."""

from __future__ import annotations

from typing import Annotated, TypeAlias

from pydantic import Field

from omec.api.models.base import Model
from omec.api.models.scalars import Int64
from omec.api.models.status.common import Conditions

Sha256Digest: TypeAlias = Annotated[str, Field(pattern="^sha256:[0-9a-f]{64}$")]
TargetName: TypeAlias = Annotated[str, Field(min_length=1, max_length=512)]


class GatewayRef(Model):
    """The gateway object that carries the traffic."""

    group: str | None = None
    """API group."""
    kind: str | None = None
    """Kind."""
    name: str | None = None
    """Name."""
    namespace: str | None = None
    """Namespace."""


class PublishedTarget(Model):
    """The weight of one target."""

    target: TargetName
    """Target."""
    weight: Annotated[Int64, Field(ge=0)]
    """Weight."""


class LastPositivePublication(Model):
    """The last table that had somewhere to send traffic."""

    traffic_map_generation: Annotated[Int64, Field(ge=1)]
    """Generation of the TrafficMap."""
    observed_isvc_generation: Annotated[Int64, Field(ge=1)] = Field(alias="observedISVCGeneration")
    """Generation of the service."""
    plan_compatibility_digest: str | None = None
    """Digest of the placement plan."""
    targets: Annotated[list[PublishedTarget], Field(min_length=1, max_length=128)]
    """Weights."""


class PublisherStatus(Model):
    """What the publisher did."""

    publisher_name: Annotated[str, Field(min_length=1, max_length=128)]
    """Publisher."""
    claimed_targets: Annotated[list[TargetName], Field(min_length=1, max_length=128)]
    """Targets that it owns."""
    observed_options_digest: Sha256Digest | None = None
    """Digest of the options it was given."""
    last_positive: LastPositivePublication | None = None
    """The last table that had somewhere to send traffic."""


class TrafficMapStatus(Model):
    """The status of a routing table."""

    source_uid: str | None = Field(None, alias="sourceUID")
    """UID of the service."""
    published: bool | None = None
    """Whether the table is in effect."""
    gateway_ref: GatewayRef | None = None
    """The gateway object that carries the traffic."""
    observed_traffic_map_generation: Int64 | None = None
    """Generation that the status belongs to."""
    publisher: PublisherStatus | None = None
    """What the publisher did."""
    conditions: Conditions | None = None
    """Observations; ``Routable``, ``Published`` and others."""
