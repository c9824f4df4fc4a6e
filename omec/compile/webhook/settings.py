"""The operator's settings for the containers that OME's webhook adds to pods (reference 04 §16, §17.4, §19).

They come from the same configuration as those of :mod:`omec.compile.operator`. No setting has an image of its own: the
one that OME's chart names belongs to a release of OME, and none may be installed.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import msgspec

from omec.compile.inputs import Object
from omec.compile.operator import OperatorConfigError, parsed_keys

MODEL_INIT = "modelInit"
ADAPTER = "fineTunedAdapter"
SIDECAR = "servingSidecar"
METRICS = "metricsAggregator"

KEYS = (METRICS, MODEL_INIT, ADAPTER, SIDECAR)

_TEXTS = (
    "image",
    "compartmentId",
    "authType",
    "vaultId",
    "region",
    "cpuLimit",
    "memoryLimit",
    "cpuRequest",
    "memoryRequest",
)
_LISTS = ("extraEnvVars", "extraVolumeMounts")

_IDENTITY = {"authType": "InstancePrincipal", "region": "ap-osaka-1"}
CHART: dict[str, dict[str, Any]] = {
    METRICS: {"enableMetricAggregation": "false", "enablePrometheusScraping": "false"},
    MODEL_INIT: {
        **_IDENTITY,
        "cpuRequest": "15",
        "cpuLimit": "15",
        "memoryRequest": "150Gi",
        "memoryLimit": "180Gi",
    },
    SIDECAR: {**_IDENTITY, "cpuRequest": "1", "cpuLimit": "2", "memoryRequest": "2Gi", "memoryLimit": "4Gi"},
}
"""The values of OME's Helm chart, but for images and the identities that it has only placeholders for."""


class AgentSettings(msgspec.Struct, frozen=True):
    """The settings of one container, under their names in the ConfigMap's ``key``; an unset text is ``""``."""

    key: str
    texts: Mapping[str, str] = msgspec.field(default_factory=dict)
    variables: tuple[Object, ...] = ()
    mounts: tuple[Object, ...] = ()

    def __getitem__(self, name: str) -> str:
        return self.texts.get(name, "")


class WebhookSettings(msgspec.Struct, frozen=True):
    """The settings by what they are about. The two switches hold for pods that do not say so themselves."""

    model_init: AgentSettings = AgentSettings(MODEL_INIT)
    adapter: AgentSettings = AgentSettings(ADAPTER)
    sidecar: AgentSettings = AgentSettings(SIDECAR)
    metric_aggregation: str = ""
    prometheus_scraping: str = ""


def webhook_settings_of_config_map(data: Mapping[str, Any]) -> WebhookSettings:
    """The settings of ``data`` of an ``inferenceservice-config``; what it leaves out is unset, as in OME.

    Raises :class:`OperatorConfigError` with OME's text.
    """
    return _settings({key: _parsed(key, data[key]) for key in KEYS if key in data})


def webhook_settings_of_settings(settings: Mapping[str, Any]) -> WebhookSettings:
    """The chart's settings with those of a table of ``omec.toml`` over them, field by field.

    Raises :class:`OperatorConfigError`.
    """
    given = {key: settings[key] for key in KEYS if key in settings}
    for key, chart in CHART.items():
        given[key] = {**chart, **_table(key, given.get(key))}
    return _settings(given)


def _settings(keys: Mapping[str, Any]) -> WebhookSettings:
    metrics = _table(METRICS, keys.get(METRICS))
    return WebhookSettings(
        model_init=_agent(MODEL_INIT, keys.get(MODEL_INIT)),
        adapter=_agent(ADAPTER, keys.get(ADAPTER)),
        sidecar=_agent(SIDECAR, keys.get(SIDECAR)),
        metric_aggregation=_text(METRICS, metrics, "enableMetricAggregation"),
        prometheus_scraping=_text(METRICS, metrics, "enablePrometheusScraping"),
    )


def _agent(key: str, value: Any) -> AgentSettings:
    table = _table(key, value)
    variables, mounts = (_objects(key, table, name) for name in _LISTS)
    return AgentSettings(key, {name: _text(key, table, name) for name in _TEXTS if name in table}, variables, mounts)


def _parsed(key: str, text: Any) -> Any:
    if not isinstance(text, str):
        return parsed_keys({key: text}, [key])[key]  # which says what is wrong
    try:
        return json.loads(text)
    except ValueError as error:
        raise _unreadable(key, str(error)) from error
    except RecursionError:
        raise _unreadable(key, "it is nested too deeply") from None


def _table(key: str, value: Any) -> Mapping[str, Any]:
    if value is None:
        return {}
    if not isinstance(value, Mapping):
        raise _unreadable(key, f"an object is expected, not {json.dumps(value)}")
    return value


def _text(key: str, table: Mapping[str, Any], name: str) -> str:
    value = table.get(name)
    if value is None or isinstance(value, str):
        return value or ""
    raise _unreadable(key, f"{name} is not a text: {json.dumps(value)}")


def _objects(key: str, table: Mapping[str, Any], name: str) -> tuple[Object, ...]:
    value = table.get(name) or []
    if not isinstance(value, list) or not all(isinstance(item, dict) and item.get("name") for item in value):
        raise _unreadable(key, f"{name} is not a list of objects with a name: {json.dumps(value)}")
    return tuple(value)


def _unreadable(key: str, why: str) -> OperatorConfigError:
    return OperatorConfigError(key, f"unable to unmarshal {key} json string: {why}")
