"""The agent's client and its watches, against a real API server and its bad days."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from pathlib import Path
from queue import Empty, Queue
from typing import Any

import pytest

from omec.runtime_agent.cluster.backoff import Backoff
from omec.runtime_agent.cluster.client import Cluster, modify
from omec.runtime_agent.cluster.connect import connect
from omec.runtime_agent.cluster.errors import ApiError, UnreachableError
from omec.runtime_agent.cluster.resources import CONFIG_MAPS, NODES, SECRETS
from omec.runtime_agent.cluster.watch import Event, Watch
from tests.cluster.agent import agent_client
from tests.cluster.client import ApiServer

NAMESPACE = "agent-client"


@pytest.fixture(scope="module", autouse=True)
def cluster(apiserver: ApiServer, tmp_path_factory: pytest.TempPathFactory) -> Cluster:
    apiserver.apply({"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": NAMESPACE}})
    return agent_client(apiserver.endpoint, tmp_path_factory.mktemp("client"))


def config_map(name: str, data: dict[str, str] | None = None, **metadata: Any) -> dict[str, Any]:
    return {"metadata": {"name": name, "namespace": NAMESPACE, **metadata}, "data": data or {}}


def test_objects_are_created_changed_and_deleted(cluster: Cluster) -> None:
    cluster.create(CONFIG_MAPS, config_map("a", {"x": "1"}), NAMESPACE)
    with pytest.raises(ApiError) as raised:
        cluster.create(CONFIG_MAPS, config_map("a"), NAMESPACE)
    assert raised.value.already_exists
    assert not raised.value.conflict
    cluster.patch(CONFIG_MAPS, "a", {"data": {"y": "2"}}, NAMESPACE)
    cluster.patch(CONFIG_MAPS, "a", [{"op": "remove", "path": "/data/x"}], NAMESPACE)
    assert cluster.get(CONFIG_MAPS, "a", NAMESPACE)["data"] == {"y": "2"}
    cluster.delete(CONFIG_MAPS, "a", NAMESPACE)
    cluster.delete(CONFIG_MAPS, "a", NAMESPACE)
    assert cluster.find(CONFIG_MAPS, "a", NAMESPACE) is None


def test_a_pod_finds_its_cluster(apiserver: ApiServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """By a token of its service account, with the rights of that account."""
    name = {"name": "pod", "namespace": NAMESPACE}
    assert apiserver.apply({"apiVersion": "v1", "kind": "ServiceAccount", "metadata": name}).accepted
    request = {"apiVersion": "authentication.k8s.io/v1", "kind": "TokenRequest", "spec": {}}
    url = f"/api/v1/namespaces/{NAMESPACE}/serviceaccounts/pod/token"
    token = apiserver.request("POST", url, request).body["status"]["token"]
    (tmp_path / "token").write_text(token, encoding="ascii")
    (tmp_path / "ca.crt").write_bytes(apiserver.endpoint.certificate.read_bytes())
    monkeypatch.delenv("KUBECONFIG", raising=False)
    monkeypatch.setenv("KUBERNETES_SERVICE_HOST", apiserver.endpoint.host)
    monkeypatch.setenv("KUBERNETES_SERVICE_PORT", str(apiserver.endpoint.port))
    with pytest.raises(ApiError, match=f"system:serviceaccount:{NAMESPACE}:pod") as raised:
        connect(service_account=tmp_path).get(SECRETS, "a", NAMESPACE)
    assert raised.value.forbidden


def test_apply_owns_its_fields_and_tells_conflicts(cluster: Cluster) -> None:
    cluster.apply(CONFIG_MAPS, config_map("b", {"mine": "1"}))
    fields = cluster.get(CONFIG_MAPS, "b", NAMESPACE)["metadata"]["managedFields"]
    assert [(each["manager"], each["operation"]) for each in fields] == [("omec-agent", "Apply")]
    other = Cluster(cluster._pool, cluster._host, cluster._headers, "somebody-else")
    with pytest.raises(ApiError) as raised:
        other.apply(CONFIG_MAPS, config_map("b", {"mine": "2"}))
    assert raised.value.conflict
    cluster.apply(CONFIG_MAPS, config_map("b", {}))
    assert "data" not in cluster.get(CONFIG_MAPS, "b", NAMESPACE)


def test_lists_come_page_by_page_with_kinds(cluster: Cluster, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("omec.runtime_agent.cluster.client._PAGE", 2)
    for name in "cdefg":
        cluster.create(CONFIG_MAPS, config_map(f"page-{name}", labels={"set": "pages"}), NAMESPACE)
    found = list(cluster.list(CONFIG_MAPS, NAMESPACE, labels="set=pages"))
    assert [obj["metadata"]["name"] for obj in found] == [f"page-{name}" for name in "cdefg"]
    assert {obj["kind"] for obj in found} == {"ConfigMap"}


def test_writers_that_meet_lose_nothing(cluster: Cluster) -> None:
    cluster.create(CONFIG_MAPS, config_map("counter", {"n": "0"}), NAMESPACE)

    def add() -> None:
        current = cluster.get(CONFIG_MAPS, "counter", NAMESPACE)
        current["data"]["n"] = str(int(current["data"]["n"]) + 1)
        cluster.replace(CONFIG_MAPS, current)

    threads = [threading.Thread(target=lambda: [modify(add, 100) for _ in range(5)]) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert cluster.get(CONFIG_MAPS, "counter", NAMESPACE)["data"]["n"] == "20"


def test_a_service_account_may_do_what_it_is_allowed(apiserver: ApiServer, tmp_path: Path) -> None:
    account = agent_client(apiserver.endpoint, tmp_path, acting_as=f"system:serviceaccount:{NAMESPACE}:nobody")
    with pytest.raises(ApiError) as raised:
        account.get(SECRETS, "any", NAMESPACE)
    assert raised.value.forbidden
    assert f'User "system:serviceaccount:{NAMESPACE}:nobody" cannot get resource "secrets"' in str(raised.value)


def test_nobody_at_the_address(cluster: Cluster) -> None:
    with pytest.raises(UnreachableError, match="does not answer"):
        Cluster(cluster._pool, "http://127.0.0.1:9").get(NODES, "x")


class Followed:
    """A watch in a thread, and what it told."""

    def __init__(self, watch: Watch) -> None:
        self.watch = watch
        self.stop = threading.Event()
        self.queue: Queue[Event] = Queue()
        threading.Thread(target=self._run, daemon=True).start()

    def _run(self) -> None:
        for event in self.watch.events(self.stop):
            self.queue.put(event)

    def next(self, seconds: float = 15) -> tuple[str, str]:
        try:
            event = self.queue.get(timeout=seconds)
        except Empty:
            return ("nothing", "")
        return event.change.value, event.object.get("metadata", {}).get("name", "")


@pytest.fixture
def followed(cluster: Cluster, request: pytest.FixtureRequest) -> Iterator[Followed]:
    """A watch of the ConfigMaps that carry the test's name as a label."""
    label = f"test={request.node.name.replace('_', '-')[:40]}"
    watching = Followed(Watch(cluster, CONFIG_MAPS, NAMESPACE, labels=label, backoff=Backoff(0.05, 0.2)))
    yield watching
    watching.stop.set()


