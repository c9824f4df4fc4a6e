"""Doing one task: bring a model and say so, or take it away and say nothing more."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable, Collection, Mapping
from pathlib import Path
from typing import Any

from omec.runtime_agent.cluster.client import Cluster
from omec.runtime_agent.cluster.clock import now
from omec.runtime_agent.cluster.errors import ApiError, UnreachableError
from omec.runtime_agent.cluster.events import NORMAL, WARNING, record
from omec.runtime_agent.contract.entry import FAILED, READY, UPDATING, Change, Progress, config_of
from omec.runtime_agent.contract.names import ModelKey
from omec.runtime_agent.download.errors import DownloadError, Kind
from omec.runtime_agent.download.job import Job, Report, Result
from omec.runtime_agent.download.marker import Marker
from omec.runtime_agent.download.object_source import GPU_PARAMETER
from omec.runtime_agent.download.paths import resolved_path
from omec.runtime_agent.download.runner import CancelledError, run
from omec.runtime_agent.node.changes import Action
from omec.runtime_agent.node.credentials import secrets_for
from omec.runtime_agent.node.filling import fill_spec
from omec.runtime_agent.node.metrics import NodeMetrics
from omec.runtime_agent.node.model import NodeModel, same_uri
from omec.runtime_agent.node.queue import Task
from omec.runtime_agent.node.removal import remove_files
from omec.runtime_agent.node.reporter import Reporter
from omec.runtime_agent.node.settings import Settings
from omec.runtime_agent.node.shapes import wanted_gpu
from omec.runtime_agent.process.logs import logger

log = logger(__name__)

_NO_DOWNLOADER = ("S3", "AZURE", "GCS", "GITHUB")
_PROGRESS_SECONDS = 30.0
_LOCKED_SECONDS = 5.0
_UNREACHABLE_SECONDS = 15.0
_RETRY_SECONDS, _LONGEST_RETRY_SECONDS, _LONGEST_ASKED_SECONDS = 60.0, 3600.0, 86_400.0


class Processor:
    """Does tasks of one node; several threads share it. ``models`` answers with all models of the cluster.

    ``node_labels`` answers with the labels of the node.
    """

    def __init__(
        self,
        cluster: Cluster,
        settings: Settings,
        reporter: Reporter,
        metrics: NodeMetrics,
        models: Callable[[], Collection[NodeModel]],
        node_labels: Callable[[], Mapping[str, str]],
    ) -> None:
        self._cluster = cluster
        self._settings = settings
        self._reporter = reporter
        self._metrics = metrics
        self._models = models
        self._node_labels = node_labels
        self._failures: dict[ModelKey, int] = {}

    def do(self, task: Task) -> float | None:
        """Do ``task``; the seconds after which it is to be done again, ``None`` where it is done."""
        if task.action is Action.DELETE:
            return self._delete(task.model)
        try:
            return self._bring(task)
        except CancelledError:
            log.info("download stopped", model=str(task.model.key))
            return None
        except (ApiError, UnreachableError) as error:
            log.warning("API server unwell", model=str(task.model.key), error=str(error))
            return _UNREACHABLE_SECONDS

    def _bring(self, task: Task) -> float | None:
        model = task.model
        # After a start of the agent, a copy that is whole stays Ready while it is looked at once more.
        was_ready = task.action is Action.DOWNLOAD and self._reporter.status(model.key) == READY and _is_whole(model)
        if not was_ready:
            self._reporter.report(model.key, Change(model.key.name, status=UPDATING))
        started = time.monotonic()
        try:
            self._require_own_path(model)
            result = run(self._job(model), task.stop, self._progress(model, task.stop), self._settings.supervision)
        except DownloadError as error:
            return self._failed(model, error, still_ready=was_ready)
        if task.stop.is_set():
            raise CancelledError
        self._failures.pop(model.key, None)
        self._metrics.succeeded(model.key, time.monotonic() - started, result.transferred)
        self._ready(model, result)
        return None

    def _require_own_path(self, model: NodeModel) -> None:
        """Refuse to put other files into the place of those of a model that is ready."""
        place = resolved_path(model.place)
        for other in self._models():
            rival = other.key != model.key and not other.is_going and other.brings_other_files_than(model)
            if rival and self._reporter.status(other.key) == READY and resolved_path(other.place) == place:
                message = f"{model.path} has the files of {other.key.kind} {other.key}, which is ready ({other.uri})"
                raise DownloadError(Kind.OCCUPIED, f"{message}; name another storage.path")

    def _ready(self, model: NodeModel, result: Result) -> None:
        """Say that the model is here, with its facts; only now, when every byte is verified and on disk."""
        config = config_of(result.facts, _artifact(model, result)) if result.facts or model.is_shared else None
        self._reporter.report(model.key, Change(model.key.name, status=READY, config=config))
        log.info(
            "model ready",
            model=str(model.key),
            path=model.path,
            revision=result.revision,
            bytes=result.size,
            transferred=result.transferred,
        )
        if result.facts_problem:
            log.warning("facts cannot be read", model=str(model.key), error=result.facts_problem)
        if result.changed:
            revision = f" at {result.revision}" if result.revision else ""
            self._event(model, NORMAL, "ModelReady", f"{model.uri}{revision} is ready in {model.path}")
        if result.facts:
            try:
                written = fill_spec(self._cluster, model, result.facts)
            except (ApiError, UnreachableError) as error:
                # The status role fills the spec from the ConfigMap as well.
                log.warning("spec not filled", model=str(model.key), error=str(error))
            else:
                if written:
                    log.info("spec filled", model=str(model.key), fields=sorted(written))

    def _failed(self, model: NodeModel, error: DownloadError, *, still_ready: bool) -> float | None:
        if error.kind is Kind.LOCKED:  # another model brings the same snapshot
            log.info("waiting", model=str(model.key), reason=str(error))
            return _LOCKED_SECONDS
        log.error("model failed", model=str(model.key), kind=error.kind.value, error=str(error))
        self._metrics.failed(model.key, checksum=error.kind is Kind.CHECKSUM, limited=error.kind is Kind.RATE_LIMIT)
        if still_ready and (error.passing or error.amendable) and _is_whole(model):
            if error.amendable:
                self._event(model, WARNING, "ModelNotUpdated", f"{error}; what is there is whole and stays")
            return self._wait_after_failure(model.key, error)
        self._event(model, WARNING, "ModelFailed", str(error))
        if model.scheme not in _NO_DOWNLOADER:  # those stay Updating, as with OME
            self._reporter.report(model.key, Change(model.key.name, status=FAILED))
        return self._wait_after_failure(model.key, error) if error.passing or error.amendable else None

    def _delete(self, model: NodeModel) -> float | None:
        try:
            gone = remove_files(model, self._models(), self._settings.roots)
        except (DownloadError, OSError) as error:
            if not (isinstance(error, DownloadError) and error.kind is Kind.PATH):
                log.warning("files not removed", model=str(model.key), path=model.path, error=str(error))
                return self._wait_after_failure(model.key)
            gone = False  # the agent never wrote there
        self._failures.pop(model.key, None)
        self._metrics.forget(model.key)
        self._reporter.forget(model.key, model.body["metadata"].get("uid", ""))
        log.info("model removed", model=str(model.key), path=model.path, files_removed=gone)
        return None

    def _job(self, model: NodeModel) -> Job:
        settings = self._settings
        if model.owns_files and not model.path:
            raise DownloadError(Kind.PATH, "storage.path is missing, so there is no place for the model's files")
        return Job(
            uri=model.uri,
            path=model.path,
            roots=settings.roots,
            shared_root=settings.models_root if model.is_shared else "",
            endpoint=settings.endpoint,
            xet=settings.xet,
            parallel_files=settings.parallel_files,
            bandwidth=settings.bandwidth // settings.workers,
            reserve=settings.reserve,
            annotations=dict(model.annotations),
            parameters=self._parameters(model),
            secrets=secrets_for(model, self._cluster, settings.namespace),
        )

    def _parameters(self, model: NodeModel) -> dict[str, str]:
        """The model's own parameters, and for which GPU its files are wanted; tokens travel as secrets only."""
        gpu = wanted_gpu(model, self._node_labels())
        own = {key: value for key, value in model.parameters.items() if key in ("auth", "region")}
        return own | ({GPU_PARAMETER: gpu} if gpu else {})

    def _progress(self, model: NodeModel, stop: threading.Event) -> Callable[[Report], None]:
        """What writes progress into the ConfigMap, at most every half minute."""
        last_time, last_bytes = time.monotonic(), 0

        def tell(report: Report) -> None:
            nonlocal last_time, last_bytes
            elapsed = time.monotonic() - last_time
            if elapsed < _PROGRESS_SECONDS or stop.is_set():
                return
            progress = Progress(
                report.phase,
                report.total_bytes,
                report.completed_bytes,
                report.total_files,
                report.completed_files,
                max(0.0, (report.completed_bytes - last_bytes) / elapsed),
                now(),
            )
            last_time, last_bytes = time.monotonic(), report.completed_bytes
            self._reporter.report(model.key, Change(model.key.name, progress=progress))

        return tell

    def _event(self, model: NodeModel, type_: str, reason: str, note: str) -> None:
        record(self._cluster, model.body, type_, reason, note, action="Download", instance=self._settings.node)

    def _wait_after_failure(self, key: ModelKey, error: DownloadError | None = None) -> float:
        failures = self._failures[key] = self._failures.get(key, 0) + 1
        own = min(_LONGEST_RETRY_SECONDS, _RETRY_SECONDS * 2.0 ** min(failures - 1, 8))
        return max(own, min(error.wait, _LONGEST_ASKED_SECONDS)) if error else own


def _is_whole(model: NodeModel) -> bool:
    """Whether every file of what the model names is where and as it was verified; no content is read."""
    if not model.owns_files:
        return model.scheme != "LOCAL" or os.path.exists(model.place)  # noqa: PTH110 - also of a path that cannot be
    directory = Path(model.path)
    marker = Marker.read(directory)
    if marker is None or not same_uri(marker.asked, model.uri):  # the model may name another one since the agent ended
        return False
    return marker.is_intact(Path(os.path.realpath(directory)))


def _artifact(model: NodeModel, result: Result) -> Mapping[str, Any] | None:
    """How a shared copy is told of in the entry."""
    if not model.is_shared or result.directory == model.path:
        return None
    return {"sha": result.revision, "parentPath": {model.key.entry: result.directory}, "childrenPaths": [model.path]}
