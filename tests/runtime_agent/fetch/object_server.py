"""Object storage on the loopback interface: as much of its HTTP interface as reading one object takes."""

from __future__ import annotations

import base64
import hashlib
import re
import threading
import time
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import unquote

NAMESPACE, BUCKET = "ns", "weights"


@dataclass
class Asked:
    """One request: its method, the range that it asks for, and whether it is signed."""

    method: str
    range: str
    signed: bool


@dataclass
class ObjectServer:
    """Objects of one bucket by their names. ``statuses`` are answered first, one each."""

    objects: dict[str, bytes] = field(default_factory=dict)
    statuses: list[int] = field(default_factory=list)
    asked: list[Asked] = field(default_factory=list)
    rate: int = 0
    corrupt: bool = False

    def __enter__(self) -> ObjectServer:
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), type("Handler", (_Handler,), {"storage": self}))
        self._server.daemon_threads = True
        self._server.handle_error = lambda *_: None  # type: ignore[method-assign]
        threading.Thread(target=self._server.serve_forever, args=(0.02,), daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()

    @property
    def endpoint(self) -> str:
        return f"http://127.0.0.1:{self._server.server_address[1]}"


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    storage: ObjectServer

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002
        pass

    def do_HEAD(self) -> None:
        self.answer(with_body=False)

    def do_GET(self) -> None:
        self.answer(with_body=True)

    def answer(self, *, with_body: bool) -> None:
        storage, span = self.storage, self.headers.get("Range", "")
        signed = self.headers.get("Authorization", "").startswith("Signature ")
        storage.asked.append(Asked(self.command, span, signed))
        found = re.fullmatch(f"/n/{NAMESPACE}/b/{BUCKET}/o/(.+)", unquote(self.path))
        content = storage.objects.get(found[1]) if found else None
        status = storage.statuses.pop(0) if storage.statuses else 200 if content is not None else 404
        if content is None or status != 200:
            self.refuse(status, with_body=with_body)
            return
        etag = hashlib.sha1(content).hexdigest()
        if self.headers.get("If-Match", etag) != etag:
            self.refuse(412, with_body=with_body)
            return
        start = int(span.removeprefix("bytes=").rstrip("-")) if span else 0
        self.send_response(206 if span else 200)
        self.send_header("ETag", etag)
        self.send_header("Content-Length", str(len(content) - start))
        self.send_header("Content-MD5", base64.b64encode(hashlib.md5(content).digest()).decode())
        self.end_headers()
        if with_body:
            self.send(content[start:])

    def send(self, body: bytes) -> None:
        if self.storage.corrupt:
            body = body[:-1] + bytes([body[-1] ^ 1])
        piece = self.storage.rate // 50 or len(body)
        for at in range(0, len(body), piece):
            self.wfile.write(body[at : at + piece])
            self.wfile.flush()
            if self.storage.rate:
                time.sleep(0.02)

    def refuse(self, status: int, *, with_body: bool) -> None:
        body = b'{"code": "NotAuthorizedOrNotFound", "message": "words of the server"}'
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        if with_body:
            self.wfile.write(body)
