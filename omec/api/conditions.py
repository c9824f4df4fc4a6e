"""What JSON Schema does not check: identity of list items, conditions between fields, the release of a field.

The schemas carry these facts as ``x-`` keywords. For each kind they are condensed into a small tree that holds only
the places that have any, so that walking a document along it costs next to nothing.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any

import msgspec

from omec.api.checks import CHECKS, Check
from omec.api.schema import Schema, resolved, root
from omec.finding import FieldPath

NEWEST_VERSION = "1.3"


class Place(msgspec.Struct):
    """The facts about one place of a kind, and the places below it that have facts."""

    checks: tuple[Check, ...] = ()
    keys: tuple[str, ...] = ()
    key_defaults: dict[str, Any] = msgspec.field(default_factory=dict)
    newer: dict[str, str] = msgspec.field(default_factory=dict)
    fields: dict[str, Place] = msgspec.field(default_factory=dict)
    others: Place | None = None
    items: Place | None = None

    @property
    def has_facts(self) -> bool:
        return bool(self.checks or self.keys or self.newer or self.fields or self.others or self.items)


class FailedCheck(msgspec.Struct, frozen=True):
    """A condition that does not hold for the object at ``path``."""

    path: FieldPath
    check: Check


class DuplicateItem(msgspec.Struct, frozen=True):
    """Items ``first`` and ``second`` of the list at ``path`` have the same values of ``keys``."""

    path: FieldPath
    first: int
    second: int
    keys: tuple[str, ...]


class NewerField(msgspec.Struct, frozen=True):
    """The field at ``path`` exists since ``version`` only."""

    path: FieldPath
    version: str


Violation = FailedCheck | DuplicateItem | NewerField


def violations(kind: str, body: dict[str, Any], ome_version: str = NEWEST_VERSION) -> Iterator[Violation]:
    """Everything in ``body`` that breaks a fact of its kind; wrong types are skipped, the schema reports them."""
    place = _place_of_kind(kind, ome_version)
    return _walk(place, body, ()) if place.has_facts else iter(())


def _walk(place: Place, value: Any, path: FieldPath) -> Iterator[Violation]:
    if isinstance(value, dict):
        for check in place.checks:
            if not check.holds(value):
                yield FailedCheck(path, check)
        for name, item in value.items():
            if name in place.newer and item is not None:
                yield NewerField((*path, name), place.newer[name])
            below = place.fields.get(name, place.others)
            if below is not None and item is not None:
                yield from _walk(below, item, (*path, name))
    elif isinstance(value, list):
        if place.keys:
            yield from _duplicates(place, value, path)
        if place.items is not None:
            for index, item in enumerate(value):
                yield from _walk(place.items, item, (*path, index))


def _duplicates(place: Place, items: list[Any], path: FieldPath) -> Iterator[DuplicateItem]:
    seen: dict[tuple[str, ...], int] = {}
    for index, item in enumerate(items):
        if not isinstance(item, dict):
            continue
        values = []
        for key in place.keys:
            value = item.get(key)
            values.append(place.key_defaults.get(key) if value is None else value)
        if None in values:
            continue  # a required key is missing: the schema reports that
        identity = tuple(map(repr, values))
        first = seen.setdefault(identity, index)
        if first != index:
            yield DuplicateItem(path, first, index, place.keys)


@cache
def _place_of_kind(kind: str, ome_version: str) -> Place:
    return _Condenser(ome_version).place(root(kind))


class _Condenser:
    """Condenses schemas; a shared type is condensed once and its place shared."""

    def __init__(self, ome_version: str) -> None:
        self._version = _number(ome_version)
        self._done: dict[int, Place] = {}

    def place(self, schema: Schema) -> Place:
        schema = resolved(schema)
        if id(schema) not in self._done:
            self._done[id(schema)] = place = Place()
            self._fill(place, schema)
        return self._done[id(schema)]

    def _fill(self, place: Place, schema: Schema) -> None:
        place.checks = tuple(CHECKS[name] for name in schema.get("x-omec-checks", ()))
        place.keys = tuple(schema.get("x-kubernetes-list-map-keys", ()))
        if place.keys:
            properties = resolved(schema["items"]).get("properties", {})
            place.key_defaults = {
                key: properties[key]["default"] for key in place.keys if "default" in properties.get(key, {})
            }
        for name, schema_below in schema.get("properties", {}).items():
            since = schema_below.get("x-omec-since")
            if since is not None and _number(since) > self._version:
                place.newer[name] = since
            below = self.place(schema_below)
            if below.has_facts:
                place.fields[name] = below
        place.others = self._optional(schema.get("additionalProperties"))
        place.items = self._optional(schema.get("items"))

    def _optional(self, schema: Any) -> Place | None:
        place = self.place(schema) if isinstance(schema, dict) else None
        return place if place is not None and place.has_facts else None


def _number(version: str) -> tuple[int, ...]:
    return tuple(int(part) for part in version.split("."))
