"""A hub to download from, and jobs for it."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from omec.runtime_agent.download.job import Job
from tests.facts.conftest import local_hub
from tests.facts.hub_server import HubServer

CONFIG = {"model_type": "llama", "architectures": ["LlamaForCausalLM"], "hidden_size": 64, "num_hidden_layers": 2}

FILES: dict[str, Any] = {
    "config.json": json.dumps(CONFIG),
    "README.md": "a model",
    "weights/model-1.bin": b"\1\2\3\4" * 200_000,
    "model-2.bin": bytes(range(256)) * 3000,
    "empty.txt": "",
}
MODEL = "org/model"


@pytest.fixture
def hub(monkeypatch: pytest.MonkeyPatch) -> Iterator[HubServer]:
    """A hub for this process, and for child processes (which the job tells its address)."""
    for server in local_hub(monkeypatch):
        server.repository(MODEL, FILES)
        yield server


@pytest.fixture
def root(tmp_path: Path) -> Path:
    folder = tmp_path / "models"
    folder.mkdir()
    return folder


@pytest.fixture
def job(hub: HubServer, root: Path) -> Callable[..., Job]:
    def made(uri: str = f"hf://{MODEL}", path: str = "", **more: Any) -> Job:
        more = {"endpoint": hub.endpoint, "reserve": 0, "roots": (str(root),), **more}
        return Job(uri, path or str(root / "model"), **more)

    return made


def content_of(folder: Path) -> dict[str, str]:
    """The files of a model below ``folder``, by their SHA-256; not those of the agent."""
    return {
        str(path.relative_to(folder)): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and ".omec" not in path.parts
    }


def expected(hub: HubServer, model: str = MODEL) -> dict[str, str]:
    files = hub.repositories[model].files
    return {path: hashlib.sha256(files[path]).hexdigest() for path in sorted(files)}


def some_arrived(root: Path, least: int = 100_000) -> bool:
    """Whether a file that is on its way to a directory in ``root`` has more than ``least`` bytes."""
    with suppress(FileNotFoundError):  # what was listed is complete meanwhile, and somewhere else
        return any(part.stat().st_size > least for part in root.rglob("parts/*"))
    return False
