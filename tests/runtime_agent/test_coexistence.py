"""When the agent may write: as soon as it is known that nobody else does, and not while somebody does."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Mapping
from typing import Any

import pytest

from omec.runtime_agent.cluster.resources import Object, Resource
from omec.runtime_agent.coexistence import MANAGER, MODEL_AGENT, Rivals

UNKNOWN = "not known yet whether OME's manager or model agent runs"


class ApiServer:
    """Lists ``items``, tells of ``changes``, and has nothing more to say: it sets ``stop``."""

    def __init__(self, items: list[Object], changes: list[Object]) -> None:
        self.items, self.changes, self.stop = items, changes, threading.Event()

    def pages(self, _resource: Resource, _namespace: str | None, **_selectors: str) -> Iterator[Object]:
        yield {"metadata": {"resourceVersion": "1"}, "items": self.items}

    def stream(self, _path: str, _query: Mapping[str, str], _seconds: float) -> Iterator[Object]:
        yield from self.changes
        self.stop.set()


def manager(available: int) -> Object:
    metadata = {"name": MANAGER, "namespace": "ome", "resourceVersion": "2"}
    return {"kind": "Deployment", "metadata": metadata, "status": {"availableReplicas": available}}


@pytest.mark.parametrize(
    ("items", "changes", "told"),
    [
        ([], [], [""]),
        ([manager(0)], [], [""]),
        ([manager(1)], [], [MANAGER]),
        ([manager(1)], [{"type": "MODIFIED", "object": manager(0)}], [MANAGER, ""]),
        ([manager(1)], [{"type": "MODIFIED", "object": manager(2)}], [MANAGER, MANAGER]),
        ([], [{"type": "ADDED", "object": manager(1)}, {"type": "DELETED", "object": manager(1)}], ["", MANAGER, ""]),
    ],
)
def test_changes_are_told_at_once(items: list[Object], changes: list[Object], told: list[str]) -> None:
    reasons: list[str] = []
    server: Any = ApiServer(items, changes)
    rivals = Rivals(server, on_change=lambda: reasons.append(rivals.reason))
    assert rivals.reason == UNKNOWN
    for watch in reversed(rivals.watches):  # DaemonSets first
        server.stop.clear()
        if watch.resource.kind == "DaemonSet":
            server.items, server.changes = [], []
        else:
            server.items, server.changes = items, changes
        rivals.follow(watch, server.stop)
    assert [bool(reason) for reason in reasons] == [bool(name) for name in told]
    assert all(name in reason for name, reason in zip(told, reasons, strict=True))


def test_takeover_writes_from_the_start() -> None:
    server: Any = ApiServer([manager(1)], [])
    rivals = Rivals(server, takeover=True)
    assert rivals.reason == ""
    rivals.follow(rivals.watches[0], server.stop)
    assert rivals.reason == ""
    assert rivals.manager_runs


def test_both_parts_of_ome_are_looked_for() -> None:
    server: Any = ApiServer([], [])
    assert [watch._query["fieldSelector"] for watch in Rivals(server).watches] == [
        f"metadata.name={name}" for name in (MANAGER, MODEL_AGENT)
    ]
