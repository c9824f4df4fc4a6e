"""The table of ``admission_cases.yaml``, for the tests with and without an API server."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import yaml

from tests.compile import objects
from tests.compile.objects import REMOVED, Object, changed

ABBREVIATIONS = {"pod": "spec>template>spec", "container": "spec>template>spec>containers>0"}


@dataclass(frozen=True, slots=True)
class Case:
    """One row of the table; see there."""

    name: str
    bad: Mapping[str, Any]
    field: str
    text: str
    good: Mapping[str, Any] = field(default_factory=dict)
    of: str = "deployment"
    server_field: str | None = None

    @property
    def refused(self) -> Object:
        return changed(getattr(objects, self.of)(), expanded(self.bad))

    @property
    def accepted(self) -> Object:
        return changed(self.refused, expanded(self.good)) if self.good else getattr(objects, self.of)()


def same_place(one: str, other: str) -> bool:
    """Whether two places are the same, whatever separates their steps."""
    return _steps(one) == _steps(other)


def _steps(place: str) -> list[str]:
    return [step for step in re.split(r"[]>.[]", _full(place)) if step]


def _full(place: str) -> str:
    first, separator, rest = place.partition(">")
    return ABBREVIATIONS.get(first, first) + separator + rest


def expanded(changes: Mapping[str, Any]) -> dict[str, Any]:
    """``changes`` with the abbreviations of places and values spelt out."""
    return {_full(place): _value(value) for place, value in changes.items()}


def _value(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _value(item) for key, item in value.items()}
    if value == "<removed>":
        return REMOVED
    if isinstance(value, str) and (repeated := re.fullmatch(r"<(.) \* (\d+)>", value)):
        return repeated[1] * int(repeated[2])
    return value


_TABLE = Path(__file__).with_suffix(".yaml").read_text(encoding="utf-8")
CASES = [Case(**row) for row in yaml.safe_load(_TABLE)]
