"""``omec agent fetch model`` and ``enigma``: what they do, and how they fail."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.facts.conftest import local_hub
from tests.facts.hub_server import HubServer
from tests.runtime_agent.download.conftest import FILES, MODEL, content_of, expected, some_arrived
from tests.runtime_agent.fetch.conftest import Pod, message_of

TOKEN = "hf_" + "good" * 5


@pytest.fixture
def hub(monkeypatch: pytest.MonkeyPatch, pod: Pod) -> Iterator[HubServer]:
    for server in local_hub(monkeypatch):
        server.repository(MODEL, FILES)
        pod.variables["HF_ENDPOINT"] = server.endpoint
        yield server


def test_a_model_arrives(hub: HubServer, pod: Pod) -> None:
    code, log = pod.run("model", f"hf://{MODEL}", str(pod.target))
    assert code == 0, log
    assert content_of(pod.target) == expected(hub)
    assert message_of(log[-1]).startswith(
        f"hf://{MODEL} at 0123456789abcdef0123456789abcdef01234567 is in {pod.target}"
    )
    code, log = pod.run("model", f"hf://{MODEL}", str(pod.target))
    assert (code, message_of(log[-1])) == (0, f"hf://{MODEL} is complete in {pod.target} already")


@pytest.mark.parametrize(("number", "expected_code"), [(signal.SIGKILL, -9), (signal.SIGTERM, 143)])
def test_an_end_in_the_middle_is_gone_on_from(hub: HubServer, pod: Pod, number: int, expected_code: int) -> None:
    hub.rate = 400_000
    process = pod.start("model", f"hf://{MODEL}", str(pod.target))
    deadline = time.monotonic() + 30
    while hub.bytes_sent < 100_000 or not some_arrived(pod.volume, 50_000):
        assert time.monotonic() < deadline
        time.sleep(0.05)
    process.send_signal(number)
    process.communicate(timeout=10)
    assert process.returncode == expected_code
    assert not pod.target.exists()
    hub.rate = 0
    time.sleep(0.5)  # its child sees that it is gone
    hub.asked.clear()
    assert pod.run("model", f"hf://{MODEL}", str(pod.target))[0] == 0
    assert any(asked.headers.get("range") for asked in hub.asked), "nothing was gone on from"
    assert content_of(pod.target) == expected(hub)


def test_a_token_is_used_and_never_told(hub: HubServer, pod: Pod) -> None:
    hub.repositories[MODEL].gated = True
    code, log = pod.run("model", f"hf://{MODEL}", str(pod.target), "--debug")
    assert (code, log[-1].endswith("[OME755]")) == (3, True), log
    pod.variables["HF_TOKEN"] = "hf_" + "wrong" * 5
    code, log = pod.run("model", f"hf://{MODEL}", str(pod.target), "--debug")
    assert (code, "wrongwrong" in "\n".join(log)) == (3, False), log
    pod.variables["HF_TOKEN"] = TOKEN
    code, log = pod.run("model", f"hf://{MODEL}", str(pod.target), "--debug")
    assert (code, TOKEN in "\n".join(log)) == (0, False), log


@pytest.mark.parametrize(
    ("uri", "code", "words"),
    [
        ("hf://org/missing", 3, "has no model org/missing"),
        ("hf://org/model@nothing", 3, "nothing"),
        ("hf://", 2, ""),
        ("ftp://somewhere", 2, "is nothing to download"),
        ("", 2, "is nothing to download"),
        ("s3://bucket/prefix", 2, "is nothing to download"),
        ("local:///etc", 2, "is nothing to download"),
        ("vendor://a/b/c", 2, "is nothing to download"),
    ],
)
def test_uris_that_lead_nowhere(hub: HubServer, pod: Pod, uri: str, code: int, words: str) -> None:
    ended, log = pod.run("model", uri, str(pod.target))
    assert (ended, words in log[-1]) == (code, True), log


def test_a_directory_without_a_name(pod: Pod) -> None:
    """As from a variable that is not set."""
    code, log = pod.run("model", "hf://a/b", "")
    assert (code, log[-1]) == (2, "Error: Invalid value for 'DIRECTORY': it is empty")


def test_other_content_than_announced(hub: HubServer, pod: Pod, monkeypatch: pytest.MonkeyPatch) -> None:
    from omec.runtime_agent.fetch import tasks  # noqa: PLC0415

    monkeypatch.setattr(tasks, "SUPERVISION", tasks.Supervision(attempts=1))
    hub.trouble("model-2.bin", times=9, corrupt=True)
    code, log = pod.run("model", f"hf://{MODEL}", str(pod.target))
    assert (code, "model-2.bin arrived 2 times with other content" in log[-1]) == (4, True), log
    assert not pod.target.exists()


def test_a_target_that_cannot_be_written(hub: HubServer, pod: Pod) -> None:
    code, log = pod.run("model", f"hf://{MODEL}", "/proc/models/a")
    assert (code, "/proc/models" in log[-1]) == (2, True), log
    code, log = pod.run("model", f"hf://{MODEL}", "/proc")
    assert (code, "name a directory below it" in log[-1]) == (2, True), log


def test_a_volume_that_is_too_small(hub: HubServer, pod: Pod, monkeypatch: pytest.MonkeyPatch) -> None:
    hub.repository("org/large", {"config.json": "{}"})
    free = os.statvfs(pod.volume)
    size = free.f_bavail * free.f_frsize
    monkeypatch.setattr("tests.facts.hub_server.listed", lambda path, content: announced(path, size * 2))
    code, log = pod.run("model", "hf://org/large", str(pod.target))
    assert (code, "the model needs" in log[-1]) == (5, True), log
    assert log[-1].endswith("[OME757]")


def announced(path: str, size: int) -> dict[str, object]:
    return {"type": "file", "path": path, "size": size, "oid": "0" * 40}


@pytest.mark.parametrize(
    ("disabled", "files", "code", "words"),
    [
        ("false", ["a"], 2, "omec decrypts no models"),
        ("", ["a"], 2, "omec decrypts no models"),
        ("true", ["a"], 0, "is there, and needs no decryption"),
        ("true", [], 3, "is empty"),
        ("true", None, 3, "no such file or directory"),
    ],
)
def test_enigma(pod: Pod, disabled: str, files: list[str] | None, code: int, words: str) -> None:
    if files is not None:
        pod.target.mkdir()
        for name in files:
            Path(pod.target, name).touch()
    pod.variables = {"OME_AGENT_DISABLE_MODEL_DECRYPTION": disabled, "OME_AGENT_LOCAL_PATH": str(pod.target)}
    ended, log = pod.run("enigma", "--config", "/ome-agent.yaml", "--debug")
    assert (ended, words in log[-1]) == (code, True), log
