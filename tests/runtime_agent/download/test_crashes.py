"""kill -9 at random points: what is published is whole, and nothing that arrived is fetched again."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from omec.runtime_agent.download.job import Job
from omec.runtime_agent.download.marker import Marker
from tests.facts.hub_server import HubServer
from tests.runtime_agent.download.conftest import MODEL, content_of, expected

POINTS = int(os.environ.get("OMEC_KILL_POINTS", "8"))
"""How often the download is killed; the bar is 50."""


def test_kill_nine_at_random_points(hub: HubServer, job: Callable[..., Job], root: Path) -> None:
    """Each round kills a download once and looks at what is there; the last one is left to finish."""
    dice = random.Random(20260506)
    hub.rate = 4_000_000
    total = sum(len(content) for content in hub.repositories[MODEL].files.values())
    started = hub.bytes_sent
    for number in range(POINTS):
        process = start(job())
        time.sleep(dice.uniform(0.05, 1.2))
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        assert_nothing_wrong(hub, root / "model")
        if number % 3 == 2:  # begin anew where the model is complete, with one damaged file
            damage(root / "model")
    hub.rate = 0
    assert start(job()).wait(timeout=60) == 0
    assert content_of(root / "model") == expected(hub)
    assert Marker.read(root / "model") is not None
    assert not [path for path in root.iterdir() if "stage" in path.name]
    assert hub.bytes_sent - started < total * (2 + POINTS / 3)


def test_a_child_ends_with_its_parent(hub: HubServer, job: Callable[..., Job]) -> None:
    hub.rate = 100_000
    process = start(job())
    time.sleep(0.5)
    assert process.stdin is not None
    process.stdin.close()
    assert process.wait(timeout=10) == 1


def start(job: Job) -> subprocess.Popen[str]:
    process = subprocess.Popen(
        [sys.executable, "-m", "omec.runtime_agent.download.worker"],
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        start_new_session=True,
        text=True,
    )
    assert process.stdin is not None
    process.stdin.write(f"{json.dumps(job.to_dict())}\n")
    process.stdin.flush()
    return process


def assert_nothing_wrong(hub: HubServer, folder: Path) -> None:
    """What looks whole is whole; otherwise, whatever is in its place is right as well."""
    present, wanted = content_of(folder), expected(hub)
    assert {name: digest for name, digest in present.items() if wanted[name] != digest} == {}
    marker = Marker.read(folder)
    if marker is not None and marker.is_intact(folder):
        assert present == wanted


def damage(folder: Path) -> None:
    if folder.exists():
        (folder / "model-2.bin").unlink(missing_ok=True)


@pytest.mark.parametrize("cut", [1, 1000, 700_000])
def test_a_part_with_garbage_from_a_power_failure(
    hub: HubServer, job: Callable[..., Job], root: Path, cut: int
) -> None:
    """The size survived, the content did not: the digest tells, and the file is fetched anew."""
    hub.rate = 300_000
    process = start(job())
    deadline = time.monotonic() + 30
    while not (parts := [path for path in root.glob("*/parts/*") if path.stat().st_size > 5000]):
        assert time.monotonic() < deadline
        time.sleep(0.02)
    process.kill()
    process.wait()
    for part in parts:
        part.write_bytes(b"\0" * cut)
    hub.rate = 0
    assert start(job()).wait(timeout=60) == 0
    assert content_of(root / "model") == expected(hub)
