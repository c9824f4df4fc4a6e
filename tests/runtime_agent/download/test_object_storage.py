"""Oracle object storage, with a stand-in for the SDK that keeps to the SDK's names."""

from __future__ import annotations

import base64
import hashlib
import sys
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from omec.runtime_agent.download.errors import DownloadError, Kind
from omec.runtime_agent.download.fetch import fetch
from omec.runtime_agent.download.job import Job
from omec.runtime_agent.download.tally import Tally
from omec.runtime_agent.node.model import NodeModel
from omec.runtime_agent.node.shapes import wanted_gpu
from tests.runtime_agent.download.conftest import content_of

URI = "oci://n/ns/b/bucket/o/models/m"


class ServiceError(Exception):
    def __init__(self, status: int) -> None:
        self.status, self.code, self.message = status, "Code", "words"


class RequestError(Exception):
    pass


class Storage:
    """Objects by name; ``in_parts`` have no MD5 of their own."""

    def __init__(self, objects: Mapping[str, bytes]) -> None:
        self.objects = dict(objects)
        self.in_parts: dict[str, str] = {}
        self.failures: list[Exception] = []
        self.made: list[tuple[Any, Any]] = []
        self.asked: list[tuple[str, str]] = []

    def client(self, config: Any, signer: Any = None) -> Storage:
        self.made.append((config, signer))
        return self

    def list_objects(self, namespace: str, bucket: str, prefix: str, fields: str, start: str = "") -> Any:
        """Two at a time."""
        names = sorted(name for name in self.objects if name.startswith(prefix) and name >= start)
        listed = [self._listed(name) for name in names[:2]]
        following = names[2] if len(names) > 2 else None
        return SimpleNamespace(data=SimpleNamespace(objects=listed, next_start_with=following))

    def _listed(self, name: str) -> Any:
        content = self.objects[name]
        md5 = None if name in self.in_parts else md5_of(content)
        return SimpleNamespace(name=name, size=len(content), md5=md5, etag=hashlib.sha1(content).hexdigest())

    def head_object(self, namespace: str, bucket: str, name: str) -> Any:
        return SimpleNamespace(headers={"opc-meta-md5": self.in_parts[name]} if self.in_parts[name] else {})

    def get_object(self, namespace: str, bucket: str, name: str, **more: str) -> Any:
        self.asked.append((name, more.get("range", "")))
        if self.failures:
            raise self.failures.pop()
        start = int(more["range"].removeprefix("bytes=").rstrip("-")) if more else 0
        content = self.objects[name][start:]

        def stream(size: int, decode_content: bool) -> Iterator[bytes]:
            yield from (content[at : at + 7] for at in range(0, len(content), 7))

        raw = SimpleNamespace(stream=stream, close=lambda: None)
        return SimpleNamespace(status=206 if more else 200, data=SimpleNamespace(raw=raw))


def md5_of(content: bytes) -> str:
    return base64.b64encode(hashlib.md5(content).digest()).decode()


@pytest.fixture
def storage(monkeypatch: pytest.MonkeyPatch) -> Storage:
    made = Storage({"models/m/config.json": b"{}", "models/m/w/H100/a.bin": b"a" * 100, "models/m/w/A10/a.bin": b"b"})
    made.objects |= {"models/m/": b"", "models/more/x": b"x"}
    signers = SimpleNamespace(
        InstancePrincipalsSecurityTokenSigner=lambda: "instance",
        get_resource_principals_signer=lambda: "resource",
        get_oke_workload_identity_resource_principal_signer=lambda: "workload",
    )
    sdk = SimpleNamespace(
        auth=SimpleNamespace(signers=signers),
        config=SimpleNamespace(from_file=lambda: {"user": "me"}),
        object_storage=SimpleNamespace(ObjectStorageClient=made.client),
        exceptions=SimpleNamespace(ServiceError=ServiceError, RequestException=RequestError, ClientError=RequestError),
    )
    monkeypatch.setitem(sys.modules, "oci", sdk)
    return made


def test_objects_become_files(storage: Storage, job: Callable[..., Job], root: Path) -> None:
    result = fetch(job(URI), Tally())
    assert sorted(content_of(root / "model")) == ["config.json", "w/A10/a.bin", "w/H100/a.bin"]
    assert result.changed
    assert not fetch(job(URI), Tally()).changed
    storage.objects["models/m/config.json"] = b"[]"
    assert fetch(job(URI), Tally()).changed
    assert (root / "model" / "config.json").read_bytes() == b"[]"


