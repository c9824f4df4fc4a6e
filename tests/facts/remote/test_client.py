"""Attempts: what is tried again, how long is waited, and what counts as the whole answer."""

from __future__ import annotations

import time
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from omec.facts.errors import FactsError
from omec.facts.remote.client import BeyondEndError, Client, Patience
from omec.facts.remote.errors import ConnectionFailedError, HttpError
from omec.facts.remote.wire import Answer, Request, collect, requested_wait

WHOLE, RANGE = Request("http://hub/x", 10), Request("http://hub/x", 4, start=2)
QUICK = Patience(attempts=3, first_wait=0.001, longest=0.05)


def answer(body: bytes, status: int = 200, complete: bool = True, **headers: str) -> Answer:
    named = {key.replace("_", "-"): value for key, value in headers.items()}
    return Answer(status, "http://hub/x", named, body, complete)


class Script:
    """A wire that plays one outcome after another."""

    def __init__(self, *outcomes: Answer | Exception) -> None:
        self.outcomes = list(outcomes)

    def get(self, request: Request) -> Answer:
        outcome = self.outcomes.pop(0)
        if isinstance(outcome, Exception):
            raise outcome
        return outcome


@pytest.mark.parametrize(
    "trouble",
    [ConnectionFailedError("cut"), *(HttpError(status) for status in (408, 425, 429, 500, 502, 503, 504))],
)
def test_what_may_pass_is_tried_again(trouble: Exception) -> None:
    script = Script(trouble, trouble, answer(b"yes"))
    assert Client(script, QUICK).whole(WHOLE).body == b"yes"


@pytest.mark.parametrize("status", [400, 401, 403, 404, 410])
def test_what_will_not_pass_is_not(status: int) -> None:
    script = Script(HttpError(status), answer(b"too late"))
    with pytest.raises(HttpError) as error:
        Client(script, QUICK).whole(WHOLE)
    assert error.value.status == status
    assert len(script.outcomes) == 1


@pytest.mark.parametrize("trouble", [ConnectionFailedError("cut"), HttpError(503)])
def test_attempts_are_limited(trouble: Exception) -> None:
    script = Script(*[trouble] * 9)
    with pytest.raises(type(trouble)):
        Client(script, QUICK).whole(WHOLE)
    assert len(script.outcomes) == 9 - QUICK.attempts


def test_a_server_that_asks_for_time_gets_it() -> None:
    started = time.monotonic()
    assert Client(Script(HttpError(429, wait=0.04), answer(b"yes")), QUICK).whole(WHOLE).body == b"yes"
    assert time.monotonic() - started >= 0.04


def test_one_that_asks_for_too_much_does_not() -> None:
    script = Script(HttpError(429, wait=3600), answer(b"too late"))
    with pytest.raises(HttpError):
        Client(script, QUICK).whole(WHOLE)


def test_all_threads_wait_when_one_is_asked_to() -> None:
    client = Client(Script(HttpError(429, wait=0.05), answer(b"first"), answer(b"second")), QUICK)
    started = time.monotonic()
    with ThreadPoolExecutor(2) as threads:
        first = threads.submit(client.whole, WHOLE)
        time.sleep(0.01)  # the first has been asked to wait by now
        assert client.whole(WHOLE).body in (b"first", b"second")
    assert first.result().complete
    assert time.monotonic() - started >= 0.04


@pytest.mark.parametrize(("attempt", "low", "high"), [(1, 0.5, 1), (2, 1, 2), (3, 2, 4), (4, 2, 4)])
def test_waits_grow_and_differ(attempt: int, low: float, high: float) -> None:
    waits = {Patience(first_wait=1.0, longest_step=4.0).wait_before(attempt, None) for _ in range(20)}
    assert len(waits) > 1
    assert all(wait is not None and low <= wait <= high for wait in waits)


def test_an_interrupted_run_does_not_wait() -> None:
    client = Client(Script(HttpError(429, wait=0.05), answer(b"too late")), QUICK)
    client.stop()
    with pytest.raises(ConnectionFailedError, match="interrupted"):
        client.whole(WHOLE)


def test_a_resource_longer_than_allowed_is_refused() -> None:
    with pytest.raises(FactsError, match="more than the 10 B allowed"):
        Client(Script(answer(b"x" * 10, complete=False)), QUICK).whole(WHOLE)


@pytest.mark.parametrize(
    "outcome",
    [
        answer(b"abcd", 206, content_range="bytes 2-5/100"),
        answer(
            b"abcd", 200, complete=False
        ),  # a server that ignores ranges: the wire has skipped what was not asked for
    ],
)
def test_a_range_is_complete(outcome: Answer) -> None:
    assert Client(Script(outcome), QUICK).part(RANGE).body == b"abcd"


@pytest.mark.parametrize(
    "outcome",
    [
        answer(b"ab", 206, content_range="bytes 2-3/4"),
        answer(b"ab", 200),
        answer(b"ab", 206),
        answer(b"ab", 206, content_range="bytes 2-3/*"),
        HttpError(416),
    ],
)
def test_a_file_can_end_before_the_range(outcome: Any) -> None:
    with pytest.raises(BeyondEndError):
        Client(Script(outcome), QUICK).part(RANGE)


def test_a_connection_that_ends_before_the_file_is_tried_again() -> None:
    short = answer(b"ab", 206, content_range="bytes 2-5/100")
    assert Client(Script(short, answer(b"abcd", 206)), QUICK).part(RANGE).body == b"abcd"


@pytest.mark.parametrize(
    ("skip", "most", "expected"),
    [(0, 10, (b"abcdefgh", True)), (0, 3, (b"abc", False)), (4, 2, (b"ef", False)), (5, 3, (b"fgh", True))],
)
def test_collect(skip: int, most: int, expected: tuple[bytes, bool]) -> None:
    assert collect([b"abc", b"def", b"gh"], skip, most, time.monotonic() + 9) == expected


def test_collect_gives_up_at_the_deadline() -> None:
    with pytest.raises(ConnectionFailedError, match="too slowly"):
        collect([b"a"] * 5, 0, 10, time.monotonic() - 1)


@pytest.mark.parametrize(
    ("headers", "wait"),
    [
        ({"retry-after": "7"}, 7.0),
        ({"retry-after": "Wed, 21 Oct 2015 07:28:00 GMT"}, None),
        ({"retry-after": "٣"}, None),
        ({"ratelimit": '"api";r=0;t=55'}, 55.0),
        ({"ratelimit": '"api";r=3;t=55'}, None),
        ({"ratelimit": '"api"'}, None),
        ({}, None),
    ],
)
def test_requested_wait(headers: dict[str, str], wait: float | None) -> None:
    assert requested_wait(headers) == wait
