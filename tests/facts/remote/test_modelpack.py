"""ModelPack artifacts, against a registry on the loopback interface."""

from __future__ import annotations

import base64
import json
import socket
import tarfile
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from omec.api.storage_uri import ModelPackUri
from omec.facts import FactsError, read_facts, read_tree
from omec.facts.facts import Facts
from omec.facts.remote.client import Client, Patience
from omec.facts.remote.errors import ConnectionFailedError, HttpError, RemoteError
from omec.facts.remote.modelpack import Artifact, facts_of_config
from omec.facts.remote.registry import Reference
from omec.facts.remote.url_wire import UrlWire
from omec.facts.remote.wire import Request
from tests.facts.models import LLAMA, Content, encode, safetensors, write_model
from tests.facts.registry_server import MODEL, RegistryServer, archive

WEIGHTS = safetensors({"a.weight": ("BF16", [1500])}) + b"\0" * 3000
FILES: dict[str, Content] = {"config.json": LLAMA, "tokenizer.json": "{}", "model.safetensors": WEIGHTS}
CONFIG = {
    "descriptor": {"family": "llama3", "name": "llama-3-8b"},
    "config": {
        "architecture": "transformer",
        "format": "SafeTensors",
        "paramSize": "8b",
        "precision": "bf16",
        "quantization": "fp8",
        "capabilities": {"inputTypes": ["text"], "outputTypes": ["text"]},
    },
    "modelfs": {"type": "layers", "diffIds": []},
}


