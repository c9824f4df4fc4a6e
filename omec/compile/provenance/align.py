"""Two renderings of one thing beside each other: which leaf of the first is which of the second."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher
from typing import Any

from omec.compile.provenance.values import leaves
from omec.finding import FieldPath


class Absent:
    """Stands for a leaf that the second rendering does not have."""


GONE = Absent()
RENAMED = Absent()
"""The leaf is there, under another key."""


class Appeared:
    """In the place of an item's key: the key of a new item that stands there now, the old item stands elsewhere."""

    def __init__(self, value: Any) -> None:
        self.value = value


_KEYS = ("name", "mountPath", "containerPort", "port", "key", "topologyKey")


def differences(old: Any, new: Any, path: FieldPath = ()) -> Iterator[tuple[FieldPath, Any, Any]]:
    """Every leaf of ``old`` that ``new`` has otherwise, with what each has there."""
    if old == new:
        return
    if isinstance(old, dict) and old and isinstance(new, dict):
        yield from _of_mappings(old, new, path)
    elif isinstance(old, list) and old and isinstance(new, list):
        for index, other in enumerate(_counterparts(old, new)):
            if other is None:
                yield from _gone(old[index], (*path, index), GONE)
            else:
                yield from differences(old[index], new[other], (*path, index))
        yield from _appeared(old, new, path)
    elif isinstance(old, dict | list) and old:
        yield from _gone(old, path, GONE)
    else:
        yield path, old, new


def counterpart(old: Any, new: Any, path: FieldPath) -> FieldPath | None:
    """Where the leaf at ``path`` of ``old`` stands in ``new``, ``None`` where it does not.

    Items of keyed lists are the same where their keys are; of another list the item in its place, else the first.
    """
    found: list[str | int] = []
    for step in path:
        place: str | int | None
        if isinstance(old, list) and isinstance(new, list) and isinstance(step, int) and new:
            place = _same_item(old, new, step)
        else:
            place = step if isinstance(new, dict) and step in new else None
        if place is None:
            return None
        found.append(place)
        old, new = old[step], new[place]
    return None if isinstance(new, dict | list) and new else tuple(found)


def _same_item(old: list[Any], new: list[Any], index: int) -> int | None:
    key = _key(old)
    if key is None:
        return index if index < len(new) else 0
    wanted = old[index][key]
    return next((i for i, item in enumerate(new) if isinstance(item, dict) and item.get(key) == wanted), None)


def _of_mappings(old: dict[str, Any], new: dict[str, Any], path: FieldPath) -> Iterator[tuple[FieldPath, Any, Any]]:
    appeared = [new[key] for key in new if key not in old]
    for key, value in old.items():
        if key in new:
            yield from differences(value, new[key], (*path, key))
        else:
            yield from _gone(value, (*path, key), RENAMED if value in appeared else GONE)


def _appeared(old: list[Any], new: list[Any], path: FieldPath) -> Iterator[tuple[FieldPath, Any, Any]]:
    key = _key(old)
    if key is None or key != _key(new):
        return
    known, there = {item[key] for item in old}, {item[key] for item in new}
    for index, (item, other) in enumerate(zip(old, new, strict=False)):
        if item[key] in there and other[key] not in known:
            yield (*path, index, key), item[key], Appeared(other[key])


def _gone(value: Any, path: FieldPath, absent: Absent) -> Iterator[tuple[FieldPath, Any, Any]]:
    for leaf, item in leaves(value, path):
        yield leaf, item, absent


def _counterparts(old: list[Any], new: list[Any]) -> list[int | None]:
    """For each item of ``old`` the index of the same item in ``new``, ``None`` where it has none."""
    key = _key(old)
    if key is not None and key == _key(new):
        return _pairs([item[key] for item in old], [item[key] for item in new])
    if len(old) == len(new):
        return list(range(len(old)))
    return _in_sequence(old, new)


def _key(items: list[Any]) -> str | None:
    """The field that tells the items of a list apart."""
    for key in _KEYS:
        values = [item.get(key) if isinstance(item, dict) else None for item in items]
        if None not in values and len(set(values)) == len(values):
            return key
    return None


def _pairs(old: Sequence[Any], new: Sequence[Any]) -> list[int | None]:
    """By equal keys; those that are left over belong together in their order where they are as many."""
    places = {key: index for index, key in enumerate(new)}
    left = [index for index, key in enumerate(new) if key not in set(old)]
    lost = [index for index, key in enumerate(old) if key not in places]
    partners = dict(zip(lost, left, strict=True)) if len(left) == len(lost) else {}
    return [places.get(key, partners.get(index)) for index, key in enumerate(old)]


def _in_sequence(old: list[Any], new: list[Any]) -> list[int | None]:
    found: list[int | None] = [None] * len(old)
    matcher = SequenceMatcher(None, list(map(repr, old)), list(map(repr, new)), autojunk=False)
    for tag, old_from, old_to, new_from, new_to in matcher.get_opcodes():
        if tag in ("equal", "replace"):
            for offset in range(min(old_to - old_from, new_to - new_from)):
                found[old_from + offset] = new_from + offset
    return found
