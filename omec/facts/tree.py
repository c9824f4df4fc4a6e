"""The files of a model, wherever they are.

The reader asks a :class:`ModelTree` for names and bytes and never touches a file system itself, so that one set of
rules reads a local directory and a hub repository. Paths inside a tree are relative, with slashes; the root is ``""``.
"""

from __future__ import annotations

import posixpath
from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True, slots=True)
class Entry:
    """One name in a folder of a tree."""

    name: str
    is_folder: bool


class ModelTree(Protocol):
    """Where the files of one model come from. All methods but ``exists`` raise :class:`UnreadableError`."""

    label: str
    """The model's place as messages write it: a directory as the user named it, a hub repository."""

    def exists(self, path: str) -> bool:
        """Whether there is a file or folder ``path``."""
        ...

    def entries(self, folder: str) -> list[Entry]:
        """What ``folder`` holds, ordered by the bytes of the names."""
        ...

    def read(self, path: str, limit: int) -> bytes:
        """The content of the file ``path``, which must not be longer than ``limit`` bytes."""
        ...

    def read_range(self, path: str, start: int, length: int) -> bytes:
        """Exactly ``length`` bytes of the file ``path`` from ``start``."""
        ...


class UnreadableError(Exception):
    """A file of a tree that cannot be read: ``path`` in the tree, and ``reason`` in words.

    ``refused`` is true where omec does not want to read what the operating system would have handed out.
    """

    def __init__(self, path: str, reason: str, *, refused: bool = False) -> None:
        super().__init__(f"{path}: {reason}")
        self.path = path
        self.reason = reason
        self.refused = refused


def join(folder: str, name: str) -> str:
    """The path of ``name`` seen from ``folder``; raises :class:`UnreadableError` where ``..`` leads out of the tree.

    ``name`` comes from a file of the model. A leading slash means nothing, as in Go's ``filepath.Join``.
    """
    path = posixpath.normpath(f"{folder or '.'}/{name}")
    if path == ".." or path.startswith("../") or "\0" in path:
        raise UnreadableError(name, "the path leads out of the model's directory", refused=True)
    return "" if path == "." else path


def printable(path: str) -> str:
    """``path`` for people: the bytes of a name that are not UTF-8 become U+FFFD."""
    return path.encode("utf-8", "surrogateescape").decode("utf-8", "replace")