@pytest.mark.parametrize("told", ["", "right", "wrong"])
def test_objects_in_parts(storage: Storage, job: Callable[..., Job], root: Path, told: str) -> None:
    """Their MD5 may stand in the metadata; without it the size has to do."""
    name = "models/m/w/H100/a.bin"
    storage.in_parts[name] = {"": "", "right": md5_of(b"a" * 100), "wrong": md5_of(b"other")}[told]
    if told == "wrong":
        with pytest.raises(DownloadError) as raised:
            fetch(job(URI), Tally())
        assert raised.value.kind is Kind.CHECKSUM
    else:
        fetch(job(URI), Tally())
        assert (root / "model" / "w" / "H100" / "a.bin").read_bytes() == b"a" * 100


def test_a_busy_storage_is_asked_again(storage: Storage, job: Callable[..., Job], root: Path) -> None:
    storage.failures = [ServiceError(503), RequestError("reset")]
    fetch(job(URI, parallel_files=1), Tally())
    assert len(storage.asked) == 5


@pytest.mark.parametrize(
    ("parameters", "made"),
    [
        ({}, ({}, "instance")),
        ({"region": "us-ashburn-1"}, ({"region": "us-ashburn-1"}, "instance")),
        ({"auth": "ResourcePrincipal"}, ({}, "resource")),
        ({"auth": "OkeWorkloadIdentity"}, ({}, "workload")),
        ({"auth": "UserPrincipal", "region": "r"}, ({"user": "me", "region": "r"}, None)),
    ],
)
def test_identities(storage: Storage, job: Callable[..., Job], parameters: dict[str, str], made: Any) -> None:
    fetch(job(URI, parameters=parameters), Tally())
    assert storage.made == [made]


@pytest.mark.parametrize(
    ("uri", "parameters", "kind", "words"),
    [
        ("oci://n/ns/b/bucket/o/nothing", {}, Kind.NOT_FOUND, "object prefix nothing/"),
        (
            URI,
            {"auth": "instanceprincipal"},
            Kind.URI,
            "must be one of InstancePrincipal, ResourcePrincipal, OkeWorkloadIdentity, UserPrincipal$",
        ),
        (URI, {"omec.gpu": "B200"}, Kind.NOT_FOUND, "no suitable objects found for shape B200"),
    ],
)
def test_what_cannot_be_had(
    storage: Storage, job: Callable[..., Job], uri: str, parameters: dict[str, str], kind: Kind, words: str
) -> None:
    with pytest.raises(DownloadError, match=words) as raised:
        fetch(job(uri, parameters=parameters), Tally())
    assert raised.value.kind is kind


def test_engines_of_one_gpu(storage: Storage, job: Callable[..., Job], root: Path) -> None:
    fetch(job(URI, parameters={"omec.gpu": "H100"}), Tally())
    assert sorted(content_of(root / "model")) == ["w/H100/a.bin"]


def test_without_the_sdk(job: Callable[..., Job], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "oci", None)
    with pytest.raises(DownloadError, match=r"pip install 'omec\[oci\]'"):
        fetch(job(URI), Tally())


INSTANCE = "node.kubernetes.io/instance-type"


@pytest.mark.parametrize(
    ("spec", "labels", "gpu"),
    [
        ({}, {INSTANCE: "BM.GPU.H100.8"}, "H100"),
        ({}, {"beta.kubernetes.io/instance-type": "BM.GPU4.8"}, "A100-40G"),
        ({}, {INSTANCE: "unlisted"}, "unlisted"),
        ({"additionalMetadata": {"type": "Serving"}}, {INSTANCE: "gpu-l40s"}, "L40S"),
        ({"additionalMetadata": {"type": "Training"}}, {INSTANCE: "gpu-l40s"}, ""),
        ({"modelFormat": {"name": "safetensors"}}, {INSTANCE: "gpu-l40s"}, ""),
        ({"storage": {"storageUri": "hf://a/b"}}, {INSTANCE: "gpu-l40s"}, ""),
    ],
)
def test_gpu_of_a_node(spec: dict[str, Any], labels: dict[str, str], gpu: str) -> None:
    whole = {"modelFormat": {"name": "tensorrtllm"}, "storage": {"storageUri": URI}, **spec}
    assert wanted_gpu(NodeModel.of({"metadata": {"name": "m"}, "spec": whole}), labels) == gpu


def test_the_table_of_instances_can_be_replaced(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("INSTANCE_TYPE_MAP", '{"mine": "X1"}')
    spec = {"modelFormat": {"name": "tensorrtllm"}, "storage": {"storageUri": URI}}
    assert wanted_gpu(NodeModel.of({"metadata": {"name": "m"}, "spec": spec}), {INSTANCE: "mine"}) == "X1"
