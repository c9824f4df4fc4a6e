"""One item into one file: resumed where it was left, and hashed while it grows.

The part file is all the state there is. After a crash its bytes are read again to continue the hash, so whatever a
power failure has left in it, a file is taken only with the right digest.
"""

from __future__ import annotations

import errno
import os
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

from omec.facts.display import shown
from omec.facts.remote.client import BEYOND_THE_END, PASSING
from omec.facts.remote.errors import ConnectionFailedError, HttpError
from omec.runtime_agent.cluster.backoff import Backoff
from omec.runtime_agent.download.digests import Digest, hasher
from omec.runtime_agent.download.errors import DownloadError, Kind
from omec.runtime_agent.download.job import LONGEST_WAIT
from omec.runtime_agent.download.source import Item, Source, Stream
from omec.runtime_agent.download.throttle import Throttle

_BUFFER = 1 << 20
_FRUITLESS_ATTEMPTS = 6
_DIGEST_ATTEMPTS = 2
_TOO_MANY = 429

Count = Callable[[int], None]


class Transfer:
    """Fetches items of one source. ``arrived`` and ``checked`` are told the bytes that were written and read again.

    When :attr:`stop` is set, whoever fetches gives up at the next piece: another item has failed for good. A server
    that asks for more than ``longest_wait`` seconds is not waited for.
    """

    def __init__(
        self, source: Source, throttle: Throttle, arrived: Count, checked: Count, longest_wait: float = LONGEST_WAIT
    ) -> None:
        self.stop = threading.Event()
        self._source = source
        self._throttle = throttle
        self._arrived = arrived
        self._checked = checked
        self._longest_wait = longest_wait

    def fetch(self, item: Item, part: Path) -> Digest:
        """Fill ``part`` with the whole of ``item`` and write it to disk; the digest that it was verified by.

        Raises :class:`DownloadError`.
        """
        try:
            for _ in range(_DIGEST_ATTEMPTS):
                with _open_part(part) as file:
                    digest = self._filled(item, file)
                    if digest is not None:
                        os.fsync(file.fileno())
                        return digest
                    self._forget(file)
        except OSError as error:
            raise disk_error(error, part) from None
        message = f"{shown(item.name)} arrived {_DIGEST_ATTEMPTS} times with other content than the source announces"
        raise DownloadError(Kind.CHECKSUM, message)

    def verify(self, item: Item, path: Path) -> bool:
        """Whether the file at ``path`` is ``item``, by size and digest; without a digest nothing is certain."""
        if item.digest is None or not path.is_file() or path.is_symlink() or path.stat().st_size != item.size:
            return False
        running = hasher(item.digest, item.size)
        with path.open("rb", buffering=0) as file:
            self._read_again(file, running, item.size)
        return bool(running.hexdigest() == item.digest.value)

    def _filled(self, item: Item, file: Any) -> Digest | None:
        """The digest of the complete file, ``None`` where it is another one than the item's."""
        at = os.fstat(file.fileno()).st_size
        if at > item.size:
            self._forget(file)
            at = 0
        stream = self._opened(item, at) if item.digest is None or at < item.size else None
        digest = item.digest or _etag_digest(item, stream)
        running = hasher(digest, item.size)
        if at:
            self._read_again(file, running, at)
            self._arrived(at)
        if stream is not None:
            running = self._rest(item, file, running, stream, digest)
        return digest if running.hexdigest() == digest.value else None

    def _rest(self, item: Item, file: Any, running: Any, stream: Stream, digest: Digest) -> Any:
        """Append what is missing, over as many answers as it takes; the hash of the whole file."""
        backoff = Backoff(0.5, 20.0)
        furthest = file.tell()
        while True:
            at = file.tell()
            if stream.start != at:  # the server began anew
                self._forget(file)
                running, at = hasher(digest, item.size), 0
            try:
                while at < item.size and (piece := stream.read(min(_BUFFER, item.size - at))):
                    self._require_purpose()
                    _write(file, piece)
                    running.update(piece)
                    at += len(piece)
                    if at > furthest:  # what a server that begins anew sends once more is no progress
                        furthest = at
                        backoff.reset()
                    self._arrived(len(piece))
                    self._throttle.passed(len(piece))
                if at == item.size:
                    return running
                problem = "the answer ended before its time"
            except ConnectionFailedError as error:
                problem = str(error)
            finally:
                stream.close()
            if backoff.failures >= _FRUITLESS_ATTEMPTS:
                raise DownloadError(Kind.NETWORK, f"{shown(item.name)}: {problem}")
            self.stop.wait(backoff.next())
            stream = self._opened(item, at)

    def _opened(self, item: Item, start: int) -> Stream:
        """An answer from ``start``; waits for a server that is busy or away."""
        backoff = Backoff(0.5, 20.0)
        while True:
            self._require_purpose()
            wait = 0.0
            try:
                return self._source.open(item, start)
            except HttpError as error:
                wait = error.wait or 0.0
                if error.status == BEYOND_THE_END:
                    raise DownloadError(Kind.CHECKSUM, f"{shown(item.name)} is shorter than announced") from None
                kind = Kind.RATE_LIMIT if error.status == _TOO_MANY else Kind.NETWORK
                problem = f"the server answers HTTP {error.status}"
                if error.status not in PASSING:
                    raise DownloadError(_permanent(error), f"{shown(item.name)}: {problem}") from None
            except ConnectionFailedError as error:
                kind, problem = Kind.NETWORK, str(error)
            if backoff.failures >= _FRUITLESS_ATTEMPTS or wait > self._longest_wait:
                raise DownloadError(kind, f"{shown(item.name)}: {problem}", wait=wait)
            self.stop.wait(max(backoff.next(), wait))

    def _read_again(self, file: Any, running: Any, size: int) -> None:
        """Hash the first ``size`` bytes of ``file`` and stand behind them."""
        file.seek(0)
        buffer = memoryview(bytearray(_BUFFER))
        left = size
        while left and (count := file.readinto(buffer[: min(left, _BUFFER)])):
            running.update(buffer[:count])
            left -= count
            self._checked(count)

    def _require_purpose(self) -> None:
        if self.stop.is_set():
            raise DownloadError(Kind.STOPPED, "another file of the model has failed")

    def _forget(self, file: Any) -> None:
        self._arrived(-file.tell())
        file.seek(0)
        file.truncate()


