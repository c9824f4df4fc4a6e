"""The cluster of this pod, by the service account that Kubernetes mounts into it.

The client for Kubernetes would do, but loading it takes a role longer than all the rest of its start, and its clock for
reading the token again stands still when the machine's clock is set back. Source: Kubernetes documentation, "Accessing
the Kubernetes API from a Pod".
"""

from __future__ import annotations

import contextlib
import os
import ssl
import threading
import time
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from urllib3 import PoolManager

FOLDER = Path("/var/run/secrets/kubernetes.io/serviceaccount")

_HOST, _PORT = "KUBERNETES_SERVICE_HOST", "KUBERNETES_SERVICE_PORT"
_READ_AGAIN_SECONDS = 60.0


def in_pod() -> bool:
    """Whether this process runs in a pod."""
    return _HOST in os.environ


class ServiceAccount:
    """What the folder of a service account says; raises ``OSError``, or ``KeyError`` outside of a pod."""

    def __init__(self, folder: Path | None = None) -> None:
        folder = folder or FOLDER
        host, port = os.environ[_HOST], os.environ[_PORT]
        self.host = f"https://[{host}]:{port}" if ":" in host else f"https://{host}:{port}"
        self._authority = folder / "ca.crt"
        self._authority.read_bytes()  # or every request would fail later, and not say why
        self._file = folder / "token"
        self._guard = threading.Lock()
        self._token = self._file.read_text(encoding="ascii").strip()
        self._read_at = time.monotonic()

    def pool(self, connections: int) -> PoolManager:
        """Connections to the API server, and never by a proxy: those of the environment lead out of the cluster."""
        import urllib3  # noqa: PLC0415

        return urllib3.PoolManager(maxsize=connections, ca_certs=str(self._authority), cert_reqs=ssl.CERT_REQUIRED)

    def headers(self) -> dict[str, str]:
        """What the next request says; the kubelet writes another token into the file before the last one ends."""
        with self._guard:
            if time.monotonic() - self._read_at >= _READ_AGAIN_SECONDS:
                self._read_at = time.monotonic()
                # Without it the last one holds for a while, and then the API server says so.
                with contextlib.suppress(OSError, ValueError):
                    self._token = self._file.read_text(encoding="ascii").strip() or self._token
            return {"Authorization": f"Bearer {self._token}"}
