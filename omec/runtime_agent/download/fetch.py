"""One download from beginning to end, in one process: :func:`fetch` returns when the model is whole, or raises."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator, Sequence
from concurrent.futures import FIRST_EXCEPTION, ThreadPoolExecutor, wait
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

from omec.api.storage_uri import (
    HuggingFaceUri,
    LocalUri,
    ModelPackUri,
    OciUri,
    StorageUriError,
    VendorUri,
    parse_storage_uri,
)
from omec.errors import OmecError
from omec.facts.display import shown
from omec.facts.size import format_bytes
from omec.runtime_agent.download.archive import unpack
from omec.runtime_agent.download.errors import DownloadError, Kind
from omec.runtime_agent.download.job import Job, Result
from omec.runtime_agent.download.marker import KnownFile, Marker
from omec.runtime_agent.download.object_uri import parse_object_uri
from omec.runtime_agent.download.paths import check_names, check_target
from omec.runtime_agent.download.shared import link, shared_directory
from omec.runtime_agent.download.source import Item, Source
from omec.runtime_agent.download.stage import Stage, make_all, path_lock
from omec.runtime_agent.download.tally import Tally
from omec.runtime_agent.download.throttle import Throttle
from omec.runtime_agent.download.transfer import Flusher, Transfer, disk_error


def fetch(job: Job, tally: Tally) -> Result:
    """Bring the model of ``job`` to its path, whole and verified; raises :class:`DownloadError`.

    What was there already and is right is kept. Nothing under the model's path changes before all of it is verified.
    """
    try:
        uri = parse_storage_uri(job.uri)
    except StorageUriError as error:
        raise DownloadError(Kind.URI, str(error)) from None
    if isinstance(uri, VendorUri):
        return Result("")
    if isinstance(uri, LocalUri):
        return _local(job, uri)
    source = _source_of(job, uri)
    target = check_target(job.path, job.roots)
    directory = target
    if isinstance(uri, HuggingFaceUri):
        directory = shared_directory(job, source.name.removeprefix("hf://"), source.revision) or target
    try:
        with path_lock(directory):
            result = Download(job, source, directory, tally).run()
            if directory != target:
                link(target, directory)  # under the lock: without a link, a shared copy is garbage
    except OSError as error:
        raise disk_error(error, target) from None
    return _with_facts(job, result)


class Download:
    """One source into one directory, which the caller has locked."""

    def __init__(self, job: Job, source: Source, directory: Path, tally: Tally) -> None:
        self._job = job
        self._source = source
        self._directory = directory
        self._tally = tally
        self._stage = Stage(directory, source.name, source.revision)
        self._transfer = Transfer(source, Throttle(job.bandwidth), tally.arrived, tally.checked, job.longest_wait)
        self._present: dict[str, KnownFile] = {}

    def run(self) -> Result:
        """Fetch what is missing, then publish."""
        items = self._source.items
        check_names(item.name for item in items)
        size = sum(item.size for item in items)
        self._tally.expect(len(items), size)
        marker = None if self._directory.is_symlink() else Marker.read(self._directory)
        if marker and self._is_current(marker) and marker.is_intact(self._directory):
            self._stage.discard()
            if marker.asked != self._job.uri:
                with suppress(OSError):  # the model is whole, whether or not the disk has room to note who wants it
                    replace(marker, asked=self._job.uri).write(self._directory)
            return Result(str(self._directory), marker.revision, len(marker.files), marker.size)
        self._look_at_the_target(marker)
        try:
            files = self._brought(items)
        except (DownloadError, OSError) as error:
            problem = error if isinstance(error, DownloadError) else disk_error(error, self._directory)
            if problem.kind is Kind.SPACE:
                self._stage.discard()  # a full disk hurts everybody on the node
            raise problem from None
        size = sum(known.size for known in files.values())
        return Result(
            str(self._directory),
            self._source.revision,
            len(files),
            size,
            transferred=self._tally.transferred,
            changed=True,
        )

    def _brought(self, items: Sequence[Item]) -> dict[str, KnownFile]:
        """Fetch what neither the target nor the stage has, and publish; the files of the model."""
        self._stage.prepare()
        missing = [item for item in items if item.name not in self._present and not self._is_staged(item)]
        self._require_space(missing)
        self._tally.phase = "downloading"
        self._fetch_all(missing)
        self._tally.phase = "finalizing"
        return self._publish()

    def _is_current(self, marker: Marker) -> bool:
        return (marker.source, marker.revision) == (self._source.name, self._source.revision)

    def _look_at_the_target(self, marker: Marker | None) -> None:
        """Keep what is there and right, whoever put it there."""
        if self._directory.is_symlink() or not self._directory.is_dir():
            return
        known = marker.files if marker else {}
        for item in self._source.items:
            path, before = self._directory / item.name, known.get(item.name)
            trusted = before is not None and before.digest == str(item.digest) and before.is_at(path)
            inside = Path(os.path.realpath(path.parent)).is_relative_to(os.path.realpath(self._directory))
            if not item.archive and inside and (trusted or self._transfer.verify(item, path)):
                self._present[item.name] = KnownFile.of(path, str(item.digest))
                self._tally.completed(item.size)

    def _is_staged(self, item: Item) -> bool:
        if not self._stage.has(item.name):
            return False
        self._tally.completed(item.size)
        return True

    def _require_space(self, missing: list[Item]) -> None:
        """Refuse to begin what cannot end; archives need their size twice."""
        needed = sum(item.size * (2 if item.archive else 1) - _size_of(self._stage.part(item.name)) for item in missing)
        free = _free(self._stage.root) - self._job.reserve
        if needed > max(free, 0) and missing:
            message = (
                f"the model needs {format_bytes(needed)} more, but of the disk of {self._directory.parent} only "
                f"{format_bytes(max(free, 0))} may be used"
            )
            raise DownloadError(Kind.SPACE, message)

    def _fetch_all(self, missing: list[Item]) -> None:
        largest_first = sorted(missing, key=lambda item: -item.size)
        pool = ThreadPoolExecutor(self._job.parallel_files, thread_name_prefix="fetch")
        with Flusher(self._stage.parts):
            futures = [pool.submit(self._fetch_one, item) for item in largest_first]
            done, _ = wait(futures, return_when=FIRST_EXCEPTION)
            failure = next((error for future in done if (error := future.exception())), None)
            if failure is not None:
                self._transfer.stop.set()
            pool.shutdown(cancel_futures=True)
            if failure is not None:
                raise failure

    def _fetch_one(self, item: Item) -> None:
        part = self._stage.part(item.name)
        arrived = self._source.fetch_otherwise(item, self._stage.root)
        if arrived is not None and self._transfer.verify(item, arrived):
            arrived.replace(part)
            self._tally.arrived(item.size)
        digest = self._transfer.fetch(item, part)
        if not item.archive:
            self._stage.take(item.name, part, digest)
        self._tally.completed()

    def _publish(self) -> dict[str, KnownFile]:
        """Unpack layers, move everything to its place; the files of the model."""
        layers = [item for item in self._source.items if item.archive]
        for item in layers:
            unpack(self._stage.part(item.name), self._stage.files, _free(self._stage.root) - self._job.reserve)
        files = dict(_listed(self._stage, self._present))
        for item in layers:
            self._stage.part(item.name).unlink()
        self._stage.publish(Marker(self._source.name, self._source.revision, files, asked=self._job.uri))
        return files


def _listed(stage: Stage, present: dict[str, KnownFile]) -> Iterator[tuple[str, KnownFile]]:
    yield from present.items()
    for folder, _, names in os.walk(stage.files):
        for name in names:
            path = Path(folder, name)
            relative = str(path.relative_to(stage.files))
            known = stage.known(relative)
            if known is None or not known.is_at(path):  # it comes from an archive
                with path.open("rb") as file:
                    os.fsync(file.fileno())
                known = KnownFile.of(path)
            yield relative, known


def _source_of(job: Job, uri: Any) -> Source:
    if isinstance(uri, HuggingFaceUri):
        from omec.runtime_agent.download.hub_source import HubSource  # noqa: PLC0415

        return HubSource(uri, xet=job.xet, longest_wait=job.longest_wait)
    if isinstance(uri, ModelPackUri):
        from omec.runtime_agent.download.artifact_source import ArtifactSource  # noqa: PLC0415

        return ArtifactSource(uri, job.secrets.get("dockerconfig", ""))
    if isinstance(uri, OciUri):
        from omec.runtime_agent.download.object_source import ObjectSource  # noqa: PLC0415

        return ObjectSource(parse_object_uri(job.uri), job.parameters)
    message = f"OME accepts {shown(job.uri)} but downloads nothing from there, and neither does omec's agent"
    raise DownloadError(Kind.UNSUPPORTED, message)


def _local(job: Job, uri: LocalUri) -> Result:
    directory = Path(job.path or uri.path)
    if not os.path.exists(directory):  # noqa: PTH110 - never raises, whatever the path is
        raise DownloadError(Kind.LOCAL_MISSING, f"there is nothing at {directory} on this node")
    return _with_facts(job, Result(str(directory)))


def _with_facts(job: Job, result: Result) -> Result:
    """``result`` with what the model's files say; a model that cannot be read is complete all the same."""
    if not job.reads_facts:
        return result
    from omec.facts import read_facts  # noqa: PLC0415

    try:
        return replace(result, facts=read_facts(result.directory, job.annotations).spec())
    except OmecError as error:
        return replace(result, facts_problem=error.message)


def _size_of(path: Path) -> int:
    try:
        return path.stat().st_size
    except OSError:
        return 0


def _free(folder: Path) -> int:
    make_all(folder)
    return shutil.disk_usage(folder).free
