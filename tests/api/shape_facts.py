"""Flatten shapes to facts: the JSON type and the default of every field path."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from omec.api.shapes.model import ListOf, MapOf, Scalar, Shape, Struct

Facts = dict[str, tuple[str | None, Any]]

_JSON_TYPES = {
    "string": "string",
    "bool": "boolean",
    "int": "integer",
    "IntOrString": "int-or-string",
    "Quantity": "int-or-string",
    "Duration": "string",
    "RawExtension": "object",
}


def shape_facts(shape: Shape) -> Facts:
    """By path below ``spec``, which is of ``shape``; ``[]`` for items and ``{}`` for map values."""
    return dict(_of_shape(shape, "spec", None))


def _of_shape(shape: Shape, path: str, default: Any) -> Iterator[tuple[str, tuple[str | None, Any]]]:
    if isinstance(shape, Scalar):
        yield path, (_JSON_TYPES[shape.name], default)
    elif isinstance(shape, ListOf):
        yield path, ("array", default)
        yield from _of_shape(shape.item, f"{path}[]", None)
    elif isinstance(shape, MapOf):
        yield path, ("object", default)
        yield from _of_shape(shape.value, f"{path}{{}}", None)
    elif isinstance(shape, Struct):
        yield path, ("object", default)
        for name, field in shape.fields.items():
            yield from _of_shape(field.shape, f"{path}.{name}", field.default)
