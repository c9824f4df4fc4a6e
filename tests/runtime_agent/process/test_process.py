"""Logs without secrets, probes in Kubernetes' form, and an end that is asked for."""

from __future__ import annotations

import io
import json
import logging
import subprocess
import sys
import urllib.error
import urllib.request
from collections.abc import Iterator

import pytest

from omec.errors import OmecError
from omec.runtime_agent.process.health import HealthServer
from omec.runtime_agent.process.logs import configure_logs, logger
from omec.runtime_agent.process.metrics import Metrics

pytest.importorskip("prometheus_client", reason="the extra omec[agent] is not installed")

TOKEN = "hf_" + "abcdefghijklmnopqrst"


@pytest.fixture
def stream() -> Iterator[io.StringIO]:
    root = logging.getLogger()
    handlers, level = root.handlers[:], root.level
    written = io.StringIO()
    configure_logs("info", written)
    yield written
    root.handlers[:] = handlers
    root.setLevel(level)


def test_a_line_is_one_object_without_secrets(stream: io.StringIO) -> None:
    log = logger("omec.runtime_agent.node.controller")
    log.debug("unseen")
    log.info("model ready", model="a/b", url=f"https://x/y?token={TOKEN}&z=1", paths=[TOKEN], bytes=3)
    try:
        raise ValueError(TOKEN)
    except ValueError:
        log.error("failed", traceback=True)
    first, second = map(json.loads, stream.getvalue().splitlines())
    assert TOKEN not in stream.getvalue()
    assert first.pop("time").endswith("+00:00")
    assert first == {
        "level": "info",
        "logger": "node.controller",
        "message": "model ready",
        "model": "a/b",
        "url": "https://x/y?token=[redacted]&z=1",
        "paths": ["[redacted]"],
        "bytes": 3,
    }
    assert second["traceback"].endswith("ValueError: [redacted]")


@pytest.fixture
def server() -> Iterator[HealthServer]:
    serving = HealthServer(
        0,
        health={"disk": lambda: ""},
        ready={"disk": lambda: "", "sync": lambda: "models are not listed yet"},
        metrics=Metrics(),
        pages={"/status": lambda: ("application/json", b"{}")},
        address="",
    )
    serving.start()
    yield serving
    serving.stop()


@pytest.mark.parametrize(
    ("path", "status", "body"),
    [
        ("/livez", 200, "livez check passed\n"),
        ("/healthz", 200, "[+]disk ok\nhealthz check passed\n"),
        ("/healthz/disk", 200, "[+]disk ok\nhealthz check passed\n"),
        ("/readyz?verbose", 503, "[+]disk ok\n[-]sync failed: models are not listed yet\nreadyz check failed\n"),
        ("/readyz/sync", 503, "[-]sync failed: models are not listed yet\nreadyz check failed\n"),
        ("/readyz/other", 404, "not found\n"),
        ("/status", 200, "{}"),
    ],
)
def test_probes(server: HealthServer, path: str, status: int, body: str) -> None:
    assert asked(server, path) == (status, body)


def test_a_port_that_is_taken(server: HealthServer) -> None:
    with pytest.raises(OmecError, match="cannot be opened: address already in use") as raised:
        HealthServer(server.port, health={}, ready={}, metrics=Metrics())
    assert raised.value.code == "OME733"


def test_metrics_are_those_of_the_process(server: HealthServer) -> None:
    status, body = asked(server, "/metrics")
    assert status == 200
    assert "\nprocess_resident_memory_bytes " in body


def asked(server: HealthServer, path: str) -> tuple[int, str]:
    try:
        with urllib.request.urlopen(f"http://localhost:{server.port}{path}", timeout=10) as response:
            return response.status, response.read().decode()
    except urllib.error.HTTPError as error:
        with error:
            return error.code, error.read().decode()


@pytest.mark.parametrize(("signals", "code"), [(1, 0), (2, 130)])
def test_the_first_signal_asks_and_the_second_ends(signals: int, code: int) -> None:
    program = (
        "import os, signal, sys, time\n"
        "from omec.runtime_agent.process.lifecycle import stop_on_signals\n"
        "stop = stop_on_signals()\n"
        f"for _ in range({signals}): os.kill(os.getpid(), signal.SIGTERM)\n"
        "assert stop.wait(5)\n"
    )
    assert subprocess.run([sys.executable, "-c", program], timeout=60, check=False).returncode == code
