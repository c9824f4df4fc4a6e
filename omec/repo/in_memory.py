"""Documents of objects that are in memory already, not in files."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from typing import Any

from omec.errors import OmecError
from omec.finding import FieldPath, field_text
from omec.repo.document import Document

_HINT = "give what JSON has: mappings with texts as keys, lists, texts, numbers, booleans and None"


def documents_of(objects: Iterable[Mapping[str, Any]]) -> tuple[Document, ...]:
    """A document for each of ``objects``, called ``objects[0]``, ``objects[1]``, …; none shares a value with them.

    Raises :class:`OmecError` for a value that is none of JSON.
    """
    return tuple(Document(name, 0, _object(name, body)) for name, body in _named(objects))


def _named(objects: Iterable[Any]) -> Iterable[tuple[str, Any]]:
    return ((f"objects[{index}]", body) for index, body in enumerate(objects))


def _object(name: str, body: Any) -> dict[str, Any]:
    if not isinstance(body, Mapping):
        raise OmecError(f"{name} is of type {type(body).__name__}, not a mapping", hint=_HINT, code="OME002")
    try:
        plain: dict[str, Any] = _plain(name, body, ())
    except RecursionError:
        raise OmecError(f"{name} is nested too deeply", hint="flatten it", code="OME002") from None
    return plain


def _plain(name: str, value: Any, path: FieldPath) -> Any:
    match value:
        case None | bool() | int() | str():
            return value
        case float() if math.isfinite(value):
            return value
        case Mapping():
            for key in value:
                if not isinstance(key, str):
                    raise _no_json(name, path, f"has the key {key!r}")
            return {key: _plain(name, item, (*path, key)) for key, item in value.items()}
        case list() | tuple():
            return [_plain(name, item, (*path, index)) for index, item in enumerate(value)]
        case float():
            raise _no_json(name, path, f"is {value}")
    raise _no_json(name, path, f"is of type {type(value).__name__}")


def _no_json(name: str, path: FieldPath, what: str) -> OmecError:
    place = f"{name}: {field_text(path)}" if path else name
    return OmecError(f"{place} {what}, which is no JSON value", hint=_HINT, code="OME002")
