"""Repositories, artifacts and paths that would write where they must not, or send secrets where they must not."""

from __future__ import annotations

import io
import tarfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from omec.runtime_agent.download.errors import DownloadError, Kind
from omec.runtime_agent.download.fetch import fetch
from omec.runtime_agent.download.job import Job
from omec.runtime_agent.download.marker import Marker
from omec.runtime_agent.download.paths import check_names, check_target
from omec.runtime_agent.download.tally import Tally
from tests.facts.hub_server import HubServer
from tests.facts.registry_server import RegistryServer, archive
from tests.runtime_agent.download.conftest import MODEL, content_of

RAW = "application/vnd.cncf.model.weight.v1.raw"
TAR = "application/vnd.cncf.model.weight.v1.tar"
MakeJob = Callable[..., Job]


@pytest.mark.parametrize(
    "names",
    [
        ["../x"], ["a/../../x"], ["/etc/passwd"], ["a//b"], ["./a"], ["a/."], [""], ["a\\..\\b"], ["a\0b"], ["a\nb"],
        [".omec/state.json"], ["x" * 300], ["a/" * 600 + "b"], ["a", "a"], ["a", "a/b"], ["\u202egpj.exe"],
    ],
    ids=lambda names: repr(names)[:30],
)  # fmt: skip
def test_names_that_are_refused(names: list[str]) -> None:
    with pytest.raises(DownloadError) as raised:
        check_names(names)
    assert raised.value.kind is Kind.UNSAFE


def test_names_that_are_taken() -> None:
    check_names(["config.json", "a/b/c.bin", "..a", "a..b", ".gitattributes", "größe.txt", "a b", "x/.omec"])


@pytest.mark.parametrize(
    "path",
    ["relative", "", "/", "/etc/model", "{root}", "{root}/../x", "{root}/a/../../x", "{root}-other/x", "{root}/link/x",
     "{root}/.omec/x", "{root}/a/.omec-stage-1/x", "/proc"],
)  # fmt: skip
def test_paths_that_are_refused(tmp_path: Path, path: str) -> None:
    root = tmp_path / "models"
    root.mkdir()
    (root / "link").symlink_to(tmp_path)
    with pytest.raises(DownloadError) as raised:
        check_target(path.format(root=root), [str(root)])
    assert raised.value.kind is Kind.PATH


def test_a_repository_that_climbs_out(hub: HubServer, job: MakeJob, root: Path) -> None:
    hub.repository("org/evil", {"../../escaped": "x", "config.json": "{}"})
    with pytest.raises(DownloadError, match="cannot be stored safely"):
        fetch(job("hf://org/evil"), Tally())
    assert not (root.parent / "escaped").exists()
    assert not (root / "model").exists()


def test_links_in_the_target_are_not_followed(job: MakeJob, root: Path, tmp_path: Path) -> None:
    """Somebody with access to the models' directory prepares links; the agent runs as another user."""
    outside = tmp_path / "outside"
    outside.mkdir()
    (root / "model").mkdir()
    (root / "model" / "weights").symlink_to(outside)
    with pytest.raises(DownloadError, match="is a link"):
        fetch(job(), Tally())
    assert list(outside.iterdir()) == []


def test_a_link_in_the_place_of_a_file_is_replaced(job: MakeJob, root: Path, tmp_path: Path) -> None:
    victim = tmp_path / "victim"
    victim.write_text("precious")
    (root / "model").mkdir()
    (root / "model" / "config.json").symlink_to(victim)
    fetch(job(), Tally())
    assert victim.read_text() == "precious"
    assert not (root / "model" / "config.json").is_symlink()


def test_a_marker_that_names_files_elsewhere_is_not_believed(job: MakeJob, root: Path, tmp_path: Path) -> None:
    fetch(job(), Tally())
    state = root / "model" / ".omec" / "state.json"
    state.write_text(state.read_text().replace("README.md", "../../precious"))
    (tmp_path / "precious").write_text("x")
    assert Marker.read(root / "model") is None
    fetch(job(), Tally())
    assert (tmp_path / "precious").exists()


@pytest.mark.parametrize("content", ["[" * 200_000, '{"a":' * 50_000, "null", '{"model_type": 5}', "\0" * 100])
def test_a_configuration_that_attacks_its_reader(hub: HubServer, job: MakeJob, content: str) -> None:
    hub.repository("org/evil", {"config.json": content})
    result = fetch(job("hf://org/evil"), Tally())
    assert result.facts == {}
    assert result.facts_problem


