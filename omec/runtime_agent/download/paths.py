"""Which paths a download may write: below the allowed roots, never through a link, whatever files are called."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path, PurePosixPath

from omec.facts.display import shown
from omec.runtime_agent.download.errors import DownloadError, Kind

PRIVATE = ".omec"
"""The folder in a model's directory that belongs to the agent; no file of a model may be called so."""

_LONGEST_NAME, _LONGEST_PATH = 240, 1024
_LONGEST_PART, _LONGEST_TARGET = 255, 2048
"""Bytes of one name and of a path on Linux, with room for the files below it."""

_MOST_FILES = 100_000


def check_target(path: str, roots: Iterable[str]) -> Path:
    """``path`` as a place for a model; raises :class:`DownloadError` where it is not below one of ``roots``.

    Links on the way are followed before judging, so that none leads out.
    """
    target = Path(path)
    if not target.is_absolute() or ".." in target.parts or "\0" in path:
        raise DownloadError(Kind.PATH, f"storage.path {shown(path)} is not an absolute path without '..'")
    if len(os.fsencode(path)) > _LONGEST_TARGET or any(len(os.fsencode(part)) > _LONGEST_PART for part in target.parts):
        raise DownloadError(Kind.PATH, f"storage.path {shown(path)} is longer than a path of the disk can be")
    resolved = resolved_path(path)
    allowed = [Path(os.path.realpath(root)) for root in roots]
    if not any(root in resolved.parents for root in allowed):
        named = ", ".join(map(str, roots))
        raise DownloadError(Kind.PATH, f"storage.path {shown(path)} is outside the directories for models ({named})")
    if PRIVATE in target.parts or any(part.startswith(f"{PRIVATE}-") for part in target.parts):
        raise DownloadError(Kind.PATH, f"storage.path {shown(path)} is inside a directory of the agent")
    if os.path.ismount(target):
        raise DownloadError(Kind.PATH, f"storage.path {shown(path)} is a mount point; name a directory below it")
    return resolved


def resolved_path(path: str) -> Path:
    """The place that ``path`` names, however it is spelled: links on the way are followed, not one at its end."""
    target = Path(path)
    return target if "\0" in path else Path(os.path.realpath(target.parent)) / target.name


def check_names(names: Iterable[str]) -> None:
    """Refuse what cannot be a file below a directory, and names that would stand in each other's place."""
    seen: set[str] = set()
    for name in names:
        _check_name(name)
        if name in seen:
            raise DownloadError(Kind.UNSAFE, f"the model has the file {shown(name)} twice")
        seen.add(name)
        if len(seen) > _MOST_FILES:
            raise DownloadError(Kind.UNSAFE, f"the model has more than {_MOST_FILES:,} files")
    for name in seen:
        if any(str(parent) in seen for parent in PurePosixPath(name).parents):
            raise DownloadError(Kind.UNSAFE, f"{shown(name)} is in a folder that is a file of the model")


def _check_name(name: str) -> None:
    parts = name.split("/")
    unsafe = (
        not name
        or len(name.encode("utf-8", "surrogateescape")) > _LONGEST_PATH
        or any(
            part in ("", ".", "..") or len(part.encode("utf-8", "surrogateescape")) > _LONGEST_NAME for part in parts
        )
        or parts[0] == PRIVATE
        or "\\" in name
        or not name.isprintable()
    )
    if unsafe:
        raise DownloadError(Kind.UNSAFE, f"the model has a file called {shown(name)}, which cannot be stored safely")


def make_parents(root: Path, file: Path, mode: int) -> None:
    """Create the folders of ``file`` below ``root``; raises :class:`DownloadError` where one of them is a link."""
    folder = root
    for part in file.relative_to(root).parent.parts:
        folder /= part
        if folder.is_symlink():
            raise DownloadError(Kind.UNSAFE, f"{folder} is a link; the agent writes through none")
        if not folder.is_dir():
            folder.mkdir(exist_ok=True)  # another file's thread may have been faster
            folder.chmod(mode)


def remove_file(root: Path, name: str) -> None:
    """Remove the file ``name`` below ``root`` if it is there and no link leads to it."""
    path = root / name
    if not any(folder.is_symlink() for folder in path.parents if root in folder.parents):
        path.unlink(missing_ok=True)


def sync_directory(path: Path) -> None:
    """Make the names in a directory survive a power failure."""
    descriptor = os.open(path, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
