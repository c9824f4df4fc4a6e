"""Update strategies that never come to an end, or take everything down (reference 05 §10.1)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from omec.compile.native import rollout_rules
from omec.compile.native.lifecycle import RECREATE, SURGE, budget_field
from omec.compile.native.remarks import Remark

_ZERO = (0, "0", "0%")


def update_remarks(lifecycle: Mapping[str, Any], written: Mapping[str, Any], component: str) -> Iterator[Remark]:
    """About the update strategy of the effective block ``lifecycle``, of which ``written`` is the author's own part.

    OME refuses two budgets of 0 in an InferenceService only where the service itself says both.
    """
    strategy: Mapping[str, Any] = lifecycle.get("updateStrategy") or {}
    budgets = strategy.get("rollingUpdate") or {}
    read = budget_field(strategy)
    steps = ("updateStrategy", "rollingUpdate", read)
    kind = strategy.get("type") or SURGE
    own = (written.get("updateStrategy") or {}).get("rollingUpdate") or {}
    if all(own.get(field) in _ZERO for field in ("maxSurge", "maxUnavailable")):
        message = (
            f"spec.{component}.lifecycle.updateStrategy.rollingUpdate: maxSurge=0 and maxUnavailable=0 together yield "
            "an unstartable rollout (RollingUpdateZeroBudget)"
        )
        yield Remark(rollout_rules.ZERO_BUDGET, message, steps, f"raise {read}")
    elif budgets.get(read) in _ZERO:
        message = f"the {component} rolls out by {kind}, which reads {read}, and that is {budgets[read]}"
        yield Remark(rollout_rules.STALLED_BUDGET, message, steps, f"raise {read}")
    elif kind == RECREATE and budgets.get(read) is None:
        message = f"the {component} rolls out by {kind} without maxUnavailable: all Instances go at once"
        yield Remark(rollout_rules.UNBOUNDED_RECREATION, message, steps, "set maxUnavailable: 1")
