"""Structural schemas, which CustomResourceDefinitions hold, as the API server applies them.

Before it validates an object it drops the nulls of fields that cannot be null and fills in defaults; under strict
validation it refuses fields that no schema names. Source:
https://kubernetes.io/docs/tasks/extend-kubernetes/custom-resources/custom-resource-definitions
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec

from omec.finding import FieldPath

Schema = dict[str, Any]

_JUNCTORS = ("allOf", "anyOf", "oneOf")
_COPIED = frozenset(
    {
        "enum",
        "exclusiveMaximum",
        "exclusiveMinimum",
        "maxItems",
        "maxLength",
        "maxProperties",
        "maximum",
        "minItems",
        "minLength",
        "minProperties",
        "minimum",
        "multipleOf",
        "pattern",
        "required",
        "type",
        "uniqueItems",
    }
)
"""Keywords that mean the same in JSON Schema. ``format`` is left out: the API server knows few, and no number ones."""

_INT_OR_STRING = [{"type": "integer"}, {"type": "string"}]
_OBJECT_FIELDS = ("apiVersion", "kind", "metadata")


class Repetition(msgspec.Struct, frozen=True):
    """Item ``path`` has the key of an earlier item, at index ``first`` of the same list."""

    path: FieldPath
    key: str
    first: int


def json_schema(structural: Schema) -> Schema:
    """The JSON Schema (draft 2020-12) of an object of the kind, without its ``metadata``.

    Fields that the structural schema does not name are refused, except where it keeps unknown ones.
    """
    schema = _converted(structural)
    schema.setdefault("properties", {}).update({name: {} for name in _OBJECT_FIELDS})
    schema["required"] = sorted({*schema.get("required", ()), *_OBJECT_FIELDS})
    return schema


def _converted(structural: Schema) -> Schema:
    schema = _value_rules(structural)
    if structural.get("x-kubernetes-int-or-string"):
        schema["type"] = ["integer", "string"]
        if schema.get("anyOf") == _INT_OR_STRING:
            del schema["anyOf"]
    if structural.get("nullable") and "type" in schema:
        types = schema["type"]
        schema["type"] = [*([types] if isinstance(types, str) else types), "null"]
    properties = structural.get("properties")
    if properties is not None:
        schema["properties"] = {name: _converted(field) for name, field in properties.items()}
        schema["required"] = [name for name in schema.get("required", ()) if "default" not in properties.get(name, {})]
    if structural.get("x-kubernetes-embedded-resource"):
        schema.setdefault("properties", {}).update({name: {} for name in _OBJECT_FIELDS})
    others = structural.get("additionalProperties")
    if isinstance(others, dict):
        schema["additionalProperties"] = _converted(others)
    elif structural.get("type") == "object" and not others and not _keeps_unknown(structural):
        schema["additionalProperties"] = False
    if isinstance(structural.get("items"), dict):
        schema["items"] = _converted(structural["items"])
    return schema


def _value_rules(structural: Schema) -> Schema:
    """What a place demands of its value; below ``allOf``, ``not`` and the like it demands nothing else."""
    schema: Schema = {key: value for key, value in structural.items() if key in _COPIED}
    # OpenAPI 3.0 says with a boolean that a bound is exclusive, JSON Schema with the bound itself.
    for exclusive, bound in (("exclusiveMinimum", "minimum"), ("exclusiveMaximum", "maximum")):
        if schema.pop(exclusive, None) is True and bound in schema:
            schema[exclusive] = schema.pop(bound)
    for key in _JUNCTORS:
        if key in structural:
            schema[key] = [_inside_junctor(part) for part in structural[key]]
    if "not" in structural:
        schema["not"] = _inside_junctor(structural["not"])
    return schema


def _inside_junctor(structural: Schema) -> Schema:
    schema = _value_rules(structural)
    if "properties" in structural:
        schema["properties"] = {name: _inside_junctor(field) for name, field in structural["properties"].items()}
    for key in ("items", "additionalProperties"):
        if isinstance(structural.get(key), dict):
            schema[key] = _inside_junctor(structural[key])
    return schema


def _keeps_unknown(structural: Schema) -> bool:
    return bool(structural.get("x-kubernetes-preserve-unknown-fields"))


def _below(structural: Schema, name: str) -> Schema | None:
    found = structural.get("properties", {}).get(name, structural.get("additionalProperties"))
    return found if isinstance(found, dict) else None


def without_nulls(structural: Schema, value: Any) -> Any:
    """``value`` without the nulls that the API server drops: those of known fields that are not nullable."""
    if isinstance(value, list) and isinstance(structural.get("items"), dict):
        return [without_nulls(structural["items"], item) for item in value]
    if not isinstance(value, dict):
        return value
    kept = {}
    for name, item in value.items():
        below = _below(structural, name)
        if below is None:
            kept[name] = item
        elif item is not None or below.get("nullable"):
            kept[name] = without_nulls(below, item)
    return kept


def repetitions(structural: Schema, value: Any, path: FieldPath = ()) -> Iterator[Repetition]:
    """Items of keyed lists and sets of ``value``, which the schema has accepted, that repeat an earlier one."""
    if isinstance(value, list):
        items = structural.get("items")
        if isinstance(items, dict):
            yield from _repeated_items(structural, items, value, path)
            for index, item in enumerate(value):
                yield from repetitions(items, item, (*path, index))
    elif isinstance(value, dict):
        for name, item in value.items():
            if (below := _below(structural, name)) is not None:
                yield from repetitions(below, item, (*path, name))


def _repeated_items(structural: Schema, items: Schema, value: list[Any], path: FieldPath) -> Iterator[Repetition]:
    match structural.get("x-kubernetes-list-type"):
        case "map":
            fields = items.get("properties", {})
            defaults = {key: fields.get(key, {}).get("default") for key in structural["x-kubernetes-list-map-keys"]}
            keys = [{key: item.get(key, default) for key, default in defaults.items()} for item in value]
        case "set":
            keys = value
        case _:
            return
    first: dict[str, int] = {}
    for index, key in enumerate(keys):
        if first.setdefault(repr(key), index) != index:
            named = ", ".join(f"{name} {part}" for name, part in key.items()) if isinstance(key, dict) else str(key)
            yield Repetition((*path, index), named, first[repr(key)])
