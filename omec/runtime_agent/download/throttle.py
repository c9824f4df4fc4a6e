"""A limit on bytes a second that several threads share."""

from __future__ import annotations

import threading
import time


class Throttle:
    """Lets ``rate`` bytes a second pass on average, and a quarter of a second's worth at once; 0 is no limit."""

    def __init__(self, rate: int) -> None:
        self._rate = rate
        self._burst = rate / 4
        self._allowance = self._burst
        self._last = time.monotonic()
        self._guard = threading.Lock()

    def passed(self, count: int) -> None:
        """Wait until ``count`` more bytes are within the limit."""
        if not self._rate:
            return
        with self._guard:
            now = time.monotonic()
            self._allowance = min(self._burst, self._allowance + (now - self._last) * self._rate) - count
            self._last = now
            debt = -self._allowance
        if debt > 0:
            time.sleep(debt / self._rate)
