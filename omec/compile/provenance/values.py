"""Plain values as trees: their leaves, and copies with one leaf changed."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from omec.finding import FieldPath


def leaves(value: Any, path: FieldPath = ()) -> Iterator[tuple[FieldPath, Any]]:
    """Every leaf of ``value`` with its path; an empty mapping or list is a leaf."""
    if isinstance(value, dict) and value:
        for key, item in value.items():
            yield from leaves(item, (*path, key))
    elif isinstance(value, list) and value:
        for index, item in enumerate(value):
            yield from leaves(item, (*path, index))
    else:
        yield path, value


def at(value: Any, path: FieldPath) -> Any:
    """What stands at ``path``; raises :class:`KeyError` where nothing does."""
    for step in path:
        if isinstance(value, list):
            if not isinstance(step, int) or step >= len(value):
                raise KeyError(step)
        elif not isinstance(value, dict):
            raise KeyError(step)
        value = value[step]
    return value


def has(value: Any, path: FieldPath) -> bool:
    try:
        at(value, path)
    except KeyError:
        return False
    return True


def replaced(value: Any, path: FieldPath, new: Any) -> Any:
    """A copy of ``value`` with ``new`` at ``path``; everything beside the way there is shared."""
    if not path:
        return new
    first, rest = path[0], path[1:]
    if isinstance(value, list):
        assert isinstance(first, int)
        return [*value[:first], replaced(value[first], rest, new), *value[first + 1 :]]
    return {**value, first: replaced(value[first], rest, new)}


def without(value: Any, path: FieldPath) -> Any:
    """A copy of ``value`` without what stands at ``path``."""
    parent, last = path[:-1], path[-1]
    holder = at(value, parent)
    if isinstance(holder, list):
        assert isinstance(last, int)
        return replaced(value, parent, [*holder[:last], *holder[last + 1 :]])
    return replaced(value, parent, {key: item for key, item in holder.items() if key != last})
