"""What the answer of a run depends on besides the repository: omec itself, its libraries, the interpreter."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from pathlib import Path

from omec.version import __version__

_PACKAGE = Path(__file__).resolve().parents[2]
_SITES = ("site-packages", "dist-packages")
_INSTALLED = ".dist-info"


def program() -> tuple[str, ...]:
    """Texts that change with the code: the version, the files of omec, what is installed beside it, and Python."""
    return (__version__, sys.version, *_own_files(), *_installed())


def _own_files() -> tuple[str, ...]:
    """The digests that the installer recorded; for a source tree, where nothing did, the state of each file."""
    record = _PACKAGE.with_name(f"{_PACKAGE.name}-{__version__}{_INSTALLED}") / "RECORD"
    try:
        return (record.read_text(encoding="utf-8"),)
    except OSError:
        return tuple(sorted(_states(str(_PACKAGE))))


def _states(folder: str) -> Iterator[str]:
    with os.scandir(folder) as found:
        for entry in found:
            if entry.is_dir(follow_symlinks=False):
                if entry.name != "__pycache__":
                    yield from _states(entry.path)
            else:
                status = entry.stat()
                yield f"{entry.path} {status.st_size} {status.st_mtime_ns}"


def _installed() -> Iterator[str]:
    """The installed distributions with their versions, as the names of their folders tell them."""
    for place in sys.path:
        if place.endswith(_SITES):
            try:
                names = os.listdir(place)  # noqa: PTH208
            except OSError:
                continue
            yield from sorted(name for name in names if name.endswith(_INSTALLED))
