"""One HTTP request, whoever carries it out: what is asked for, and what comes back."""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping
from typing import Protocol

import msgspec

from omec.facts.remote.errors import ConnectionFailedError

CONNECT_SECONDS = 10.0
READ_SECONDS = 30.0
"""How long to wait for a connection, and for the next piece of an answer."""

ATTEMPT_SECONDS = 120.0
"""How long one answer may take as a whole, however steadily it drips."""

CHUNK = 64 * 1024
LONGEST_ERROR = 4 * 1024
"""Bytes read of an answer that is no success, for the server's words."""

SUCCESS, PARTIAL = 200, 206
FIRST_ERROR = 400


class Request(msgspec.Struct, frozen=True):
    """A GET of at most ``most`` bytes; with ``start``, of exactly ``most`` bytes from there."""

    url: str
    most: int
    headers: Mapping[str, str] = msgspec.field(default_factory=dict)
    start: int | None = None

    @property
    def sent_headers(self) -> dict[str, str]:
        """What goes over the wire: nothing compressed, because offsets count the file's own bytes."""
        headers = {**self.headers, "Accept-Encoding": "identity"}
        if self.start is not None:
            headers["Range"] = f"bytes={self.start}-{self.start + self.most - 1}"
        return headers


class Answer(msgspec.Struct, frozen=True):
    """A successful answer. ``url`` is where it came from in the end; ``headers`` have names in lower case."""

    status: int
    url: str
    headers: Mapping[str, str]
    body: bytes
    complete: bool
    """Whether the body ended; ``False`` where reading stopped at the limit."""


class Wire(Protocol):
    """Carries requests out, once each.

    Raises :class:`omec.facts.remote.errors.HttpError` for a status of 400 and above, and
    :class:`ConnectionFailedError` where there is no complete answer.
    """

    def get(self, request: Request) -> Answer: ...


def collect(chunks: Iterable[bytes], skip: int, most: int, deadline: float) -> tuple[bytes, bool]:
    """Up to ``most`` bytes after the first ``skip`` of ``chunks``, and whether that is all there is.

    Raises :class:`ConnectionFailedError` at ``deadline`` (of :func:`time.monotonic`).
    """
    parts: list[bytes] = []
    missing = most + 1
    for chunk in chunks:
        if time.monotonic() > deadline:
            raise ConnectionFailedError("the answer came too slowly")
        piece = chunk[skip:][:missing]
        skip = max(0, skip - len(chunk))
        parts.append(piece)
        missing -= len(piece)
        if missing <= 0:
            return b"".join(parts)[:most], False
    return b"".join(parts), True


def requested_wait(headers: Mapping[str, str]) -> float | None:
    """The seconds that the server asks to wait: ``Retry-After``, else the reset of ``RateLimit`` where nothing is left.

    See RFC 9110 and draft-ietf-httpapi-ratelimit-headers; a date counts as not given.
    """
    text = headers.get("retry-after", "").strip()
    if text.isascii() and text.isdigit():
        return float(text)
    limit = dict(part.strip().partition("=")[::2] for part in headers.get("ratelimit", "").split(";"))
    left, reset = limit.get("r", ""), limit.get("t", "")
    return float(reset) if left == "0" and reset.isascii() and reset.isdigit() else None
