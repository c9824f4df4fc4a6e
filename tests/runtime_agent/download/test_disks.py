"""Disks that are too small, fill up, run out of inodes or can only be read: real ones, in a mount namespace.

Where mounting is not allowed, those tests skip; the limit on the size of a file is there for everybody.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from omec.runtime_agent.download.job import Job
from omec.runtime_agent.download.marker import Marker
from omec.runtime_agent.download.stage import stage_of
from tests.facts.hub_server import HubServer
from tests.runtime_agent.download.conftest import content_of, expected

WORKER = [sys.executable, "-m", "omec.runtime_agent.download.worker"]
NAMESPACE = ["unshare", "--mount", "--propagation=private"]
MakeJob = Callable[..., Job]


@pytest.fixture(scope="module")
def may_mount(tmp_path_factory: pytest.TempPathFactory) -> None:
    probe = ["sh", "-c", 'mount -t tmpfs tmpfs "$1"', "sh", str(tmp_path_factory.mktemp("mount"))]
    allowed = (
        shutil.which("unshare")
        and not subprocess.run([*NAMESPACE, *probe], capture_output=True, check=False).returncode
    )
    if not allowed:
        pytest.skip("this user may not mount file systems")


Told = dict[str, Any]


def outcome(command: list[str], job: Job) -> tuple[Told, list[str]]:
    """What a download tells in the end, and the other lines that ``command`` prints."""
    given, taken = os.pipe()
    os.write(taken, f"{json.dumps(job.to_dict())}\n".encode())  # kept open: the worker ends with its parent
    try:
        done = subprocess.run(command, stdin=given, capture_output=True, text=True, timeout=60, check=True)
    finally:
        os.close(given)
        os.close(taken)
    lines = done.stdout.splitlines()
    told = [values for line in lines if line.startswith("{") and (values := json.loads(line))["event"] != "report"]
    assert len(told) == 1, done.stderr
    return told[0], [line for line in lines if not line.startswith("{")]


def on_disk(job: Job, options: str, meanwhile: str = "true", before: str = "true") -> tuple[Told, list[str]]:
    """What a download onto a tmpfs that is mounted with ``options`` tells, and what it leaves there but for locks.

    ``before`` and ``meanwhile`` are shell text that runs before and beside it, with the directory as ``$1``. Without
    the mount none of it runs: it must never fill a real disk.
    """
    script = (
        f'set -e; mount -t tmpfs -o {options} tmpfs "$1"; {before}; {{ {meanwhile}; }} >&2 & {" ".join(WORKER)}; '
        'wait; ls -A "$1"'
    )
    told, names = outcome([*NAMESPACE, "sh", "-c", script, "sh", str(job.target.parent)], job)
    return told, [name for name in names if "-lock-" not in name]


@pytest.mark.usefixtures("may_mount")
def test_a_disk_that_is_too_small_is_told_before(job: MakeJob) -> None:
    told, left = on_disk(job(), "size=1m")
    assert (told["event"], told["kind"]) == ("failed", "no_space")
    assert "needs" in told["message"]
    assert left == []


@pytest.mark.usefixtures("may_mount")
def test_a_disk_that_fills_up_meanwhile_is_freed(job: MakeJob, hub: HubServer) -> None:
    hub.rate = 1_000_000
    fill = (
        'for each in $(seq 400); do ls -d "$1"/.omec-stage-*/parts/* && break; sleep 0.05; done; '
        'cat /dev/zero > "$1"/full || true'
    )
    told, left = on_disk(job(), "size=3m", fill)
    assert (told["event"], told["kind"]) == ("failed", "no_space")
    assert left == ["full"]


@pytest.mark.usefixtures("may_mount")
@pytest.mark.parametrize("inodes", [3, 6, 60])
def test_a_disk_with_room_but_without_inodes_is_freed(job: MakeJob, hub: HubServer, inodes: int) -> None:
    """It has none for the lock, for the stage, for a folder, or for a file."""
    hub.repository("org/many", {"config.json": "{}", **{f"shards/{number}": "x" for number in range(100)}})
    told, left = on_disk(job("hf://org/many"), f"size=50m,nr_inodes={inodes}")
    assert (told["event"], told["kind"]) == ("failed", "no_space")
    assert left == []


@pytest.mark.usefixtures("may_mount")
@pytest.mark.parametrize(("pages", "event"), [(62, "failed"), (63, "failed"), (64, "done")])
def test_a_disk_without_room_for_what_is_written_beside_the_files(
    job: MakeJob, hub: HubServer, pages: int, event: str
) -> None:
    """Each file takes a page; the journal and the marker, which nobody has counted, take four more."""
    hub.repository("org/many", {f"f/{number}": "x" for number in range(60)})
    told, left = on_disk(job("hf://org/many"), f"size={pages * 4}k")
    assert (told["event"], told.get("kind", "no_space")) == (event, "no_space")
    assert left == (["model"] if event == "done" else [])


@pytest.mark.usefixtures("may_mount")
def test_a_disk_that_can_only_be_read(job: MakeJob) -> None:
    told, _ = on_disk(job(), "ro")
    assert (told["event"], told["kind"]) == ("failed", "disk_error")
    assert told["message"].endswith("read-only file system")


@pytest.mark.usefixtures("may_mount")
def test_a_folder_that_can_only_be_read(job: MakeJob) -> None:
    bound = 'mkdir -p "$1"/model/weights; mount --bind -o ro "$1"/model/weights "$1"/model/weights'
    told, left = on_disk(job(), "size=5m", before=bound)
    assert (told["event"], told["kind"]) == ("failed", "disk_error"), told
    assert f"{job().target}/weights/model-1.bin" in told["message"]
    assert "model" in left


@pytest.mark.usefixtures("may_mount")
def test_a_disk_with_just_enough_room(job: MakeJob) -> None:
    told, left = on_disk(job(), "size=2m")
    assert (told["event"], told.get("message")) == ("done", None)
    assert left == ["model"]


def limited(job: Job, largest: int) -> Told:
    """What a download tells that may write no file of more than ``largest`` bytes."""
    code = "import resource, runpy, signal, sys; signal.signal(signal.SIGXFSZ, signal.SIG_IGN); "
    code += f"resource.setrlimit(resource.RLIMIT_FSIZE, ({largest}, resource.RLIM_INFINITY)); "
    code += f"runpy.run_module({WORKER[-1]!r}, run_name='__main__')"
    return outcome([sys.executable, "-c", code], job)[0]


@pytest.mark.parametrize("largest", [0, 40, 1000, 100_000, 799_999])
def test_files_that_cannot_grow_any_more(job: MakeJob, hub: HubServer, root: Path, largest: int) -> None:
    """Nothing is lost, and the next attempt completes the model."""
    told = limited(job(), largest)
    assert (told["event"], told["kind"]) == ("failed", "disk_error")
    assert not job().target.exists()
    assert limited(job(), 10_000_000)["event"] == "done"
    assert content_of(root / "model") == expected(hub)
    assert Marker.read(root / "model") is not None
    assert not stage_of(root / "model").exists()
