"""A hub on the loopback interface: the part of the Hugging Face API that describes models, and its bad days.

Large files are redirected to a second server, as the real hub does. Whatever is asked for is recorded.
"""

from __future__ import annotations

import hashlib
import json
import re
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import unquote, urlsplit

from tests.facts.models import Content, encode

COMMIT = "0123456789abcdef0123456789abcdef01234567"
LARGE = (".safetensors", ".bin", "tokenizer.json")


@dataclass
class Repository:
    """One model: its files, the commits of its revisions, and who may see it."""

    files: Mapping[str, bytes]
    revisions: Mapping[str, str] = field(default_factory=lambda: {"main": COMMIT})
    gated: bool = False
    private: bool = False


@dataclass
class Asked:
    """One request that was answered: its path, its headers by lower-case name, and the bytes of the answer's body."""

    path: str
    headers: Mapping[str, str]
    status: int
    sent: int
    server: str


@dataclass
class Trouble:
    """What goes wrong with the next ``times`` requests whose path matches ``path``."""

    path: str
    times: int = 1
    status: int = 0
    headers: Mapping[str, str] = field(default_factory=dict)
    cut: bool = False
    drip: float = 0.0
    body: bytes = b""
    ignore_range: bool = False
    corrupt: bool = False
    hang: float = 0.0
    etag: str | None = None
    length: str | None = None  # another Content-Length, or none where it is empty
    more: bytes = b""  # after the body
    wrong_start: int = 0  # how many bytes before what was asked for


