"""Bringing a lock up to date: many models at a time, and no model's failure is another's."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from typing import Final

import msgspec

from omec.api.storage_uri import HuggingFaceUri, ModelPackUri, StorageUriError, parse_storage_uri
from omec.errors import OmecError
from omec.facts.lock import Lock
from omec.facts.locked import LockedModel
from omec.facts.sources import ModelSource, Sources

WORKERS: Final = 16
"""Models in flight, and requests in flight for the shards of all of them."""

READ, CURRENT, FAILED = "read", "current", "failed"


class Job(msgspec.Struct, frozen=True):
    """One model to bring up to date: the key of its block, and where it lives."""

    key: str
    source: ModelSource


class Outcome(msgspec.Struct, frozen=True):
    """What became of a job.

    ``status`` is ``read`` (the block is new), ``current`` (it was right before; nothing changed) or ``failed``.
    """

    job: Job
    status: str
    locked: LockedModel | None = None
    warnings: tuple[str, ...] = ()
    error: OmecError | None = None


def update(
    jobs: Sequence[Job], lock: Lock, sources: Sources, executor: ThreadPoolExecutor, *, force: bool = False
) -> Iterator[Outcome]:
    """The outcomes of ``jobs``, each as soon as it is there.

    A model whose revision is still the one in ``lock`` is not read again, unless ``force`` says so.
    """
    waiting: set[Future[Outcome]] = {executor.submit(_run, job, lock, sources, force=force) for job in jobs}
    try:
        while waiting:
            done, waiting = wait(waiting, return_when=FIRST_COMPLETED)
            for future in done:
                yield future.result()
    finally:
        _cancel(waiting)


def is_pinned(uri: str, revision: str) -> bool:
    """Whether ``uri`` itself names ``revision``, so that it can never mean anything else."""
    try:
        parsed = parse_storage_uri(uri)
    except StorageUriError:
        return False
    if isinstance(parsed, HuggingFaceUri):
        return bool(revision) and parsed.revision == revision
    return isinstance(parsed, ModelPackUri) and bool(revision) and parsed.reference.endswith(f"@{revision}")


def _run(job: Job, lock: Lock, sources: Sources, *, force: bool) -> Outcome:
    known = lock.models.get(job.key)
    comparable = known is not None and known.uri == job.source.uri and not force
    try:
        if known is not None and comparable and is_pinned(known.uri, known.revision):
            return Outcome(job, CURRENT, known)
        opened = sources.open(job.source)
        if known is not None and comparable and opened.revision and opened.revision == known.revision:
            return Outcome(job, CURRENT, known)
        locked, facts = opened.locked(job.source.uri)
    except OmecError as error:
        return Outcome(job, FAILED, known, error=error)
    warnings = tuple(warning.message for warning in facts.warnings)
    return Outcome(job, CURRENT if locked == known else READ, locked, warnings)


def _cancel(futures: Iterable[Future[Outcome]]) -> None:
    for future in futures:
        future.cancel()
