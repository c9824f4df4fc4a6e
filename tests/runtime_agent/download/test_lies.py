"""A hub that tells other sizes, digests and lists than it has: a model is whole as the bytes are, or it fails."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from omec.facts.remote import client
from omec.facts.remote.client import Patience
from omec.runtime_agent.cluster.backoff import Backoff
from omec.runtime_agent.download import transfer
from omec.runtime_agent.download.errors import DownloadError, Kind
from omec.runtime_agent.download.fetch import fetch
from omec.runtime_agent.download.job import Job
from omec.runtime_agent.download.tally import Tally
from tests.facts.hub_server import HubServer
from tests.runtime_agent.download.conftest import FILES, MODEL, content_of, expected

LARGE, SMALL = "model-2.bin", "config.json"
MANY = int(os.environ.get("OMEC_MANY_FILES", "1000"))
"""How many files a large model has; with 10,000 of them the test takes half a minute."""

MakeJob = Callable[..., Job]


@pytest.fixture(autouse=True)
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(transfer, "Backoff", lambda first, longest: Backoff(first / 100, longest / 100))
    monkeypatch.setattr(client, "Patience", lambda: Patience(first_wait=0.01))


def failure(job: Job) -> DownloadError:
    with pytest.raises(DownloadError) as raised:
        fetch(job, Tally())
    assert not job.target.exists()
    return raised.value


def telling(name: str, **values: Any) -> Callable[[dict[str, Any]], Any]:
    return lambda item: {**item, **values} if item["path"] == name else item


@pytest.mark.parametrize("name", [LARGE, SMALL])
@pytest.mark.parametrize(
    ("size", "kinds"),
    [
        (-1, {Kind.CHECKSUM}),
        (0, {Kind.CHECKSUM}),
        (1, {Kind.CHECKSUM}),
        ("relative", {Kind.CHECKSUM}),
        (1 << 60, {Kind.SPACE}),
        (1 << 200, {Kind.SPACE}),
        ("many", {Kind.CHECKSUM}),
        (None, {Kind.CHECKSUM}),
        (1.5, {Kind.CHECKSUM}),
    ],
)
def test_sizes_in_the_list(hub: HubServer, job: MakeJob, name: str, size: Any, kinds: set[Kind]) -> None:
    if size == "relative":
        size = len(hub.repositories[MODEL].files[name]) + 1
    hub.told = telling(name, size=size)
    error = failure(job())
    assert error.kind in kinds
    assert name in str(error) or error.kind is Kind.SPACE


@pytest.mark.parametrize(
    "values",
    [{"lfs": {"oid": "0" * 64, "size": 1}}, {"lfs": None, "oid": "0" * 40}, {"lfs": None, "oid": "0" * 64}],
    ids=str,
)
@pytest.mark.parametrize("name", [LARGE, SMALL])
def test_digests_in_the_list(hub: HubServer, job: MakeJob, name: str, values: dict[str, Any]) -> None:
    hub.told = telling(name, **values)
    error = failure(job())
    assert error.kind is Kind.CHECKSUM
    assert f"{name} arrived 2 times with other content than the source announces" in str(error)


@pytest.mark.parametrize("oid", ["", "short", None, 5, ["x"], "g" * 64])
def test_digests_that_are_none_are_replaced_by_etags(hub: HubServer, job: MakeJob, root: Path, oid: Any) -> None:
    hub.told = telling(LARGE, lfs={"oid": oid})
    fetch(job(), Tally())
    assert content_of(root / "model") == expected(hub)


@pytest.mark.parametrize(
    ("etag", "words"),
    [
        ("", "nothing tells the digest"),
        ('"abc"', "nothing tells the digest"),
        (f'W/"{"0" * 64}"', "other content than the source announces"),
        (f'"{"0" * 40}"', "other content than the source announces"),
    ],
)
def test_etags_where_the_list_has_no_digests(hub: HubServer, job: MakeJob, etag: str, words: str) -> None:
    hub.mirror = True
    hub.trouble(f"{LARGE}.signature", times=99, etag=etag)
    error = failure(job())
    assert error.kind is Kind.CHECKSUM
    assert words in str(error)


@pytest.mark.parametrize("name", [f"{LARGE}.signature", f"/{SMALL}$"])
@pytest.mark.parametrize(
    "trouble",
    [
        {"length": ""},
        {"length": "", "cut": True},
        {"length": "", "more": b"more" * 1000},
        {"length": "99999999"},
        {"length": "99999999", "more": b"more" * 1000},
        {"length": "10"},
        {"length": "abc"},
        {"etag": f'"{"0" * 64}"'},
    ],
    ids=str,
)
def test_answers_of_another_length(
    hub: HubServer, job: MakeJob, root: Path, name: str, trouble: dict[str, Any]
) -> None:
    """What the list says counts, and whatever an answer lacks is asked for again."""
    hub.trouble(name, **trouble)
    fetch(job(), Tally())
    assert content_of(root / "model") == expected(hub)


def test_a_range_from_another_place(hub: HubServer, job: MakeJob, root: Path) -> None:
    hub.trouble(f"{LARGE}.signature", cut=True)
    hub.trouble(f"{LARGE}.signature", wrong_start=100)
    fetch(job(), Tally())
    assert content_of(root / "model") == expected(hub)


def test_a_server_that_always_begins_anew_and_never_ends(hub: HubServer, job: MakeJob) -> None:
    """Every answer brings bytes, but none brings more than the first one did."""
    hub.trouble(f"{LARGE}.signature", times=10_000, cut=True, ignore_range=True)
    error = failure(job())
    assert error.kind is Kind.NETWORK
    assert len([path for path in hub.paths() if f"{LARGE}?signature" in path]) < 10


@pytest.mark.parametrize("mirror", [False, True])
def test_a_mirror_that_names_the_hub_behind_it(hub: HubServer, job: MakeJob, root: Path, mirror: bool) -> None:
    """Its links to further pages lead to another server, which does not get the token."""
    hub.following = "https://hub.invalid"
    hub.mirror = mirror
    fetch(job(), Tally())
    assert content_of(root / "model") == expected(hub)


def test_a_list_that_ends_too_early(hub: HubServer, job: MakeJob) -> None:
    hub.following = ""
    error = failure(job())
    assert error.passing
    assert "lists 3 files of org/model, and leaves out model-2.bin" in str(error)


@pytest.mark.parametrize("body", [b"{}", b'{"error": "later"}', b"[1]", b'["a"]', b'[{"type": "file"}]', b"<html>"])
def test_a_list_that_is_none(hub: HubServer, job: MakeJob, body: bytes) -> None:
    hub.trouble("/tree/", status=200, body=body)
    error = failure(job())
    assert error.passing
    assert "as no Hugging Face hub does" in str(error)


def test_a_list_without_an_end(hub: HubServer, job: MakeJob, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("omec.facts.remote.hub._MOST_PAGES", 5)
    hub.trouble("/tree/", times=10_000, status=200, body=b"[]", headers={"Link": '<http://x/?page=1>; rel="next"'})
    assert "on more than 5 pages" in str(failure(job()))


def test_a_repository_without_files(hub: HubServer, job: MakeJob) -> None:
    hub.repository("org/empty", {})
    error = failure(job("hf://org/empty"))
    assert error.kind is Kind.NOT_FOUND
    assert "org/empty has no files" in str(error)


def test_a_model_of_many_files(hub: HubServer, job: MakeJob, root: Path) -> None:
    hub.page_size = 1000
    hub.repository("org/many", {**FILES, **{f"shards/{number // 100}/{number}": "x" for number in range(MANY)}})
    result = fetch(job("hf://org/many", parallel_files=8), Tally())
    assert result.files == MANY + len(FILES)
    assert content_of(root / "model") == expected(hub, "org/many")
    assert not fetch(job("hf://org/many"), Tally()).changed
