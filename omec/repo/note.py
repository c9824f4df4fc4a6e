"""Notes: what reading left out on purpose, and why."""

from __future__ import annotations

from typing import NamedTuple


class Note(NamedTuple):
    """A file that was recognised and skipped; ``path`` as shown to the user."""

    path: str
    message: str

    def __str__(self) -> str:
        return f"{self.path}: {self.message}"
