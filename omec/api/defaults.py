"""What the API server does to an ome.io object before OME sees it: nulls pruned, schema defaults filled in.

Source: Kubernetes documentation, tasks/extend-kubernetes/custom-resources/custom-resource-definitions (defaulting and
nullable); reference 02 §3 stage 0, reference 06 §1.2.
"""

from __future__ import annotations

from typing import Any

from omec.api.shapes.kinds import OBJECTS
from omec.api.shapes.model import RAW, Json, ListOf, MapOf, Scalar, Shape, Struct

_FREE = Struct("object without known fields", {})


def admitted(kind: str, body: dict[str, Any]) -> dict[str, Any]:
    """``body`` as the API server stores an object of ``kind``.

    Fields that the schema does not know are kept (the findings on the API structure report them), and so is a value of
    the wrong type. Shares every unchanged part with ``body``, which is not modified; never modify the result.
    """
    return _object(body, OBJECTS.get(kind, _FREE))


def _value(value: Json, shape: Shape | None) -> Json:
    """``value``, an object or a list, after admission; the same object where nothing changes."""
    if type(value) is list:
        return value if shape is RAW else _list(value, shape.item if isinstance(shape, ListOf) else None)
    if isinstance(shape, Struct):
        return _object(value, shape)
    if isinstance(shape, MapOf):
        return _map(value, shape.value)
    return value if shape is RAW else _object(value, _FREE)


def _object(value: dict[str, Json], struct: Struct) -> dict[str, Json]:
    shapes = struct.shapes
    changed: dict[str, Json] = {}
    nulls = False
    for key, item in value.items():
        kind = type(item)
        if kind is dict or kind is list:
            stored = _value(item, shapes.get(key))
            if stored is not item:
                changed[key] = stored
        elif item is None and key not in struct.nullable:
            nulls = True
    for key, default in struct.defaults:
        if value.get(key) is None:
            changed[key] = default
    if nulls:
        value = {key: item for key, item in value.items() if item is not None or key in struct.nullable}
    return {**value, **changed} if changed else value


def _map(value: dict[str, Json], shape: Shape) -> dict[str, Json]:
    stored = {
        key: _value(item, shape) if type(item) is dict or type(item) is list else item
        for key, item in value.items()
        if item is not None
    }
    unchanged = len(stored) == len(value) and all(item is value[key] for key, item in stored.items())
    return value if unchanged else stored


def _list(value: list[Json], shape: Shape | None) -> list[Json]:
    """A null that is a list item stays: only the values of fields are pruned."""
    if isinstance(shape, Scalar):
        return value
    stored = [_value(item, shape) if type(item) is dict or type(item) is list else item for item in value]
    return stored if any(new is not old for new, old in zip(stored, value, strict=True)) else value
