"""A proxy between a client and a server that cuts, delays and throttles what passes through it."""

from __future__ import annotations

import socket
import threading
import time
from contextlib import suppress
from urllib.parse import urlsplit


class TcpProxy:
    """Forwards connections to ``address``. ``cut_after`` bytes of an answer, the connection breaks (0: never).

    ``cuts`` says how many connections are cut; ``delay`` holds every piece back, in seconds.
    """

    def __init__(self, address: str) -> None:
        parts = urlsplit(address)
        self._server = (parts.hostname or "", parts.port or 80)
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.cut_after = 0
        self.cuts = 0
        self.delay = 0.0
        self.down = False

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self._listener.getsockname()[1]}"

    def __enter__(self) -> TcpProxy:
        threading.Thread(target=self._accept, daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self._listener.close()

    def _accept(self) -> None:
        with suppress(OSError):
            while True:
                client, _ = self._listener.accept()
                if self.down:
                    client.close()
                    continue
                server = socket.create_connection(self._server)
                threading.Thread(target=self._copy, args=(client, server, 0), daemon=True).start()
                limit = self.cut_after if self.cuts > 0 else 0
                self.cuts -= bool(limit)
                threading.Thread(target=self._copy, args=(server, client, limit), daemon=True).start()

    def _copy(self, source: socket.socket, target: socket.socket, limit: int) -> None:
        passed = 0
        with suppress(OSError), source, target:
            while piece := source.recv(65536):
                time.sleep(self.delay)
                if limit and passed + len(piece) >= limit:
                    target.sendall(piece[: limit - passed])
                    target.shutdown(socket.SHUT_RDWR)
                    source.shutdown(socket.SHUT_RDWR)
                    return
                target.sendall(piece)
                passed += len(piece)
