"""Connections that break, crawl and disappear; a clock that jumps."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from omec.facts.remote import client
from omec.facts.remote.client import Patience
from omec.runtime_agent.cluster.backoff import Backoff
from omec.runtime_agent.download import transfer
from omec.runtime_agent.download.fetch import fetch
from omec.runtime_agent.download.job import Job
from omec.runtime_agent.download.tally import Tally
from tests.facts.hub_server import HubServer
from tests.runtime_agent.download.conftest import content_of, expected
from tests.runtime_agent.tcp_proxy import TcpProxy

MakeJob = Callable[..., Job]


@pytest.fixture
def storage_proxy(hub: HubServer, monkeypatch: pytest.MonkeyPatch) -> Iterator[TcpProxy]:
    """A proxy in front of the storage that large files are redirected to."""
    monkeypatch.setattr(transfer, "Backoff", lambda first, longest: Backoff(first / 20, longest / 20))
    monkeypatch.setattr(client, "Patience", lambda: Patience(first_wait=0.01))
    with TcpProxy(hub.storage) as proxy:
        monkeypatch.setattr(HubServer, "storage", property(lambda _: proxy.address))
        yield proxy


@pytest.mark.parametrize("after", [1, 100, 5_000, 300_000])
def test_connections_that_break(hub: HubServer, job: MakeJob, root: Path, storage_proxy: TcpProxy, after: int) -> None:
    storage_proxy.cut_after, storage_proxy.cuts = after, 4
    result = fetch(job(), Tally())
    assert content_of(root / "model") == expected(hub)
    assert result.transferred == result.size  # what had arrived was not fetched again


def test_connections_that_crawl(hub: HubServer, job: MakeJob, root: Path, storage_proxy: TcpProxy) -> None:
    storage_proxy.delay = 0.05
    fetch(job(), Tally())
    assert content_of(root / "model") == expected(hub)


def test_a_storage_that_is_away_for_a_while(hub: HubServer, job: MakeJob, root: Path, storage_proxy: TcpProxy) -> None:
    import threading  # noqa: PLC0415

    storage_proxy.down = True
    threading.Timer(0.4, setattr, (storage_proxy, "down", False)).start()
    fetch(job(), Tally())
    assert content_of(root / "model") == expected(hub)


def test_a_clock_that_jumps(hub: HubServer, job: MakeJob, root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Files may seem to come from the future or the past: only that they are unchanged counts."""
    real = time.time
    monkeypatch.setattr(time, "time", lambda: real() - 10 * 365 * 86_400)
    assert fetch(job(), Tally()).changed
    monkeypatch.setattr(time, "time", lambda: real() + 10 * 365 * 86_400)
    assert not fetch(job(), Tally()).changed
    os.utime(root / "model" / "config.json", (0, 0))
    assert fetch(job(), Tally()).transferred == 0  # read again and found right
    assert content_of(root / "model") == expected(hub)
