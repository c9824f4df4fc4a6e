"""What says that a model's directory is whole: ``.omec/state.json`` in it, written last and removed first."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from omec.facts.atomic import replace_file
from omec.runtime_agent.download.errors import DownloadError
from omec.runtime_agent.download.job import DIRECTORY_MODE
from omec.runtime_agent.download.paths import PRIVATE, check_names, sync_directory

_NAME = "state.json"
_KEEP = "keep"
_VERSION = 1


@dataclass(frozen=True, slots=True)
class KnownFile:
    """A file that was verified: as long as size and time of change are the same, so is its content."""

    size: int
    changed: int
    digest: str = ""

    @classmethod
    def of(cls, path: Path, digest: str = "") -> KnownFile:
        status = path.lstat()
        return cls(status.st_size, status.st_mtime_ns, digest)

    def is_at(self, path: Path) -> bool:
        try:
            status = path.lstat()
        except OSError:
            return False
        regular = path.is_file() and not path.is_symlink()
        return regular and (status.st_size, status.st_mtime_ns) == (self.size, self.changed)


@dataclass(frozen=True, slots=True)
class Marker:
    """The state of a directory: which model is in it, at which revision, and its files by their relative paths.

    ``source`` names the model without its revision (``hf://org/model``), ``asked`` is the URI that it was brought for.
    """

    source: str
    revision: str
    files: Mapping[str, KnownFile] = field(default_factory=dict)
    asked: str = ""

    @classmethod
    def read(cls, directory: Path) -> Marker | None:
        """The marker of ``directory``; ``None`` where there is none that can be read."""
        try:
            values: Any = json.loads((directory / PRIVATE / _NAME).read_bytes())
            if values["version"] != _VERSION:
                return None
            files = {path: KnownFile(**known) for path, known in values["files"].items()}
            check_names(files)
            return cls(str(values["source"]), str(values["revision"]), files, str(values.get("asked", "")))
        except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError, DownloadError):
            return None

    def write(self, directory: Path) -> None:
        """Put the marker into ``directory``, to stay there after a power failure."""
        folder = directory / PRIVATE
        folder.mkdir(exist_ok=True)
        folder.chmod(DIRECTORY_MODE)
        files = {path: asdict(known) for path, known in sorted(self.files.items())}
        told = {"source": self.source, "revision": self.revision, "asked": self.asked}
        values = {"version": _VERSION, **told, "files": files}
        replace_file(folder / _NAME, json.dumps(values, ensure_ascii=False).encode("utf-8", "surrogateescape"))
        sync_directory(folder)
        sync_directory(directory)

    def is_intact(self, directory: Path) -> bool:
        """Whether every file is still there as it was verified; reads no content."""
        return all(known.is_at(directory / path) for path, known in self.files.items())

    @property
    def size(self) -> int:
        return sum(known.size for known in self.files.values())


def remove_marker(directory: Path) -> None:
    """Say, before a file of ``directory`` is touched, that it is not whole any more."""
    try:
        (directory / PRIVATE / _NAME).unlink()
    except FileNotFoundError:
        return
    sync_directory(directory / PRIVATE)


def keep_forever(directory: Path) -> None:
    """Mark a directory as one that stays although no model names it."""
    if (directory / PRIVATE).is_dir():
        (directory / PRIVATE / _KEEP).touch()


def is_kept(directory: Path) -> bool:
    return (directory / PRIVATE / _KEEP).exists()
