"""The init container of fine-tuned weights, with Oracle's SDK against object storage on this machine."""

from __future__ import annotations

import re
import signal
import time
from pathlib import Path

import pytest

from tests.runtime_agent.fetch.conftest import FILES, OBJECT, Pod, message_of, zipped
from tests.runtime_agent.fetch.object_server import ObjectServer

RENDERED = ("fine-tuned-adapter", "--config", "/ome-agent.yaml", "--debug")


def in_target(files: dict[str, bytes]) -> dict[str, bytes]:
    return {f"model/{name}": content for name, content in files.items()}


def test_weights_arrive_and_stay(pod: Pod, storage: ObjectServer) -> None:
    code, log = pod.run(*RENDERED)
    assert code == 0, log
    assert pod.files() == in_target(FILES)
    assert message_of(log[-1]) == (f"2 files (1.95 MB) of oci://n/ns/b/weights/o/{OBJECT} are in {pod.target}")
    assert all(asked.signed for asked in storage.asked)
    assert oct((pod.target / "layers").stat().st_mode)[-3:] == "755"
    assert oct((pod.target / "adapter_config.json").stat().st_mode)[-3:] == "644"
    storage.asked.clear()
    code, log = pod.run(*RENDERED)
    assert (code, [asked.method for asked in storage.asked]) == (0, ["HEAD"])
    assert message_of(log[-1]).endswith("are complete in " + str(pod.target) + " already")


def test_both_directories_are_one_volume(pod: Pod, storage: ObjectServer) -> None:
    """As in pods: the server sees what is left where archives go."""
    pod.archives.symlink_to(pod.target)
    pod.target.mkdir()
    assert pod.run(*RENDERED)[0] == 0
    assert {name: text for name, text in pod.files().items() if name.startswith("model")} == in_target(FILES)


def test_a_new_object_takes_the_place_of_the_old(pod: Pod, storage: ObjectServer) -> None:
    assert pod.run(*RENDERED)[0] == 0
    storage.objects[OBJECT] = zipped({"adapter_config.json": b"[]"})
    assert pod.run(*RENDERED)[0] == 0
    assert pod.files() == {"model/adapter_config.json": b"[]"}


def test_damage_is_made_good(pod: Pod, storage: ObjectServer) -> None:
    assert pod.run(*RENDERED)[0] == 0
    (pod.target / "adapter_config.json").write_bytes(b"short")
    assert pod.run(*RENDERED)[0] == 0
    assert pod.files() == in_target(FILES)


@pytest.mark.parametrize(("number", "expected"), [(signal.SIGKILL, -9), (signal.SIGTERM, 143)])
def test_an_end_in_the_middle_is_gone_on_from(pod: Pod, storage: ObjectServer, number: int, expected: int) -> None:
    storage.rate = 1_000_000
    process = pod.start(*RENDERED)
    part = wait_for_part(pod.archives)
    process.send_signal(number)
    process.communicate(timeout=10)
    assert process.returncode == expected
    arrived = part.stat().st_size
    assert 0 < arrived < len(storage.objects[OBJECT])
    assert not (pod.target / "adapter_config.json").exists()
    storage.rate = 0
    storage.asked.clear()
    assert pod.run(*RENDERED)[0] == 0
    assert [asked.range for asked in storage.asked if asked.method == "GET"] == [f"bytes={arrived}-"]
    assert pod.files() == in_target(FILES)


def test_a_part_of_another_object_is_not_gone_on_from(pod: Pod, storage: ObjectServer) -> None:
    storage.rate = 1_000_000
    process = pod.start(*RENDERED)
    wait_for_part(pod.archives)
    process.kill()
    process.communicate()
    storage.rate = 0
    storage.objects[OBJECT] = zipped({"other.bin": b"x" * 3_000_000})
    assert pod.run(*RENDERED)[0] == 0
    assert set(pod.files()) == {"model/other.bin"}


def wait_for_part(folder: Path) -> Path:
    deadline = time.monotonic() + 30
    while True:
        parts = [path for path in folder.glob(".omec-weights-*") if path.stat().st_size > 100_000]
        if parts:
            return parts[0]
        assert time.monotonic() < deadline
        time.sleep(0.02)


@pytest.mark.parametrize("statuses", [[200, 503, 500], [200, 429]])
def test_a_busy_storage_is_asked_again(pod: Pod, storage: ObjectServer, statuses: list[int]) -> None:
    storage.statuses = statuses
    code, log = pod.run(*RENDERED)
    assert code == 0, log


@pytest.mark.parametrize(
    ("status", "expected", "words"),
    [
        (404, 3, "there is no oci://n/ns/b/weights/o/team a/weights-merged-weight, or this identity may not read it"),
        (401, 3, "this identity may not read oci://n/ns/b/weights/o/team a/weights-merged-weight (HTTP 401)"),
        (400, 3, "there is no oci://"),
    ],
)
def test_a_storage_that_refuses(pod: Pod, storage: ObjectServer, status: int, expected: int, words: str) -> None:
    storage.statuses = [status]
    code, log = pod.run(*RENDERED)
    assert (code, log[-1].startswith(f"omec: error: {words}")) == (expected, True), log
    assert log[-1].endswith("[OME755]")


