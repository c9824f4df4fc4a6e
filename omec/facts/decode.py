"""JSON into structs, typed as strictly as Go decodes into structs.

A record is a struct whose field names are the JSON keys and whose annotations are the JSON types: ``str``, ``int``
(64 bits, written without point or exponent), ``list[str]``, ``list[int]``, ``tuple[int, int]``, another record, or a
record or ``None``. Keys match in any case; unknown keys are ignored; a wrong type is an error. Of duplicate keys the
last wins, but records merge, and ``null`` leaves a scalar as it was, also one in a list; it empties a list and an
optional record (reference 08 §1.2, ``key-case`` and ``duplicate-key`` goldens).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import cache
from types import UnionType
from typing import Any, TypeVar, cast, get_args, get_origin, get_type_hints

from omec.facts.int64 import INT64_MIN, fits
from omec.facts.jsonscan import JsonError, Value

Record = TypeVar("Record")


# Twenty times what published models have in any list that OME reads.
_MOST_ITEMS = 10_000

_LONGEST_INT64 = len(str(INT64_MIN))


Reader = Callable[[Value, Any, str], Any]
"""How one annotated type is read: from a value, the field's present value, and the path to name in messages."""


def decode(value: Value, record: type[Record], path: str = "") -> Record:
    """A ``record`` from an object or ``null``; raises :class:`JsonError` naming the field that has the wrong type.

    ``path`` leads to the value in its file and starts the names of fields in messages.
    """
    return _into(value, record(), path)


def fold(key: str) -> str:
    """``key`` as Go compares keys with field names: without case, with the two letters that fold into ASCII."""
    return key.lower().replace("\N{LATIN SMALL LETTER LONG S}", "s")


def integer(value: Value, path: str) -> int:
    """A whole number of 64 bits."""
    literal = value.literal
    if value.kind != "a number":
        raise _wrong(value, path, "a whole number")
    if len(literal) > _LONGEST_INT64 or not literal.removeprefix(b"-").isdigit():
        raise _wrong(value, path, "a whole number of at most 64 bits", f"the number {_shorten(literal)}")
    number = int(literal)
    if not fits(number):
        raise _wrong(value, path, "a whole number of at most 64 bits", f"the number {_shorten(literal)}")
    return number


def _into(value: Value, record: Record, path: str) -> Record:
    if value.kind == "null":
        return record
    if value.kind != "an object":
        raise _wrong(value, path, "an object")
    fields = _fields(cast(Any, type(record)))
    for key, member in value.members():
        field = fields.get(fold(key))
        if field is not None:
            name, read = field
            setattr(record, name, read(member, getattr(record, name), f"{path}.{name}" if path else name))
    return record


def _read_text(value: Value, earlier: str, path: str) -> str:
    if value.kind == "null":
        return earlier
    if value.kind != "a text":
        raise _wrong(value, path, "a text")
    return value.text()


def _read_integer(value: Value, earlier: int, path: str) -> int:
    return earlier if value.kind == "null" else integer(value, path)


def _list_of(item: Reader, zero: Any) -> Reader:
    def limited(value: Value, earlier: list[Any], path: str) -> Iterator[Any]:
        for index, one in enumerate(value.items()):
            if index == _MOST_ITEMS:
                raise JsonError(f"{path} has more than {_MOST_ITEMS:,} items ({value.where()})")
            yield item(one, earlier[index] if index < len(earlier) else zero, f"{path}[{index}]")

    def read(value: Value, earlier: list[Any], path: str) -> list[Any]:
        if value.kind == "null":
            return []
        if value.kind != "a list":
            raise _wrong(value, path, "a list")
        return list(limited(value, earlier, path))

    return read


def _read_pair(value: Value, earlier: tuple[int, int], path: str) -> tuple[int, int]:
    """Go's ``[2]int64``: missing items are zero, further ones are not looked at."""
    if value.kind == "null":
        return earlier
    if value.kind != "a list":
        raise _wrong(value, path, "a list")
    pair = [_read_integer(one, 0, f"{path}[{index}]") for index, one in zip(range(2), value.items(), strict=False)]
    return cast("tuple[int, int]", tuple((*pair, 0, 0)[:2]))


def _record(record: type[Any], *, optional: bool) -> Reader:
    def read(value: Value, earlier: Any, path: str) -> Any:
        if value.kind == "null":
            return None if optional else earlier
        return _into(value, earlier or record(), path)

    return read


_READERS: Mapping[Any, Reader] = {
    str: _read_text,
    int: _read_integer,
    list[str]: _list_of(_read_text, ""),
    list[int]: _list_of(_read_integer, 0),
    tuple[int, int]: _read_pair,
}


@cache
def _fields(record: type[Any]) -> dict[str, tuple[str, Reader]]:
    """The fields of ``record`` by folded key."""
    return {fold(name): (name, _reader(hint)) for name, hint in get_type_hints(record).items()}


def _reader(hint: Any) -> Reader:
    if hint in _READERS:
        return _READERS[hint]
    if get_origin(hint) is UnionType:
        return _record(get_args(hint)[0], optional=True)
    return _record(hint, optional=False)


def _wrong(value: Value, path: str, expected: str, found: str = "") -> JsonError:
    return JsonError(f"{path or 'the file'} is {found or value.kind}, expected {expected} ({value.where()})")


def _shorten(literal: bytes, limit: int = 24) -> str:
    text = literal[:limit].decode("ascii", "replace")
    return text if len(literal) <= limit else f"{text}…"
