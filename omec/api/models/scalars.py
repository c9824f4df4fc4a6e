"""The scalar types of the API: integers of Go's widths, quantities, durations, and free-form JSON."""

from __future__ import annotations

from typing import Annotated, Any, TypeAlias

from pydantic import Field, WithJsonSchema

from omec.api.models.base import DropNullValues

QUANTITY_PATTERN = (
    r"^(\+|-)?(([0-9]+(\.[0-9]*)?)|(\.[0-9]+))(([KMGTPE]i)|[numkMGTPE]|([eE](\+|-)?(([0-9]+(\.[0-9]*)?)|(\.[0-9]+))))?$"
)
DURATION_PATTERN = r"^[+-]?(0|(([0-9]+(\.[0-9]*)?|\.[0-9]+)(ns|us|µs|μs|ms|s|m|h))+)$"
DNS_SUBDOMAIN_PATTERN = r"^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$"


Int64: TypeAlias = Annotated[int, Field(ge=-(2**63), le=2**63 - 1)]
"""A Go ``int`` or ``int64``. The schema of the CRD has no bounds, but OME cannot decode a number beyond them."""

Int32: TypeAlias = Annotated[int, Field(ge=-(2**31), le=2**31 - 1)]
"""A Go ``int32``; bounds as for :data:`Int64`."""

Quantity: TypeAlias = Annotated[
    int | Annotated[str, Field(pattern=QUANTITY_PATTERN)],
    WithJsonSchema({"type": ["integer", "string"], "pattern": QUANTITY_PATTERN}),
]
"""A Kubernetes quantity: an integer, or text such as ``80Gi`` or ``1.5k``."""

IntOrString: TypeAlias = Annotated[int | str, WithJsonSchema({"type": ["integer", "string"]})]
"""An absolute number, or a percentage such as ``25%``."""

Duration: TypeAlias = Annotated[str, Field(pattern=DURATION_PATTERN)]
"""Go duration text such as ``30s`` or ``1h30m``. The CRD takes any string, but OME cannot decode anything else."""

DnsSubdomain: TypeAlias = Annotated[str, Field(pattern=DNS_SUBDOMAIN_PATTERN)]
"""Lower-case labels separated by dots."""

StringMap: TypeAlias = Annotated[dict[str, str], DropNullValues]
"""A map of text to text; numbers and booleans must be quoted."""

RawExtension: TypeAlias = Annotated[
    dict[str, Any], WithJsonSchema({"type": "object", "x-kubernetes-preserve-unknown-fields": True})
]
"""Any JSON object, kept as it is."""