def test_content_that_is_not_what_is_announced(pod: Pod, storage: ObjectServer) -> None:
    storage.corrupt = True
    code, log = pod.run(*RENDERED)
    assert code == 4
    assert log[-1] == "omec: error: weights.zip arrived 2 times with other content than the source announces [OME756]"
    assert pod.files().keys() <= {"download/" + path.name for path in pod.archives.iterdir()}


@pytest.mark.parametrize(
    ("archive", "words"),
    [
        (b"no archive at all", "the weights are no zip file that can be read"),
        (zipped({"../outside": b"x"}), "cannot be stored safely"),
        (zipped({"/etc/passwd": b"x"}), "cannot be stored safely"),
        (zipped({"a/../../outside": b"x"}), "cannot be stored safely"),
        (zipped({"a\\..\\b": b"x"}), "cannot be stored safely"),
        (zipped({"fine": b"x"}, link="/etc"), "which is no regular file; links and devices are refused"),
        (zipped({".omec/state.json": b"{}"}), "are the agent's own"),
        (zipped({"a": b"x", "a/b": b"y"}), "is in a folder that is a file"),
        (zipped(FILES)[:-30], "the weights are no zip file that can be read"),
        (
            zipped(FILES).replace(b"\1\2\3\4", b"\1\2\3\5", 1),
            "the weights are no zip file that can be read: Bad CRC-32",
        ),
    ],
)
def test_archives_that_are_no_weights(pod: Pod, storage: ObjectServer, archive: bytes, words: str) -> None:
    storage.objects[OBJECT] = archive
    code, log = pod.run(*RENDERED)
    assert (code, words in log[-1]) == (4, True), log
    assert log[-1].endswith("[OME756]")
    assert not [path for path in pod.home.parent.iterdir() if path.name not in ("home", "volume")]
    assert not list(pod.archives.iterdir()), "the archive takes memory"


def test_links_in_the_target_lead_nowhere(pod: Pod, storage: ObjectServer) -> None:
    outside = pod.home / "outside"
    outside.mkdir()
    pod.target.mkdir()
    (pod.target / "layers").symlink_to(outside)
    code, log = pod.run(*RENDERED)
    assert (code, "is a link; the agent writes through none" in log[-1]) == (4, True)
    assert not list(outside.iterdir())


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"OME_AGENT_AUTH_TYPE": ""}, "OME_AGENT_AUTH_TYPE is not set"),
        ({"OME_AGENT_AUTH_TYPE": "userprincipal"}, "is userprincipal, but must be one of"),
        (
            {"OME_AGENT_MODEL_OBJECT_NAME": "", "OME_AGENT_MODEL_BUCKET_NAME": ""},
            "OME_AGENT_MODEL_OBJECT_NAME are not set",
        ),
        (
            {"OME_AGENT_ZIPPED_FINE_TUNED_WEIGHT_DIRECTORY": "relative"},
            "is not an absolute directory below /: relative",
        ),
        ({"OME_AGENT_UNZIPPED_FINE_TUNED_WEIGHT_DIRECTORY": "/a/../b"}, "is not an absolute directory below /"),
        ({"OME_AGENT_UNZIPPED_FINE_TUNED_WEIGHT_DIRECTORY": "/proc/weights"}, "/proc/weights"),
    ],
)
def test_a_contract_that_is_broken(pod: Pod, storage: ObjectServer, change: dict[str, str], words: str) -> None:
    pod.variables |= change
    code, log = pod.run(*RENDERED)
    assert (code, words in log[-1]) == (2, True), log
    assert log[-1].endswith("[OME754]")
    assert len(re.findall("Traceback", "\n".join(log))) == 0


def test_without_an_identity(pod: Pod, storage: ObjectServer) -> None:
    (pod.home / ".oci" / "config").unlink()
    code, log = pod.run(*RENDERED)
    assert (code, "no identity for object storage (UserPrincipal)" in log[-1]) == (3, True), log


def test_a_storage_that_is_away(pod: Pod, storage: ObjectServer, monkeypatch: pytest.MonkeyPatch) -> None:
    import oci  # noqa: PLC0415 - an extra

    monkeypatch.setattr(oci.retry, "DEFAULT_RETRY_STRATEGY", oci.retry.NoneRetryStrategy())  # it waits for minutes
    pod.variables["OME_AGENT_ENDPOINT"] = "http://127.0.0.1:9"
    code, log = pod.run(*RENDERED)
    assert (code, "object storage cannot be reached" in log[-1]) == (1, True), log
    assert log[-1].endswith("[OME753]")


def test_nothing_secret_is_told(pod: Pod, storage: ObjectServer, private_key: str) -> None:
    storage.statuses = [401]
    _, log = pod.run(*RENDERED)
    assert "Signature" not in "\n".join(log)
    assert private_key.splitlines()[1] not in "\n".join(log)


def test_defaults_stand_in_a_file(pod: Pod, storage: ObjectServer, tmp_path: Path) -> None:
    del pod.variables["OME_AGENT_MODEL_BUCKET_NAME"]
    file = tmp_path / "home" / "agent.yaml"
    file.write_text("model: {bucket_name: weights, namespace: other}\nregion: nowhere\n")
    assert pod.run("fine-tuned-adapter", "--config", str(file))[0] == 0
    file.write_text("a: [b")
    code, log = pod.run("fine-tuned-adapter", "--config", str(file))
    assert (code, log[-1]) == (2, f"omec: error: the configuration {file} is no YAML (line 1) [OME754]")
