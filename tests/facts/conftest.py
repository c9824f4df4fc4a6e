"""A hub to read from, and an environment without traces of the developer's own."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.facts.hub_server import HubServer


@pytest.fixture
def hub(monkeypatch: pytest.MonkeyPatch) -> Iterator[HubServer]:
    """A local hub that the real huggingface_hub talks to; skips the test where the extra is not installed."""
    yield from local_hub(monkeypatch)


def local_hub(monkeypatch: pytest.MonkeyPatch) -> Iterator[HubServer]:
    """What the fixture ``hub`` is made of, for fixtures of other packages."""
    constants = pytest.importorskip("huggingface_hub.constants", reason="the extra omec[hub] is not installed")
    for name in ("HF_TOKEN", "HUGGING_FACE_HUB_TOKEN", "HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(constants, "HF_TOKEN_PATH", "/nonexistent/token")
    monkeypatch.setattr(constants, "HF_HUB_OFFLINE", False)
    with HubServer() as server:
        monkeypatch.setattr(constants, "ENDPOINT", server.endpoint)
        template = f"{server.endpoint}/{{repo_id}}/resolve/{{revision}}/{{filename}}"
        monkeypatch.setattr(constants, "HUGGINGFACE_CO_URL_TEMPLATE", template)
        yield server
