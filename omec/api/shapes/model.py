"""What a shape is: how a Go type decodes a JSON value and encodes it again.

OME reads every object into Go structs and writes it out of them, for merging, for hashing and into the cluster. That
drops unset fields, orders the rest as the struct declares them, and prints quantities and durations anew. A shape says
for one Go type what comes out: :meth:`Shape.normalise`.

Source: Go documentation, encoding/json; reference 02 §3.
"""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

from omec.api import quantity
from omec.api.duration import canonical_duration

Json = Any
"""A plain JSON value: ``dict``, ``list``, ``str``, ``int``, ``float``, ``bool`` or ``None``."""


class Shape:
    """A Go type. ``zero`` is what the type encodes to where nothing was set."""

    __slots__ = ()
    zero: Json = None

    def normalise(self, value: Json) -> Json:
        """``value`` as Go encodes it after decoding; ``None`` where the type cannot hold it.

        The result is new down to its leaves; ``value`` is not modified. A value of the wrong type counts as not set:
        the API server refuses it, and the findings on the API structure report it.
        """
        raise NotImplementedError

    def empty(self) -> Json:
        """What a list item of the type encodes to where nothing was set in it."""
        return self.zero


class Scalar(Shape):
    """A text, number or boolean, or a Go type that is encoded as one."""

    __slots__ = ("decode", "name", "zero")

    def __init__(self, name: str, zero: Json, decode: Callable[[Json], Json]) -> None:
        self.name = name
        self.zero = zero
        self.decode = decode

    def normalise(self, value: Json) -> Json:
        return self.decode(value)

    def __repr__(self) -> str:
        return self.name


class ListOf(Shape):
    """A slice. ``key`` is the strategic merge key of its items; ``union`` marks a list of scalars that is merged.

    A list with neither is replaced as a whole.
    """

    __slots__ = ("item", "key", "union")

    def __init__(self, item: Shape, key: str | None = None, *, union: bool = False) -> None:
        self.item = item
        self.key = key
        self.union = union

    def normalise(self, value: Json) -> Json:
        if not isinstance(value, list):
            return None
        decoded = (self.item.empty() if element is None else self.item.normalise(element) for element in value)
        return [element for element in decoded if element is not None]


class MapOf(Shape):
    """A map with free keys, which Go writes in byte order."""

    __slots__ = ("value",)

    def __init__(self, value: Shape) -> None:
        self.value = value

    def normalise(self, value: Json) -> Json:
        if not isinstance(value, dict):
            return None
        normalise = self.value.normalise
        normalised = {}
        for key in sorted(key for key in value if isinstance(key, str)):
            kept = normalise(value[key])
            if kept is not None:
                normalised[key] = kept
        return normalised


class Field:
    """One field of a struct.

    ``pointer``: a Go pointer, so that an explicit zero counts as set. ``always``: encoded even when unset, because the
    tag has no ``omitempty`` or (``by_value``) because ``omitempty`` has no effect on a struct that is no pointer.
    ``default``: what the schema of the CRD fills in where the field is absent; ``None`` for nothing. ``nullable``: the
    schema keeps an explicit ``null``.
    """

    __slots__ = ("always", "by_value", "default", "nullable", "pointer", "shape")

    def __init__(
        self,
        shape: Shape,
        *,
        pointer: bool = False,
        always: bool = False,
        by_value: bool = False,
        default: Json = None,
        nullable: bool = False,
    ) -> None:
        self.shape = shape
        self.pointer = pointer
        self.always = always
        self.by_value = by_value
        self.default = default
        self.nullable = nullable

    @property
    def keeps_zero(self) -> bool:
        """Whether a value that is present but empty is encoded."""
        return self.pointer or self.always or isinstance(self.shape, Struct)

    def unset(self) -> Json:
        """What is encoded where the field is unset and :attr:`always` holds."""
        if self.by_value:
            return self.shape.empty()
        return None if self.pointer else self.shape.zero


