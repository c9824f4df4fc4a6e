"""Trees of files: what a walk needs to know of the disk or of a Git revision."""

from __future__ import annotations

import errno
import os
import stat
from enum import Enum
from typing import NamedTuple, Protocol


class EntryKind(Enum):
    FILE = "file"
    FOLDER = "folder"
    LINK = "link"
    OTHER = "other"  # a pipe, socket, device or submodule


class Entry(NamedTuple):
    """One name in a folder."""

    name: str
    kind: EntryKind


class FileTooLargeError(OSError):
    """The file holds ``size`` bytes, more than the limit."""

    def __init__(self, size: int) -> None:
        super().__init__(errno.EFBIG, f"{size} bytes are more than the limit")
        self.size = size


class LinkLoopError(OSError):
    """A symbolic link leads back to itself."""


class OutsideError(OSError):
    """A symbolic link leads out of what the tree holds."""


class Tree(Protocol):
    """Folders and files by path, with ``/``. Every method may raise ``OSError``."""

    def entries(self, folder: str) -> list[Entry]:
        """What is in a folder, ordered by name."""

    def read(self, path: str, limit: int) -> bytes:
        """The content of a file; raises :class:`FileTooLargeError` beyond ``limit`` bytes."""

    def kind(self, path: str) -> EntryKind:
        """What is at ``path``, the last link not followed."""

    def resolve(self, path: str) -> str:
        """``path`` with all links followed.

        ``OSError`` for a broken link, :class:`LinkLoopError` for a circle, :class:`OutsideError` for one that leads to
        what the tree does not hold.
        """


def join(folder: str, name: str) -> str:
    """The path of ``name`` in ``folder``, which may be the root of the disk (``/``) or of a revision (``""``)."""
    return folder + name if folder in ("", "/") else f"{folder}/{name}"


def contains(folder: str, path: str) -> bool:
    """Whether ``path`` is ``folder`` or lies below it."""
    return path == folder or path.startswith(join(folder, "x")[:-1])


class DiskTree:
    """The file system; paths are absolute."""

    def entries(self, folder: str) -> list[Entry]:
        with os.scandir(folder) as found:
            return sorted((Entry(entry.name, _entry_kind(entry)) for entry in found), key=lambda entry: entry.name)

    def read(self, path: str, limit: int) -> bytes:
        # Without O_NONBLOCK, opening a pipe that has taken the file's place would wait for a writer.
        descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK)
        try:
            status = os.fstat(descriptor)
            if not stat.S_ISREG(status.st_mode):
                raise OSError(errno.EINVAL, "not a regular file")
            if status.st_size > limit:
                raise FileTooLargeError(status.st_size)
            return _read_all(descriptor, status.st_size, limit)
        finally:
            os.close(descriptor)

    def kind(self, path: str) -> EntryKind:
        mode = os.lstat(path).st_mode
        if stat.S_ISLNK(mode):
            return EntryKind.LINK
        if stat.S_ISDIR(mode):
            return EntryKind.FOLDER
        return EntryKind.FILE if stat.S_ISREG(mode) else EntryKind.OTHER

    def resolve(self, path: str) -> str:
        try:
            return os.path.realpath(path, strict=True)
        except OSError as error:
            if error.errno == errno.ELOOP:
                raise LinkLoopError(error.errno, "symbolic links in a circle") from error
            raise


def _entry_kind(entry: os.DirEntry[str]) -> EntryKind:
    if entry.is_symlink():
        return EntryKind.LINK
    if entry.is_file(follow_symlinks=False):
        return EntryKind.FILE
    return EntryKind.FOLDER if entry.is_dir(follow_symlinks=False) else EntryKind.OTHER


def _read_all(descriptor: int, expected: int, limit: int) -> bytes:
    """What is left to read; the file may have grown since its size, ``expected``, was asked for."""
    parts: list[bytes] = []
    size = 0
    # Room for little more than the file: a buffer of a megabyte costs more than all else here.
    at_once = max(expected + 1, 1 << 12)
    while part := os.read(descriptor, at_once):
        parts.append(part)
        size += len(part)
        if size > limit:
            raise FileTooLargeError(size)
    return b"".join(parts)