class HubServer:
    """The two servers and what they know; ``repository`` and ``trouble`` fill them."""

    def __init__(self) -> None:
        self.repositories: dict[str, Repository] = {}
        self.troubles: list[Trouble] = []
        self.asked: list[Asked] = []
        self.latency = 0.0
        self.rate = 0  # bytes a second of each answer, 0 for no limit
        self.mirror = False  # whether it leaves out what only the hub itself knows
        self.page_size = 3
        self.following: str | None = None  # the server in links to the next page; none are sent where it is empty
        self.told: Callable[[dict[str, Any]], Any] = lambda item: item  # what it lists in the place of a file
        self.most_in_flight = 0
        self.tokens = {"hf_" + "good" * 5}
        self._in_flight = 0
        self._guard = threading.Lock()
        self._servers = [_server(self, name) for name in ("hub", "storage")]

    @property
    def endpoint(self) -> str:
        return _url(self._servers[0])

    @property
    def storage(self) -> str:
        return _url(self._servers[1])

    def repository(self, name: str, files: Mapping[str, Content], **more: Any) -> Repository:
        self.repositories[name] = Repository({path: encode(content) for path, content in files.items()}, **more)
        return self.repositories[name]

    def trouble(self, path: str, **more: Any) -> None:
        self.troubles.append(Trouble(path, **more))

    def paths(self) -> list[str]:
        return [asked.path for asked in self.asked]

    @property
    def bytes_sent(self) -> int:
        return sum(asked.sent for asked in self.asked)

    def next_trouble(self, path: str) -> Trouble | None:
        with self._guard:
            for trouble in self.troubles:
                if trouble.times and re.search(trouble.path, path):
                    trouble.times -= 1
                    return trouble
        return None

    @contextmanager
    def in_flight(self) -> Iterator[None]:
        with self._guard:
            self._in_flight += 1
            self.most_in_flight = max(self.most_in_flight, self._in_flight)
        try:
            time.sleep(self.latency)
            yield
        finally:
            with self._guard:
                self._in_flight -= 1

    def __enter__(self) -> HubServer:
        for server in self._servers:
            threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        for server in self._servers:
            server.shutdown()
            server.server_close()


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 128

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A client that goes away in the middle is part of the tests."""


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    hub: HubServer
    name: str

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002
        pass

    def do_GET(self) -> None:
        with self.hub.in_flight():
            path = re.sub("^http://[^/]+", "", unquote(self.path))  # a proxy is asked with the whole URL
            trouble = self.hub.next_trouble(path)
            if trouble is not None and trouble.status:
                self.answer(trouble.status, trouble.body, trouble.headers)
            elif self.name == "storage":
                self.stored(path, trouble)
            elif match := re.fullmatch(r"/api/models/(.+?)/revision/([^?]+)(\?.*)?", path):
                self.about(match[1], match[2], trouble)
            elif match := re.fullmatch(r"/api/models/(.+?)/tree/[0-9a-f]{40}\?recursive=true(?:&page=(\d+))?", path):
                self.tree(match[1], int(match[2] or 0))
            elif match := re.fullmatch(r"/(.+?)/resolve/([0-9a-f]{40})/(.+)", path):
                self.resolve(match[1], match[3], trouble)
            else:
                self.refuse(404, "", "not found")

    def about(self, name: str, revision: str, trouble: Trouble | None) -> None:
        repository = self.allowed(name, listing=True)
        if repository is None:
            return
        commits = {**repository.revisions, **{commit: commit for commit in repository.revisions.values()}}
        if revision not in commits:
            self.refuse(404, "RevisionNotFound", f"Invalid rev id: {revision}")
            return
        siblings = {} if self.hub.mirror else {"siblings": [{"rfilename": path} for path in repository.files]}
        body = json.dumps({"id": name, "sha": commits[revision], **siblings}).encode()
        self.content(trouble.body or body if trouble else body, trouble)

    def tree(self, name: str, page: int) -> None:
        """The files, page by page."""
        size = self.hub.page_size
        files = self.hub.repositories[name].files
        items = [self.hub.told(listed(path, files[path])) for path in sorted(files)]
        if self.hub.mirror:
            items = [{key: item[key] for key in ("type", "path", "size")} for item in items]
        server = self.hub.endpoint if self.hub.following is None else self.hub.following
        following = f'<{server}/api/models/{name}/tree/{COMMIT}?recursive=true&page={page + size}>; rel="next"'
        headers = {"Link": following} if server and page + size < len(items) else {}
        self.answer(200, json.dumps([{"type": "directory", "path": "x"}, *items[page : page + size]]).encode(), headers)

    def resolve(self, name: str, path: str, trouble: Trouble | None) -> None:
        repository = self.allowed(name, listing=False)
        if repository is None:
            return
        if path not in repository.files:
            self.refuse(404, "EntryNotFound", "Entry not found")
        elif path.endswith(LARGE):
            location = f"{self.hub.storage}/{name}/{path}?signature=secret"
            self.answer(302, b"", {"Location": location, "X-Repo-Commit": COMMIT})
        else:
            self.content(repository.files[path], trouble)

    def stored(self, path: str, trouble: Trouble | None) -> None:
        if "authorization" in self.asked_headers():
            self.refuse(400, "", "only one way of authorization is allowed")
            return
        owner, name, file = urlsplit(path).path[1:].split("/", 2)
        self.content(self.hub.repositories[f"{owner}/{name}"].files[file], trouble)

    def allowed(self, name: str, *, listing: bool) -> Repository | None:
        """The repository, if the token may see it (or the list of its files)."""
        repository = self.hub.repositories.get(name)
        token = self.asked_headers().get("authorization", "").removeprefix("Bearer ")
        if token and token not in self.hub.tokens:
            self.refuse(401, "", "Invalid credentials in Authorization header")
        elif repository is None or (repository.private and not token):
            self.refuse(404 if token else 401, "RepoNotFound", "Repository not found")
        elif repository.gated and not token and not listing:
            self.refuse(403, "GatedRepo", f"Access to model {name} is restricted.")
        else:
            return repository
        return None

    def asked_headers(self) -> dict[str, str]:
        return {key.lower(): value for key, value in self.headers.items()}

    def content(self, body: bytes, trouble: Trouble | None) -> None:
        tag = f'"{hashlib.sha256(body).hexdigest()}"' if trouble is None or trouble.etag is None else trouble.etag
        etag = {"ETag": tag, "Accept-Ranges": "bytes"} if tag else {}
        found = re.fullmatch(r"bytes=(\d+)-(\d*)", self.headers.get("Range", ""))
        if found is None or (trouble is not None and trouble.ignore_range):
            self.answer(200, body, etag, trouble)
            return
        start, end = int(found[1]), min(int(found[2] or len(body)), len(body) - 1)
        if start >= len(body):
            self.answer(416, b"", {"Content-Range": f"bytes */{len(body)}"})
            return
        sent = body[max(0, start - (trouble.wrong_start if trouble else 0)) : end + 1]
        self.answer(206, sent, etag | {"Content-Range": f"bytes {start}-{end}/{len(body)}"}, trouble)

    def refuse(self, status: int, code: str, message: str) -> None:
        headers = {"X-Error-Code": code, "X-Error-Message": message}
        self.answer(
            status, json.dumps({"error": message}).encode(), {key: text for key, text in headers.items() if text}
        )

    def answer(self, status: int, body: bytes, headers: Mapping[str, str], trouble: Trouble | None = None) -> None:
        cut, drip = (trouble.cut, trouble.drip) if trouble else (False, 0.0)
        self.send_response(status)
        length = str(len(body)) if trouble is None or trouble.length is None else trouble.length
        for key, value in {**headers, **({"Content-Length": length} if length else {})}.items():
            self.send_header(key, value)
        self.end_headers()
        sent = (body[: len(body) // 2] if cut else body) + (trouble.more if trouble else b"")
        if trouble and trouble.corrupt and sent:
            sent = sent[:-1] + bytes([sent[-1] ^ 1])
        if trouble and trouble.hang:
            self.wfile.write(sent[: len(sent) // 2])
            time.sleep(trouble.hang)
            self.close_connection = True
            return
        self.hub.asked.append(Asked(self.path, self.asked_headers(), status, len(sent), self.name))
        if drip:
            for offset in range(len(sent)):
                self.wfile.write(sent[offset : offset + 1])
                time.sleep(drip)
        elif self.hub.rate:
            self.paced(sent)
        else:
            self.wfile.write(sent)
        self.close_connection = self.close_connection or cut or length != str(len(body))

    def paced(self, body: bytes) -> None:
        piece = max(1, self.hub.rate // 50)
        for offset in range(0, len(body), piece):
            self.wfile.write(body[offset : offset + piece])
            time.sleep(0.02)


def listed(path: str, content: bytes) -> dict[str, Any]:
    """A file as the hub lists it: large ones with their SHA-256, all with the name of their Git blob."""
    git = hashlib.sha1(b"blob %d\0" % len(content) + content).hexdigest()
    item: dict[str, Any] = {"type": "file", "path": path, "size": len(content), "oid": git}
    if path.endswith(LARGE):
        item["lfs"] = {"oid": hashlib.sha256(content).hexdigest(), "size": len(content), "pointerSize": 134}
    return item


def _server(hub: HubServer, name: str) -> _Server:
    return _Server(("127.0.0.1", 0), type("Handler", (_Handler,), {"hub": hub, "name": name}))


def _url(server: _Server) -> str:
    return f"http://127.0.0.1:{server.server_address[1]}"
