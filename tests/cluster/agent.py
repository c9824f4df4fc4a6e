"""The agent's own client for a test's API server."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml

from omec.runtime_agent.cluster.client import Cluster
from tests.cluster.control_plane import Endpoint


def write_kubeconfig(endpoint: Endpoint, path: Path) -> Path:
    """A kubeconfig of a cluster administrator."""
    content = {
        "apiVersion": "v1",
        "kind": "Config",
        "current-context": "test",
        "clusters": [
            {
                "name": "test",
                "cluster": {
                    "server": f"https://{endpoint.host}:{endpoint.port}",
                    "certificate-authority": str(endpoint.certificate),
                },
            }
        ],
        "users": [{"name": "admin", "user": {"token": endpoint.token}}],
        "contexts": [{"name": "test", "context": {"cluster": "test", "user": "admin"}}],
    }
    path.write_text(yaml.safe_dump(content), encoding="utf-8")
    return path


def agent_client(endpoint: Endpoint, folder: Path, *, acting_as: str = "") -> Cluster:
    """The agent's client as an administrator, or as ``acting_as``; skips where the extra is not installed."""
    pytest.importorskip("kubernetes", reason="the extra omec[agent] is not installed")
    from omec.runtime_agent.cluster.connect import connect  # noqa: PLC0415

    return connect(write_kubeconfig(endpoint, folder / "kubeconfig"), acting_as=acting_as)
