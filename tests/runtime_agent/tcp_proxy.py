"""A proxy between a client and a server, and everything that a network does to what passes through it.

It knows nothing of protocols: TLS passes through. All of it can be changed while connections are open.
"""

from __future__ import annotations

import socket
import struct
import threading
import time
from contextlib import suppress
from dataclasses import dataclass, field
from urllib.parse import urlsplit

_PIECE = 65536
_RESET = struct.pack("ii", 1, 0)  # SO_LINGER without a wait: what is closed is reset


class TcpProxy:
    """Forwards connections to ``address``.

    - ``cuts_at``: for each of the next connections, after how many bytes of the server's answers it is reset;
    - ``delay``: how long each piece is held back, in seconds; ``rate``: bytes a second and direction (0: no limit);
    - ``frozen``: nothing passes and nothing is refused, on connections old and new, until it is ``False`` again;
    - ``down``: new connections are closed at once.
    """

    def __init__(self, address: str) -> None:
        parts = urlsplit(address)
        self._server = (parts.hostname or "", parts.port or 80)
        self._listener = socket.create_server(("127.0.0.1", 0))
        self._place = self._listener.getsockname()
        self._connections: list[_Connection] = []
        self._passing = threading.Event()
        self._passing.set()
        self.cuts_at: list[int] = []
        self.delay = 0.0
        self.rate = 0
        self.down = False

    @property
    def port(self) -> int:
        return int(self._place[1])

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    @property
    def frozen(self) -> bool:
        return not self._passing.is_set()

    @frozen.setter
    def frozen(self, value: bool) -> None:
        (self._passing.clear if value else self._passing.set)()

    def forget(self) -> int:
        """Let nothing pass any more on the connections that are open, as a firewall that lost them; how many."""
        return sum(connection.forget() for connection in self._connections)

    def reset(self) -> None:
        """Reset all connections."""
        for connection in self._connections:
            connection.reset()

    def half_close(self) -> None:
        """End what the server says on all connections, in an orderly manner and too early."""
        for connection in self._connections:
            with suppress(OSError):
                connection.client.shutdown(socket.SHUT_WR)

    def refuse(self) -> None:
        """Have nobody listen, until :meth:`listen`."""
        self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()
        self.reset()

    def listen(self) -> None:
        self._listener = socket.create_server(self._place)
        threading.Thread(target=self._accept, args=(self._listener,), daemon=True).start()

    def __enter__(self) -> TcpProxy:
        threading.Thread(target=self._accept, args=(self._listener,), daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self._listener.close()
        self.reset()
        self.frozen = False

    def _accept(self, listener: socket.socket) -> None:
        with suppress(OSError):
            while True:
                client, _ = listener.accept()
                if self.down:
                    client.close()
                    continue
                try:
                    server = socket.create_connection(self._server, timeout=10)
                except OSError:
                    client.close()
                    continue
                server.settimeout(None)
                connection = _Connection(client, server)
                self._connections = [each for each in self._connections if each.is_open] + [connection]
                limit = self.cuts_at.pop(0) if self.cuts_at else 0
                for source, target, most in ((client, server, 0), (server, client, limit)):
                    threading.Thread(target=self._copy, args=(connection, source, target, most), daemon=True).start()

    def _copy(self, connection: _Connection, source: socket.socket, target: socket.socket, limit: int) -> None:
        passed = 0
        try:
            while piece := source.recv(_PIECE):
                time.sleep(self.delay + (len(piece) / self.rate if self.rate else 0))
                self._passing.wait()
                if not connection.is_open:
                    return
                if connection.forgotten:
                    continue
                if limit and passed + len(piece) >= limit:
                    target.sendall(piece[: limit - passed])
                    time.sleep(0.02)  # or the reset overtakes what was sent
                    connection.reset()
                    return
                target.sendall(piece)
                passed += len(piece)
            if not connection.forgotten:
                target.shutdown(socket.SHUT_WR)
                connection.ended()
        except OSError:
            connection.reset()


@dataclass(slots=True)
class _Connection:
    client: socket.socket
    server: socket.socket
    forgotten: bool = False
    is_open: bool = True
    ends: int = 0
    _guard: threading.Lock = field(default_factory=threading.Lock)

    def forget(self) -> bool:
        """Let nothing pass any more; whether anything could."""
        was, self.forgotten = self.is_open and not self.forgotten, True
        return was

    def ended(self) -> None:
        """One direction has come to its end; after the other one, the connection is closed."""
        with self._guard:
            self.ends += 1
        if self.ends == 2:
            self.reset()

    def reset(self) -> None:
        with self._guard:
            if not self.is_open:
                return
            self.is_open = False
            for end in (self.client, self.server):
                with suppress(OSError):
                    end.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, _RESET)
                with suppress(OSError):
                    end.shutdown(socket.SHUT_RD)  # wakes who reads, and sends nothing
                end.close()
