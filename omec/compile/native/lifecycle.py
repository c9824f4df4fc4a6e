"""How Instances are updated, restarted and judged ready (reference 05 §3.3 and §10)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from omec.compile.inputs import Object
from omec.compile.names import ComponentName
from omec.compile.native.defaults import NativeDefaults, UpdateDefaults

SURGE = "SurgeThenDrain"
RECREATE = "RecreatePod"


def effective_lifecycle(
    merged: Mapping[str, Any] | None, component: ComponentName, defaults: NativeDefaults
) -> Object | None:
    """The block ``merged`` of service and runtime with the operator's defaults in its gaps; ``None`` for none at all.

    Of the two budgets of the update strategy only the one that the strategy reads is filled.
    """
    lifecycle = dict(merged or {})
    if lifecycle.get("minReadySeconds") is None and defaults.min_ready_seconds is not None:
        lifecycle["minReadySeconds"] = defaults.min_ready_seconds
    update = _filled_update(lifecycle.get("updateStrategy") or {}, defaults.update.get(component, UpdateDefaults()))
    if update:
        lifecycle["updateStrategy"] = update
    return lifecycle if lifecycle or merged is not None else None


def _filled_update(strategy: Mapping[str, Any], defaults: UpdateDefaults) -> Object:
    update = dict(strategy)
    if not update.get("type") and defaults.type is not None:
        update["type"] = defaults.type
    field = budget_field(update)
    default = defaults.max_surge if field == "maxSurge" else defaults.max_unavailable
    budgets = update.get("rollingUpdate") or {}
    if default is not None and budgets.get(field) is None:
        update["rollingUpdate"] = {**budgets, field: default}
    return update


def budget_field(strategy: Mapping[str, Any]) -> str:
    """The budget that the strategy reads."""
    return "maxSurge" if (strategy.get("type") or SURGE) == SURGE else "maxUnavailable"


def min_ready_seconds(lifecycle: Mapping[str, Any] | None) -> int:
    return (lifecycle or {}).get("minReadySeconds") or 0


def standalone_lifecycle(lifecycle: Mapping[str, Any] | None) -> Object:
    """``lifecycle`` as a standalone replica takes it: it has a field of its own for ``minReadySeconds``."""
    return {key: value for key, value in (lifecycle or {}).items() if key != "minReadySeconds"}
