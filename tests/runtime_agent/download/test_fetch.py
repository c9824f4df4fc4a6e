"""A download: whole and verified, or an error; what was there and right is kept."""

from __future__ import annotations

import errno
import os
import stat
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from omec.facts.remote import client
from omec.facts.remote.client import Patience
from omec.facts.remote.hub_file import HubFile
from omec.runtime_agent.cluster.backoff import Backoff
from omec.runtime_agent.download import http, stage, transfer
from omec.runtime_agent.download.errors import DownloadError, Kind
from omec.runtime_agent.download.fetch import fetch
from omec.runtime_agent.download.http import HttpStream
from omec.runtime_agent.download.job import Job, Report, Result
from omec.runtime_agent.download.marker import Marker
from omec.runtime_agent.download.runner import CancelledError, Supervision, run
from omec.runtime_agent.download.tally import Tally
from tests.facts.hub_server import COMMIT, HubServer, Repository
from tests.facts.models import encode
from tests.runtime_agent.download.conftest import FILES, MODEL, content_of, expected

STORED = f"^/{MODEL}/model-2.bin"
"""The path of a file in the storage to which the hub redirects."""

MakeJob = Callable[..., Job]
FAST = Supervision(stall_seconds=20, attempts=3, first_wait=0.01, longest_wait=0.1)


def done(job: Job) -> Result:
    """The download in this process."""
    return fetch(job, Tally())


def supervised(job: Job, rules: Supervision = FAST) -> Result:
    """The download in child processes, as the agent does it."""
    return run(job, threading.Event(), lambda _: None, rules)


def failure(job: Job) -> DownloadError:
    with pytest.raises(DownloadError) as raised:
        done(job)
    return raised.value


@pytest.fixture(autouse=True)
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Waits between attempts are as long as in life, but for their unit."""
    monkeypatch.setattr(transfer, "Backoff", lambda first, longest: Backoff(first / 20, longest / 20))
    monkeypatch.setattr(client, "Patience", lambda: Patience(first_wait=0.01))


def test_a_model_arrives_whole(hub: HubServer, job: MakeJob, root: Path) -> None:
    reports: list[Report] = []
    result = run(job(), threading.Event(), reports.append, FAST)
    folder = root / "model"
    assert content_of(folder) == expected(hub)
    assert (result.directory, result.revision, result.files, result.changed) == (str(folder), COMMIT, 5, True)
    assert result.size == result.transferred == sum(len(encode(content)) for content in FILES.values())
    assert result.facts["modelArchitecture"] == "LlamaForCausalLM"
    assert reports[-1].completed_bytes == reports[-1].total_bytes == result.size
    assert reports[-1].completed_files == reports[-1].total_files == 5
    marker = Marker.read(folder)
    assert marker is not None
    assert (marker.source, marker.revision) == (f"hf://{MODEL}", COMMIT)
    assert [path.name for path in root.iterdir() if "stage" in path.name] == []


def test_modes_let_everybody_read(job: MakeJob, root: Path) -> None:
    done(job())
    modes = {stat.S_IMODE(path.stat().st_mode) for path in (root / "model").rglob("*") if path.is_dir()}
    assert modes == {0o755}
    files = [path for path in (root / "model").rglob("*") if path.is_file() and ".omec" not in path.parts]
    assert {stat.S_IMODE(path.stat().st_mode) for path in files} == {0o644}


def test_a_second_run_asks_for_no_file(hub: HubServer, job: MakeJob) -> None:
    done(job())
    hub.asked.clear()
    result = done(job())
    assert (result.changed, result.transferred, result.files) == (False, 0, 5)
    assert not [path for path in hub.paths() if "/resolve/" in path]


def test_a_whole_model_is_there_for_another_uri_on_a_full_disk(
    job: MakeJob, root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    done(job())

    def full(*_: Any) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    with monkeypatch.context() as patched:
        patched.setattr("omec.runtime_agent.download.marker.replace_file", full)
        assert not done(job(f"hf://{MODEL}@main")).changed
    assert done(job(f"hf://{MODEL}@main")).changed is False
    marker = Marker.read(root / "model")
    assert marker is not None
    assert marker.asked == f"hf://{MODEL}@main"


def test_every_answer_is_closed(job: MakeJob, monkeypatch: pytest.MonkeyPatch) -> None:
    """An open one keeps a connection, and a model may have thousands of files."""
    opened: list[HttpStream] = []
    closed: list[HttpStream] = []

    class Counted(HttpStream):
        def __init__(self, *args: Any) -> None:
            super().__init__(*args)
            opened.append(self)

        def close(self) -> None:
            closed.append(self)
            super().close()

    monkeypatch.setattr(http, "HttpStream", Counted)
    done(job())
    assert len(opened) >= 4
    assert set(closed) == set(opened)


def test_folders_are_on_the_disk_before_the_model_appears(
    job: MakeJob, root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A power cut after the rename must not leave a folder without its files."""
    synced: list[str] = []

    def sync(path: Path) -> None:
        if not (root / "model").exists():
            synced.append(path.name)

    monkeypatch.setattr(stage, "sync_directory", sync)
    done(job())
    assert (root / "model").is_dir()
    assert "weights" in synced


