"""Finding what no model names any more: directories that the agent filled, and downloads that nobody finishes."""

from __future__ import annotations

import os
import stat
import time
from collections.abc import Callable, Collection, Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from omec.runtime_agent.download.errors import DownloadError
from omec.runtime_agent.download.marker import Marker, is_kept
from omec.runtime_agent.download.paths import resolved_path
from omec.runtime_agent.download.shared import ARTIFACTS, links_to
from omec.runtime_agent.download.stage import STAGE_PREFIX, path_lock, stage_lock, stage_of
from omec.runtime_agent.node.removal import TRASH_PREFIX, discard
from omec.runtime_agent.process.logs import logger

log = logger(__name__)

_DEEPEST = 6


@dataclass(frozen=True, slots=True)
class Garbage:
    """A directory below ``root`` that can go, and how many bytes it holds; ``age`` is in seconds."""

    root: Path
    path: Path
    size: int
    age: float


def find_garbage(roots: Collection[str], used: Collection[str]) -> Iterator[Garbage]:
    """Directories below ``roots`` that the agent filled and that no path of ``used`` leads to or into."""
    wanted = _Wanted(used)
    for root in map(Path, roots):
        for path in _filled(root, 0):
            if not wanted.has(root, path):
                yield Garbage(root, path, _size(path), time.time() - _last_change(path))


def collect(
    roots: Collection[str], used: Callable[[], Collection[str]], *, grace: float, delete: bool
) -> list[Garbage]:
    """The garbage that is older than ``grace`` seconds; removed with ``delete``, else only told.

    ``used`` answers with the paths that models name; it is asked again before each removal.
    """
    found = [each for each in find_garbage(roots, used()) if each.age >= grace]
    for each in found:
        log.info("garbage", path=str(each.path), bytes=each.size, deleted=delete)
        if delete:
            _remove(each, used)
    return found


class _Wanted:
    """What models need of what is below the roots, by the paths that they name."""

    def __init__(self, used: Collection[str]) -> None:
        named = [path for path in used if Path(path).name and "\0" not in path]
        self._places = {os.path.realpath(path) for path in named}
        self._stages = {stage_of(resolved_path(path)) for path in named}

    def has(self, root: Path, path: Path) -> bool:
        real = os.path.realpath(path)
        if Path(real) in self._stages or any(each == real or each.startswith(f"{real}/") for each in self._places):
            return True
        return is_kept(path) or (ARTIFACTS in path.parts and links_to(root, path))


def _remove(garbage: Garbage, used: Callable[[], Collection[str]]) -> None:
    """Remove ``garbage``, unless a download is at work on it or a model has come to need it."""
    path = garbage.path
    try:
        with stage_lock(path) if path.name.startswith(STAGE_PREFIX) else path_lock(path):
            if not _Wanted(used()).has(garbage.root, path):
                discard(path)
    except (DownloadError, OSError) as error:
        log.warning("garbage not removed", path=str(path), error=str(error))


def _filled(folder: Path, depth: int) -> Iterator[Path]:
    """The directories with a marker and the stages below ``folder``; links are not followed."""
    try:
        entries = sorted(entry.name for entry in os.scandir(folder) if entry.is_dir(follow_symlinks=False))
    except OSError:
        return
    for name in entries:
        path = folder / name
        if name.startswith(STAGE_PREFIX) or Marker.read(path) is not None:
            yield path
        elif not name.startswith(TRASH_PREFIX) and depth < _DEEPEST:
            yield from _filled(path, depth + 1)


def _last_change(path: Path) -> float:
    """When something last changed in a directory of a whole model, or anywhere in one that grows."""
    changes = (status.st_mtime for status in _statuses(path, everything=path.name.startswith(STAGE_PREFIX)))
    return max(changes, default=time.time())


def _size(path: Path) -> int:
    marker = Marker.read(path)
    if marker is not None:
        return marker.size
    return sum(status.st_size for status in _statuses(path, everything=True) if stat.S_ISREG(status.st_mode))


def _statuses(path: Path, *, everything: bool) -> Iterator[os.stat_result]:
    """The status of a directory, and of everything in it; what a download moves away meanwhile is left out."""
    found = [path]
    if everything:
        found += [Path(folder, name) for folder, folders, files in os.walk(path) for name in (*folders, *files)]
    for each in found:
        with suppress(FileNotFoundError):
            yield each.lstat()
