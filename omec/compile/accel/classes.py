"""What the choice of an AcceleratorClass looks at (reference 03 §1)."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from typing import Any

import msgspec

from omec.api import quantity

GIB = 2**30

_PRECISION_FIELDS = {"fp32": "fp32Tflops", "fp16": "fp16Tflops", "int8": "int8Tops", "int4": "int4Tops"}
_SAME_PRECISION = {"fp8": "int8"}
"""A class states no figure for these of its own."""


class Cost(msgspec.Struct, frozen=True):
    """What a class costs, in any currency; ``None`` and ``""`` are not stated."""

    per_hour: Decimal | None = None
    spot_per_hour: Decimal | None = None
    per_million_tokens: Decimal | None = None
    tier: str = ""

    @property
    def hourly(self) -> Decimal | None:
        """The price of a spot instance where there is one: OME compares spot and on-demand prices as if they were one.

        A spot price of 0 is a price.
        """
        return self.per_hour if self.spot_per_hour is None else self.spot_per_hour


class AcceleratorClass(msgspec.Struct, frozen=True):
    """The facts about a class; ``throughput`` is in TFLOPS or TOPS by precision, ``None`` where it states none."""

    name: str
    vendor: str = ""
    family: str = ""
    memory: int | None = None
    compute_capability: str = ""
    bandwidth: int = 0
    features: tuple[str, ...] = ()
    throughput: Mapping[str, int] | None = None
    cost: Cost = msgspec.field(default_factory=Cost)

    @classmethod
    def of(cls, name: str, spec: Mapping[str, Any]) -> AcceleratorClass:
        """The class with this stored ``spec``; raises ``QuantityError`` where the API server would refuse one of it."""
        capabilities = spec.get("capabilities") or {}
        performance = capabilities.get("performance")
        cost = spec.get("cost") or {}
        return cls(
            name=name,
            vendor=spec.get("vendor") or "",
            family=spec.get("family") or "",
            memory=_whole(capabilities.get("memoryGB")),
            compute_capability=capabilities.get("computeCapability") or "",
            bandwidth=_whole(capabilities.get("memoryBandwidthGBps")) or 0,
            features=tuple(capabilities.get("features") or ()),
            throughput=None if performance is None else _throughput(performance),
            cost=Cost(
                per_hour=_exact(cost.get("perHour")),
                spot_per_hour=_exact(cost.get("spotPerHour")),
                per_million_tokens=_exact(cost.get("perMillionTokens")),
                tier=cost.get("tier") or "",
            ),
        )

    @property
    def gibibytes(self) -> int | None:
        """The memory as constraints count it: in whole GiB, the rest dropped."""
        return None if self.memory is None else int(Decimal(self.memory) / GIB)

    def throughput_of(self, precision: str) -> int:
        """TFLOPS or TOPS of one precision, whatever its case; 0 for one that OME does not know."""
        known = precision.lower()
        return (self.throughput or {}).get(_SAME_PRECISION.get(known, known), 0)


def _throughput(performance: Mapping[str, Any]) -> dict[str, int]:
    return {precision: performance.get(field) or 0 for precision, field in _PRECISION_FIELDS.items()}


def _whole(value: Any) -> int | None:
    """A quantity as a whole number, rounded up, which is how OME reads bytes and GB/s."""
    return None if value is None else quantity.parse(str(value)).units


def _exact(value: Any) -> Decimal | None:
    return None if value is None else quantity.parse(str(value)).value
