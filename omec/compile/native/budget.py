"""The disruption budget of an OMENative component, in pods (reference 05 §11.2)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from omec.compile.native.defaults import IntOrPercent


class BudgetError(ValueError):
    """A budget that OME fails to resolve; the message is OME's."""


def resolved_budget(
    spec: Mapping[str, Any], default: Mapping[str, IntOrPercent] | None
) -> Mapping[str, IntOrPercent] | None:
    """The budget of a component with merged ``spec``: its own fields, else the operator's entry, never a mix.

    ``None`` for no budget. Raises :class:`BudgetError` where both fields are set.
    """
    fields = ("minAvailable", "maxUnavailable")
    own = {field: spec[field] for field in fields if spec.get(field) is not None}
    budget = own or {field: value for field, value in (default or {}).items() if field in fields and value is not None}
    if len(budget) > 1:
        raise BudgetError("exactly one of minAvailable or maxUnavailable must be set")
    return budget or None


def min_available(budget: Mapping[str, IntOrPercent], pods: int) -> int:
    """How many of ``pods`` must stay; a percentage of pods is rounded up.

    Kubernetes would count Instances where it had to derive the number of pods, so the budget is always written so.
    """
    if "minAvailable" in budget:
        return _count(budget["minAvailable"], pods)
    return max(pods - _count(budget["maxUnavailable"], pods), 0)


def _count(value: IntOrPercent, pods: int) -> int:
    if isinstance(value, int):
        return value
    return -(-pods * int(value.removesuffix("%")) // 100)
