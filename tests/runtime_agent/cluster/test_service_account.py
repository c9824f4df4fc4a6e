"""In a pod: the mounted service account, and certificates as Kubernetes' own programs judge them."""

from __future__ import annotations

import ssl
import subprocess
import sys
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

import pytest

from omec.runtime_agent.cluster import service_account
from omec.runtime_agent.cluster.connect import connect
from omec.runtime_agent.cluster.errors import ClusterError, UnreachableError

pytest.importorskip("urllib3", reason="the extra omec[agent] is not installed")


class ApiServer(BaseHTTPRequestHandler):
    """Answers with the headers that it was asked with."""

    asked: list[dict[str, str]]

    def do_GET(self) -> None:
        self.asked.append({key.lower(): text for key, text in self.headers.items()})
        self.send_response(200)
        self.send_header("Content-Length", "2")
        self.end_headers()
        self.wfile.write(b"{}")

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the library's name
        """Nothing is logged."""


@pytest.fixture(scope="module")
def certificates(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An authority and a certificate of 127.0.0.1 without Authority Key Identifier, like those of old clusters."""
    folder = tmp_path_factory.mktemp("certificates")
    (folder / "ext").write_text("subjectAltName=IP:127.0.0.1\nauthorityKeyIdentifier=none\n", encoding="ascii")
    authority = [
        "-newkey",
        "rsa:2048",
        "-nodes",
        "-keyout",
        "ca.key",
        "-out",
        "ca.crt",
        "-subj",
        "/CN=ca",
        "-days",
        "2",
    ]
    request = ["-newkey", "rsa:2048", "-nodes", "-keyout", "tls.key", "-out", "tls.csr", "-subj", "/CN=server"]
    signed = ["-req", "-in", "tls.csr", "-CA", "ca.crt", "-CAkey", "ca.key", "-CAcreateserial", "-out", "tls.crt"]
    for command in (
        ["req", "-x509", *authority],
        ["req", *request],
        ["x509", *signed, "-extfile", "ext", "-days", "2"],
    ):
        subprocess.run(["openssl", *command], cwd=folder, check=True, capture_output=True)
    return folder


@pytest.fixture
def asked(certificates: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[list[dict[str, str]]]:
    """The headers of all requests to an API server that the environment of a pod names."""
    handler = type("Handler", (ApiServer,), {"asked": []})
    server = HTTPServer(("127.0.0.1", 0), handler)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificates / "tls.crt", certificates / "tls.key")
    server.socket = context.wrap_socket(server.socket, server_side=True)
    threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True).start()
    monkeypatch.delenv("KUBECONFIG", raising=False)
    monkeypatch.setenv("KUBERNETES_SERVICE_HOST", "127.0.0.1")
    monkeypatch.setenv("KUBERNETES_SERVICE_PORT", str(server.server_address[1]))
    monkeypatch.setenv("HTTPS_PROXY", "http://127.0.0.1:9")
    yield handler.asked
    server.shutdown()
    server.server_close()


@pytest.fixture
def account(tmp_path: Path, certificates: Path) -> Path:
    (tmp_path / "token").write_text("first\n", encoding="ascii")
    (tmp_path / "ca.crt").write_bytes((certificates / "ca.crt").read_bytes())
    return tmp_path


def test_the_token_is_read_again(asked: list[dict[str, str]], account: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The kubelet replaces it; while its file is being replaced, the last one is good enough."""
    cluster = connect(service_account=account)
    cluster.request("GET", "/")
    (account / "token").write_text("second", encoding="ascii")
    cluster.request("GET", "/")
    monkeypatch.setattr(service_account, "_READ_AGAIN_SECONDS", 0)
    cluster.request("GET", "/")
    (account / "token").unlink()
    cluster.request("GET", "/")
    assert [each["authorization"] for each in asked] == [
        f"Bearer {each}" for each in ("first", "first", *["second"] * 2)
    ]


def test_who_is_acted_for_is_named_once(asked: list[dict[str, str]], account: Path) -> None:
    connect(service_account=account, acting_as="system:serviceaccount:a:b").request("GET", "/")
    sent = {key: text for key, text in asked[0].items() if key.startswith("impersonate")}
    assert sent == {"impersonate-user": "system:serviceaccount:a:b"}


def test_the_client_for_kubernetes_is_not_needed_in_a_pod(
    asked: list[dict[str, str]], account: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "kubernetes", None)
    connect(service_account=account).request("GET", "/")
    assert asked


def test_another_authority_is_not_believed(asked: list[dict[str, str]], account: Path) -> None:
    command = ["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", "/dev/null", "-subj", "/CN=ca"]
    subprocess.run(["openssl", *command, "-out", "ca.crt"], cwd=account, check=True, capture_output=True)
    with pytest.raises(UnreachableError, match=r"(?i)certificate"):
        connect(service_account=account).request("GET", "/")
    assert asked == []


@pytest.mark.parametrize("missing", ["token", "ca.crt", "KUBERNETES_SERVICE_PORT"])
def test_a_pod_without_a_service_account(
    asked: list[dict[str, str]], account: Path, monkeypatch: pytest.MonkeyPatch, missing: str
) -> None:
    monkeypatch.delenv(missing, raising=False)
    (account / missing).unlink(missing_ok=True)
    with pytest.raises(ClusterError, match=f"no cluster is configured: .*{missing}") as raised:
        connect(service_account=account)
    assert raised.value.code == "OME731"
    assert asked == []


@pytest.mark.parametrize(("host", "address"), [("10.96.0.1", "10.96.0.1"), ("fd00::1", "[fd00::1]")])
def test_addresses(account: Path, monkeypatch: pytest.MonkeyPatch, host: str, address: str) -> None:
    monkeypatch.setenv("KUBERNETES_SERVICE_HOST", host)
    monkeypatch.setenv("KUBERNETES_SERVICE_PORT", "443")
    assert service_account.ServiceAccount(account).host == f"https://{address}:443"
