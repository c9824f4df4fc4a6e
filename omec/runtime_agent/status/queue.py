"""What has to be looked at again, and when: keys, each at most once, due after a delay.

A key that is asked for again while it waits stays where it is. A burst of changes of one object is therefore one look,
and an object that changes all the time is still looked at regularly.
"""

from __future__ import annotations

import heapq
import threading
import time
from collections.abc import Hashable
from typing import Generic, TypeVar

Key = TypeVar("Key", bound=Hashable)

_FIRST_WAIT, _LONGEST_WAIT = 0.5, 60.0


class WorkQueue(Generic[Key]):
    """Safe for several writers and one reader."""

    def __init__(self) -> None:
        self._due: dict[Key, float] = {}
        self._heap: list[tuple[float, int, Key]] = []
        self._number = 0
        self._failures: dict[Key, int] = {}
        self._changed = threading.Condition()

    def __len__(self) -> int:
        return len(self._due)

    def add(self, key: Key, delay: float = 0.0) -> None:
        """Have ``key`` looked at after ``delay`` seconds, or sooner where it waits already."""
        due = time.monotonic() + delay
        with self._changed:
            if key in self._due and self._due[key] <= due:
                return
            self._due[key] = due
            self._number += 1
            heapq.heappush(self._heap, (due, self._number, key))
            self._changed.notify()

    def retry(self, key: Key) -> float:
        """Have ``key`` looked at again after a failure; the wait, which doubles with each failure in a row."""
        failures = self._failures[key] = self._failures.get(key, 0) + 1
        wait = min(_LONGEST_WAIT, _FIRST_WAIT * 2.0 ** min(failures - 1, 16))
        self.add(key, wait)
        return wait

    def done(self, key: Key) -> None:
        """``key`` was looked at without failure."""
        self._failures.pop(key, None)

    def take(self, timeout: float) -> Key | None:
        """The key that is due, ``None`` where none is within ``timeout`` seconds."""
        deadline = time.monotonic() + timeout
        with self._changed:
            while True:
                now = time.monotonic()
                if self._heap and self._heap[0][0] <= now:
                    due, _, key = heapq.heappop(self._heap)
                    if self._due.get(key) == due:
                        del self._due[key]
                        return key
                    continue
                if now >= deadline:
                    return None
                soonest = self._heap[0][0] if self._heap else deadline
                self._changed.wait(min(soonest, deadline) - now)
