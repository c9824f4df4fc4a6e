"""The work queue."""

from __future__ import annotations

import threading

from omec.runtime_agent.status.queue import WorkQueue


def test_a_key_waits_once_and_the_sooner_time_counts() -> None:
    queue: WorkQueue[str] = WorkQueue()
    queue.add("a", 30)
    queue.add("a")
    queue.add("a", 30)
    assert len(queue) == 1
    assert queue.take(0) == "a"
    assert queue.take(0) is None


def test_keys_come_when_they_are_due() -> None:
    queue: WorkQueue[str] = WorkQueue()
    queue.add("late", 0.05)
    queue.add("early")
    assert [queue.take(1), queue.take(0), queue.take(1)] == ["early", None, "late"]


def test_a_reader_that_waits_is_woken() -> None:
    queue: WorkQueue[str] = WorkQueue()
    threading.Timer(0.05, queue.add, ["a"]).start()
    assert queue.take(10) == "a"


def test_waits_double_until_it_works() -> None:
    queue: WorkQueue[str] = WorkQueue()
    assert [queue.retry("a") for _ in range(9)] == [0.5, 1, 2, 4, 8, 16, 32, 60, 60]
    queue.done("a")
    assert queue.retry("a") == 0.5
