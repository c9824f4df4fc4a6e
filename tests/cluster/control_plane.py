"""A throw-away Kubernetes control plane on loopback: etcd and kube-apiserver, as ``envtest`` runs them.

There is no kubelet, scheduler or controller-manager: objects are stored, validated, defaulted and served, and nothing
runs. The binaries are those of ``KUBEBUILDER_ASSETS``.
"""

from __future__ import annotations

import secrets
import socket
import ssl
import subprocess
import time
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

BINARIES = ("etcd", "kube-apiserver")
START_TIMEOUT = 60.0


class NotStartedError(Exception):
    """A process of the control plane ended, or was not ready in time; the text holds the end of its log."""


@dataclass(frozen=True, slots=True)
class Endpoint:
    """Where the API server listens, and the token of a cluster administrator.

    ``restart`` kills it and starts it again: same address, token and data.
    """

    host: str
    port: int
    certificate: Path
    token: str
    restart: Callable[[], None]


@contextmanager
def control_plane(assets: Path, folder: Path) -> Iterator[Endpoint]:
    """A running control plane whose data and logs are in ``folder``, which it may fill and leave behind."""
    etcd_port, peer_port, port = _free_ports(3)
    token = secrets.token_hex(16)
    _write_credentials(folder, token)
    processes: list[subprocess.Popen[bytes]] = []
    try:
        processes.append(_spawn(folder, [f"{assets}/etcd", *_etcd_flags(folder, etcd_port, peer_port)]))
        apiserver = [f"{assets}/kube-apiserver", *_apiserver_flags(folder, etcd_port, port)]
        processes.append(_spawn(folder, apiserver))
        _wait_until_ready(folder, processes, port)

        def restart() -> None:
            processes[-1].kill()
            processes[-1].wait()
            processes[-1] = _spawn(folder, apiserver)
            _wait_until_ready(folder, processes, port)

        yield Endpoint("127.0.0.1", port, folder / "certs" / "apiserver.crt", token, restart)
    finally:
        for process in reversed(processes):
            process.kill()
            process.wait()


def _free_ports(count: int) -> list[int]:
    sockets = [socket.create_server(("127.0.0.1", 0)) for _ in range(count)]
    ports = [listener.getsockname()[1] for listener in sockets]
    for listener in sockets:
        listener.close()
    return ports


def _write_credentials(folder: Path, token: str) -> None:
    tokens = folder / "tokens.csv"
    tokens.touch(mode=0o600)
    tokens.write_text(f"{token},admin,admin-uid,system:masters\n", encoding="utf-8")
    subprocess.run(["openssl", "genrsa", "-out", folder / "sa.key", "2048"], check=True, capture_output=True)


def _etcd_flags(folder: Path, port: int, peer_port: int) -> list[str]:
    return [
        f"--data-dir={folder}/etcd",
        "--unsafe-no-fsync",
        "--log-level=error",
        f"--listen-client-urls=http://127.0.0.1:{port}",
        f"--advertise-client-urls=http://127.0.0.1:{port}",
        f"--listen-peer-urls=http://127.0.0.1:{peer_port}",
    ]


def _apiserver_flags(folder: Path, etcd_port: int, port: int) -> list[str]:
    return [
        f"--etcd-servers=http://127.0.0.1:{etcd_port}",
        "--bind-address=127.0.0.1",
        f"--secure-port={port}",
        f"--cert-dir={folder}/certs",
        f"--token-auth-file={folder}/tokens.csv",
        "--authorization-mode=RBAC",
        "--service-account-issuer=https://kubernetes.default.svc",
        f"--service-account-signing-key-file={folder}/sa.key",
        f"--service-account-key-file={folder}/sa.key",
        "--service-cluster-ip-range=10.96.0.0/16",
        "--disable-admission-plugins=ServiceAccount",
        "--enable-priority-and-fairness=false",
        "--allow-privileged=true",
        "--profiling=false",
    ]


def _spawn(folder: Path, command: list[str]) -> subprocess.Popen[bytes]:
    with (folder / f"{Path(command[0]).name}.log").open("wb") as log:
        return subprocess.Popen(command, stdout=log, stderr=subprocess.STDOUT, start_new_session=True)


def _wait_until_ready(folder: Path, processes: list[subprocess.Popen[bytes]], port: int) -> None:
    anybody = ssl.create_default_context()
    anybody.check_hostname = False
    anybody.verify_mode = ssl.CERT_NONE  # the server makes its certificate while it starts
    deadline = time.monotonic() + START_TIMEOUT
    while True:
        for process in processes:
            if process.poll() is not None:
                raise NotStartedError(_last_words(folder, process))
        try:
            urllib.request.urlopen(f"https://127.0.0.1:{port}/readyz", timeout=2, context=anybody).close()
            return
        except OSError:
            if time.monotonic() > deadline:
                raise NotStartedError(_last_words(folder, processes[-1])) from None
            time.sleep(0.1)


def _last_words(folder: Path, process: subprocess.Popen[bytes]) -> str:
    name = Path(str(process.args[0])).name  # type: ignore[index]  # a list, as _spawn passes it
    log = (folder / f"{name}.log").read_text(encoding="utf-8", errors="replace")
    return f"{name} is not ready; the end of its log:\n{log[-2000:]}"
