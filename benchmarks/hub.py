"""A hub on the loopback interface that serves one large file as fast as the kernel can, or at a given rate."""

from __future__ import annotations

import hashlib
import json
import os
import re
import sys
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import unquote, urlsplit

COMMIT = "0123456789abcdef0123456789abcdef01234567"
MODEL = "org/model"


class Hub(ThreadingHTTPServer):
    """Serves the files of ``folder``; ``rate`` is in bytes a second and connection, 0 for no limit."""

    daemon_threads = True

    def __init__(self, folder: Path, rate: int) -> None:
        self.folder = folder
        self.rate = rate
        self.digests = {path.name: _digest(path) for path in sorted(folder.iterdir())}
        super().__init__(("127.0.0.1", 0), _Handler)


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: Hub

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the library's name
        pass

    def do_HEAD(self) -> None:
        self.do_GET()

    def do_GET(self) -> None:
        path = unquote(urlsplit(self.path).path)
        if re.fullmatch(rf"/api/models/{MODEL}(/revision/[^/]+)?", path):
            self.json({"id": MODEL, "sha": COMMIT, "siblings": [{"rfilename": name} for name in self.server.digests]})
        elif re.fullmatch(rf"/api/models/{MODEL}/tree/[^/]+", path):
            self.json([self.listed(name) for name in self.server.digests])
        elif match := re.fullmatch(rf"/{MODEL}/resolve/[^/]+/(.+)", path):
            self.file(match[1])
        else:
            self.send_error(404)

    def listed(self, name: str) -> dict[str, object]:
        size = (self.server.folder / name).stat().st_size
        large = {"oid": self.server.digests[name], "size": size, "pointerSize": 134}
        return {"type": "file", "path": name, "size": size, "oid": "0" * 40, "lfs": large}

    def json(self, value: object) -> None:
        body = json.dumps(value).encode()
        self.begin(200, len(body))
        self.wfile.write(body)

    def file(self, name: str) -> None:
        path = self.server.folder / name
        size = path.stat().st_size
        found = re.fullmatch(r"bytes=(\d+)-(\d*)", self.headers.get("Range", ""))
        start = int(found[1]) if found else 0
        end = min(int(found[2]), size - 1) if found and found[2] else size - 1
        extra = {"ETag": f'"{self.server.digests[name]}"', "X-Repo-Commit": COMMIT, "Accept-Ranges": "bytes"}
        if found:
            extra["Content-Range"] = f"bytes {start}-{end}/{size}"
        self.begin(206 if found else 200, end - start + 1, extra)
        if self.command == "GET":
            with path.open("rb") as file:
                self.send(file.fileno(), start, end + 1)

    def send(self, file: int, start: int, end: int) -> None:
        rate, began, first = self.server.rate, time.monotonic(), start
        piece = rate // 50 if rate else 1 << 30
        while start < end:
            start += os.sendfile(self.connection.fileno(), file, start, min(piece, end - start))
            if rate:
                time.sleep(max(0.0, (start - first) / rate - (time.monotonic() - began)))

    def begin(self, status: int, length: int, headers: dict[str, str] | None = None) -> None:
        self.send_response(status)
        for key, value in {**(headers or {}), "Content-Length": str(length)}.items():
            self.send_header(key, value)
        self.end_headers()


def _digest(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def main() -> None:
    """``python -m benchmarks.hub FOLDER RATE``: serve until standard input closes; the address on standard output."""
    hub = Hub(Path(sys.argv[1]), int(sys.argv[2]))
    threading.Thread(target=hub.serve_forever, daemon=True).start()
    print(f"http://127.0.0.1:{hub.server_address[1]}", flush=True)
    sys.stdin.read()


if __name__ == "__main__":
    main()
