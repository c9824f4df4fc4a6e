"""Connections that break, crawl and disappear; servers that ask for patience; a clock that jumps."""

from __future__ import annotations

import os
import ssl
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import TypeVar

import pytest

from omec.facts.remote import client
from omec.facts.remote.client import Patience
from omec.runtime_agent.cluster.backoff import Backoff
from omec.runtime_agent.download import transfer
from omec.runtime_agent.download.errors import DownloadError, Kind
from omec.runtime_agent.download.fetch import fetch
from omec.runtime_agent.download.job import Job
from omec.runtime_agent.download.runner import Supervision, run
from omec.runtime_agent.download.tally import Tally
from tests.facts.hub_server import HubServer
from tests.runtime_agent.download.conftest import content_of, expected, some_arrived
from tests.runtime_agent.tcp_proxy import TcpProxy

MakeJob = Callable[..., Job]
T = TypeVar("T")


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
    storage_proxy.cuts_at = [after] * 4
    result = fetch(job(), Tally())
    assert content_of(root / "model") == expected(hub)
    assert result.transferred == result.size  # what had arrived was not fetched again


def test_connections_that_crawl(hub: HubServer, job: MakeJob, root: Path, storage_proxy: TcpProxy) -> None:
    storage_proxy.delay = 0.05
    fetch(job(), Tally())
    assert content_of(root / "model") == expected(hub)


def test_a_storage_that_is_away_for_a_while(hub: HubServer, job: MakeJob, root: Path, storage_proxy: TcpProxy) -> None:
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


def test_bytes_that_come_and_stop_coming(
    hub: HubServer, job: MakeJob, root: Path, storage_proxy: TcpProxy, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A firewall forgets the connections in the middle: nothing is refused, and nothing comes any more."""
    monkeypatch.setattr("omec.runtime_agent.download.http.READ_SECONDS", 0.5)
    storage_proxy.rate = 1_000_000
    forgotten = when(lambda: some_arrived(root), storage_proxy.forget)
    result = fetch(job(), Tally())
    assert forgotten() > 0
    assert result.transferred == result.size
    assert content_of(root / "model") == expected(hub)


def test_answers_that_end_too_early(hub: HubServer, job: MakeJob, root: Path, storage_proxy: TcpProxy) -> None:
    """In good order, as some proxies do when they have had enough."""
    storage_proxy.rate = 1_000_000
    closed = when(lambda: some_arrived(root), storage_proxy.half_close)
    result = fetch(job(), Tally())
    closed()
    assert result.transferred == result.size
    assert content_of(root / "model") == expected(hub)


def test_a_storage_where_nobody_listens(hub: HubServer, job: MakeJob, root: Path, storage_proxy: TcpProxy) -> None:
    storage_proxy.refuse()
    back = when(lambda: any(path.endswith("model-2.bin") for path in hub.paths()), storage_proxy.listen)
    fetch(job(), Tally())
    back()
    assert content_of(root / "model") == expected(hub)


def test_a_child_that_gets_nothing_is_replaced(
    hub: HubServer, job: MakeJob, root: Path, storage_proxy: TcpProxy
) -> None:
    """The watchdog ends it; the next child goes on where it was."""
    storage_proxy.rate = 1_000_000

    def freeze() -> None:
        storage_proxy.frozen = True
        time.sleep(1.2)
        storage_proxy.forget()
        storage_proxy.frozen = False

    frozen = when(lambda: some_arrived(root), freeze)
    result = run(job(), threading.Event(), lambda _: None, Supervision(stall_seconds=1, attempts=4, first_wait=0.01))
    frozen()
    assert result.transferred < result.size
    assert content_of(root / "model") == expected(hub)


def when(happened: Callable[[], bool], act: Callable[[], T]) -> Callable[[], T]:
    """Have ``act`` done in the background as soon as ``happened``; what it answers, when that is asked for."""

    def wait_and_act() -> T:
        deadline = time.monotonic() + 20
        while not happened():
            assert time.monotonic() < deadline
            time.sleep(0.01)
        return act()

    return ThreadPoolExecutor(1).submit(wait_and_act).result


def test_a_pause_that_a_hub_asks_for_is_no_stall(hub: HubServer, job: MakeJob, root: Path) -> None:
    """The watchdog's patience is shorter than the pause, and the hub is asked once, not again and again."""
    hub.trouble("/config.json$", status=429, headers={"Retry-After": "3"})
    started = time.monotonic()
    run(job(), threading.Event(), lambda _: None, Supervision(stall_seconds=2, attempts=2, first_wait=0.01))
    assert time.monotonic() - started > 3
    assert [asked.status for asked in hub.asked if "config.json" in asked.path] == [429, 200]
    assert content_of(root / "model") == expected(hub)


@pytest.mark.parametrize("path", ["/config.json$", "/api/models/"])
def test_a_pause_that_is_too_long_to_wait_for_is_told(hub: HubServer, job: MakeJob, root: Path, path: str) -> None:
    hub.trouble(path, status=429, headers={"Retry-After": "3600"}, times=100)
    with pytest.raises(DownloadError) as raised:
        run(job(), threading.Event(), lambda _: None)
    assert (raised.value.kind, raised.value.wait) == (Kind.RATE_LIMIT, 3600)
    assert [asked.status for asked in hub.asked].count(429) == 1
    assert not (root / "model").exists()


def test_a_hub_with_the_wrong_certificate(
    job: MakeJob, root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nothing is asked of it, least of all with a token; it may be a matter of time (a clock, a certificate)."""
    key, certificate = tmp_path / "key.pem", tmp_path / "certificate.pem"
    subject = ["-subj", "/CN=localhost", "-addext", "subjectAltName=IP:127.0.0.1"]
    command = ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"]
    subprocess.run([*command, "-keyout", key, "-out", certificate, *subject], check=True, capture_output=True)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate, key)
    monkeypatch.setattr(client, "Patience", lambda: Patience(first_wait=0.01))
    with ThreadingHTTPServer(("127.0.0.1", 0), BaseHTTPRequestHandler) as server:
        server.socket = context.wrap_socket(server.socket, server_side=True)
        server.handle_error = lambda *_: None  # type: ignore[method-assign]  # the client goes away, as it should
        threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True).start()
        monkeypatch.setattr("huggingface_hub.constants.ENDPOINT", f"https://127.0.0.1:{server.server_address[1]}")
        with pytest.raises(DownloadError, match="certificate verify failed") as raised:
            fetch(job(), Tally())
        server.shutdown()
    assert raised.value.passing
    assert list(root.iterdir()) == []


def test_a_child_that_is_killed_in_the_middle_of_a_word(
    job: MakeJob, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The kernel takes memory back whenever it likes; another child may have more luck."""
    child = tmp_path / "child"
    child.write_text('#!/bin/sh\nprintf \'{"event": "do\'\nkill -9 $$\n')
    child.chmod(0o755)
    monkeypatch.setattr(sys, "executable", str(child))
    with pytest.raises(DownloadError, match="signal SIGKILL") as raised:
        run(job(), threading.Event(), lambda _: None, Supervision(attempts=2, first_wait=0.01))
    assert raised.value.kind is Kind.CRASHED
