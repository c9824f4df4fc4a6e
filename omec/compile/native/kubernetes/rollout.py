"""How Instances are updated, said in the terms of LeaderWorkerSets and Deployments (reference 05 §10.1 and §10.2)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from omec.compile.inputs import Object
from omec.compile.native.lifecycle import SURGE, budget_field

_ALL = "100%"
"""An Instance budget that OME leaves open has no limit."""


def group_rollout(lifecycle: Mapping[str, Any] | None) -> Object:
    """``rollingUpdateConfiguration`` of a LeaderWorkerSet.

    Of the two budgets OME's strategy reads one; the other is 0 here, or Kubernetes would read both.
    """
    strategy = update_strategy(lifecycle)
    partition = (strategy.get("rollingUpdate") or {}).get("partition")
    return {**_budgets(strategy), **({"partition": partition} if partition else {})}


def deployment_strategy(lifecycle: Mapping[str, Any] | None) -> Object:
    """``strategy`` of a Deployment; all pods at once is what it calls ``Recreate``."""
    strategy = update_strategy(lifecycle)
    budgets = _budgets(strategy)
    if budgets["maxUnavailable"] == _ALL:
        return {"type": "Recreate"}
    return {"type": "RollingUpdate", "rollingUpdate": budgets}


def update_strategy(lifecycle: Mapping[str, Any] | None) -> Mapping[str, Any]:
    strategy: Mapping[str, Any] = (lifecycle or {}).get("updateStrategy") or {}
    return strategy


def _budgets(strategy: Mapping[str, Any]) -> Object:
    read = budget_field(strategy)
    budget = (strategy.get("rollingUpdate") or {}).get(read)
    budget = _ALL if budget is None else budget
    return (
        {"maxUnavailable": 0, "maxSurge": budget} if read == "maxSurge" else {"maxUnavailable": budget, "maxSurge": 0}
    )


def strategy_type(lifecycle: Mapping[str, Any] | None) -> str:
    return update_strategy(lifecycle).get("type") or SURGE
