"""Notes: what reading left out on purpose, and why."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple


class Note(NamedTuple):
    """A file that was recognised and skipped; ``path`` as shown to the user."""

    path: str
    message: str

    def __str__(self) -> str:
        return f"{self.path}: {self.message}"


def told(notes: Iterable[Note]) -> str:
    """The notes in one line: each message once, with the first of its files and the number of the others."""
    paths: dict[str, list[str]] = {}
    for note in sorted(notes):
        paths.setdefault(note.message, []).append(note.path)
    return "; ".join(
        f"{first}{f' and {len(more)} more' if more else ''}: {message}" for message, (first, *more) in paths.items()
    )