@pytest.fixture
def registry(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[RegistryServer]:
    monkeypatch.setenv("DOCKER_CONFIG", str(tmp_path / "no-docker"))
    for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"):
        monkeypatch.delenv(name, raising=False)
    with RegistryServer() as server:
        yield server


def artifact(server: RegistryServer, version: str = ":v1") -> Artifact:
    uri = ModelPackUri(f"{server.host}/org/model{version}")
    return Artifact(uri, Client(UrlWire(), Patience(attempts=2, first_wait=0.001)))


def raw(path: str) -> tuple[str, bytes, str]:
    kind = "weight" if path.endswith(".safetensors") else "weight.config"
    return f"{MODEL}.{kind}.v1.raw", encode(FILES[path]), path


def facts(server: RegistryServer) -> Facts:
    found = artifact(server)
    tree = found.tree()
    return found.facts() if tree is None else read_tree(tree)


LAYOUTS: dict[str, list[tuple[str, bytes, str]]] = {
    "files": [raw(path) for path in FILES],
    "one archive": [(f"{MODEL}.weight.config.v1.tar", archive(FILES), "")],
    "archives of one file each": [
        (f"{MODEL}.weight.v1.tar", archive({path: content}), path) for path, content in FILES.items()
    ],
    "archives with long names": [
        (f"{MODEL}.weight.v1.tar", archive({"./" + path: content}), "") for path, content in FILES.items()
    ],
    "the older types": [
        ("application/vnd.cnai.model.weight.v1", encode(content), path) for path, content in FILES.items()
    ],
}


@pytest.mark.parametrize("layout", LAYOUTS)
def test_files_that_can_be_read_in_place(registry: RegistryServer, tmp_path: Path, layout: str) -> None:
    registry.push("v1", CONFIG, LAYOUTS[layout])
    assert facts(registry).to_dict() == read_facts(write_model(tmp_path, FILES)).to_dict()


@pytest.mark.parametrize("format_", [tarfile.PAX_FORMAT, tarfile.GNU_FORMAT])
def test_names_longer_than_a_header_holds(registry: RegistryServer, format_: int) -> None:
    folder = "d" * 90 + "/" + "e" * 90
    files = {f"{folder}/{name}": content for name, content in FILES.items()}
    registry.push("v1", CONFIG, [(f"{MODEL}.weight.v1.tar", archive(files, format_), "")])
    found = facts(registry)
    assert (found.config_file, found.parameter_count) == (f"{folder}/config.json", 1500)


def test_the_weights_stay_where_they_are(registry: RegistryServer) -> None:
    registry.push("v1", CONFIG, [*LAYOUTS["files"], (f"{MODEL}.doc.v1.tar", archive({"README.md": "x"}), "README.md")])
    facts(registry)
    weights = registry.blob(WEIGHTS)
    ranges = [range_ for path, range_, _ in registry.asked if weights in path]
    assert ranges == ["bytes=0-7", f"bytes=8-{len(WEIGHTS) - 3000 - 1}"]
    assert len(registry.asked) == 1 + 1 + 2  # the manifest, config.json, the header; no documentation, no tokenizer


def test_compressed_layers_leave_the_configuration(registry: RegistryServer) -> None:
    registry.push("v1", CONFIG, [(f"{MODEL}.weight.v1.tar+gzip", b"\x1f\x8b", "")])
    found = facts(registry)
    assert found.spec() == {
        "modelType": "llama3",
        "modelFormat": {"name": "safetensors"},
        "modelParameterSize": "8B",
        "modelCapabilities": ["TEXT_TO_TEXT"],
        "quantization": "fp8",
    }
    assert found.origins["modelParameterSize"] == "config.paramSize"
    assert "layers that are not compressed" in found.warnings[0].message


@pytest.mark.parametrize(
    ("config", "spec"),
    [
        ({}, {}),
        ({"config": {"paramSize": "6.7B"}}, {"modelParameterSize": "6.7B"}),
        ({"config": {"paramSize": "100m"}}, {"modelParameterSize": "100M"}),
        ({"config": {"paramSize": "1.0t"}}, {"modelParameterSize": "1T"}),
        ({"config": {"paramSize": "many"}}, {}),
        ({"config": {"paramSize": 8}}, {}),
        ({"config": {"quantization": "awq"}}, {}),
        ({"config": {"precision": "fp8"}}, {"quantization": "fp8"}),
        ({"config": {"format": "gguf"}}, {"modelFormat": {"name": "gguf"}}),
        ({"config": {"format": "x" * 300}}, {}),
        ({"config": [], "descriptor": 5}, {}),
        (
            {"config": {"capabilities": {"input_types": ["text", "image"], "output_types": ["text"]}}},
            {"modelCapabilities": ["IMAGE_TEXT_TO_TEXT", "TEXT_TO_TEXT"]},
        ),
        ({"config": {"capabilities": {"inputTypes": ["smell"], "outputTypes": [1]}}}, {}),
    ],
)
def test_configurations(config: dict[str, Any], spec: dict[str, Any]) -> None:
    assert facts_of_config(config, "x").spec() == spec


def test_what_a_configuration_does_not_tell_stays_open() -> None:
    assert facts_of_config(CONFIG, "x").fill({"modelType": "mine"}) == {
        "modelType": "mine",
        "modelFormat": {"name": "safetensors"},
        "modelParameterSize": "8B",
        "modelCapabilities": ["TEXT_TO_TEXT"],
        "quantization": "fp8",
    }


def test_the_digest_of_the_manifest_is_the_revision(registry: RegistryServer) -> None:
    digest = registry.push("v1", CONFIG, LAYOUTS["files"])
    assert artifact(registry).digest == digest
    assert artifact(registry, f"@{digest}").digest == digest


def test_an_index_stands_for_its_first_manifest(registry: RegistryServer) -> None:
    digest = registry.push("v1", CONFIG, LAYOUTS["files"])
    index = json.dumps({"schemaVersion": 2, "manifests": [{"digest": digest, "size": 1}]}).encode()
    registry.manifests["v1"] = index
    assert facts(registry).parameter_count == 1500
    registry.manifests["v1"] = json.dumps({"manifests": [{"digest": "sha256:x"}]}).encode()
    with pytest.raises(RemoteError, match="names no manifest"):
        facts(registry)


def test_blobs_may_be_elsewhere(registry: RegistryServer) -> None:
    with RegistryServer() as storage:
        storage.blobs = registry.blobs
        registry.storage = storage
        registry.push("v1", CONFIG, LAYOUTS["files"])
        assert facts(registry).parameter_count == 1500
        assert {authorization for _, _, authorization in storage.asked} == {None}


def test_tokens(registry: RegistryServer, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """The registry sends the client for a token; credentials are those of ``docker login``, and go nowhere else."""
    auth = base64.b64encode(b"user:password").decode()
    with RegistryServer() as storage, RegistryServer(auth) as private:
        storage.blobs = private.blobs
        private.storage = storage
        private.push("v1", CONFIG, LAYOUTS["files"])
        with pytest.raises(RemoteError, match="does not give") as error:
            facts(private)
        assert error.value.hint.startswith(f"run docker login {private.host}")
        monkeypatch.setenv("DOCKER_CONFIG", str(tmp_path))
        (tmp_path / "config.json").write_text(json.dumps({"auths": {private.host: {"auth": auth}}}))
        assert facts(private).parameter_count == 1500
        assert {authorization for _, _, authorization in storage.asked} == {None}
        assert any("/token?service=registry&scope=repository%3Ax%3Apull" in path for path, _, _ in private.asked)


@pytest.mark.parametrize(
    ("reference", "parts"),
    [
        ("ghcr.io/org/model", ("ghcr.io", "org/model", "latest")),
        ("ghcr.io/org/model:v1", ("ghcr.io", "org/model", "v1")),
        ("localhost:5000/a/b/c:v1", ("localhost:5000", "a/b/c", "v1")),
        ("[::1]:5000/a:v1", ("[::1]:5000", "a", "v1")),
        ("r.io/m@sha256:" + "a" * 64, ("r.io", "m", "sha256:" + "a" * 64)),
        ("r.io/m:v1@sha256:" + "a" * 64, ("r.io", "m", "sha256:" + "a" * 64)),
    ],
)
def test_references(reference: str, parts: tuple[str, str, str]) -> None:
    parsed = Reference.parse(reference)
    assert (parsed.host, parsed.repository, parsed.version) == parts


@pytest.mark.parametrize(
    "reference", ["r.io/UPPER", "r.io/a/../b", "r.io/a?x=1", "r.io/a@sha256:1", "r.io/a:b c", "/a", "r io/a"]
)
def test_what_is_no_reference(reference: str) -> None:
    with pytest.raises(RemoteError, match="names no artifact"):
        Reference.parse(reference)


@pytest.mark.parametrize(
    ("status", "message"),
    [(0, "has no"), (403, "does not give"), (500, "answers HTTP 500"), (429, "answers HTTP 429")],
)
def test_refusals(registry: RegistryServer, status: int, message: str) -> None:
    registry.status = status
    with pytest.raises(RemoteError, match=message):
        facts(registry)


def test_other_content_than_the_digest_names(registry: RegistryServer) -> None:
    digest = registry.push("v1", CONFIG, [])
    config = registry.blob(CONFIG)
    registry.blobs[config] = b"{}"
    with pytest.raises(RemoteError, match=f"other content than {config}"):
        facts(registry)
    registry.manifests[digest] = b"{}"
    with pytest.raises(RemoteError, match=f"other content than {digest}"):
        artifact(registry, f"@{digest}")


@pytest.mark.parametrize(
    "manifest",
    [
        {"config": {"mediaType": "application/vnd.oci.image.config.v1+json"}},
        {"config": {"mediaType": f"{MODEL}.config.v1+json", "digest": "sha256:../x"}},
        {"config": None},
        {"layers": [None, {"mediaType": 5}, {"mediaType": f"{MODEL}.weight.v1.raw", "digest": "x", "size": -1}]},
        {"layers": 5, "config": 5},
    ],
)
def test_manifests_of_something_else(registry: RegistryServer, manifest: dict[str, Any]) -> None:
    registry.push_manifest("v1", manifest)
    with pytest.raises(FactsError):
        facts(registry)


@pytest.mark.parametrize("content", [b"", b"[]", b"[" * 100_000, b"\xff"])
def test_manifests_that_are_no_json(registry: RegistryServer, content: bytes) -> None:
    registry.manifests["v1"] = content
    with pytest.raises(FactsError, match="no JSON object"):
        facts(registry)


@pytest.mark.parametrize("damage", [b"", b"\0" * 512, b"\xff" * 2048, archive(FILES)[:700]])
def test_damaged_archives_hold_nothing(registry: RegistryServer, damage: bytes) -> None:
    registry.push("v1", CONFIG, [(f"{MODEL}.weight.v1.tar", damage, "")])
    assert artifact(registry).tree() is None or facts(registry).parameter_count >= 0


def test_a_layer_shorter_than_the_manifest_says(registry: RegistryServer) -> None:
    registry.push("v1", CONFIG, LAYOUTS["files"])
    manifest = json.loads(registry.manifests["v1"])
    registry.blobs[manifest["layers"][2]["digest"]] = WEIGHTS[:20]
    registry.manifests["v1"] = json.dumps(manifest).encode()
    assert any("shorter than the manifest says" in each.message for each in facts(registry).warnings)


@pytest.mark.parametrize("location", ["file:///etc/hostname", "ftp://127.0.0.1:9/x", "gopher://x"])
def test_redirects_lead_to_http_only(location: str) -> None:
    answer = f"HTTP/1.1 302 Found\r\nLocation: {location}\r\nContent-Length: 0\r\n\r\n".encode()
    with pytest.raises((ConnectionFailedError, HttpError)):
        UrlWire().get(Request(f"http://{once(answer)}/", 100))


def test_answers_that_are_cut_are_noticed() -> None:
    with pytest.raises(ConnectionFailedError, match="before its time"):
        UrlWire().get(Request(f"http://{once(CUT)}/", 100))


CUT = b"HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhalf"


def once(answer: bytes) -> str:
    """The address of a server that gives one connection ``answer`` and closes it."""
    listener = socket.create_server(("127.0.0.1", 0))

    def serve() -> None:
        with listener, listener.accept()[0] as connection:
            connection.recv(4096)
            connection.sendall(answer)

    threading.Thread(target=serve, daemon=True).start()
    return f"127.0.0.1:{listener.getsockname()[1]}"
