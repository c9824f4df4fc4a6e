"""Requests that are tried again where that helps, and answers that are what was asked for."""

from __future__ import annotations

import random
import threading
import time
from collections.abc import Callable

import msgspec

from omec.facts.errors import FactsError
from omec.facts.remote.errors import ConnectionFailedError, HttpError
from omec.facts.remote.wire import PARTIAL, Answer, Request, Wire
from omec.facts.size import format_bytes

PASSING = frozenset({408, 425, 429, 500, 502, 503, 504})
"""Statuses that another attempt may change."""

BEYOND_THE_END = 416


class BeyondEndError(Exception):
    """A file does not have the bytes that were asked for."""


class Patience(msgspec.Struct, frozen=True):
    """How often to try, and how long to wait between attempts (in seconds).

    A server that says how long to wait is obeyed, unless it asks for more than ``longest``.
    """

    attempts: int = 5
    first_wait: float = 0.5
    longest_step: float = 8.0
    longest: float = 120.0

    def wait_before(self, attempt: int, asked: float | None) -> float | None:
        """The time to wait before the ``attempt``-th (from 1) of the repetitions; ``None`` to give up."""
        if attempt >= self.attempts or (asked is not None and asked > self.longest):
            return None
        if asked is not None:
            return asked
        step = min(self.longest_step, self.first_wait * 2.0 ** (attempt - 1))
        return step * random.uniform(0.5, 1.0)  # noqa: S311 - so that not all come back at the same moment


class Client:
    """Asks one server for files. Used by many threads: when the server asks one of them to wait, all of them do."""

    def __init__(self, wire: Wire, patience: Patience | None = None) -> None:
        self._wire = wire
        self._patience = patience or Patience()
        self._resume_at = 0.0
        self._guard = threading.Lock()
        self._stopped = threading.Event()

    def stop(self) -> None:
        """Let everybody give up who waits for another attempt: the user has interrupted the run."""
        self._stopped.set()

    def whole(self, request: Request) -> Answer:
        """The whole of a resource; raises :class:`FactsError` where it is longer than the request allows.

        Raises :class:`HttpError` or :class:`ConnectionFailedError` after the last attempt.
        """
        answer = self._repeated(request, lambda answer: answer)
        if not answer.complete:
            raise FactsError(
                f"{request.url} has more than the {format_bytes(request.most)} allowed",
                hint="check that it is what its name says",
            )
        return answer

    def part(self, request: Request) -> Answer:
        """The bytes of the request's range, all of them.

        Raises :class:`BeyondEndError` where the file ends before, else as :meth:`whole`.
        """
        assert request.start is not None
        try:
            return self._repeated(request, lambda answer: _require_all(answer, request))
        except HttpError as error:
            if error.status == BEYOND_THE_END:
                raise BeyondEndError from None
            raise

    def _repeated(self, request: Request, checked: Callable[[Answer], Answer]) -> Answer:
        attempt = 0
        while True:
            self._pause()
            attempt += 1
            try:
                return checked(self._wire.get(request))
            except HttpError as error:
                asked = error.wait
                wait = self._patience.wait_before(attempt, asked) if error.status in PASSING else None
                if wait is None:
                    raise
                if asked is not None:
                    self._hold_everybody(asked)
            except ConnectionFailedError:
                wait = self._patience.wait_before(attempt, None)
                if wait is None:
                    raise
            self._sleep(wait)

    def _pause(self) -> None:
        """Wait as long as the server has asked another thread to wait."""
        remaining = self._resume_at - time.monotonic()
        self._sleep(max(0.0, remaining))

    def _sleep(self, seconds: float) -> None:
        if self._stopped.wait(seconds):
            raise ConnectionFailedError("interrupted")

    def _hold_everybody(self, seconds: float) -> None:
        with self._guard:
            self._resume_at = max(self._resume_at, time.monotonic() + seconds)


def _require_all(answer: Answer, request: Request) -> Answer:
    """``answer``, if it holds every byte of the range; raises where the file, or only the connection, ended before."""
    if len(answer.body) == request.most:
        return answer
    total = _total(answer)
    if total is not None and total >= (request.start or 0) + request.most:
        raise ConnectionFailedError("the answer ended before its time")
    raise BeyondEndError


def _total(answer: Answer) -> int | None:
    """The length of the whole file, as far as the answer tells."""
    if answer.status != PARTIAL:
        return None
    text = answer.headers.get("content-range", "").rpartition("/")[2]
    return int(text) if text.isascii() and text.isdigit() else None
