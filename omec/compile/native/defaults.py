"""Operator settings that only OMENative components read (reference 05 §10.1, 10 §1.2)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from omec.compile.names import COMPONENTS, ComponentName
from omec.compile.operator import overlaid, parsed_keys
from omec.compile.operator_values import Settings

IntOrPercent = int | str

_KEY = "deploy"
CHART = {
    "updateStrategy": {
        name: {"type": "SurgeThenDrain", "maxSurge": "25%", "maxUnavailable": "25%"} for name in COMPONENTS
    }
}


class UpdateDefaults(msgspec.Struct, frozen=True):
    """The update strategy of a component that leaves it open; ``None`` fills nothing."""

    type: str | None = None
    max_surge: IntOrPercent | None = None
    max_unavailable: IntOrPercent | None = None


class NativeDefaults(msgspec.Struct, frozen=True):
    """The settings; an unset one fills nothing."""

    update: Mapping[ComponentName, UpdateDefaults] = msgspec.field(default_factory=dict)
    min_ready_seconds: int | None = None


def native_defaults_of_config_map(data: Mapping[str, Any]) -> NativeDefaults:
    """The settings of ``data`` of an ``inferenceservice-config``; what it leaves out is unset, as in OME.

    Raises :class:`omec.compile.operator.OperatorConfigError`.
    """
    return native_defaults(parsed_keys(data, (_KEY,)).get(_KEY))


def native_defaults_of_settings(settings: Mapping[str, Any]) -> NativeDefaults:
    """The chart's settings with those of a table of ``omec.toml`` over them, field by field.

    Raises :class:`omec.compile.operator.OperatorConfigError`.
    """
    return native_defaults(overlaid(CHART, settings.get(_KEY) or {}))


def native_defaults(deploy: Any) -> NativeDefaults:
    """The settings under the parsed key ``deploy``; raises :class:`omec.compile.operator.OperatorConfigError`."""
    settings = Settings.of(_KEY, deploy)
    strategies = settings.table("updateStrategy")
    return NativeDefaults(
        update={
            name: _update(strategies.table(name)) for name in COMPONENTS if strategies.values.get(name) is not None
        },
        min_ready_seconds=settings.integer("minReadySeconds"),
    )


def _update(settings: Settings) -> UpdateDefaults:
    surge, unavailable = settings.int_or_text("maxSurge"), settings.int_or_text("maxUnavailable")
    return UpdateDefaults(settings.text("type") or None, surge, unavailable)


CHART_DEFAULTS = native_defaults_of_settings({})
"""What OME's chart sets, v1.3."""