def labels_of(watching: Followed) -> dict[str, str]:
    key, _, value = watching.watch._query["labelSelector"].partition("=")
    return {key: value}


def test_changes_are_told_in_order(cluster: Cluster, followed: Followed) -> None:
    assert followed.next() == ("SYNCED", "")
    labels = labels_of(followed)
    cluster.create(CONFIG_MAPS, config_map("watched", labels=labels), NAMESPACE)
    cluster.patch(CONFIG_MAPS, "watched", {"data": {"a": "b"}}, NAMESPACE)
    cluster.delete(CONFIG_MAPS, "watched", NAMESPACE)
    told = [followed.next() for _ in range(3)]
    assert told == [("PRESENT", "watched"), ("PRESENT", "watched"), ("DELETED", "watched")]


def test_a_version_that_is_gone_leads_to_a_new_list(cluster: Cluster, monkeypatch: pytest.MonkeyPatch) -> None:
    """What was deleted while nobody watched is told as well."""
    for name in ("kept", "lost"):
        cluster.create(CONFIG_MAPS, config_map(name, labels={"test": "gone"}), NAMESPACE)
    gone = {"type": "ERROR", "object": {"code": 410, "reason": "Expired", "message": "too old resource version"}}
    stream, answers = Cluster.stream, [iter([gone])]

    def once_gone(self: Cluster, *args: Any) -> Iterator[Any]:
        cluster.delete(CONFIG_MAPS, "lost", NAMESPACE)
        return answers.pop() if answers else stream(self, *args)

    monkeypatch.setattr(Cluster, "stream", once_gone)
    watching = Followed(Watch(cluster, CONFIG_MAPS, NAMESPACE, labels="test=gone"))
    told = [watching.next() for _ in range(6)]
    watching.stop.set()
    assert told[:3] == [("PRESENT", "kept"), ("PRESENT", "lost"), ("SYNCED", "")]
    assert told[3:] == [("PRESENT", "kept"), ("DELETED", "lost"), ("SYNCED", "")]


def test_a_watch_outlives_the_api_server(cluster: Cluster, apiserver: ApiServer) -> None:
    cluster.create(CONFIG_MAPS, config_map("before", labels={"test": "restart"}), NAMESPACE)
    watching = Followed(Watch(cluster, CONFIG_MAPS, NAMESPACE, labels="test=restart", backoff=Backoff(0.05, 0.5)))
    assert [watching.next(), watching.next()] == [("PRESENT", "before"), ("SYNCED", "")]
    apiserver.restart()
    cluster.create(CONFIG_MAPS, config_map("after", labels={"test": "restart"}), NAMESPACE)
    deadline = time.monotonic() + 30
    told: list[tuple[str, str]] = []
    while ("PRESENT", "after") not in told and time.monotonic() < deadline:
        told.append(watching.next(1))
    assert ("PRESENT", "after") in told
    assert watching.watch.failure == ""
    watching.stop.set()


def test_nobody_may_watch(apiserver: ApiServer, tmp_path: Path) -> None:
    account = agent_client(apiserver.endpoint, tmp_path, acting_as=f"system:serviceaccount:{NAMESPACE}:nobody")
    with pytest.raises(ApiError, match="cannot list"):
        list(Watch(account, CONFIG_MAPS, NAMESPACE).events(threading.Event()))
