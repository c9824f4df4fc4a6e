"""Operator settings that only OMENative components read (reference 05 §10.1 and §11.2, 10 §1.2 and §1.3)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from omec.compile.names import COMPONENTS, ComponentName

IntOrPercent = int | str


@dataclass(frozen=True, slots=True)
class UpdateDefaults:
    """The update strategy of a component that leaves it open; ``None`` fills nothing."""

    type: str | None = None
    max_surge: IntOrPercent | None = None
    max_unavailable: IntOrPercent | None = None


@dataclass(frozen=True, slots=True)
class NativeDefaults:
    """The settings; an unset one fills nothing. ``budget`` is the disruption budget as the configuration writes it."""

    update: Mapping[ComponentName, UpdateDefaults] = field(default_factory=dict)
    min_ready_seconds: int | None = None
    budget: Mapping[str, IntOrPercent] | None = None


def native_defaults(keys: Mapping[str, Any]) -> NativeDefaults:
    """The settings in the parsed keys of an ``inferenceservice-config``, of which ``deploy`` and
    ``podDisruptionBudget`` matter here.
    """
    deploy = keys.get("deploy") or {}
    strategies = deploy.get("updateStrategy") or {}
    return NativeDefaults(
        update={
            name: UpdateDefaults(entry.get("type") or None, entry.get("maxSurge"), entry.get("maxUnavailable"))
            for name in COMPONENTS
            if isinstance(entry := strategies.get(name), Mapping)
        },
        min_ready_seconds=deploy.get("minReadySeconds"),
        budget=(keys.get("podDisruptionBudget") or {}).get("omeNative"),
    )


CHART_DEFAULTS = native_defaults(
    {
        "deploy": {
            "updateStrategy": {
                name: {"type": "SurgeThenDrain", "maxSurge": "25%", "maxUnavailable": "25%"} for name in COMPONENTS
            }
        },
        "podDisruptionBudget": {"omeNative": {"maxUnavailable": 1}},
    }
)
"""What OME's chart sets, v1.3."""
