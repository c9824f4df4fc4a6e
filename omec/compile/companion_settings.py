"""The operator's settings for the objects that stand beside workloads.

They come from the same configuration as those of :mod:`omec.compile.operator`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from omec.compile.autoscaling import providers
from omec.compile.autoscaling.providers import MetricProvider
from omec.compile.disruption_settings import CHART as CHART_BUDGETS
from omec.compile.disruption_settings import KEY as BUDGETS
from omec.compile.disruption_settings import Budget, disruption_settings
from omec.compile.exposure.settings import CHART as CHART_INGRESS
from omec.compile.exposure.settings import KEY as INGRESS
from omec.compile.exposure.settings import IngressSettings, ingress_settings
from omec.compile.modes import Mode
from omec.compile.monitoring_settings import KEY as MONITORS
from omec.compile.monitoring_settings import MonitorSettings, monitor_settings
from omec.compile.operator import parsed_keys

KEYS = (INGRESS, BUDGETS, MONITORS, providers.KEY)

_CHART: dict[str, Any] = {INGRESS: CHART_INGRESS, BUDGETS: CHART_BUDGETS}


class CompanionSettings(msgspec.Struct, frozen=True):
    """The settings by what they are about; ``budgets`` hold for components that say nothing themselves."""

    ingress: IngressSettings = msgspec.field(default_factory=IngressSettings)
    budgets: Mapping[Mode, Budget] = msgspec.field(default_factory=dict)
    monitors: MonitorSettings = msgspec.field(default_factory=MonitorSettings)
    providers: Mapping[str, MetricProvider] = msgspec.field(default_factory=dict)


def companion_settings_of_config_map(data: Mapping[str, Any]) -> CompanionSettings:
    """The settings of ``data`` of an ``inferenceservice-config``; what it leaves out is unset, as in OME.

    Raises :class:`omec.compile.operator.OperatorConfigError` with OME's text.
    """
    return _settings(parsed_keys(data, KEYS))


def companion_settings_of_settings(settings: Mapping[str, Any]) -> CompanionSettings:
    """The chart's settings with those of a table of ``omec.toml`` over them, field by field.

    A budget replaces the chart's for its mode as a whole, because it has one field. Raises
    :class:`omec.compile.operator.OperatorConfigError`.
    """
    given = {key: settings[key] for key in KEYS if key in settings}
    for key, chart in _CHART.items():
        given[key] = {**chart, **given[key]} if isinstance(given.get(key), Mapping) else given.get(key, chart)
    return _settings(given)


def _settings(keys: Mapping[str, Any]) -> CompanionSettings:
    return CompanionSettings(
        ingress_settings(keys.get(INGRESS)),
        disruption_settings(keys.get(BUDGETS)),
        monitor_settings(keys.get(MONITORS)),
        providers.metric_providers(keys.get(providers.KEY)),
    )


CHART_COMPANIONS = companion_settings_of_settings({})
