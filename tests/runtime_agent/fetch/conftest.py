"""Containers: ``omec agent fetch`` with the environment that it would have in a pod."""

from __future__ import annotations

import io
import json
import logging
import os
import signal
import stat
import subprocess
import sys
import zipfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from omec.cli.main import run
from tests.runtime_agent.fetch.object_server import BUCKET, NAMESPACE, ObjectServer

FILES = {"adapter_config.json": b"{}", "layers/adapter.safetensors": bytes(range(256)) * 8000}
OBJECT = "team a/weights-merged-weight"


class Pod:
    """A pod with one volume, whose containers run here; ``variables`` are those of the container."""

    def __init__(self, folder: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> None:
        self._monkeypatch = monkeypatch
        self._capfd = capfd
        self.home = folder / "home"
        self.volume = folder / "volume"
        self.archives, self.target = self.volume / "download", self.volume / "model"
        for each in (self.home, self.volume):
            each.mkdir()
        self.variables: dict[str, str] = {}

    def start(self, *arguments: str) -> subprocess.Popen[str]:
        kept = {key: os.environ[key] for key in ("PATH", "PYTHONPATH", "LANG") if key in os.environ}
        return subprocess.Popen(
            [sys.executable, "-m", "omec", "agent", "fetch", *arguments],
            env={**kept, "HOME": str(self.home), **self.variables},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    def run(self, *arguments: str) -> tuple[int, list[str]]:
        """Run a container in this process; the exit code, and the lines of the log."""
        handler, logs = signal.getsignal(signal.SIGTERM), logging.getLogger().handlers[:]
        with self._monkeypatch.context() as environment:
            for name, text in {"HOME": str(self.home), **self.variables}.items():
                environment.setenv(name, text)
            try:
                code = run(["agent", "fetch", *arguments])
            finally:
                signal.signal(signal.SIGTERM, handler)
                logging.getLogger().handlers[:] = logs
        out, log = self._capfd.readouterr()
        assert out == ""
        return code, log.splitlines()

    def files(self) -> dict[str, bytes]:
        """What is in the volume, but for the note of the agent about it."""
        found = {str(path.relative_to(self.volume)): path for path in self.volume.rglob("*") if path.is_file()}
        return {name: path.read_bytes() for name, path in found.items() if ".omec/" not in name}


def zipped(files: Mapping[str, bytes], **links: str) -> bytes:
    """A zip file; ``links`` are symbolic links by their names."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for name, content in files.items():
            archive.writestr(name, content)
        for name, target in links.items():
            entry = zipfile.ZipInfo(name)
            entry.external_attr = (stat.S_IFLNK | 0o777) << 16
            archive.writestr(entry, target)
    return buffer.getvalue()


def message_of(line: str) -> str:
    text: str = json.loads(line)["message"]
    return text


@pytest.fixture
def pod(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> Pod:
    for name in ("HF_TOKEN", "HF_ENDPOINT"):
        monkeypatch.delenv(name, raising=False)
    return Pod(tmp_path, monkeypatch, capfd)


@pytest.fixture(scope="session")
def private_key() -> str:
    pytest.importorskip("oci", reason="the extra omec[oci] is not installed")
    from cryptography.hazmat.primitives import serialization  # noqa: PLC0415 - comes with the SDK
    from cryptography.hazmat.primitives.asymmetric import rsa  # noqa: PLC0415

    key = rsa.generate_private_key(public_exponent=65537, key_size=2048)
    pem = serialization.PrivateFormat.TraditionalOpenSSL
    return key.private_bytes(serialization.Encoding.PEM, pem, serialization.NoEncryption()).decode()


@pytest.fixture
def storage(pod: Pod, private_key: str) -> Iterator[ObjectServer]:
    """Object storage with one object, and a pod that is to fetch it as a user of a configuration file."""
    folder = pod.home / ".oci"
    folder.mkdir()
    (folder / "key.pem").write_text(private_key)
    user: dict[str, Any] = {
        "user": "ocid1.user.oc1..a",
        "tenancy": "ocid1.tenancy.oc1..a",
        "fingerprint": "00:" * 15 + "00",
        "region": "eu-frankfurt-1",
        "key_file": str(folder / "key.pem"),
    }
    (folder / "config").write_text("[DEFAULT]\n" + "".join(f"{key}={text}\n" for key, text in user.items()))
    for each in folder.iterdir():
        each.chmod(0o600)
    with ObjectServer({OBJECT: zipped(FILES)}) as server:
        pod.variables = {
            "OME_AGENT_AUTH_TYPE": "UserPrincipal",
            "OME_AGENT_COMPARTMENT_ID": "ocid1.compartment.oc1..a",
            "OME_AGENT_REGION": "eu-frankfurt-1",
            "OME_AGENT_UNZIPPED_FINE_TUNED_WEIGHT_DIRECTORY": str(pod.target),
            "OME_AGENT_ZIPPED_FINE_TUNED_WEIGHT_DIRECTORY": str(pod.archives),
            "OME_AGENT_MODEL_NAMESPACE": NAMESPACE,
            "OME_AGENT_MODEL_BUCKET_NAME": BUCKET,
            "OME_AGENT_MODEL_OBJECT_NAME": OBJECT,
            "OME_AGENT_ENDPOINT": server.endpoint,
        }
        yield server