@pytest.mark.parametrize(("in_xet", "asked"), [((), []), (("model-2.bin",), ["model-2.bin"])])
def test_the_client_of_the_hub_gets_what_is_in_its_storage(
    hub: HubServer,
    job: MakeJob,
    root: Path,
    monkeypatch: pytest.MonkeyPatch,
    in_xet: tuple[str, ...],
    asked: list[str],
) -> None:
    """And plain HTTP the other files, and those that it fails for."""
    calls: list[str] = []

    def download(_: str, name: str, **__: Any) -> None:
        calls.append(name)
        raise OSError("no such storage")

    plain = HubFile.of
    monkeypatch.setattr(HubFile, "of", lambda item: replace(plain(item), xet=item["path"] in in_xet))
    monkeypatch.setattr("huggingface_hub.hf_hub_download", download)
    done(job())
    assert calls == asked
    assert content_of(root / "model") == expected(hub)


@pytest.mark.parametrize("name", ["model-2.bin", "config.json"])
def test_a_file_that_was_damaged_on_disk_is_fetched_again(hub: HubServer, job: MakeJob, root: Path, name: str) -> None:
    done(job())
    path = root / "model" / name
    path.write_bytes(b"X" * path.stat().st_size)
    hub.asked.clear()
    result = done(job())
    assert content_of(root / "model") == expected(hub)
    assert result.transferred == path.stat().st_size
    assert {asked.rpartition("/")[2].partition("?")[0] for asked in hub.paths() if name in asked} == {name}


def test_files_of_another_agent_are_verified_and_kept(hub: HubServer, job: MakeJob, root: Path) -> None:
    """OME's agent leaves no marker; what it downloaded need not be downloaded again."""
    for name, content in hub.repositories[MODEL].files.items():
        path = root / "model" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    (root / "model" / "nested").mkdir()
    (root / "model" / "nested" / "foreign").write_text("kept")
    (root / "model" / "weights" / "model-1.bin").write_bytes(b"wrong" * 160_000)
    result = done(job())
    assert result.transferred == 800_000
    assert (root / "model" / "nested" / "foreign").read_text() == "kept"
    assert Marker.read(root / "model") is not None
    (root / "model" / "nested" / "foreign").unlink()
    assert content_of(root / "model") == expected(hub)


def test_another_revision_replaces_what_the_first_had(hub: HubServer, job: MakeJob, root: Path) -> None:
    done(job())
    newer = {"config.json": FILES["config.json"], "other.bin": b"new" * 1000}
    other = COMMIT[::-1]
    hub.repositories[MODEL] = Repository(
        {name: encode(content) for name, content in newer.items()}, revisions={"main": other}
    )
    assert done(job()).revision == other
    assert content_of(root / "model") == expected(hub)


@pytest.mark.parametrize("mirror", [False, True])
def test_a_hub_without_digests_is_verified_by_etags(hub: HubServer, job: MakeJob, root: Path, mirror: bool) -> None:
    hub.mirror = mirror
    done(job())
    assert content_of(root / "model") == expected(hub)


@pytest.mark.parametrize(
    "trouble",
    [
        {"status": 429, "headers": {"Retry-After": "1"}},
        {"status": 503, "times": 2},
        {"cut": True},
        {"cut": True, "times": 3},
        {"corrupt": True},
    ],
    ids=str,
)
@pytest.mark.parametrize("path", [STORED, "/config.json$"])
def test_bad_days_of_the_hub(hub: HubServer, job: MakeJob, root: Path, trouble: dict[str, Any], path: str) -> None:
    hub.trouble(path, **trouble)
    done(job())
    assert content_of(root / "model") == expected(hub)


@pytest.mark.parametrize("trouble", [{"status": 429}, {"status": 502}, {"cut": True}])
def test_bad_days_of_the_listing(hub: HubServer, job: MakeJob, root: Path, trouble: dict[str, Any]) -> None:
    hub.trouble(r"/api/models/", **trouble)
    done(job())
    assert content_of(root / "model") == expected(hub)


def test_a_file_that_never_has_its_digest_is_never_published(hub: HubServer, job: MakeJob, root: Path) -> None:
    hub.trouble(STORED, corrupt=True, times=100)
    error = failure(job())
    assert error.kind is Kind.CHECKSUM
    assert not (root / "model").exists()
    hub.asked.clear()
    with pytest.raises(DownloadError, match="arrived 2 times"):
        supervised(job())
    assert len([path for path in hub.paths() if f"{MODEL}/model-2.bin?" in path]) == 2


