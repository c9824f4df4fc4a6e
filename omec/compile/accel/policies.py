"""The policies by which a service has its class chosen (reference 03 §6).

OME sorts candidates with an algorithm that may exchange equal ones from 13 on; here the order of the runtime's list
always decides between them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from decimal import Decimal
from enum import StrEnum

from omec.compile.accel.classes import AcceleratorClass
from omec.compile.accel.constraints import Constraints, lowered
from omec.compile.accel.scores import best_fit, most_capable

_TIERS = {"low": Decimal(1), "medium": Decimal(2), "high": Decimal(3)}
_OTHER_TIER = Decimal(2)


class Policy(StrEnum):
    """How to choose among the classes that meet the constraints."""

    BEST_FIT = "BestFit"
    CHEAPEST = "Cheapest"
    MOST_CAPABLE = "MostCapable"
    FIRST_AVAILABLE = "FirstAvailable"


def pick(policy: Policy, valid: Sequence[AcceleratorClass], wanted: Constraints) -> AcceleratorClass | None:
    """The class that ``policy`` takes from ``valid``, which are in the order of the runtime's list.

    A single class is taken whatever it states. ``None`` where there is nothing to choose from, or where nothing that
    the policy compares is stated.
    """
    if len(valid) <= 1 or policy is Policy.FIRST_AVAILABLE:
        return next(iter(valid), None)
    if policy is Policy.CHEAPEST:
        return _cheapest(valid)
    if policy is Policy.MOST_CAPABLE:
        return _highest(valid, most_capable(valid, wanted))
    return _highest(valid, [best_fit(candidate, wanted) for candidate in valid])


def _highest(valid: Sequence[AcceleratorClass], scores: Sequence[float]) -> AcceleratorClass:
    return valid[scores.index(max(scores))]


def _cheapest(valid: Sequence[AcceleratorClass]) -> AcceleratorClass | None:
    """The lowest price by the first measure that any class states; classes without it do not compete."""
    measures: tuple[Callable[[AcceleratorClass], Decimal | None], ...] = (
        lambda candidate: candidate.cost.hourly,
        lambda candidate: candidate.cost.per_million_tokens,
        lambda candidate: _tier(candidate.cost.tier),
    )
    for measure in measures:
        prices = [(price, candidate) for candidate in valid if (price := measure(candidate)) is not None]
        if prices:
            return min(prices, key=lambda item: item[0])[1]
    return None


def _tier(tier: str) -> Decimal | None:
    return _TIERS.get(lowered(tier), _OTHER_TIER) if tier else None
