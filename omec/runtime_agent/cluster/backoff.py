"""How long to wait after the n-th failure in a row."""

from __future__ import annotations

import random
from dataclasses import dataclass


@dataclass(slots=True)
class Backoff:
    """Waits that double from ``first`` to ``longest`` seconds, each shortened at random: not all shall come at once."""

    first: float = 0.5
    longest: float = 30.0
    failures: int = 0

    def next(self) -> float:
        """The wait after one more failure."""
        self.failures += 1
        full = min(self.longest, self.first * 2.0 ** min(self.failures - 1, 32))
        return full * random.uniform(0.5, 1.0)  # noqa: S311 - no secret

    def reset(self) -> None:
        self.failures = 0
