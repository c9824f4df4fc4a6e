"""The node role on a bad network, through changes in quick succession, and killed: nothing is lost, no wrong Ready."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from omec.runtime_agent.cluster import client, watch
from omec.runtime_agent.cluster.backoff import Backoff
from omec.runtime_agent.cluster.client import Cluster
from omec.runtime_agent.cluster.errors import ApiError
from omec.runtime_agent.contract.names import ModelKey
from omec.runtime_agent.download.marker import Marker
from omec.runtime_agent.manifests.options import NODE_ACCOUNT, Options
from omec.runtime_agent.manifests.rbac import accounts, permissions
from omec.runtime_agent.node import reporter, role
from omec.runtime_agent.node.garbage import find_garbage
from omec.runtime_agent.node.role import NodeRole
from tests.cluster.agent import agent_client, write_kubeconfig
from tests.cluster.client import ApiServer, Object
from tests.cluster.test_agent_node import OME, Node, probe, until
from tests.facts.conftest import local_hub
from tests.facts.hub_server import HubServer
from tests.runtime_agent.download.conftest import FILES, content_of, expected, some_arrived
from tests.runtime_agent.tcp_proxy import TcpProxy

ACCOUNT = f"system:serviceaccount:{OME}:{NODE_ACCOUNT}"
OTHER = {**FILES, "model-2.bin": b"other" * 150_000, "only-here.bin": b"x" * 1000}
SLOW = 800_000
"""Bytes a second and connection of the hub: a download takes a second."""


@pytest.fixture(scope="module")
def cluster(ome_apiserver: ApiServer) -> ApiServer:
    """The API server with OME's kinds and the role's own rights."""
    pytest.importorskip("kubernetes", reason="the extra omec[agent] is not installed")
    ome_apiserver.apply({"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": OME}})
    options = Options(namespace=OME)
    for obj in (*accounts(options), *permissions(options)):
        answer = ome_apiserver.apply(obj)
        assert answer.accepted, answer.message
    return ome_apiserver


@pytest.fixture
def hub(monkeypatch: pytest.MonkeyPatch) -> Iterator[HubServer]:
    for server in local_hub(monkeypatch):
        server.repository("org/model", FILES)
        server.repository("org/other", OTHER)
        yield server


@pytest.fixture
def link(cluster: ApiServer, monkeypatch: pytest.MonkeyPatch) -> Iterator[TcpProxy]:
    """The network between the agent and the API server; the agent is as patient as a test can be."""
    monkeypatch.setattr(client, "_READ_SECONDS", 1.5)
    monkeypatch.setattr(client, "_CONNECT_SECONDS", 1.5)
    monkeypatch.setattr(role, "_ANSWER_WITHIN", 1.5)
    monkeypatch.setattr(role, "_POLL_SECONDS", 0.1)
    monkeypatch.setattr(watch, "_SILENT_SECONDS", 1.5)
    monkeypatch.setattr(watch, "Backoff", lambda: Backoff(0.05, 0.3))
    monkeypatch.setattr(reporter, "Backoff", lambda *_: Backoff(0.05, 0.3))
    with TcpProxy(f"https://{cluster.endpoint.host}:{cluster.endpoint.port}") as proxy:
        yield proxy


class LinkedNode(Node):
    """A node whose agents reach the API server over ``link``; the test itself has its own way."""

    link: TcpProxy

    def agent(self, client: Cluster | None = None, **more: Any) -> NodeRole:
        endpoint = replace(self.apiserver.endpoint, port=self.link.port)
        return super().agent(client or agent_client(endpoint, self.folder, acting_as=ACCOUNT), **more)

    def vendor_models(self, count: int) -> list[Object]:
        """Models that are Ready at once: there is nothing to download."""
        names = [f"{self.name}-v{number}" for number in range(count)]
        return [self.model(name, f"vendor://x/models/{name}", path="") for name in names]

    @property
    def ended(self) -> bool:
        """Whether an agent gave up."""
        return any(not thread.is_alive() for _, thread, _ in self._running)

    def published(self, path: str = "model") -> Marker | None:
        return Marker.read(self.root / path)


@pytest.fixture
def node(cluster: ApiServer, hub: HubServer, link: TcpProxy, tmp_path: Path) -> Iterator[LinkedNode]:
    made = LinkedNode(cluster, hub, tmp_path)
    made.link = link
    yield made
    link.frozen = False
    made.leave()


# The way to the API server


def test_a_firewall_that_forgets_connections_is_found_out(node: LinkedNode) -> None:
    """Watches hear nothing any more and nobody tells them; what happened since is noticed all the same."""
    node.agent()
    before, gone = node.vendor_models(2)
    node.wait(before, "Ready")
    node.wait(gone, "Ready")
    assert node.link.forget() >= 4
    node.delete(gone)
    after = node.model(f"{node.name}-after")
    node.wait(after, "Ready")
    node.wait(gone, None)
    assert not node.ended


def test_a_network_that_swallows_everything_for_longer_than_anybody_waits(node: LinkedNode) -> None:
    agent = node.agent()
    first = node.model(f"{node.name}-first")
    node.wait(first, "Ready")
    node.link.frozen = True
    second = node.model(f"{node.name}-second", path="second")
    node.delete(first)
    until(lambda: all(each.failure for each in agent._watches), "all watches to give up")
    assert "failed" not in probe(agent, "/healthz")
    assert (node.label(first), node.label(second)) == ("Ready", None)
    node.link.frozen = False
    node.wait(second, "Ready")
    node.wait(first, None)


def test_connections_that_are_reset_in_the_middle_of_an_event(node: LinkedNode) -> None:
    """At whatever byte, and again and again: no change is lost, and none is taken for another one."""
    dice = random.Random(20260506)
    node.link.cuts_at = [dice.randrange(3_000, 12_000) for _ in range(40)]
    node.agent()
    models = node.vendor_models(6)
    for number, model in enumerate(models):
        node.patch(model, {"metadata": {"annotations": {"padding": "x" * 2000 * (number % 3)}}})
    for model in models[::2]:
        node.wait(model, "Ready")
        node.delete(model)
    for number, model in enumerate(models):
        node.wait(model, "Ready" if number % 2 else None)
    assert len(node.link.cuts_at) < 30
    assert not node.ended


def test_the_api_server_starts_anew_and_has_forgotten_what_the_watches_knew(
    node: LinkedNode, cluster: ApiServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """410 Gone from a real API server, refusals until it has read its roles, and changes while nobody watched."""
    answers: list[ApiError] = []
    made = ApiError.__init__

    def recorded(self: ApiError, *arguments: Any, **more: Any) -> None:
        made(self, *arguments, **more)
        answers.append(self)

    node.agent()
    kept, gone = node.vendor_models(2)
    node.wait(kept, "Ready")
    node.wait(gone, "Ready")
    node.link.refuse()
    node.delete(gone)
    cluster.restart()
    for number in range(3):
        node.patch(kept, {"metadata": {"annotations": {"n": str(number)}}})
    monkeypatch.setattr(ApiError, "__init__", recorded)
    node.link.listen()
    after = node.model(f"{node.name}-after")
    node.wait(after, "Ready")
    node.wait(gone, None)
    assert any(answer.gone for answer in answers)
    assert not node.ended


def test_rights_that_are_missing_for_a_moment(node: LinkedNode, cluster: ApiServer) -> None:
    """As an API server refuses everybody who asks it too early. Without rights for good, the process ends."""
    agent = node.agent()
    first = node.model(f"{node.name}-first")
    node.wait(first, "Ready")
    bindings = [obj for obj in permissions(Options(namespace=OME)) if obj["kind"].endswith("Binding")]
    for binding in bindings:
        scope = f"namespaces/{OME}/" if binding["kind"] == "RoleBinding" else ""
        url = f"/apis/{binding['apiVersion']}/{scope}{binding['kind'].lower()}s/{binding['metadata']['name']}"
        assert cluster.request("DELETE", url).accepted
    try:
        node.link.reset()
        until(lambda: any("cannot" in each.failure for each in agent._watches), "the refusal")
    finally:
        for binding in bindings:
            assert cluster.apply(binding).accepted
    second = node.model(f"{node.name}-second", path="second")
    node.wait(second, "Ready")
    assert not node.ended


def test_a_slow_api_server(node: LinkedNode) -> None:
    node.link.delay = 0.08
    node.agent()
    model = node.model()
    node.wait(model, "Ready")
    node.delete(model)
    node.wait(model, None)


def test_an_api_server_that_is_away_at_the_start(node: LinkedNode) -> None:
    """The agent lives, is not ready, says why, and starts when the API server is there."""
    node.link.refuse()
    model = node.model()
    agent = node.agent()
    until(lambda: "does not answer" in probe(agent, "/readyz/started"), "the reason")
    assert "failed" not in probe(agent, "/healthz")
    node.link.listen()
    node.wait(model, "Ready")
    until(lambda: "passed" in probe(agent, "/readyz"), "the agent to be ready")


@pytest.mark.parametrize("silent", [False, True], ids=["refused", "swallowed"])
def test_an_api_server_that_is_away_while_a_download_ends(node: LinkedNode, hub: HubServer, silent: bool) -> None:
    hub.rate = SLOW
    node.agent()
    model = node.model()
    node.wait(model, "Updating")
    if silent:
        node.link.frozen = True
    else:
        node.link.refuse()
    until(lambda: node.published() is not None, "the download to end")
    assert node.label(model) == "Updating"
    if silent:
        node.link.frozen = False
    else:
        node.link.listen()
    node.wait(model, "Ready")
    assert node.entry(model)["config"]["modelArchitecture"] == "LlamaForCausalLM"
    assert content_of(node.root / "model") == expected(hub)


def test_an_end_while_the_api_server_is_away(node: LinkedNode, hub: HubServer) -> None:
    """The process does not wait for it, and the next one goes on with the bytes that are there."""
    hub.rate = SLOW
    node.agent()
    model = node.model()
    until(lambda: some_arrived(node.root), "some bytes")
    node.link.frozen = True
    started = time.monotonic()
    node.stop()
    assert time.monotonic() - started < 8
    assert node.label(model) == "Updating"
    node.agent()
    time.sleep(0.1)  # it begins, and hears nothing
    started = time.monotonic()
    node.stop()
    assert time.monotonic() - started < 8
    node.link.reset()
    node.link.frozen = False
    hub.rate = 0
    node.agent()
    node.wait(model, "Ready")
    assert content_of(node.root / "model") == expected(hub)


# Changes in quick succession


def test_two_hundred_changes_of_a_model_while_it_is_downloaded(node: LinkedNode, hub: HubServer) -> None:
    """Annotations change all the time, and now and then the model itself: what comes last is what is there."""
    hub.rate = SLOW
    node.agent()
    model = node.model()
    node.wait(model, "Updating")
    for number in range(200):
        annotations = {"metadata": {"annotations": {"n": str(number)}}}
        uri = "hf://org/other" if number % 50 == 49 else "hf://org/model"
        spec = {"spec": {"storage": {"storageUri": uri}}} if number % 25 == 24 else {}
        node.patch(model, annotations | spec)
    hub.rate = 0
    until(lambda: node.label(model) == "Ready" and content_of(node.root / "model") == expected(hub, "org/other"), "it")
    assert not list(node.root.glob(".omec-stage-*"))


def test_annotations_that_change_all_the_time_do_not_keep_a_model_away(node: LinkedNode, hub: HubServer) -> None:
    hub.rate = SLOW
    node.agent()
    model = node.model()
    deadline = time.monotonic() + 20
    number = 0
    while node.published() is None:
        assert time.monotonic() < deadline, "the model never arrives"
        number += 1
        node.patch(model, {"metadata": {"annotations": {"n": str(number)}}})
        time.sleep(0.1)
    node.wait(model, "Ready")


@pytest.mark.parametrize("path", ["model", "another"])
def test_a_model_is_deleted_and_created_anew_while_it_is_downloaded(
    node: LinkedNode, hub: HubServer, path: str
) -> None:
    hub.rate = SLOW
    node.agent()
    model = node.model()
    until(lambda: some_arrived(node.root), "some bytes")
    node.delete(model)
    node.model(model["metadata"]["name"], "hf://org/other", path)
    node.wait(model, "Ready")
    assert content_of(node.root / path) == expected(hub, "org/other")
    left = {each.path.name for each in find_garbage([str(node.root)], [f"{node.root}/{path}"])}
    assert {name for name in left if not name.startswith(".omec-stage-")} == set()
    assert {each.name for each in node.root.iterdir() if each.is_dir()} == {path} | left


def test_a_model_that_moves(node: LinkedNode, hub: HubServer) -> None:
    """Whoever serves from the old place goes on; it is garbage afterwards."""
    node.agent()
    model = node.model()
    node.wait(model, "Ready")
    hub.rate = SLOW
    node.patch(model, {"spec": {"storage": {"path": f"{node.root}/moved"}}})
    node.wait(model, "Updating")
    hub.rate = 0
    node.wait(model, "Ready")
    assert content_of(node.root / "moved") == content_of(node.root / "model") == expected(hub)
    assert [each.path.name for each in find_garbage([str(node.root)], [f"{node.root}/moved"])] == ["model"]


def test_a_node_is_relabelled_during_a_download(node: LinkedNode, hub: HubServer) -> None:
    """What has begun is brought to its end; but the node does not keep a model that is gone or another one."""
    hub.rate = SLOW
    node.agent()
    models = [
        node.model(f"{node.name}-{name}", path=name, nodeSelector={"own": node.name, "pool": "gpu"})
        for name in ("kept", "gone", "changed")
    ]
    kept, gone, changed = models
    node.relabel(pool="gpu")
    node.wait(kept, "Updating")
    node.relabel(pool="cpu")
    for model in models:
        node.wait(model, "Ready")
    node.delete(gone)
    node.patch(changed, {"spec": {"storage": {"storageUri": "hf://org/other"}}})
    node.wait(gone, None)
    node.wait(changed, None)
    assert node.label(kept) == "Ready"
    assert {each.name for each in node.root.iterdir() if each.is_dir()} == {"kept"}


def test_a_node_object_is_deleted_and_created_anew(node: LinkedNode, cluster: ApiServer) -> None:
    """The new one says what there is, and nothing of what went in between."""
    agent = node.agent()
    kept, gone = node.model(), node.vendor_models(1)[0]
    node.wait(kept, "Ready")
    node.wait(gone, "Ready")
    assert cluster.request("DELETE", f"/api/v1/nodes/{node.name}").accepted
    node.delete(gone)
    until(lambda: not agent._reporter.tells_of(ModelKey.of(gone)), "the agent to notice")
    assert cluster.create({"apiVersion": "v1", "kind": "Node", "metadata": {"name": node.name}}).accepted
    node.wait(kept, "Ready")
    node.wait(gone, None)


# Processes that die


def test_an_agent_is_killed_and_the_one_that_waits_takes_over(node: LinkedNode, hub: HubServer, tmp_path: Path) -> None:
    """kill -9 of the whole process in the middle of a download, with a second agent at the door."""
    hub.rate = SLOW
    model = node.model()
    kubeconfig = write_kubeconfig(replace(node.apiserver.endpoint, port=node.link.port), tmp_path / "config")
    command = [sys.executable, "-m", "omec", "agent", "node", "--node-name", node.name, "--namespace", OME]
    command += ["--models-root", str(node.root), "--kubeconfig", str(kubeconfig), "--reserve", "0", "--port", "0"]
    process = subprocess.Popen(command, env={**os.environ, "HF_ENDPOINT": hub.endpoint}, stderr=subprocess.DEVNULL)
    try:
        until(lambda: some_arrived(node.root), "some bytes")
        second = node.agent()
        until(lambda: "another agent" in probe(second, "/readyz/lock"), "the second to wait")
    finally:
        process.send_signal(signal.SIGKILL)
        process.wait()
    assert node.published() is None
    hub.rate = 0
    node.wait(model, "Ready")
    assert content_of(node.root / "model") == expected(hub)
    assert "ok" in probe(second, "/readyz/lock")
