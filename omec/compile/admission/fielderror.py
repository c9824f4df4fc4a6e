"""Refusals in the words of the API server.

The constructors are those of Kubernetes' ``field`` package, because their texts are what people find when they search
for an error.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from omec.finding import FieldPath, Severity, field_text

Object = Mapping[str, Any]


class Refusal(NamedTuple):
    """The API server refuses the value at ``path``, or warns about it, with ``text``."""

    path: FieldPath
    text: str
    severity: Severity = Severity.ERROR

    @property
    def message(self) -> str:
        return f"{field_text(self.path)}: {self.text}"


Refusals = Iterator[Refusal]


def invalid(path: FieldPath, value: Any, detail: str) -> Refusal:
    return Refusal(path, f"Invalid value: {_shown(value)}: {detail}")


def required(path: FieldPath, detail: str = "") -> Refusal:
    return Refusal(path, f"Required value: {detail}" if detail else "Required value")


def forbidden(path: FieldPath, detail: str) -> Refusal:
    return Refusal(path, f"Forbidden: {detail}")


def duplicate(path: FieldPath, value: Any) -> Refusal:
    return Refusal(path, f"Duplicate value: {_shown(value)}")


def not_found(path: FieldPath, value: Any) -> Refusal:
    return Refusal(path, f"Not found: {_shown(value)}")


def unsupported(path: FieldPath, value: Any, supported: Iterable[str]) -> Refusal:
    known = ", ".join(_shown(item) for item in supported)
    return Refusal(path, f"Unsupported value: {_shown(value)}: supported values: {known}")


def warning(path: FieldPath, text: str) -> Refusal:
    return Refusal(path, text, Severity.WARNING)


def one_of(obj: Object, path: FieldPath, allowed: Mapping[str, Iterable[str]]) -> Refusals:
    """Fields of ``obj`` that hold none of their ``allowed`` values; an absent or empty one takes the default."""
    for name, values in allowed.items():
        value = obj.get(name)
        if value and value not in values:
            yield unsupported((*path, name), value, values)


def not_negative(obj: Object, path: FieldPath, names: Iterable[str]) -> Refusals:
    for name in names:
        if obj.get(name, 0) < 0:
            yield invalid((*path, name), obj[name], "must be greater than or equal to 0")


def not_empty(obj: Object, path: FieldPath, names: Iterable[str]) -> Refusals:
    for name in names:
        if not obj.get(name):
            yield required((*path, name))


def _shown(value: Any) -> str:
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False)
