"""Where a place of a file is after an edit that has moved it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import Any

from msgspec.structs import replace

from omec.finding import FieldPath, Finding, Position
from omec.repo.document import Document


class Moves:
    """The places of the documents in one file, before and after an edit of that file."""

    def __init__(self, before: Sequence[Document], after: Sequence[Document]) -> None:
        self._documents = tuple(zip(before, after, strict=True))

    @cached_property
    def _after(self) -> dict[Position, set[Position | None]]:
        found: dict[Position, set[Position | None]] = {}
        for old, new in self._documents:
            for path in _paths(old.value):
                for key in (False, True):
                    place = old.locate(path, key=key)
                    found.setdefault(place, set()).add(new.locate(path, key=key) if _has(new, path) else None)
        return found

    def position(self, before: Position) -> Position | None:
        """Where it is now; ``None`` where that is not certain."""
        after = self._after.get(before, set())
        return next(iter(after)) if len(after) == 1 else None


def moved(finding: Finding, moves: dict[str, Moves]) -> Finding | None:
    """``finding`` with its places where they are after the ``moves`` of files; ``None`` where that is not certain."""
    position = _moved(finding.position, moves)
    related = []
    for each in finding.related:
        place = _moved(each.position, moves)
        if place is None:
            return None
        related.append(replace(each, position=place))
    return None if position is None else replace(finding, position=position, related=tuple(related))


def _moved(position: Position, moves: dict[str, Moves]) -> Position | None:
    return moves[position.path].position(position) if position.path in moves else position


def _paths(value: Any, path: FieldPath = ()) -> Iterator[FieldPath]:
    yield path
    children = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for step, child in children:
        yield from _paths(child, (*path, step))


def _has(document: Document, path: FieldPath) -> bool:
    value: Any = document.value
    for step in path:
        if not (step in value if isinstance(value, dict) else isinstance(value, list) and step in range(len(value))):
            return False
        value = value[step]
    return True
