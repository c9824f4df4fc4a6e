"""Reading the operator's settings: JSON values checked as Go's decoder checks them.

A setting that has another type than the field stops OME's controllers, so it is an error of the configuration.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any, TypeVar

import msgspec

from omec.compile.operator import OperatorConfigError

_T = TypeVar("_T")


class Settings(msgspec.Struct, frozen=True):
    """The JSON object under ``key`` of the configuration, or one inside it.

    ``parse_error`` begins the message for a value of a wrong type.
    """

    key: str
    values: Mapping[str, Any]
    parse_error: str

    @classmethod
    def of(cls, key: str, value: Any, parse_error: str = "") -> Settings:
        """The settings under ``key``, none where ``value`` is ``None``; raises :class:`OperatorConfigError`."""
        prefix = parse_error or f"unable to parse {key} config json"
        if value is not None and not isinstance(value, Mapping):
            raise OperatorConfigError(key, f"{prefix}: an object is expected, not {json.dumps(value)}")
        return cls(key, value or {}, prefix)

    def text(self, name: str) -> str:
        return self._typed(name, "a string", "", _is_text)

    def flag(self, name: str) -> bool:
        return self._typed(name, "a boolean", False, lambda value: isinstance(value, bool))

    def integer(self, name: str) -> int | None:
        return self._typed(name, "an integer", None, _is_integer)

    def int_or_text(self, name: str) -> int | str | None:
        return self._typed(name, "a number or a text", None, lambda value: _is_integer(value) or _is_text(value))

    def texts(self, name: str) -> tuple[str, ...]:
        return tuple(self._typed(name, "a list of strings", [], lambda value: _is_list(value, _is_text)))

    def text_map(self, name: str) -> dict[str, str]:
        return self._typed(name, "an object of strings", {}, _is_text_map)

    def table(self, name: str) -> Settings:
        return Settings.of(self.key, self.values.get(name), self.parse_error)

    def tables(self, name: str) -> tuple[Settings, ...]:
        values: list[Any] = self._typed(name, "a list of objects", [], lambda value: isinstance(value, list))
        return tuple(Settings.of(self.key, value, self.parse_error) for value in values)

    def _typed(self, name: str, what: str, unset: _T, fits: Callable[[Any], bool]) -> _T:
        value = self.values.get(name)
        if value is None:
            return unset
        if not fits(value):
            raise OperatorConfigError(self.key, f"{self.parse_error}: {name} is not {what}: {json.dumps(value)}")
        fitting: _T = value
        return fitting


def _is_text(value: Any) -> bool:
    return isinstance(value, str)


def _is_integer(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _is_list(value: Any, fits: Callable[[Any], bool]) -> bool:
    return isinstance(value, list) and all(map(fits, value))


def _is_text_map(value: Any) -> bool:
    return isinstance(value, Mapping) and all(map(_is_text, value.values()))