class Struct(Shape):
    """A Go struct: its fields in the order of the declaration, those of embedded structs in their place.

    ``shapes`` are the fields' shapes and ``defaults`` their schema defaults, by JSON name.
    """

    __slots__ = ("_always", "_plan", "defaults", "fields", "name", "nullable", "shapes")

    def __init__(self, name: str, fields: dict[str, Field]) -> None:
        self.name = name
        self.fields = fields
        self.shapes = {key: field.shape for key, field in fields.items()}
        self.defaults = tuple((key, field.default) for key, field in fields.items() if field.default is not None)
        self.nullable = frozenset(key for key, field in fields.items() if field.nullable)
        self._plan = {
            key: (place, key, field.shape.normalise, field.keeps_zero, field)
            for place, (key, field) in enumerate(fields.items())
        }
        self._always = tuple(step for step in self._plan.values() if step[-1].always)

    def normalise(self, value: Json) -> Json:
        if not isinstance(value, dict):
            return None
        plan = self._plan
        # Most structs have many more fields than a manifest sets.
        steps = [plan[key] for key in value if key in plan]
        steps += [step for step in self._always if step[1] not in value]
        steps.sort()  # no two have the same place, so that nothing else is compared
        normalised = {}
        for _, key, normalise, keeps_zero, field in steps:
            kept = value.get(key)
            if kept is not None:
                kept = normalise(kept)
            if kept is None:
                if field.always:
                    normalised[key] = field.unset()
            elif kept or keeps_zero:
                normalised[key] = kept
        return normalised

    def empty(self) -> Json:
        return self.normalise({})

    def __repr__(self) -> str:
        return self.name


def struct(name: str, /, *embedded: Struct, **fields: Shape | Field) -> Struct:
    """A struct of the fields of ``embedded`` and then ``fields``, in order.

    Keywords are the JSON names (with a trailing underscore where Python reserves the word). A bare shape stands for a
    field with ``omitempty``: a pointer if the shape is a struct, else held by value. A keyword that names an embedded
    field replaces it in its place.
    """
    declared = {key: field for part in embedded for key, field in part.fields.items()}
    for keyword, given in fields.items():
        declared[keyword.rstrip("_")] = given if isinstance(given, Field) else Field(given)
    return Struct(name, declared)


def pointer(shape: Shape, *, default: Json = None) -> Field:
    """A scalar behind a pointer: an explicit zero is kept."""
    return Field(shape, pointer=True, default=default)


def always(shape: Shape, *, default: Json = None) -> Field:
    """A field without ``omitempty``: encoded as the zero value (``null`` for lists and structs) when unset."""
    return Field(shape, always=True, default=default)


def always_pointer(shape: Shape, *, default: Json = None) -> Field:
    """A pointer without ``omitempty``: encoded as ``null`` when unset."""
    return Field(shape, pointer=True, always=True, default=default)


def by_value(shape: Struct) -> Field:
    """A struct held by value: always encoded, as ``{}`` and its own required fields when unset."""
    return Field(shape, always=True, by_value=True)


def default(shape: Shape, value: Json) -> Field:
    """A field with ``omitempty`` and a schema default."""
    return Field(shape, default=value)


def _text(value: Json) -> Json:
    return value if isinstance(value, str) else None


def _boolean(value: Json) -> Json:
    return value if isinstance(value, bool) else None


def _integer(value: Json) -> Json:
    if isinstance(value, bool):
        return None
    if isinstance(value, float) and value.is_integer():
        return int(value)
    return value if isinstance(value, int) else None


def _integer_or_text(value: Json) -> Json:
    return value if isinstance(value, str) else _integer(value)


def _quantity(value: Json) -> Json:
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        return None
    try:
        return quantity.canonical(value if isinstance(value, str) else str(value))
    except quantity.QuantityError:
        return None


def _duration(value: Json) -> Json:
    if not isinstance(value, str):
        return None
    try:
        return canonical_duration(value)
    except ValueError:
        return None


STRING = Scalar("string", "", _text)
BOOL = Scalar("bool", False, _boolean)
INT = Scalar("int", 0, _integer)
INT_OR_STRING = Scalar("IntOrString", 0, _integer_or_text)
QUANTITY = Scalar("Quantity", "0", _quantity)
DURATION = Scalar("Duration", "0s", _duration)
RAW = Scalar("RawExtension", None, copy.deepcopy)
"""Any JSON, kept as it is."""

STRINGS = ListOf(STRING)
STRING_MAP = MapOf(STRING)
QUANTITY_MAP = MapOf(QUANTITY)