class Flusher:
    """Sends written bytes to the disk while a download goes on, so that no long wait is left for its end."""

    def __init__(self, folder: Path, seconds: float = 2.0) -> None:
        self._folder = folder
        self._seconds = seconds
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, name="flusher", daemon=True)

    def __enter__(self) -> None:
        self._thread.start()

    def __exit__(self, *_: object) -> None:
        self._stop.set()
        self._thread.join()

    def _run(self) -> None:
        while not self._stop.wait(self._seconds):
            for part in self._folder.iterdir():
                try:
                    with part.open("rb") as file:
                        os.fdatasync(file.fileno())
                except OSError:
                    continue  # it was renamed in between; what matters is flushed once more at the end


def disk_error(error: OSError, path: Path) -> DownloadError:
    """What an error of the file system means for a download."""
    if error.errno in (errno.ENOSPC, errno.EDQUOT):
        return DownloadError(Kind.SPACE, f"no space is left on the disk of {path.parent}")
    return DownloadError(
        Kind.DISK, f"{error.filename2 or error.filename or path}: {(error.strerror or str(error)).lower()}"
    )


def _open_part(part: Path) -> Any:
    flags = os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC
    return os.fdopen(os.open(part, flags, 0o600), "r+b", buffering=0)


def _write(file: Any, data: bytes) -> None:
    """Write all of ``data``: a disk that is almost full takes a part of it without a word."""
    written = file.write(data)
    while written < len(data):
        written += file.write(data[written:])


def _etag_digest(item: Item, stream: Stream | None) -> Digest:
    digest = Digest.parse(stream.etag) if stream is not None else None
    if digest is None:
        message = f"nothing tells the digest of {shown(item.name)}, so it cannot be verified"
        raise DownloadError(Kind.CHECKSUM, message)
    return digest


def _permanent(error: HttpError) -> Kind:
    return (
        Kind.REFUSED if error.status in (401, 403) else Kind.NOT_FOUND if error.status in (404, 410) else Kind.NETWORK
    )
