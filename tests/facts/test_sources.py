"""From a storage URI to facts: the place that it means, and what is said where there is none."""

from __future__ import annotations

from pathlib import Path

import pytest

from omec.api.storage_uri import parse_storage_uri
from omec.errors import OmecError
from omec.facts.models_root import find_directory
from omec.facts.sources import ModelSource, Sources, open_directory
from tests.facts.hub_server import COMMIT, HubServer
from tests.facts.models import LLAMA, safetensors, write_model
from tests.facts.registry_server import MODEL, RegistryServer

FOLDERS = ("mnt/data/models/llama", "llama", "team/claim/m/llama", "claim/m/llama", "m/llama", "Org/Name", "tiny")


@pytest.fixture
def root(tmp_path: Path) -> Path:
    root = tmp_path / "root"
    for folder in FOLDERS:
        write_model(root / folder, {"config.json": LLAMA})
    return root


@pytest.mark.parametrize(
    ("uri", "path", "namespace", "found"),
    [
        ("local:///mnt/data/models/llama", "", "", "mnt/data/models/llama"),
        ("local:///data/models/llama", "", "", "llama"),
        ("local:///mnt/data/models/tiny", "", "", "tiny"),
        ("local://./tiny", "", "", "tiny"),
        ("local:///mnt/x", "/raid/tiny", "", "tiny"),
        ("local:///mnt/x", "", "", None),
        ("local:///mnt/../etc/tiny", "", "", None),
        ("local:////", "", "", None),
        ("pvc://claim/m/llama", "", "team", "team/claim/m/llama"),
        ("pvc://team:claim/m/llama", "", "", "team/claim/m/llama"),
        ("pvc://claim/m/llama", "", "other", "claim/m/llama"),
        ("pvc://other/m/llama", "", "other", "m/llama"),
        ("pvc://other/x/tiny", "/ignored/llama", "other", "tiny"),
        ("hf://Org/Name", "/raid/models/x", "", "Org/Name"),
        ("hf://org/absent", "/raid/models/tiny", "", "tiny"),
        ("oci://n/ns/b/bucket/o/prefix", "/raid/models/tiny", "", "tiny"),
        ("oci://n/ns/b/bucket/o/tiny", "", "", None),
    ],
)
def test_the_directory_that_a_manifest_means(
    root: Path, uri: str, path: str, namespace: str, found: str | None
) -> None:
    directory = find_directory(root, parse_storage_uri(uri), path, namespace)
    assert directory == (None if found is None else root / found)


def test_a_path_that_lies_below_the_root(root: Path) -> None:
    path = str(root / "llama")
    assert find_directory(root, parse_storage_uri(f"local://{path}"), "", "") == root / "llama"


def test_links_do_not_lead_out_of_the_root(root: Path, tmp_path: Path) -> None:
    write_model(tmp_path / "outside", {"config.json": LLAMA})
    (root / "link").symlink_to(tmp_path / "outside")
    (root / "inside").symlink_to(root / "llama")
    (root / "file").write_text("")
    uri = {name: parse_storage_uri(f"local:///m/{name}") for name in ("link", "inside", "file", "nul\0")}
    assert [name for name in uri if find_directory(root, uri[name], "", "") is not None] == ["inside"]


@pytest.mark.parametrize(
    ("uri", "with_root", "message", "hint"),
    [
        ("local:///m", False, "local:///m is on the nodes, where omec cannot read it", "--models-root"),
        ("pvc://c/m", False, "pvc://c/m is on a claim", "--models-root"),
        ("oci://n/a/b/c/o/m", False, "oci://n/a/b/c/o/m is far away", "write the facts into the model's manifest"),
        ("local:///m", True, "there is no directory for local:///m below", "copy the model there"),
        ("vendor://v/models/x", True, "OME reads nothing of vendor://v/models/x", "write the facts"),
        ("", False, "unknown storage type for URI: ", "correct spec.storage.storageUri"),
        ("hf://", False, "missing model ID", "correct spec.storage.storageUri"),
    ],
)
def test_models_that_cannot_be_read(tmp_path: Path, uri: str, with_root: bool, message: str, hint: str) -> None:
    with pytest.raises(OmecError) as error:
        Sources(tmp_path if with_root else None).open(ModelSource(uri))
    assert message in error.value.message
    assert hint in error.value.hint


def test_a_directory(root: Path) -> None:
    write_model(root / "llama", {"model.safetensors": safetensors({"a": ("BF16", [7])})})
    opened = Sources(root).open(ModelSource("local:///x/llama"))
    locked, facts = opened.locked("local:///x/llama")
    assert (opened.place, opened.revision) == (str(root / "llama"), "")
    assert (locked.uri, locked.weights, locked.facts["modelParameterSize"]) == ("local:///x/llama", {"BF16": 14}, "7")
    assert facts.parameter_count == 7


def test_the_digest_is_of_what_was_read(root: Path) -> None:
    def digest(folder: str) -> str:
        return open_directory(root / folder).read().digest

    assert digest("llama") == digest("tiny")
    (root / "llama" / "README.md").write_text("not read")
    assert digest("llama") == digest("tiny")
    write_model(root / "llama", {"config.json": {**LLAMA, "x": 1}})
    assert digest("llama") != digest("tiny")
    write_model(root / "tiny", {"config.json": {**LLAMA, "x": 1}, "model.safetensors": safetensors({})})
    assert digest("llama") != digest("tiny")


def test_the_hub_and_a_copy_of_it_have_one_digest(hub: HubServer, root: Path) -> None:
    shards = {f"{i}.safetensors": safetensors({f"w{i}": ("BF16", [i + 1])}) for i in range(3)}
    hub.repository("org/tiny", {"config.json": LLAMA, **shards})
    write_model(root / "tiny", shards)
    opened = Sources().open(ModelSource("hf://org/tiny"))
    assert (opened.revision, opened.place) == (COMMIT, f"hf://org/tiny@{COMMIT}")
    assert opened.read().digest == open_directory(root / "tiny").read().digest


def test_offline_a_directory_stands_in_for_the_hub(
    hub: HubServer, root: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_OFFLINE", True)
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_CACHE", str(tmp_path))
    assert Sources(root).open(ModelSource("hf://Org/Name")).place == str(root / "Org/Name")
    with pytest.raises(OmecError, match="HF_HUB_OFFLINE"):
        Sources(root).open(ModelSource("hf://Org/Other"))


def test_an_artifact(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("DOCKER_CONFIG", str(tmp_path))
    with RegistryServer() as registry:
        digest = registry.push("v1", {"config": {"paramSize": "8b"}}, [])
        uri = f"modelpack://{registry.host}/org/model:v1"
        opened = Sources().open(ModelSource(uri))
        locked, _ = opened.locked(uri)
        assert (locked.revision, locked.digest, locked.facts) == (digest, digest, {"modelParameterSize": "8B"})
        config = (f"{MODEL}.weight.config.v1.raw", b'{"model_type": "x"}', "config.json")
        registry.push("v1", {}, [config])
        locked, _ = Sources().open(ModelSource(uri)).locked(uri)
        assert locked.facts["modelType"] == "x"
        assert locked.digest != locked.revision
