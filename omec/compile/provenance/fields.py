"""The field that is asked about: how people write it, and what it means in an object."""

from __future__ import annotations

import difflib
import re
from collections.abc import Sequence
from typing import Any, TypeAlias

import msgspec

from omec.compile.provenance.rules import NO_SUCH_FIELD
from omec.errors import OmecError
from omec.finding import FieldPath, field_text


class Name(msgspec.Struct, frozen=True):
    """A key; ``plain`` is one without brackets or quotes, whose dots may be meant as part of it."""

    text: str
    plain: bool = True


class Item(msgspec.Struct, frozen=True):
    """The items of a list whose ``key`` is ``value``."""

    key: str
    value: str


Step: TypeAlias = Name | Item | int

_STEP = re.compile(
    r"""\.?(?:
        \[\s*(?P<index>-?\d+)\s*\]
      | \[\s*(?:\?\(\s*@\.)?(?P<key>[\w.\-/]+)\s*={1,2}\s*(?P<value>"[^"]*"|'[^']*'|[^\]\)]*?)\s*\)?\s*\]
      | \[\s*(?P<quoted>"[^"]*"|'[^']*'|[^\]]+?)\s*\]
      | "(?P<whole>[^"]*)"
      | (?P<plain>(?:\\.|[^.\[\]"\\])+)
    )""",
    re.VERBOSE,
)


def parse_field(text: str) -> list[Step]:
    """The steps of ``text``, written as Kubernetes does (``spec.ports[0].name``) or as JSONPath (``{.spec.ports[0]}``).

    Raises :class:`OmecError` for anything else.
    """
    stripped = text.strip()
    if stripped.startswith("{") and stripped.endswith("}"):
        stripped = stripped[1:-1].strip()
    stripped = stripped.removeprefix("$")
    steps: list[Step] = []
    position = 0
    while position < len(stripped) and stripped != ".":
        match = _STEP.match(stripped, position)
        if match is None or match.end() == position:
            raise OmecError(
                f"{text!r} is no path of a field: it cannot be read from {stripped[position:]!r} on",
                hint="write it as spec.ports[0].name, spec.ports[name=http] or metadata.annotations[a.b/c]",
                code="OME002",
            )
        steps.append(_step(match))
        position = match.end()
    return steps


def _step(match: re.Match[str]) -> Step:
    if match["index"] is not None:
        return int(match["index"])
    if match["key"] is not None:
        return Item(match["key"], match["value"].strip("\"'"))
    if match["quoted"] is not None:
        return Name(match["quoted"].strip("\"'"), plain=False)
    if match["whole"] is not None:
        return Name(match["whole"], plain=False)
    return Name(re.sub(r"\\(.)", r"\1", match["plain"]))


def find_field(body: Any, steps: Sequence[Step], named: str) -> FieldPath:
    """The path of ``steps`` in ``body``, the object ``named``; raises :class:`OmecError` where that field is not."""
    path: list[str | int] = []
    value, rest = body, list(steps)
    while rest:
        found = _next(value, rest)
        if found is None:
            raise _no_field(value, tuple(path), rest[0], named)
        step, used = found
        path.append(step)
        value, rest = value[step], rest[used:]
    return tuple(path)


def _next(value: Any, steps: Sequence[Step]) -> tuple[str | int, int] | None:
    """The key or index that the first of ``steps`` means in ``value``, and how many of them it takes."""
    first = steps[0]
    if isinstance(value, dict):
        return _key(value, steps)
    if not isinstance(value, list):
        return None
    if isinstance(first, int):
        index = first if first >= 0 else len(value) + first
        return (index, 1) if 0 <= index < len(value) else None
    key, wanted = (first.key, first.value) if isinstance(first, Item) else ("name", first.text)
    index = next((i for i, item in enumerate(value) if isinstance(item, dict) and str(item.get(key)) == wanted), -1)
    return (index, 1) if index >= 0 else None


def _key(value: dict[str, Any], steps: Sequence[Step]) -> tuple[str, int] | None:
    """A key with dots may be written without brackets: the longest that fits is meant."""
    plain: list[str] = []
    for step in steps:
        if not isinstance(step, Name) or (plain and not step.plain):
            break
        plain.append(step.text)
        if not step.plain:
            break
    for length in range(len(plain), 0, -1):
        if (key := ".".join(plain[:length])) in value:
            return key, length
    return None


def _no_field(value: Any, parent: FieldPath, step: Step, named: str) -> OmecError:
    wanted = step.text if isinstance(step, Name) else f"[{step}]" if isinstance(step, int) else _item_text(step)
    above = field_text(parent)
    written = f"{above}{wanted}" if wanted.startswith("[") else ".".join(filter(None, (above, wanted)))
    return OmecError(
        f"{named} has no field {written}",
        hint=_hint(value, parent, wanted),
        code=NO_SUCH_FIELD.code,
    )


def _hint(value: Any, parent: FieldPath, wanted: str) -> str:
    above = field_text(parent) or "the object"
    if isinstance(value, dict) and value:
        close = difflib.get_close_matches(wanted, value, n=1, cutoff=0.6)
        if close:
            return f"did you mean {field_text((*parent, close[0]))}?"
        return f"{above} has {listed(list(value))}"
    if isinstance(value, list) and value:
        names = [str(item["name"]) for item in value if isinstance(item, dict) and "name" in item]
        items = f" ({listed(names)})" if names else ""
        return f"{above} has {len(value)} item{'s' if len(value) > 1 else ''}{items}, counted from 0"
    return f"{above} is {value!r}, with nothing below it"


def listed(names: Sequence[str], most: int = 8) -> str:
    """``names``, those after the first few counted."""
    shown = ", ".join(names[:most])
    return f"{shown} and {len(names) - most} more" if len(names) > most else shown


def _item_text(item: Item) -> str:
    return f"[{item.key}={item.value}]"
