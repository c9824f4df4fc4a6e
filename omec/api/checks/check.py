"""One condition of a CRD, and the vocabulary that conditions are written in."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import msgspec

from omec.api.duration import parse_duration
from omec.finding import FieldPath, Rule

Object = Mapping[str, Any]


class Check(msgspec.Struct, frozen=True):
    """One condition on an object.

    ``holds`` must not raise on data of the wrong shape (shape is reported elsewhere). ``message`` is the text that
    the API server returns. ``points_to`` names the keys among which the finding's position is looked for, the first
    present one wins; the object itself if there is none.
    """

    name: str
    rule: Rule
    message: str
    holds: Callable[[Object], bool]
    help: str
    points_to: tuple[FieldPath, ...] = ()


def has(obj: Object, *path: str) -> bool:
    """Whether the field at ``path`` is present and not null."""
    value: Any = obj
    for name in path:
        value = value.get(name) if isinstance(value, Mapping) else None
    return value is not None


def count(obj: Object, *names: str) -> int:
    """How many of the named fields are present and not null."""
    return sum(obj.get(name) is not None for name in names)


def items(obj: Object, name: str) -> list[Object]:
    """The items of a list field that are objects."""
    value = obj.get(name)
    return [item for item in value if isinstance(item, Mapping)] if isinstance(value, list) else []


def nanoseconds(obj: Object, name: str) -> int | None:
    """The duration in a field; ``None`` when there is none, or not a valid one (which is a finding of its own)."""
    value = obj.get(name)
    if not isinstance(value, str):
        return None
    try:
        return parse_duration(value)
    except ValueError:
        return None


def positive(name: str) -> Callable[[Object], bool]:
    """Holds when the duration in a field is absent or above zero."""

    def holds(obj: Object) -> bool:
        value = nanoseconds(obj, name)
        return value is None or value > 0

    return holds


def ordered(lower: str, upper: str, *, strict: bool) -> Callable[[Object], bool]:
    """Holds when duration ``lower`` is below (or, not ``strict``, at most) duration ``upper`` when both are present."""

    def holds(obj: Object) -> bool:
        low, high = nanoseconds(obj, lower), nanoseconds(obj, upper)
        return low is None or high is None or low < high or (not strict and low == high)

    return holds


def disabled_alone(*others: str) -> Callable[[Object], bool]:
    """Holds when ``disabled: true`` stands beside none of the other fields."""
    return lambda obj: obj.get("disabled") is not True or count(obj, *others) == 0


def complete(*needed: str) -> Callable[[Object], bool]:
    """Holds when all needed fields are there, or ``disabled: true`` is."""
    return lambda obj: obj.get("disabled") is True or count(obj, *needed) == len(needed)


def paths(*names: str) -> tuple[FieldPath, ...]:
    """The paths of fields of the object itself, for :attr:`Check.points_to`."""
    return tuple((name,) for name in names)
