"""The operator's settings for PodMonitors: key ``podMonitor`` of its configuration (reference 10 §9)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from omec.compile.operator_values import Settings

KEY = "podMonitor"

_TEXTS = ("separator", "targetLabel", "regex", "replacement", "action")


class MonitorSettings(msgspec.Struct, frozen=True):
    """What every PodMonitor of an OMENative component gets: ``labels`` of its own, and rules for each endpoint."""

    labels: Mapping[str, str] = msgspec.field(default_factory=dict)
    relabelings: tuple[Mapping[str, Any], ...] = ()
    metric_relabelings: tuple[Mapping[str, Any], ...] = ()


def monitor_settings(value: Any) -> MonitorSettings:
    """The settings in ``value``, the JSON under :data:`KEY`; ``None`` where there is no such key.

    Raises :class:`omec.compile.operator.OperatorConfigError` with OME's text.
    """
    given = Settings.of(KEY, value, f'unable to parse "{KEY}" config json')
    return MonitorSettings(
        given.text_map("labels"),
        tuple(_relabeling(table) for table in given.tables("relabelings")),
        tuple(_relabeling(table) for table in given.tables("metricRelabelings")),
    )


def _relabeling(given: Settings) -> Mapping[str, Any]:
    """A rule with the fields that it sets."""
    rule: dict[str, Any] = {}
    if labels := given.texts("sourceLabels"):
        rule["sourceLabels"] = list(labels)
    return rule | {name: given.text(name) for name in _TEXTS if given.text(name)}
