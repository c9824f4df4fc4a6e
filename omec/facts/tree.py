"""The files of a model, wherever they are.

The reader asks a :class:`ModelTree` for names and bytes and never touches a file system itself, so that one set of
rules reads a local directory and a hub repository. Paths inside a tree are relative, with slashes; the root is ``""``.
"""

from __future__ import annotations

import posixpath
from collections.abc import Callable, Iterable, Iterator
from typing import Protocol, TypeVar

import msgspec

from omec.facts.display import printable
from omec.facts.errors import FactsError

Result = TypeVar("Result")


class Entry(msgspec.Struct, frozen=True):
    """One name in a folder of a tree."""

    name: str
    is_folder: bool


class ModelTree(Protocol):
    """Where the files of one model come from.

    All methods but ``exists`` raise :class:`UnreadableError` for what is not there or broken, and
    :class:`omec.facts.errors.FactsError` for what is there and not safe to read.
    """

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

    def map(self, function: Callable[[str], Result], paths: Iterable[str]) -> Iterator[Result]:
        """``function`` of each of ``paths``, in their order; a tree that is far away asks for several at a time."""
        ...


class UnreadableError(Exception):
    """A file of a tree that OME could not read either: ``path`` in the tree, and ``reason`` in words.

    What only omec does not read, for it may be a trap, is a :class:`omec.facts.errors.FactsError`: then nobody can say
    what OME would make of the model.
    """

    def __init__(self, path: str, reason: str) -> None:
        super().__init__(f"{path}: {reason}")
        self.path = path
        self.reason = reason


def join(folder: str, name: str) -> str:
    """The path of ``name`` seen from ``folder``; raises :class:`FactsError` where ``..`` leads out of the tree.

    ``name`` comes from a file of the model. A leading slash means nothing, as in Go's ``filepath.Join``.
    """
    path = posixpath.normpath(f"{folder or '.'}/{name}")
    if path == ".." or path.startswith("../") or "\0" in path:
        raise FactsError(
            f"a file of the model names the path '{printable(name)}', which leads out of its directory",
            hint="do not use this model, or correct the path",
        )
    return "" if path == "." else path
