"""Hypothesis strategies for values of the types that omec's schema of ome.io defines."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from hypothesis import strategies as st

from omec.api.schema import document
from tests.generated.pools import CHOICES, MAPS, NEVER, POOLS

Draw = Callable[[st.SearchStrategy[Any]], Any]
Schema = dict[str, Any]
Object = dict[str, Any]

_REFERENCE = "#/$defs/"
_DEPTH = 9


@st.composite
def part(draw: Draw, type_: str, *, fields: Iterable[str] = (), most: int = 3) -> Object:
    """An object of ``type_`` (a name under ``$defs``) with what it requires, and at most ``most`` fields more.

    ``fields`` are the fields to choose from, all of the type unless given.
    """
    return _object(draw, _definition(type_), type_, depth=0, fields=frozenset(fields), most=most)


def _definition(type_: str) -> Schema:
    schema: Schema = document()["$defs"][type_]
    return schema


def _object(
    draw: Draw, schema: Schema, type_: str, *, depth: int, fields: frozenset[str] = frozenset(), most: int = 2
) -> Object:
    properties = schema.get("properties", {})
    required = set(schema.get("required", ()))
    optional = [name for name in properties if name not in required | NEVER and (not fields or name in fields)]
    if type_ in CHOICES:
        chosen = {draw(st.sampled_from(optional))}
    elif optional and depth < _DEPTH:
        chosen = draw(st.sets(st.sampled_from(optional), max_size=most))
    else:
        chosen = set()
    names = [name for name in properties if name in required | chosen]
    return {name: _value(draw, properties[name], type_, name, depth + 1) for name in names}


def _value(draw: Draw, schema: Schema, type_: str, field: str, depth: int) -> Any:
    if "$ref" in schema:
        type_ = schema["$ref"].removeprefix(_REFERENCE)
        schema = _definition(type_)
    if "enum" in schema or "const" in schema:
        return draw(st.sampled_from(schema.get("enum") or [schema["const"]]))
    kinds = schema.get("type")
    if kinds == "array":
        return _items(draw, schema, type_, field, depth)
    if kinds == "object":
        if "properties" in schema:
            return _object(draw, schema, type_, depth=depth)
        return _map(draw, field)
    return draw(_scalars(schema, type_, field))


def _items(draw: Draw, schema: Schema, type_: str, field: str, depth: int) -> list[Any]:
    least = schema.get("minItems", 0)
    count = draw(st.integers(least, max(least, min(2, schema.get("maxItems", 2)))))
    items = [_value(draw, schema["items"], type_, field, depth) for _ in range(count)]
    keys = schema.get("x-kubernetes-list-map-keys")
    if keys is None and not schema.get("uniqueItems"):
        return items
    unique = {repr([item.get(key) for key in keys] if keys else item): item for item in items}
    return list(unique.values())


def _map(draw: Draw, field: str) -> Object:
    pool = MAPS.get(field, {"a": ["x"], "b": [""]})
    keys = draw(st.lists(st.sampled_from(sorted(pool)), unique=True, max_size=2))
    return {key: draw(st.sampled_from(pool[key])) for key in keys}


def _scalars(schema: Schema, type_: str, field: str) -> st.SearchStrategy[Any]:
    kinds = schema.get("type", "string")
    known = POOLS.get(f"{type_}.{field}") or POOLS.get(field)
    allowed = [value for value in known or () if _is_of(value, kinds) and _within(value, schema)]
    if allowed:
        return st.sampled_from(allowed)
    match kinds:
        case "boolean":
            return st.booleans()
        case "integer" | ["integer", *_]:
            return st.sampled_from([value for value in (0, 1, 2, 100) if _within(value, schema)])
        case "number":
            return st.sampled_from([0.5, 1.0])
    return st.sampled_from(
        ["30s"] if "h)+" in schema.get("pattern", "") else ["1"] if "pattern" in schema else ["a", "b"]
    )


def _is_of(value: Any, kinds: Any) -> bool:
    kind = "boolean" if isinstance(value, bool) else "integer" if isinstance(value, int) else "string"
    return kind in ([kinds] if isinstance(kinds, str) else kinds)


def _within(value: Any, schema: Schema) -> bool:
    return not isinstance(value, int) or schema.get("minimum", value) <= value <= schema.get("maximum", value)
