"""A model in a local directory that is not trusted.

Links are followed within the directory, and within the repository's folder of a Hugging Face cache, whose snapshots
are links to blobs; never elsewhere. Only regular files are opened, and never more of them is read than was asked for.
"""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

from omec.facts.display import printable
from omec.facts.errors import FactsError
from omec.facts.size import format_bytes
from omec.facts.tree import Entry, Result, UnreadableError

IS_A_DIRECTORY = os.strerror(errno.EISDIR).lower()

_CACHE_SNAPSHOTS = "snapshots"
_CACHE_REPOSITORY_PREFIX = "models--"


class Directory:
    """A :class:`omec.facts.tree.ModelTree` over the directory ``root``."""

    def __init__(self, root: str | os.PathLike[str]) -> None:
        self.label = os.fspath(root).rstrip("/") or "/"
        self._root = Path(os.path.realpath(root))
        self._boundary = _boundary(self._root)

    def exists(self, path: str) -> bool:
        try:
            (self._root / path).stat()
        except (OSError, ValueError):
            return False
        return True

    def entries(self, folder: str) -> list[Entry]:
        try:
            with os.scandir(self._resolve(folder)) as found:
                entries = [Entry(entry.name, entry.is_dir(follow_symlinks=False)) for entry in found]
        except OSError as error:
            raise _unreadable(folder, error) from None
        return sorted(entries, key=lambda entry: os.fsencode(entry.name))

    def read(self, path: str, limit: int) -> bytes:
        with self._open(path) as (descriptor, size):
            if size > limit:
                reason = f"the file has {format_bytes(size)}, more than the {format_bytes(limit)} allowed"
                raise self._refusal(path, reason, "check that it is what its name says")
            return _read_exactly(descriptor, path, 0, size)

    def read_range(self, path: str, start: int, length: int) -> bytes:
        with self._open(path) as (descriptor, size):
            if start + length > size:
                raise UnreadableError(path, f"the file should have {start + length} bytes or more, but has {size}")
            return _read_exactly(descriptor, path, start, length)

    def map(self, function: Callable[[str], Result], paths: Iterable[str]) -> Iterator[Result]:
        return map(function, paths)

    @contextmanager
    def _open(self, path: str) -> Iterator[tuple[int, int]]:
        """A descriptor of the regular file ``path``, and the file's size."""
        try:
            descriptor = os.open(self._resolve(path), os.O_RDONLY | os.O_NONBLOCK | os.O_NOFOLLOW | os.O_CLOEXEC)
        except OSError as error:
            raise _unreadable(path, error) from None
        try:
            status = os.fstat(descriptor)
            if stat.S_ISDIR(status.st_mode):
                raise UnreadableError(path, IS_A_DIRECTORY)
            if not stat.S_ISREG(status.st_mode):
                raise self._refusal(path, "not a regular file", "replace it by a regular file")
            yield descriptor, status.st_size
        finally:
            os.close(descriptor)

    def _resolve(self, path: str) -> Path:
        """Where ``path`` really is, links followed; refuses what lies beyond the boundary."""
        resolved = Path(os.path.realpath(self._root / path, strict=True))
        if not resolved.is_relative_to(self._boundary):
            reason = "a symbolic link leads out of the model's directory"
            raise self._refusal(path, reason, "copy the file into the model's directory")
        return resolved

    def _refusal(self, path: str, reason: str, hint: str) -> FactsError:
        return FactsError(f"{printable(f'{self.label}/{path}')}: {reason}", hint=hint)


def _boundary(root: Path) -> Path:
    """How far links may lead: ``root``, or the whole repository folder that ``root`` is a snapshot of."""
    snapshots = root.parent
    repository = snapshots.parent
    if snapshots.name == _CACHE_SNAPSHOTS and repository.name.startswith(_CACHE_REPOSITORY_PREFIX):
        return repository
    return root


def _read_exactly(descriptor: int, path: str, start: int, length: int) -> bytes:
    chunks: list[bytes] = []
    missing = length
    while missing:
        try:
            chunks.append(os.pread(descriptor, missing, start + length - missing))
        except OSError as error:
            raise _unreadable(path, error) from None
        if not chunks[-1]:
            raise UnreadableError(path, "the file became shorter while it was read")
        missing -= len(chunks[-1])
    return b"".join(chunks)


def _unreadable(path: str, error: OSError) -> UnreadableError:
    reason = os.strerror(error.errno).lower() if error.errno else str(error)
    return UnreadableError(path, reason)
