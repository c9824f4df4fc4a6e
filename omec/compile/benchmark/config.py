"""The image and resources of benchmark pods (reference 16 §2.4).

OME reads them from the ConfigMap ``benchmarkjob-config``: one key with a JSON text.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import msgspec

from omec.api.quantity import QuantityError, parse

CONFIG_MAP = "benchmarkjob-config"
CONFIG_KEY = "benchmarkjob"

_POD = "podConfig"
_FIELDS = ("image", "cpuRequest", "memoryRequest", "cpuLimit", "memoryLimit")
_NO_QUANTITY = "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'"


class BenchmarkConfigError(ValueError):
    """A configuration with which OME makes no benchmark Job; the text is OME's where it has one."""


class PodConfig(msgspec.Struct, frozen=True):
    """The fields of ``podConfig``; an empty text is a field that is not set."""

    image: str = ""
    cpu_request: str = ""
    memory_request: str = ""
    cpu_limit: str = ""
    memory_limit: str = ""

    def resources(self) -> dict[str, dict[str, str]]:
        """Requests and limits; raises :class:`BenchmarkConfigError` where OME's controller would crash."""
        # In the order in which OME parses them: the first bad one is reported.
        requests = {"cpu": _quantity(self.cpu_request), "memory": _quantity(self.memory_request)}
        limits = {"cpu": _quantity(self.cpu_limit), "memory": _quantity(self.memory_limit)}
        return {"requests": requests, "limits": limits}


CHART_DEFAULTS = PodConfig(cpu_request="2", memory_request="2Gi", cpu_limit="2", memory_limit="2Gi")
"""The values of OME's chart without its image, which is published nowhere."""


def config_of_text(text: str) -> PodConfig:
    """The configuration that the ConfigMap's JSON ``text`` holds; keys match in any letter case, as in Go.

    Raises :class:`BenchmarkConfigError`.
    """
    try:
        value = json.loads(text)
    except ValueError as error:
        raise _unreadable(str(error)) from error
    values = _texts(_table(_folded(_table(value), (_POD,)).get(_POD)))
    return _config(values)


def config_of_settings(settings: Mapping[str, Any]) -> PodConfig:
    """The chart's values with those of a table of ``omec.toml`` over them, whose keys are those of ``podConfig``.

    Raises :class:`BenchmarkConfigError`.
    """
    for key, value in settings.items():
        if key not in _FIELDS:
            raise BenchmarkConfigError(f"{key} is none of {', '.join(_FIELDS)}")
        if not isinstance(value, str):
            raise BenchmarkConfigError(f"{key} must be a text, not {json.dumps(value)}")
    chart = {name: getattr(CHART_DEFAULTS, _attribute(name)) for name in _FIELDS}
    return _config({**chart, **settings})


def _config(values: Mapping[str, str]) -> PodConfig:
    return PodConfig(**{_attribute(name): value for name, value in values.items()})


def _texts(table: Mapping[str, Any]) -> dict[str, str]:
    values = {}
    for name, value in _folded(table, _FIELDS).items():
        if not isinstance(value, str):
            raise _unreadable(f"{name} is no text: {json.dumps(value)}")
        values[name] = value
    return values


def _folded(table: Mapping[str, Any], names: tuple[str, ...]) -> dict[str, Any]:
    """The known fields of ``table``, in whatever letter case; the last one wins, and null sets nothing."""
    known = {name.lower(): name for name in names}
    return {known[key.lower()]: value for key, value in table.items() if key.lower() in known and value is not None}


def _table(value: Any) -> Mapping[str, Any]:
    if value is None:
        return {}
    if not isinstance(value, dict):
        raise _unreadable(f"an object is expected, not {json.dumps(value)}")
    return value


def _attribute(name: str) -> str:
    """``cpuRequest`` as ``cpu_request``."""
    return "".join(f"_{letter.lower()}" if letter.isupper() else letter for letter in name)


def _quantity(text: str) -> str:
    try:
        return parse(text).text
    except QuantityError:
        raise BenchmarkConfigError(f"cannot parse '{text}': {_NO_QUANTITY}") from None


def _unreadable(problem: str) -> BenchmarkConfigError:
    return BenchmarkConfigError(f"unable to unmarshall {CONFIG_KEY} json string due to {problem}")
