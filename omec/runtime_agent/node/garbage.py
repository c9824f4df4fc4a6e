"""Finding what no model names any more: directories that the agent filled, and downloads that nobody finishes."""

from __future__ import annotations

import os
import time
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from pathlib import Path

from omec.runtime_agent.download.errors import DownloadError
from omec.runtime_agent.download.marker import Marker, is_kept
from omec.runtime_agent.download.shared import ARTIFACTS, links_to
from omec.runtime_agent.download.stage import STAGE_PREFIX, path_lock
from omec.runtime_agent.node.removal import TRASH_PREFIX, discard
from omec.runtime_agent.process.logs import logger

log = logger(__name__)

_DEEPEST = 6


@dataclass(frozen=True, slots=True)
class Garbage:
    """A directory that can go, and how many bytes it holds."""

    path: Path
    size: int
    age: float


def find_garbage(roots: Collection[str], used: Collection[str]) -> Iterator[Garbage]:
    """Directories below ``roots`` that the agent filled and that no path of ``used`` leads to or into."""
    wanted = {os.path.realpath(path) for path in used if path}
    for root in roots:
        for path in _filled(Path(root), 0):
            real = os.path.realpath(path)
            needed = any(each == real or each.startswith(f"{real}/") for each in wanted)
            if not needed and not is_kept(path) and not _is_linked(Path(root), path):
                yield Garbage(path, _size(path), time.time() - path.stat().st_mtime)


def collect(roots: Collection[str], used: Collection[str], *, grace: float, delete: bool) -> list[Garbage]:
    """The garbage that is older than ``grace`` seconds; removed with ``delete``, else only told."""
    found = [each for each in find_garbage(roots, used) if each.age >= grace]
    for each in found:
        log.info("garbage", path=str(each.path), bytes=each.size, deleted=delete)
        if delete:
            _remove(each.path)
    return found


def _remove(path: Path) -> None:
    try:
        with path_lock(path):
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


def _is_linked(root: Path, path: Path) -> bool:
    return ARTIFACTS in path.parts and links_to(root, path)


def _size(path: Path) -> int:
    marker = Marker.read(path)
    if marker is not None:
        return marker.size
    return sum(file.lstat().st_size for file in path.rglob("*") if file.is_file())
