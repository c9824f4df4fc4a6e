"""ModelPack artifacts from a real registry: the reference implementation of the distribution API.

Debian has it as ``docker-registry``. The registry of ``tests/facts/registry_server.py`` is for what a real one does not
do on request.
"""

from __future__ import annotations

import base64
import json
import shutil
import socket
import subprocess
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from omec.runtime_agent.cluster.backoff import Backoff
from omec.runtime_agent.download import transfer
from omec.runtime_agent.download.errors import DownloadError, Kind
from omec.runtime_agent.download.fetch import fetch
from omec.runtime_agent.download.job import Job
from omec.runtime_agent.download.tally import Tally
from tests.facts.registry_server import MANIFEST_TYPE, MODEL, archive, digest_of
from tests.runtime_agent.download.conftest import CONFIG, content_of
from tests.runtime_agent.tcp_proxy import TcpProxy

RAW, TAR = f"{MODEL}.weight.v1.raw", f"{MODEL}.weight.v1.tar"
LOGIN = base64.b64encode(b"user:password").decode()
HTPASSWD = "user:$2b$05$omecomecomecomecomecoeHJQsJe4n8hWm43ayaO9R.X7edV.g81e\n"
WEIGHTS = bytes(range(256)) * 8000
LAYERS = [
    (RAW, WEIGHTS, "weights/model.safetensors"),
    (TAR, archive({"config.json": json.dumps(CONFIG), "tokenizer/vocab.txt": "a\nb"}), ""),
    (RAW, b"", "empty.txt"),
]
MakeJob = Callable[..., Job]


@dataclass(frozen=True, slots=True)
class RealRegistry:
    """A running registry, and the folder in which it keeps blobs."""

    host: str
    storage: Path
    login: str = ""

    def push(self, tag: str, layers: list[tuple[str, bytes, str]]) -> str:
        """Push a model as ``modctl`` and ``oras`` do; the digest of its manifest."""
        config = self._blob(b'{"descriptor": {"name": "model"}}')
        manifest = {
            "schemaVersion": 2,
            "mediaType": MANIFEST_TYPE,
            "artifactType": f"{MODEL}.manifest.v1+json",
            "config": {"mediaType": f"{MODEL}.config.v1+json", **config},
            "layers": [
                {"mediaType": media_type, **self._blob(content), "annotations": {"org.cncf.model.filepath": path}}
                if path
                else {"mediaType": media_type, **self._blob(content)}
                for media_type, content, path in layers
            ],
        }
        data = json.dumps(manifest).encode()
        self._send("PUT", f"http://{self.host}/v2/org/model/manifests/{tag}", data, MANIFEST_TYPE)
        return digest_of(data)

    def blob(self, content: bytes) -> Path:
        """Where the registry keeps ``content``."""
        digest = digest_of(content).removeprefix("sha256:")
        return self.storage / "docker/registry/v2/blobs/sha256" / digest[:2] / digest / "data"

    def _blob(self, content: bytes) -> dict[str, Any]:
        place = self._send("POST", f"http://{self.host}/v2/org/model/blobs/uploads/").headers["Location"]
        digest = digest_of(content)
        self._send("PUT", f"{place}&digest={digest}", content, "application/octet-stream")
        return {"digest": digest, "size": len(content)}

    def _send(self, method: str, url: str, data: bytes = b"", media_type: str = "") -> Any:
        headers = {"Content-Type": media_type, **({"Authorization": f"Basic {self.login}"} if self.login else {})}
        return urllib.request.urlopen(urllib.request.Request(url, data, headers, method=method), timeout=30)


@contextmanager
def running(folder: Path, *, login: bool = False) -> Iterator[RealRegistry]:
    program = shutil.which("docker-registry")
    if program is None:
        pytest.skip("no registry: install Debian's package docker-registry")
    with socket.create_server(("127.0.0.1", 0)) as listener:
        host = f"127.0.0.1:{listener.getsockname()[1]}"
    storage = folder / "storage"
    (folder / "htpasswd").write_text(HTPASSWD, encoding="ascii")
    auth = {"auth": {"htpasswd": {"realm": "test", "path": str(folder / "htpasswd")}}} if login else {}
    config = {
        "version": "0.1",
        "log": {"level": "error", "accesslog": {"disabled": True}},
        "storage": {"filesystem": {"rootdirectory": str(storage)}},
        "http": {"addr": host},
        **auth,
    }
    (folder / "config.yml").write_text(json.dumps(config), encoding="utf-8")
    with (folder / "log").open("wb") as log:
        command = [program, "serve", str(folder / "config.yml")]
        process = subprocess.Popen(command, stdout=log, stderr=subprocess.STDOUT)
    try:
        wait_until_up(host, folder / "log")
        yield RealRegistry(host, storage, LOGIN if login else "")
    finally:
        process.kill()
        process.wait()


