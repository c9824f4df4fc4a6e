"""A model in a local directory that is not trusted.

Links are followed within the directory, and within the repository's folder of a Hugging Face cache, whose snapshots
are links to blobs; never elsewhere. Only regular files are opened, and never more of them is read than was asked for.
"""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from omec.facts.size import format_bytes
from omec.facts.tree import Entry, UnreadableError

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
                raise UnreadableError(
                    path, f"{format_bytes(size)} is more than the {format_bytes(limit)} omec reads of it"
                )
            return _read_exactly(descriptor, path, 0, size)

    def read_range(self, path: str, start: int, length: int) -> bytes:
        with self._open(path) as (descriptor, size):
            if start + length > size:
                raise UnreadableError(
                    path, f"the file ends at byte {size}, before byte {start + length} that it announces"
                )
            return _read_exactly(descriptor, path, start, length)

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
                raise UnreadableError(path, "not a regular file", refused=True)
            yield descriptor, status.st_size
        finally:
            os.close(descriptor)

    def _resolve(self, path: str) -> Path:
        """Where ``path`` really is, links followed; refuses what lies beyond the boundary."""
        resolved = Path(os.path.realpath(self._root / path, strict=True))
        if not resolved.is_relative_to(self._boundary):
            raise UnreadableError(path, "a symbolic link leads out of the model's directory", refused=True)
        return resolved


def _boundary(root: Path) -> Path:
    """How far links may lead: ``root``, or the whole repository folder that ``root`` is a snapshot of."""
    snapshots = root.parent
    repository = snapshots.parent
    if snapshots.name == _CACHE_SNAPSHOTS and repository.name.startswith(_CACHE_REPOSITORY_PREFIX):
        return repository
    return root


def _read_exactly(descriptor: int, path: str, start: int, length: int) -> bytes:
    content = bytearray()
    while len(content) < length:
        try:
            chunk = os.pread(descriptor, length - len(content), start + len(content))
        except OSError as error:
            raise _unreadable(path, error) from None
        if not chunk:
            raise UnreadableError(path, "the file became shorter while it was read")
        content += chunk
    return bytes(content)


def _unreadable(path: str, error: OSError) -> UnreadableError:
    reason = os.strerror(error.errno).lower() if error.errno else str(error)
    return UnreadableError(path, reason, refused=error.errno == errno.ELOOP)
