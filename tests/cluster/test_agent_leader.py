"""The status role that loses the API server, the lease or the time of day: never do two replicas write."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from omec.runtime_agent.cluster import client, watch
from omec.runtime_agent.cluster.backoff import Backoff
from omec.runtime_agent.cluster.client import Cluster
from omec.runtime_agent.cluster.errors import FencedError, UnreachableError
from omec.runtime_agent.cluster.resources import CLUSTER_BASE_MODELS, CONFIG_MAPS, LEASES, NAMESPACES, NODES
from omec.runtime_agent.status import leader
from omec.runtime_agent.status import role as status_role
from omec.runtime_agent.status.leader import LEASE, Leadership
from omec.runtime_agent.status.role import Settings, StatusRole
from tests.cluster.agent import agent_client
from tests.cluster.client import ApiServer
from tests.cluster.test_agent_status import add_model, eventually, model_status
from tests.runtime_agent.tcp_proxy import TcpProxy

NAMESPACE, NODE, MODEL = "agent-leader", "leader-1", "leader-model"


@pytest.fixture(scope="module")
def cluster(ome_apiserver: ApiServer, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    made = agent_client(ome_apiserver.endpoint, tmp_path_factory.mktemp("leader"))
    made.apply(NAMESPACES, {"metadata": {"name": NAMESPACE}})
    made.apply(NODES, {"metadata": {"name": NODE}})
    add_model(made, MODEL)
    yield made
    made.patch(CLUSTER_BASE_MODELS, MODEL, {"metadata": {"finalizers": None}})
    made.delete(CLUSTER_BASE_MODELS, MODEL)
    made.delete(NODES, NODE)


@pytest.fixture(autouse=True)
def in_a_hurry(monkeypatch: pytest.MonkeyPatch) -> None:
    """Everything takes a fifth of its time."""
    for name, seconds in {"DURATION": 3.0, "RENEW_WITHIN": 2.0, "RETRY_AFTER": 0.4, "_ANSWER_WITHIN": 1.0}.items():
        monkeypatch.setattr(leader, name, seconds)
    monkeypatch.setattr(status_role, "_WORKER_SECONDS", 2.0)
    monkeypatch.setattr(client, "_READ_SECONDS", 5.0)
    monkeypatch.setattr(watch, "_SILENT_SECONDS", 1.0)
    monkeypatch.setattr(watch, "Backoff", lambda: Backoff(0.05, 0.3))


@pytest.fixture
def link(ome_apiserver: ApiServer) -> Iterator[TcpProxy]:
    """The network between one of the replicas and the API server."""
    endpoint = ome_apiserver.endpoint
    with TcpProxy(f"https://{endpoint.host}:{endpoint.port}") as proxy:
        yield proxy


@pytest.fixture
def linked(link: TcpProxy, ome_apiserver: ApiServer, tmp_path: Path) -> Cluster:
    return agent_client(replace(ome_apiserver.endpoint, port=link.port), tmp_path)


@dataclass(slots=True)
class Replica:
    """A replica of the status role; ``kept`` is what it answers in the end."""

    role: StatusRole
    stop: threading.Event
    thread: threading.Thread
    kept: list[bool]

    @property
    def holds(self) -> bool:
        return self.role._leadership.held

    def end(self) -> None:
        self.stop.set()
        self.thread.join(timeout=20)
        assert not self.thread.is_alive()


@contextmanager
def replica(cluster: Cluster, identity: str) -> Iterator[Replica]:
    role = StatusRole(cluster, Settings(NAMESPACE, identity, 0, gather_seconds=0.05))
    stop, kept = threading.Event(), list[bool]()
    thread = threading.Thread(target=lambda: kept.append(role.run(stop)), daemon=True)
    thread.start()
    running = Replica(role, stop, thread, kept)
    try:
        yield running
    finally:
        running.end()


def report(cluster: Cluster, status: str) -> None:
    labels = {"models.ome/basemodel-status": "true", "node": NODE}
    data = {f"clusterbasemodel.{MODEL}": f'{{"name":"{MODEL}","status":"{status}"}}'}
    cluster.apply(CONFIG_MAPS, {"metadata": {"name": NODE, "namespace": NAMESPACE, "labels": labels}, "data": data})


def holder(cluster: Cluster) -> str:
    lease = cluster.find(LEASES, LEASE, NAMESPACE)
    return str(((lease or {}).get("spec") or {}).get("holderIdentity") or "")


def test_a_leader_that_is_cut_off_stops_before_the_next_one_starts(
    cluster: Cluster, link: TcpProxy, linked: Cluster
) -> None:
    """Requests hang, nothing is refused. What was true when the network broke is not written when it is back."""
    with replica(linked, "first") as first:
        eventually(lambda: first.holds)
        report(cluster, "Ready")
        eventually(lambda: model_status(cluster, MODEL), ("Ready", [NODE], []))
        with replica(cluster, "second") as second:
            eventually(lambda: not second.role._unsynced())
            link.frozen = True
            report(cluster, "Failed")
            deadline = time.monotonic() + 20
            while not second.holds:
                assert not (first.holds and holder(cluster) == "second")
                assert time.monotonic() < deadline, "nobody leads"
                time.sleep(0.02)
            assert not first.holds
            with pytest.raises(FencedError):
                first.role._cluster.patch(CLUSTER_BASE_MODELS, MODEL, {"status": {}}, subresource="status")
            eventually(lambda: model_status(cluster, MODEL), ("Failed", [], [NODE]))
            link.frozen = False
            first.thread.join(timeout=20)
            assert first.kept == [False]  # to start anew
            assert holder(cluster) == "second"
            assert model_status(cluster, MODEL) == ("Failed", [], [NODE])


def test_a_write_that_arrives_late_is_put_right(cluster: Cluster) -> None:
    """No client can take back what is on its way already: whoever leads sees the change and writes what is true."""
    with replica(cluster, "only"):
        report(cluster, "Failed")
        eventually(lambda: model_status(cluster, MODEL), ("Failed", [], [NODE]))
        late = {"state": "Ready", "nodesReady": [NODE], "nodesFailed": []}
        cluster.apply(
            CLUSTER_BASE_MODELS, {"metadata": {"name": MODEL}, "status": late}, force=True, subresource="status"
        )
        eventually(lambda: model_status(cluster, MODEL), ("Failed", [], [NODE]))


def test_the_lease_is_given_back_when_nothing_is_written_any_more(
    cluster: Cluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    writing, finish = threading.Event(), threading.Event()
    reconcile = StatusRole._reconcile

    def slow(self: StatusRole, key: Any) -> None:
        writing.set()
        finish.wait(10)
        reconcile(self, key)

    with replica(cluster, "slow") as slow_one:
        eventually(lambda: slow_one.holds)
        monkeypatch.setattr(StatusRole, "_reconcile", slow)
        report(cluster, "Ready")
        assert writing.wait(10)
        slow_one.stop.set()
        time.sleep(0.8)
        assert holder(cluster) == "slow"
        finish.set()
        eventually(lambda: holder(cluster), "")


def test_an_end_while_the_api_server_is_away(cluster: Cluster, link: TcpProxy, linked: Cluster) -> None:
    """The process does not wait for it; the lease runs out."""
    with replica(linked, "away") as away:
        eventually(lambda: away.holds)
        link.frozen = True
        started = time.monotonic()
        away.end()
        assert time.monotonic() - started < 8
        assert holder(cluster) == "away"
    cluster.delete(LEASES, LEASE, NAMESPACE)


def test_clocks_that_jump(cluster: Cluster, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of the leader and of everybody who wants to be it, by an hour to and fro: nobody loses, nobody gains."""
    jumps = iter([0, 1, -1, 1, -1, 0] * 100)

    class Jumping(datetime):
        @classmethod
        def now(cls, tz: Any = None) -> Jumping:
            return cls.fromtimestamp(time.time(), tz) + timedelta(hours=next(jumps))  # type: ignore[return-value]

    real = time.time
    monkeypatch.setattr(leader, "datetime", Jumping)
    monkeypatch.setattr(time, "time", lambda: real() + 3600 * (int(real() * 10) % 3 - 1))
    with replica(cluster, "jumping") as jumping, replica(cluster, "other") as other:
        eventually(lambda: jumping.holds or other.holds)
        first, second = (jumping, other) if jumping.holds else (other, jumping)
        end = time.monotonic() + leader.DURATION + 0.2
        while time.monotonic() < end:
            assert first.holds
            assert not second.holds
            time.sleep(0.02)
        report(cluster, "Ready")
        eventually(lambda: model_status(cluster, MODEL), ("Ready", [NODE], []))
        spec = cluster.get(LEASES, LEASE, NAMESPACE)["spec"]
        assert abs(datetime.fromisoformat(spec["renewTime"]) - datetime.now(UTC)) < timedelta(hours=3)


def test_what_is_held_runs_out_while_a_request_hangs(monkeypatch: pytest.MonkeyPatch) -> None:
    """The API server answers so late that whoever waits for it cannot know what it holds."""
    answers: list[Callable[[], Any]] = [lambda: None]

    class Slow(Cluster):
        def find(self, *_: Any) -> Any:
            if answers:
                return answers.pop()()
            time.sleep(1.2)
            raise UnreachableError("nothing came")

        def create(self, *_: Any) -> Any:
            return {}

    monkeypatch.setattr(leader, "RENEW_WITHIN", 0.5)
    leadership = Leadership(Slow(None, "http://127.0.0.1:9"), NAMESPACE, LEASE, "me")  # type: ignore[arg-type]
    assert leadership.attempt()
    assert leadership.held
    thread = threading.Thread(target=leadership.attempt)
    thread.start()
    eventually(lambda: not leadership.held, seconds=1)
    assert thread.is_alive()
    thread.join()
