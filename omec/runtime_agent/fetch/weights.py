"""Fine-tuned weights: one zip file of a bucket, unpacked where the server of the pod looks for it.

Both directories are usually one volume, which outlives a restart of the container: what has arrived is gone on from,
and weights that are complete are left as they are.
"""

from __future__ import annotations

import fcntl
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

from omec.facts.size import format_bytes
from omec.runtime_agent.download.errors import DownloadError, Kind
from omec.runtime_agent.download.marker import Marker, remove_marker
from omec.runtime_agent.download.paths import PRIVATE, remove_file
from omec.runtime_agent.download.source import Item, Source
from omec.runtime_agent.download.stage import make_all
from omec.runtime_agent.download.tally import Tally
from omec.runtime_agent.download.throttle import Throttle
from omec.runtime_agent.download.transfer import Transfer, disk_error
from omec.runtime_agent.fetch.zip_archive import unpack
from omec.runtime_agent.process.logs import logger

log = logger(__name__)

_PART = f"{PRIVATE}-weights-"


@dataclass(frozen=True, slots=True)
class Weights:
    """What is there in the end. ``changed`` is whether anything had to be fetched."""

    revision: str
    files: int
    size: int
    changed: bool


def fetch_weights(source: Source, archives: Path, target: Path, tally: Tally) -> Weights:
    """Bring the only item of ``source``, a zip file, to ``archives``, and its content to ``target``.

    Raises :class:`DownloadError`. The archive is gone in the end.
    """
    try:
        for folder in (archives, target):
            make_all(folder)
        with _locked(archives):
            return _fetched(source, archives, target, tally)
    except OSError as error:
        raise disk_error(error, archives) from None


def _fetched(source: Source, archives: Path, target: Path, tally: Tally) -> Weights:
    (item,) = source.items
    part = archives / f"{_PART}{sha256(f'{source.name} {source.revision}'.encode()).hexdigest()[:16]}"
    marker = Marker.read(target)
    known = marker is not None and (marker.source, marker.revision) == (source.name, source.revision)
    if marker is not None and known and marker.is_intact(target):
        _remove_parts(archives, keep=None)
        return Weights(marker.revision, len(marker.files), marker.size, changed=False)
    _remove_parts(archives, keep=part)  # of an object that has changed since
    _require_space(item, part)
    tally.expect(1, item.size)
    tally.phase = "downloading"
    Transfer(source, Throttle(0), tally.arrived, tally.checked).fetch(item, part)
    tally.phase = "unpacking"
    log.info("weights arrived", source=source.name, bytes=item.size)
    remove_marker(target)
    try:
        files = unpack(part, target)
    except DownloadError as error:
        if error.kind is Kind.UNSAFE:
            part.unlink()  # it arrived as the source has it: another attempt would end in the same way
        raise
    for name in (marker.files if marker else {}).keys() - files.keys():
        remove_file(target, name)
    part.unlink()
    done = Marker(source.name, source.revision, files)
    done.write(target)
    return Weights(source.revision, len(files), done.size, changed=True)


@contextmanager
def _locked(folder: Path) -> Iterator[None]:
    """Hold ``folder`` for this process alone, without a file of its own: the volume is the server's."""
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        yield
    except BlockingIOError:
        raise DownloadError(Kind.LOCKED, f"another process is fetching into {folder}") from None
    finally:
        os.close(descriptor)


def _remove_parts(archives: Path, keep: Path | None) -> None:
    for path in archives.glob(f"{_PART}*"):
        if path != keep:
            path.unlink()


def _require_space(item: Item, part: Path) -> None:
    """Refuse to begin what cannot end."""
    needed = item.size - (part.stat().st_size if part.exists() else 0)
    free = shutil.disk_usage(part.parent).free
    if needed > free:
        message = f"the archive needs {format_bytes(needed)} more, but of the volume only {format_bytes(free)} are free"
        raise DownloadError(Kind.SPACE, message)
