"""``/livez``, ``/healthz``, ``/readyz``, ``/metrics`` and pages of a role, over plain HTTP."""

from __future__ import annotations

import socket
import threading
from collections.abc import Callable, Mapping
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import urlsplit

from omec.errors import OmecError
from omec.runtime_agent.process.metrics import Metrics
from omec.runtime_agent.process.rules import PORT_UNAVAILABLE

Check = Callable[[], str]
"""A check answers with what is wrong, empty where nothing is."""

Page = Callable[[], tuple[str, bytes]]
"""A page answers with its media type and its bytes."""

_TEXT = "text/plain; charset=utf-8"


class HealthServer:
    """Answers probes and scrapers in threads of its own.

    ``health`` and ``ready`` are the checks behind ``/healthz`` and ``/readyz`` by name; each can be asked alone
    (``/healthz/NAME``). ``/livez`` says that the process answers. ``port`` 0 takes a free one, see :attr:`port`. Raises
    :class:`omec.errors.OmecError` where the port cannot be opened.
    """

    def __init__(
        self,
        port: int,
        *,
        health: Mapping[str, Check],
        ready: Mapping[str, Check],
        metrics: Metrics,
        pages: Mapping[str, Page] | None = None,
        address: str = "",
    ) -> None:
        self._checks = {"/livez": {}, "/healthz": dict(health), "/readyz": dict(ready)}
        self._pages = {"/metrics": metrics.page, **(pages or {})}
        handler = type("Handler", (_Handler,), {"answer": staticmethod(self.answer)})
        try:
            self._server = _Server((address, port), handler)
        except OSError as error:
            raise OmecError(
                f"port {port} cannot be opened: {(error.strerror or str(error)).lower()}",
                hint="name another one with --port",
                code=PORT_UNAVAILABLE.code,
            ) from None

    @property
    def port(self) -> int:
        return int(self._server.server_address[1])

    def start(self) -> None:
        threading.Thread(target=self._server.serve_forever, args=(0.5,), name="health", daemon=True).start()

    def stop(self) -> None:
        self._server.shutdown()
        self._server.server_close()

    def answer(self, path: str) -> tuple[int, str, bytes]:
        """Status, media type and body of the answer to a GET of ``path``."""
        if path in self._pages:
            media_type, body = self._pages[path]()
            return 200, media_type, body
        for root, checks in self._checks.items():
            if path == root:
                return _judged(root, checks)
            name = path.removeprefix(f"{root}/")
            if name != path and name in checks:
                return _judged(root, {name: checks[name]})
        return 404, _TEXT, b"not found\n"


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    address_family = socket.AF_INET6 if socket.has_dualstack_ipv6() else socket.AF_INET

    def server_bind(self) -> None:
        if self.address_family == socket.AF_INET6:
            self.socket.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 0)
        super().server_bind()


class _Handler(BaseHTTPRequestHandler):
    answer: Callable[[str], tuple[int, str, bytes]]
    timeout = 10

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the library's name
        """Probes come every few seconds and are no events."""

    def address_string(self) -> str:
        return str(self.client_address[0])  # without asking a name server

    def do_GET(self) -> None:
        status, media_type, body = self.answer(urlsplit(self.path).path)
        self.send_response(status)
        self.send_header("Content-Type", media_type)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


def _judged(root: str, checks: Mapping[str, Check]) -> tuple[int, str, bytes]:
    """The answer in the form of Kubernetes' own health endpoints."""
    problems = {name: check() for name, check in checks.items()}
    lines = [f"[{'-' if text else '+'}]{name} {f'failed: {text}' if text else 'ok'}" for name, text in problems.items()]
    failed = any(problems.values())
    lines.append(f"{root[1:]} check {'failed' if failed else 'passed'}")
    return (503 if failed else 200), _TEXT, "".join(f"{line}\n" for line in lines).encode()