def test_a_redirect_to_another_host_drops_the_token(
    hub: HubServer, job: MakeJob, monkeypatch: pytest.MonkeyPatch
) -> None:
    token = next(iter(hub.tokens))
    monkeypatch.setenv("HF_TOKEN", token)
    fetch(job(), Tally())
    assert any(asked.headers.get("authorization") == f"Bearer {token}" for asked in hub.asked if asked.server == "hub")
    assert not [asked for asked in hub.asked if asked.server == "storage" and "authorization" in asked.headers]


@pytest.mark.parametrize("place", ["file:///etc/passwd", "ftp://127.0.0.1/x"])
def test_a_redirect_to_another_protocol_is_not_followed(
    hub: HubServer, job: MakeJob, root: Path, place: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("omec.runtime_agent.download.transfer._FRUITLESS_ATTEMPTS", 0)
    hub.trouble("/config.json$", status=302, headers={"Location": place}, times=100)
    with pytest.raises(DownloadError):
        fetch(job(), Tally())
    assert not (root / "model").exists()


@pytest.fixture
def registry() -> Iterator[RegistryServer]:
    with RegistryServer() as server:
        yield server


def test_an_artifact_arrives_whole(registry: RegistryServer, job: MakeJob, root: Path) -> None:
    layers = [(RAW, b"w" * 5000, "model.safetensors"), (TAR, archive({"config.json": "{}", "d/x.txt": "y"}), "")]
    digest = registry.push("v1", {}, layers)
    uri = f"modelpack://{registry.host}/org/model:v1"
    result = fetch(job(uri), Tally())
    assert result.revision == digest
    assert sorted(content_of(root / "model")) == ["config.json", "d/x.txt", "model.safetensors"]
    assert fetch(job(uri), Tally()).changed is False
    (root / "model" / "d" / "x.txt").unlink()
    assert fetch(job(uri), Tally()).changed is True
    assert sorted(content_of(root / "model")) == ["config.json", "d/x.txt", "model.safetensors"]


@pytest.mark.parametrize(
    "change",
    [{"digest": "sha512:" + "0" * 128}, {"digest": None}, {"size": -1}, {"size": None}, {"mediaType": None}, None],
    ids=str,
)
def test_a_layer_that_cannot_be_verified_is_not_left_out(
    registry: RegistryServer, job: MakeJob, root: Path, change: dict[str, Any] | None
) -> None:
    layer = {
        "mediaType": RAW,
        "digest": registry.blob("weights"),
        "size": 7,
        "annotations": {"org.cncf.model.filepath": "weights.bin"},
    }
    registry.push_manifest("v1", {"layers": [layer, None if change is None else {**layer, **change}]})
    with pytest.raises(DownloadError, match="a layer has no type, size or SHA-256") as raised:
        fetch(job(f"modelpack://{registry.host}/org/model:v1"), Tally())
    assert raised.value.kind is Kind.UNSAFE
    assert not (root / "model").exists()


@pytest.mark.parametrize("first", ["file", "archive"])
def test_a_file_that_two_layers_have(registry: RegistryServer, job: MakeJob, root: Path, first: str) -> None:
    """The archive's is the one that stays, and the model is complete with it."""
    layers = [(RAW, b"{}", "config.json"), (TAR, archive({"config.json": '{"a": 1}', "x": "x"}), "")]
    registry.push("v1", {}, layers if first == "file" else layers[::-1])
    uri = f"modelpack://{registry.host}/org/model:v1"
    fetch(job(uri), Tally())
    assert (root / "model" / "config.json").read_text() == '{"a": 1}'
    assert fetch(job(uri), Tally()).changed is False


def test_a_blob_with_other_content_is_refused(registry: RegistryServer, job: MakeJob, root: Path) -> None:
    registry.push("v1", {}, [(RAW, b"w" * 5000, "model.bin")])
    for digest in registry.blobs:
        registry.blobs[digest] = registry.blobs[digest].replace(b"w", b"x")
    with pytest.raises(DownloadError) as raised:
        fetch(job(f"modelpack://{registry.host}/org/model:v1"), Tally())
    assert raised.value.kind is Kind.CHECKSUM
    assert not (root / "model").exists()


@pytest.mark.parametrize("kind", [tarfile.SYMTYPE, tarfile.LNKTYPE, tarfile.CHRTYPE, tarfile.FIFOTYPE])
def test_layers_with_links_and_devices_are_refused(
    registry: RegistryServer, job: MakeJob, root: Path, kind: bytes
) -> None:
    stream = io.BytesIO()
    with tarfile.open(fileobj=stream, mode="w") as tar:
        member = tarfile.TarInfo("evil")
        member.type, member.linkname = kind, "/etc"
        tar.addfile(member)
    registry.push("v1", {}, [(TAR, stream.getvalue(), "")])
    with pytest.raises(DownloadError, match="links and devices are refused"):
        fetch(job(f"modelpack://{registry.host}/org/model:v1"), Tally())
    assert not (root / "model").exists()


@pytest.mark.parametrize("name", ["../evil", "/abs", "a/../../b", ".omec/state.json"])
def test_layers_that_climb_out_are_refused(registry: RegistryServer, job: MakeJob, root: Path, name: str) -> None:
    registry.push("v1", {}, [(TAR, archive({name: "x"}), "")])
    with pytest.raises(DownloadError, match="cannot be stored safely"):
        fetch(job(f"modelpack://{registry.host}/org/model:v1"), Tally())
    assert not (root.parent / "evil").exists()


def test_layers_without_an_end_are_refused(registry: RegistryServer, job: MakeJob) -> None:
    registry.push("v1", {}, [(TAR, archive({"a": b"x" * 5000})[:2000], "")])
    with pytest.raises(DownloadError) as raised:
        fetch(job(f"modelpack://{registry.host}/org/model:v1"), Tally())
    assert raised.value.kind is Kind.UNSAFE


def test_a_registry_with_credentials(job: MakeJob, root: Path) -> None:
    """Those of the Secret that the model names; the storage behind the registry does not see them."""
    import base64  # noqa: PLC0415

    login = base64.b64encode(b"user:password").decode()
    with RegistryServer(login) as registry, RegistryServer() as storage:
        registry.push("v1", {}, [(RAW, b"w" * 500, "model.bin")])
        storage.blobs, registry.storage = registry.blobs, storage
        uri = f"modelpack://{registry.host}/org/model:v1"
        with pytest.raises(DownloadError) as raised:
            fetch(job(uri), Tally())
        assert raised.value.kind is Kind.REFUSED
        config = f'{{"auths": {{"{registry.host}": {{"auth": "{login}"}}}}}}'
        fetch(job(uri, secrets={"dockerconfig": config}), Tally())
        assert [authorization for _, _, authorization in storage.asked] == [None]
    assert list(content_of(root / "model")) == ["model.bin"]


def test_a_snapshot_is_shared(hub: HubServer, job: MakeJob, root: Path) -> None:
    first = fetch(job(path=str(root / "one"), shared_root=str(root)), Tally())
    asked = len([path for path in hub.paths() if "/resolve/" in path])
    second = fetch(job(path=str(root / "two"), shared_root=str(root)), Tally())
    assert first.directory == second.directory == str(root / "_artifacts" / MODEL / first.revision)
    assert len([path for path in hub.paths() if "/resolve/" in path]) == asked
    assert str((root / "one").readlink()) == f"_artifacts/{MODEL}/{first.revision}"
    assert content_of(root / "one") == content_of(root / "two") != {}


@pytest.mark.parametrize(
    ("path", "words"),
    [("{root}/../x", "is not an absolute path"), ("{root}x/x", "is outside"), ("{root}/_artifacts/x", "be inside")],
)
def test_paths_that_cannot_be_links(job: MakeJob, root: Path, path: str, words: str) -> None:
    with pytest.raises(DownloadError, match=words):
        fetch(job(path=path.format(root=root), shared_root=str(root), roots=(str(root.parent),)), Tally())


def test_a_directory_of_its_own_stays_one(hub: HubServer, job: MakeJob, root: Path) -> None:
    fetch(job(), Tally())
    fetch(job(shared_root=str(root)), Tally())
    assert not (root / "model").is_symlink()
    fetch(job(path=str(root / "link"), shared_root=str(root)), Tally())
    fetch(job(path=str(root / "link")), Tally())
    assert not (root / "link").is_symlink()
    assert content_of(root / "link") == content_of(root / "model")
