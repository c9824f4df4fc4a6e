"""What becomes of a task that failed: done again, and when."""

from __future__ import annotations

import math
import threading
from pathlib import Path
from typing import Any

import pytest

from omec.runtime_agent.cluster.client import Cluster
from omec.runtime_agent.cluster.errors import ApiError, UnreachableError
from omec.runtime_agent.contract.entry import READY, Change
from omec.runtime_agent.download.errors import DownloadError, Kind
from omec.runtime_agent.download.marker import Marker
from omec.runtime_agent.download.runner import CancelledError
from omec.runtime_agent.node import processor
from omec.runtime_agent.node.changes import Action
from omec.runtime_agent.node.metrics import NodeMetrics
from omec.runtime_agent.node.model import NodeModel
from omec.runtime_agent.node.processor import Processor
from omec.runtime_agent.node.queue import Task
from omec.runtime_agent.node.reporter import Reporter
from omec.runtime_agent.node.settings import Settings
from omec.runtime_agent.process.metrics import Metrics

NETWORK = DownloadError(Kind.NETWORK, "away")
REFUSED = DownloadError(Kind.REFUSED, "no token")
MISSING, UNWELL = ApiError(404, "NotFound", "no such Secret"), ApiError(503, "", "etcd has no leader")
AWAY = UnreachableError("nobody there")


class Answering(Cluster):
    """An API server that has one answer to everything."""

    def __init__(self, answer: Exception) -> None:
        super().__init__(None, "http://127.0.0.1:9")  # type: ignore[arg-type]
        self._answer = answer

    def request(self, *_: Any, **__: Any) -> Any:
        raise self._answer


@pytest.mark.parametrize(
    ("answer", "failure", "key", "status", "waits"),
    [
        (AWAY, NETWORK, None, "Failed", [60, 120, 240, 480, 960, 1920, 3600, 3600]),
        (AWAY, DownloadError(Kind.NOT_FOUND, "no such model"), None, "Failed", [None]),
        (AWAY, DownloadError(Kind.SPACE, "full"), None, "Failed", [60]),
        (AWAY, DownloadError(Kind.LOCKED, "in use"), None, "Updating", [5, 5]),
        # A hub that says when it may be asked again is asked then.
        (AWAY, DownloadError(Kind.RATE_LIMIT, "too many", wait=900), None, "Failed", [900, 900]),
        # One that names a time without an end is asked the next day.
        (AWAY, DownloadError(Kind.RATE_LIMIT, "too many", wait=math.inf), None, "Failed", [86_400]),
        # The Secret with the token may come later than the model.
        (MISSING, REFUSED, "hub-token", "Failed", [60, 120]),
        # Where it is not known whether there is a token, the hub is not asked without one.
        (UNWELL, AssertionError("downloaded"), "hub-token", "Updating", [15, 15]),
        (AWAY, AssertionError("downloaded"), "hub-token", "Updating", [15, 15]),
    ],
)
def test_a_task_that_failed_is_done_again(
    answer: Exception,
    failure: Exception,
    key: str | None,
    status: str,
    waits: list[float | None],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def run(*_: Any) -> Any:
        raise failure

    monkeypatch.setattr(processor, "run", run)
    storage = {"storageUri": "hf://a/b", "path": str(tmp_path / "m"), **({"key": key} if key else {})}
    model = NodeModel.of({"apiVersion": "v1", "kind": "ClusterBaseModel", "metadata": {"name": "m"}} | spec(storage))
    cluster, settings = Answering(answer), Settings("node", models_root=str(tmp_path))
    reporter = Reporter(cluster, "node", "ome")
    metrics = NodeMetrics(Metrics().registry, lambda: 0.0)
    done = Processor(cluster, settings, reporter, metrics, list, dict)
    assert [done.do(Task(model, Action.DOWNLOAD, 0.0, threading.Event())) for _ in waits] == waits
    assert reporter.status(model.key) == status


@pytest.mark.parametrize(
    ("uri", "status"),
    [("hf://a/b", "Ready"), ("hf://a/b@main", "Ready"), ("hf://a/b@v1", "Updating"), ("", "Updating")],
)
def test_a_whole_copy_stays_ready_while_it_is_looked_at(
    uri: str, status: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """However the URI is spelled that it was brought for: models that share a copy may spell it in different ways."""
    seen: list[str] = []

    def run(*_: Any) -> Any:
        seen.append(reporter.status(model.key))
        raise CancelledError

    monkeypatch.setattr(processor, "run", run)
    Marker("hf://a/b", "c", asked=uri).write(tmp_path)
    model = NodeModel.of({"metadata": {"name": "m"}} | spec({"storageUri": "hf://a/b", "path": str(tmp_path)}))
    cluster = Answering(AWAY)
    reporter = Reporter(cluster, "node", "ome")
    reporter.report(model.key, Change("m", status=READY))
    metrics = NodeMetrics(Metrics().registry, lambda: 0.0)
    done = Processor(cluster, Settings("node", models_root=str(tmp_path)), reporter, metrics, list, dict)
    assert done.do(Task(model, Action.DOWNLOAD)) is None
    assert seen == [status]


def spec(storage: dict[str, Any]) -> dict[str, Any]:
    return {"spec": {"storage": storage}}
