"""Load balancing of a service's routes."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from omec.api.models.base import Model
from omec.api.models.scalars import Int64


class HashHeader(Model):
    """A request header."""

    name: Annotated[str, Field(min_length=1)]
    """Name of the header."""


class HashCookie(Model):
    """A cookie."""

    name: Annotated[str, Field(min_length=1)]
    """Name of the cookie."""
    ttl_seconds: Annotated[Int64, Field(ge=0)] | None = None
    """Above 0, the gateway issues the cookie itself."""


class ConsistentHashSpec(Model):
    """What a request is hashed by, so that equal requests reach the same pod."""

    type: Literal["Header", "Cookie", "SourceIP"] | None = None
    """Source of the hash; the webhook refuses a missing one."""
    headers: list[HashHeader] | None = None
    """Required for ``Header``, forbidden otherwise."""
    cookie: HashCookie | None = None
    """Required for ``Cookie``, forbidden otherwise."""


class EndpointOverrideSpec(Model):
    """Requests that name their endpoint; Envoy Gateway only."""

    type: Literal["Header", "Metadata"] | None = None
    """Where the endpoint is read from; ``Metadata`` is reserved."""
    headers: list[HashHeader] | None = None
    """Required for ``Header``; the values are ``host:port``."""


class TrafficSpec(Model):
    """Load balancing for all routes of a service."""

    algorithm: Literal["RoundRobin", "LeastRequest", "Random", "ConsistentHash"] | None = None
    """Algorithm (the gateway's own unless set)."""
    consistent_hash: ConsistentHashSpec | None = None
    """Required with ``ConsistentHash``, refused otherwise."""
    endpoint_override: EndpointOverrideSpec | None = None
    """Routes to the endpoint that a request names."""