def wait_until_up(host: str, log: Path) -> None:
    deadline = time.monotonic() + 30
    while True:
        try:
            urllib.request.urlopen(f"http://{host}/v2/", timeout=5).close()
            return
        except urllib.error.HTTPError:
            return  # it wants a login
        except OSError:
            assert time.monotonic() < deadline, log.read_text(encoding="utf-8")
            time.sleep(0.05)


@pytest.fixture(scope="module")
def registry(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RealRegistry]:
    with running(tmp_path_factory.mktemp("registry")) as server:
        yield server


def failure(job: Job) -> DownloadError:
    with pytest.raises(DownloadError) as raised:
        fetch(job, Tally())
    return raised.value


def test_an_artifact_arrives_whole(registry: RealRegistry, job: MakeJob, root: Path) -> None:
    digest = registry.push("v1", LAYERS)
    result = fetch(job(f"modelpack://{registry.host}/org/model:v1"), Tally())
    assert (result.revision, result.facts["modelArchitecture"]) == (digest, "LlamaForCausalLM")
    assert sorted(content_of(root / "model")) == [
        "config.json", "empty.txt", "tokenizer/vocab.txt", "weights/model.safetensors"
    ]  # fmt: skip
    assert (root / "model/weights/model.safetensors").read_bytes() == WEIGHTS
    assert not fetch(job(f"modelpack://{registry.host}/org/model@{digest}"), Tally()).changed


def test_a_tag_that_moves_brings_the_new_files(registry: RealRegistry, job: MakeJob, root: Path) -> None:
    registry.push("moving", LAYERS)
    fetch(job(f"modelpack://{registry.host}/org/model:moving"), Tally())
    registry.push("moving", [LAYERS[0], (RAW, b"{}", "config.json")])
    result = fetch(job(f"modelpack://{registry.host}/org/model:moving"), Tally())
    assert result.transferred == 2
    assert sorted(content_of(root / "model")) == ["config.json", "weights/model.safetensors"]


def test_a_broken_connection_is_resumed(
    registry: RealRegistry, job: MakeJob, root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(transfer, "Backoff", lambda first, longest: Backoff(first / 20, longest / 20))
    registry.push("cut", LAYERS)
    with TcpProxy(f"http://{registry.host}") as proxy:
        proxy.cuts_at = [300_000] * 4
        uri = f"modelpack://{proxy.address.removeprefix('http://')}/org/model:cut"
        result = fetch(job(uri, parallel_files=1), Tally())
    assert len(proxy.cuts_at) < 4
    assert result.transferred == sum(len(content) for _, content, _ in LAYERS)  # nothing twice
    assert (root / "model/weights/model.safetensors").read_bytes() == WEIGHTS


def test_a_blob_that_rots_in_the_registry_is_refused(registry: RealRegistry, job: MakeJob, root: Path) -> None:
    content = b"w" * 5000
    registry.push("rotten", [(RAW, content, "model.bin")])
    registry.blob(content).write_bytes(b"x" * 5000)
    assert failure(job(f"modelpack://{registry.host}/org/model:rotten")).kind is Kind.CHECKSUM
    assert not (root / "model").exists()


@pytest.mark.parametrize("version", [":missing", f"@sha256:{'0' * 64}"])
def test_what_the_registry_does_not_have(registry: RealRegistry, job: MakeJob, version: str) -> None:
    error = failure(job(f"modelpack://{registry.host}/org/model{version}"))
    assert error.kind is Kind.NOT_FOUND
    assert "has no" in str(error)


def test_a_login(tmp_path: Path, job: MakeJob, root: Path) -> None:
    with running(tmp_path, login=True) as registry:
        registry.push("v1", [(RAW, b"w" * 500, "model.bin")])
        uri = f"modelpack://{registry.host}/org/model:v1"
        assert failure(job(uri)).kind is Kind.REFUSED
        config = json.dumps({"auths": {registry.host: {"auth": LOGIN}}})
        fetch(job(uri, secrets={"dockerconfig": config}), Tally())
    assert list(content_of(root / "model")) == ["model.bin"]
