"""Without a cluster: one paragraph that says what is missing."""

from __future__ import annotations

import socket
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from omec.runtime_agent.cluster.backoff import Backoff
from omec.runtime_agent.cluster.connect import connect
from omec.runtime_agent.cluster.errors import ApiError, ClusterError, UnreachableError
from omec.runtime_agent.cluster.report import cluster_problems_end_the_command
from omec.runtime_agent.cluster.resources import BASE_MODELS, CONFIG_MAPS, NODES, Resource

pytest.importorskip("kubernetes", reason="the extra omec[agent] is not installed")


@pytest.mark.parametrize(
    ("resource", "arguments", "path"),
    [
        (NODES, ("a",), "/api/v1/nodes/a"),
        (NODES, ("a", "ignored"), "/api/v1/nodes/a"),
        (CONFIG_MAPS, ("a", "ns"), "/api/v1/namespaces/ns/configmaps/a"),
        (CONFIG_MAPS, (), "/api/v1/configmaps"),
        (BASE_MODELS, ("a/b", "n", "status"), "/apis/ome.io/v1beta1/namespaces/n/basemodels/a%2Fb/status"),
    ],
)
def test_paths(resource: Resource, arguments: tuple[str, ...], path: str) -> None:
    assert resource.path(*arguments) == path


@pytest.mark.parametrize("content", ["", "{}", "clusters: 1", "a: [", "current-context: x\nclusters: []"])
def test_a_kubeconfig_that_cannot_be_used(tmp_path: Path, content: str) -> None:
    file = tmp_path / "kubeconfig"
    file.write_text(content, encoding="utf-8")
    with pytest.raises(ClusterError) as raised:
        connect(file)
    assert raised.value.code == "OME731"
    assert raised.value.message.startswith("no cluster is configured: ")
    assert "' object " not in raised.value.message, "the words of Python"


def test_a_kubeconfig_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(ClusterError, match=f"there is no file {tmp_path}/none"):
        connect(tmp_path / "none")


def test_a_client_that_is_not_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "kubernetes", None)
    with pytest.raises(ClusterError, match="needs the client for Kubernetes") as raised:
        connect()
    assert raised.value.code == "OME730"


def test_a_kubeconfig_that_does_not_exist(tmp_path: Path) -> None:
    with pytest.raises(ClusterError, match="no cluster is configured"):
        connect(tmp_path / "missing")


@pytest.mark.parametrize(
    ("fault", "told"),
    [
        (lambda: ApiError(403, "Forbidden", "nodes is forbidden"), "the API server refuses: nodes is forbidden"),
        (lambda: UnreachableError("nobody there"), "nobody there"),
    ],
)
def test_problems_are_told_in_a_paragraph(fault: Callable[[], Exception], told: str) -> None:
    with pytest.raises(ClusterError) as raised, cluster_problems_end_the_command():
        raise fault()
    assert (raised.value.message, raised.value.code) == (told, "OME732")


def test_waits_grow_up_to_a_limit_and_start_again() -> None:
    backoff = Backoff(1.0, 5.0)
    waits = [backoff.next() for _ in range(50)]
    assert all(limit / 2 <= wait <= limit for wait, limit in zip(waits, [1, 2, 4, 5, 5], strict=False))
    assert max(waits) <= 5
    backoff.reset()
    assert backoff.next() <= 1


def test_the_system_looks_after_connections(tmp_path: Path) -> None:
    """A peer that is gone without a word is found out while nobody asks anything."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        file = tmp_path / "kubeconfig"
        address = f"http://127.0.0.1:{server.getsockname()[1]}"
        file.write_text(
            f"{{current-context: a, clusters: [{{name: a, cluster: {{server: '{address}'}}}}], users: [],"
            " contexts: [{name: a, context: {cluster: a, user: ''}}]}",
            encoding="utf-8",
        )
        connection = connect(file)._pool.connection_from_url(address)._new_conn()
        connection.connect()
        assert connection.sock is not None
        options = {name: connection.sock.getsockopt(*option) for name, option in OPTIONS.items()}
        connection.close()
    assert options == {"keepalive": 1, "nodelay": 1, "idle": 30, "unacknowledged": 20_000}


OPTIONS = {
    "keepalive": (socket.SOL_SOCKET, socket.SO_KEEPALIVE),
    "nodelay": (socket.IPPROTO_TCP, socket.TCP_NODELAY),
    "idle": (socket.IPPROTO_TCP, socket.TCP_KEEPIDLE),
    "unacknowledged": (socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT),
}