def test_a_server_that_sends_nothing_any_more_is_left(hub: HubServer, job: MakeJob, root: Path) -> None:
    """The child is killed without its consent, and the next one goes on with what has arrived."""
    hub.trouble(f"^/{MODEL}/weights", hang=60)
    result = supervised(job(), Supervision(stall_seconds=2, attempts=3, first_wait=0.01))
    assert content_of(root / "model") == expected(hub)
    assert result.transferred < 2 * sum(len(content) for content in hub.repositories[MODEL].files.values())
    assert any(asked.headers.get("range", "").startswith("bytes=") for asked in hub.asked)


@pytest.mark.parametrize(
    ("uri", "kind", "words"),
    [
        ("hf://org/missing", Kind.REFUSED, "has no model org/missing"),
        (f"hf://{MODEL}@v9", Kind.NOT_FOUND, "has no revision v9"),
        ("hf://a/b/c", Kind.URI, "is not the name of a model"),
        ("hf://", Kind.URI, "missing model ID"),
        ("s3://b/p", Kind.UNSUPPORTED, "OME accepts s3://b/p but downloads nothing from there"),
        ("gs://b/p", Kind.UNSUPPORTED, "downloads nothing"),
        ("az://a/c", Kind.UNSUPPORTED, "downloads nothing"),
        ("github://o/r", Kind.UNSUPPORTED, "downloads nothing"),
        ("nowhere://x", Kind.URI, "unknown storage type for URI: nowhere://x"),
        ("local:///nowhere", Kind.LOCAL_MISSING, "nothing at"),
    ],
)
def test_what_cannot_be_had(job: MakeJob, root: Path, uri: str, kind: Kind, words: str) -> None:
    error = failure(job(uri, path=str(root / "nowhere")))
    assert error.kind is kind
    assert words in str(error)
    assert list(root.iterdir()) == []


def supervised_failure(job: Job) -> DownloadError:
    with pytest.raises(DownloadError) as raised:
        supervised(job, Supervision(attempts=1))
    return raised.value


@pytest.mark.parametrize("address", ["http://127.0.0.1:9", "http://hub.invalid"])
def test_a_hub_that_is_away(job: MakeJob, address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("huggingface_hub.constants.ENDPOINT", address)
    error = failure(job())
    assert error.kind is Kind.NETWORK
    assert error.passing
    assert "cannot be reached" in str(error)


def test_tokens_reach_the_hub_alone(hub: HubServer, job: MakeJob) -> None:
    """The storage behind the hub refuses requests that carry the token; nothing else may see it either."""
    token = next(iter(hub.tokens))
    hub.repositories[MODEL].gated = True
    assert supervised_failure(job()).kind is Kind.REFUSED
    supervised(job(secrets={"token": token}))
    carried = {asked.server for asked in hub.asked if "authorization" in asked.headers}
    assert carried == {"hub"}


def test_a_token_of_the_agent_is_not_inherited(hub: HubServer, job: MakeJob, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HF_TOKEN", next(iter(hub.tokens)))
    supervised(job())
    assert not [asked for asked in hub.asked if "authorization" in asked.headers]


def test_a_disk_without_room_is_told_before(job: MakeJob, root: Path) -> None:
    error = failure(job(reserve=1 << 60))
    assert error.kind is Kind.SPACE
    assert "needs 1.6 MB more" in str(error) or "needs" in str(error)
    assert not [path for path in root.iterdir() if "stage" in path.name]


def test_a_disk_that_fills_up_is_freed_again(job: MakeJob, root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(file: Any, data: bytes) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(transfer, "_write", full)
    assert failure(job()).kind is Kind.SPACE
    assert not [path for path in root.iterdir() if "stage" in path.name]


def test_a_download_is_cancelled_at_once(hub: HubServer, job: MakeJob, root: Path) -> None:
    hub.rate = 100_000
    stop = threading.Event()
    threading.Timer(1.0, stop.set).start()
    with pytest.raises(CancelledError):
        run(job(), stop, lambda _: None, FAST)
    assert not (root / "model").exists()


def test_bandwidth_is_limited(hub: HubServer, job: MakeJob) -> None:
    started = time.monotonic()
    done(job(bandwidth=1_000_000))
    assert time.monotonic() - started > 1.0


def test_two_downloads_into_one_path(job: MakeJob, root: Path, hub: HubServer) -> None:
    """The second one says so at once, and has nothing to do when the first has ended."""
    hub.rate = 200_000
    first = threading.Thread(target=supervised, args=(job(),))
    first.start()
    while not list(root.glob("*/parts/*")):
        time.sleep(0.02)
    assert failure(job()).kind is Kind.LOCKED
    hub.rate = 0
    first.join()
    assert not done(job()).changed
    assert content_of(root / "model") == expected(hub)


def test_local_and_vendor_models(job: MakeJob, root: Path) -> None:
    (root / "here").mkdir()
    (root / "here" / "config.json").write_text(FILES["config.json"])
    result = done(job("local:///ignored", path=str(root / "here")))
    assert result.facts["modelType"] == "llama"
    assert done(job("vendor://openai/models/gpt-4")).facts == {}
    (root / "bare").mkdir()
    assert "config.json" in done(job(f"local://{root}/bare", path=str(root / "bare"))).facts_problem
