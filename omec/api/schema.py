"""The generated schemas of ome.io/v1beta1, loaded and compiled on first use, kind by kind."""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from omec.finding import FieldPath

if TYPE_CHECKING:
    from jsonschema_rs import Registry, Validator

Schema = dict[str, Any]

_FILE = Path(__file__).resolve().parent.parent / "data" / "ome" / "ome.json"
_REFERENCE = "#/$defs/"
_SEARCH_DEPTH = 5


@cache
def document() -> Schema:
    """The schema document: every kind and shared type under ``$defs`` (written by ``schemas/build_ome.py``)."""
    with _FILE.open(encoding="utf-8") as file:
        loaded: Schema = json.load(file)
    return loaded


@cache
def validator(kind: str) -> Validator:
    """The compiled validator of a kind; the kinds share one registry of types."""
    import jsonschema_rs  # noqa: PLC0415 - costs 20 ms

    reference = f"{document()['$id']}{_REFERENCE}{kind}"
    return jsonschema_rs.validator_for({"$ref": reference}, registry=_registry())


@cache
def _registry() -> Registry:
    import jsonschema_rs  # noqa: PLC0415 - costs 20 ms

    return jsonschema_rs.Registry([(document()["$id"], document())])


def root(kind: str) -> Schema:
    """The schema of a kind."""
    schema: Schema = document()["$defs"][kind]
    return schema


def resolved(schema: Schema) -> Schema:
    """``schema``, or what it refers to."""
    while "$ref" in schema:
        schema = document()["$defs"][schema["$ref"].removeprefix(_REFERENCE)]
    return schema


def child(schema: Schema, step: str | int) -> Schema | None:
    """The schema of the field or item ``step`` of a value of ``schema``; ``None`` where it has none."""
    schema = resolved(schema)
    found = schema.get("items") if isinstance(step, int) else schema.get("properties", {}).get(step)
    if found is None and isinstance(step, str):
        found = schema.get("additionalProperties")
    return found if isinstance(found, dict) else None


def at(kind: str, path: FieldPath) -> Schema:
    """The resolved schema at ``path`` of an object of ``kind``; ``{}`` where the schema does not go that far."""
    schema: Schema | None = root(kind)
    for step in path:
        schema = child(schema, step) if schema is not None else None
    return resolved(schema) if schema is not None else {}


@cache
def places(kind: str) -> dict[str, tuple[FieldPath, ...]]:
    """Where in an object of ``kind`` a field of a given name exists, outside lists and not too deep."""
    found: dict[str, list[FieldPath]] = {}
    for path in _field_paths(root(kind), ()):
        found.setdefault(str(path[-1]), []).append(path)
    return {name: tuple(paths) for name, paths in found.items()}


def _field_paths(schema: Schema, prefix: FieldPath) -> Iterator[FieldPath]:
    for name, field in resolved(schema).get("properties", {}).items():
        yield (*prefix, name)
        if len(prefix) + 1 < _SEARCH_DEPTH:
            yield from _field_paths(field, (*prefix, name))


def without_nulls(schema: Schema, value: Any) -> Any:
    """``value`` as the API server sees it: a ``null`` of a known field or in a map counts as absent.

    A null in a list, of an unknown field, or of a field that refuses it stays, and is then an error. The content of
    free-form fields is left out: nothing in it can be an error, however deep it is.
    """
    schema = resolved(schema)
    if isinstance(value, list):
        items = schema.get("items")
        return value if items is None else [without_nulls(items, item) for item in value]
    if not isinstance(value, dict):
        return value
    if schema.get("x-kubernetes-preserve-unknown-fields"):
        return {}
    kept = schema.get("x-omec-keeps-null", ())
    result = {}
    for name, field in value.items():
        field_schema = child(schema, name)
        if field is not None or field_schema is None or name in kept:
            result[name] = without_nulls(field_schema, field) if field_schema is not None else field
    return result
