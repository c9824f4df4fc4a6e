"""Operator settings that only OMENative components read (reference 05 §10.1, 10 §1.2)."""

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
    """The settings; an unset one fills nothing."""

    update: Mapping[ComponentName, UpdateDefaults] = field(default_factory=dict)
    min_ready_seconds: int | None = None


def native_defaults(deploy: Mapping[str, Any]) -> NativeDefaults:
    """The settings under the parsed key ``deploy`` of an ``inferenceservice-config``."""
    strategies = deploy.get("updateStrategy") or {}
    return NativeDefaults(
        update={
            name: UpdateDefaults(entry.get("type") or None, entry.get("maxSurge"), entry.get("maxUnavailable"))
            for name in COMPONENTS
            if isinstance(entry := strategies.get(name), Mapping)
        },
        min_ready_seconds=deploy.get("minReadySeconds"),
    )


CHART_DEFAULTS = native_defaults(
    {
        "updateStrategy": {
            name: {"type": "SurgeThenDrain", "maxSurge": "25%", "maxUnavailable": "25%"} for name in COMPONENTS
        }
    }
)
"""What OME's chart sets, v1.3."""
