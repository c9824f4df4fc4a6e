"""An OCI registry on the loopback interface: manifests, blobs with ranges and redirects, tokens."""

from __future__ import annotations

import hashlib
import io
import json
import re
import tarfile
import threading
from collections.abc import Mapping
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import urlsplit

from tests.facts.models import Content, encode

MANIFEST_TYPE = "application/vnd.oci.image.manifest.v1+json"
MODEL = "application/vnd.cncf.model"


def digest_of(data: bytes) -> str:
    return f"sha256:{hashlib.sha256(data).hexdigest()}"


def archive(files: Mapping[str, Content], format_: int = tarfile.PAX_FORMAT) -> bytes:
    """A tar archive of ``files``."""
    stream = io.BytesIO()
    with tarfile.open(fileobj=stream, mode="w", format=format_) as tar:
        for name, content in files.items():
            data = encode(content)
            member = tarfile.TarInfo(name)
            member.size = len(data)
            tar.addfile(member, io.BytesIO(data))
    return stream.getvalue()


class RegistryServer:
    """One registry; ``push`` fills it. With ``credentials`` (``user:password``) it gives tokens for those only."""

    def __init__(self, credentials: str = "") -> None:
        self.blobs: dict[str, bytes] = {}
        self.manifests: dict[str, bytes] = {}
        self.redirects = False
        self.status = 0
        self.credentials = credentials
        self.asked: list[tuple[str, str | None, str | None]] = []  # path, range, authorization
        handler = type("Handler", (_Handler,), {"registry": self})
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
        self.storage: RegistryServer | None = None

    @property
    def host(self) -> str:
        return f"127.0.0.1:{self._server.server_address[1]}"

    def blob(self, content: Content) -> str:
        data = encode(content)
        self.blobs[digest_of(data)] = data
        return digest_of(data)

    def push(self, tag: str, config: Content, layers: list[tuple[str, bytes, str]]) -> str:
        """Push a model: its configuration and its layers (media type, content, path); the digest of the manifest."""
        manifest = {
            "schemaVersion": 2,
            "mediaType": MANIFEST_TYPE,
            "artifactType": f"{MODEL}.manifest.v1+json",
            "config": {
                "mediaType": f"{MODEL}.config.v1+json",
                "digest": self.blob(config),
                "size": len(encode(config)),
            },
            "layers": [
                {
                    "mediaType": media_type,
                    "digest": self.blob(content),
                    "size": len(content),
                    **({"annotations": {"org.cncf.model.filepath": path}} if path else {}),
                }
                for media_type, content, path in layers
            ],
        }
        return self.push_manifest(tag, manifest)

    def push_manifest(self, tag: str, manifest: Content) -> str:
        data = encode(manifest)
        self.manifests[tag] = self.manifests[digest_of(data)] = data
        return digest_of(data)

    def __enter__(self) -> RegistryServer:
        threading.Thread(target=self._server.serve_forever, args=(0.02,), daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    registry: RegistryServer

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002
        pass

    def do_GET(self) -> None:
        registry = self.registry
        authorization = self.headers.get("Authorization")
        path = urlsplit(self.path).path
        registry.asked.append((self.path, self.headers.get("Range"), authorization))
        if registry.status:
            self.answer(registry.status, b"{}")
        elif path == "/token":
            given = authorization == f"Basic {registry.credentials}" if registry.credentials else True
            self.answer(200 if given else 401, json.dumps({"token": "secret-token"}).encode())
        elif registry.credentials and authorization != "Bearer secret-token":
            challenge = f'Bearer realm="http://{registry.host}/token",service="registry",scope="repository:x:pull"'
            self.answer(401, b"{}", {"WWW-Authenticate": challenge})
        elif match := re.fullmatch(r"/v2/org/model/manifests/(.+)", path):
            self.known(registry.manifests.get(match[1]))
        elif match := re.fullmatch(r"/v2/org/model/blobs/(.+)", path):
            if registry.storage is not None:
                location = f"http://{registry.storage.host}/v2/org/model/blobs/{match[1]}"
                self.answer(307, b"", {"Location": location})
            else:
                self.known(registry.blobs.get(match[1]))
        else:
            self.answer(404, b"{}")

    def known(self, content: bytes | None) -> None:
        if content is None:
            self.answer(404, b'{"errors": [{"code": "MANIFEST_UNKNOWN"}]}')
            return
        found = re.fullmatch(r"bytes=(\d+)-(\d+)", self.headers.get("Range", ""))
        if found is None:
            self.answer(200, content)
        elif int(found[1]) >= len(content):
            self.answer(416, b"", {"Content-Range": f"bytes */{len(content)}"})
        else:
            start, end = int(found[1]), min(int(found[2]), len(content) - 1)
            self.answer(206, content[start : end + 1], {"Content-Range": f"bytes {start}-{end}/{len(content)}"})

    def answer(self, status: int, body: bytes, headers: Mapping[str, str] | None = None) -> None:
        self.send_response(status)
        for key, value in {**(headers or {}), "Content-Length": str(len(body))}.items():
            self.send_header(key, value)
        self.end_headers()
        self.wfile.write(body)
