"""Lists whose items have keys, and items that share one.

The API server treats many lists as maps (``containers`` by ``name``, a Service's ``ports`` by ``port`` and
``protocol``) and some as sets. The OpenAPI document says which in extensions that JSON Schema validators skip.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import msgspec

from omec.finding import FieldPath, Severity

Schema = Mapping[str, Any]

_KEPT_BY_CREATE = frozenset({"env", "finalizers", "hostAliases", "imagePullSecrets", "ports", "secrets"})
"""Lists in which a plain create keeps repeated keys, at most with a warning; server-side apply refuses them in all."""

_SERVICE_PORTS: FieldPath = ("spec", "ports")
"""The list of these that a create refuses too (``Duplicate value``)."""


class KeyedLists(msgspec.Struct, frozen=True):
    """The lists with keys at and below one place of a schema.

    ``keys`` are the names of the key fields with their defaults where the place is such a list (an empty mapping for a
    set, ``None`` for anything else), ``items`` is what lies below its items, ``fields`` what lies below its fields.
    """

    keys: Mapping[str, Any] | None = None
    items: KeyedLists | None = None
    fields: dict[str, KeyedLists] = msgspec.field(default_factory=dict)

    def __bool__(self) -> bool:
        return self.keys is not None or self.items is not None or bool(self.fields)


class Repetition(msgspec.Struct, frozen=True):
    """The item at ``path`` has the key of an earlier item, at index ``first`` of the same list."""

    path: FieldPath
    key: str
    first: int

    @property
    def severity(self) -> Severity:
        kept = self.path[-2] in _KEPT_BY_CREATE and self.path[:-1] != _SERVICE_PORTS
        return Severity.WARNING if kept else Severity.ERROR


def keyed_lists(schema: Schema, definitions: Mapping[str, Schema]) -> KeyedLists:
    """The lists with keys below ``schema``, whose references point into ``definitions``."""
    return _Survey(definitions).of(schema)


class _Survey:
    def __init__(self, definitions: Mapping[str, Schema]) -> None:
        self._definitions = definitions
        self._known: dict[str, KeyedLists] = {}

    def of(self, schema: Schema | bool) -> KeyedLists:
        if isinstance(schema, bool):
            return KeyedLists()
        if "$ref" not in schema:
            return self._inspect(schema)
        name = schema["$ref"].rpartition("/")[2]
        if name not in self._known:
            self._known[name] = self._inspect(self._definitions[name])
        return self._known[name]

    def _inspect(self, schema: Schema) -> KeyedLists:
        fields = {name: found for name, value in schema.get("properties", {}).items() if (found := self.of(value))}
        items = self.of(schema.get("items", True)) or None
        return KeyedLists(self._keys(schema), items, fields)

    def _keys(self, schema: Schema) -> Mapping[str, Any] | None:
        match schema.get("x-kubernetes-list-type"):
            case "set":
                return {}
            case "map":
                item = self._definitions[schema["items"]["$ref"].rpartition("/")[2]]
                return {name: item["properties"][name].get("default") for name in schema["x-kubernetes-list-map-keys"]}
        return None


def repetitions(lists: KeyedLists, value: Any, path: FieldPath = ()) -> Iterator[Repetition]:
    """Items of ``value`` (which the schema has accepted) that repeat the key of an earlier item of their list."""
    if isinstance(value, list):
        if lists.keys is not None and len(value) > 1:
            yield from _repeated_items(lists.keys, value, path)
        if lists.items is not None:
            for index, item in enumerate(value):
                yield from repetitions(lists.items, item, (*path, index))
    else:
        for name, below in lists.fields.items():
            if name in value:
                yield from repetitions(below, value[name], (*path, name))


def _repeated_items(keys: Mapping[str, Any], items: list[Any], path: FieldPath) -> Iterator[Repetition]:
    first: dict[tuple[Any, ...], int] = {}
    for index, item in enumerate(items):
        key = tuple(item.get(name, default) for name, default in keys.items()) if keys else (item,)
        if first.setdefault(key, index) != index:
            shown = zip(keys, key, strict=True) if keys else ()
            text = ", ".join(f"{name} {part}" for name, part in shown) or str(item)
            yield Repetition((*path, index), text, first[key])
