"""Remembered results of pure functions of short texts."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T")

_MAX_ENTRIES = 20_000
_MAX_LENGTH = 256


class Memo(dict[str, T]):
    """``memo[text]`` is ``compute(text)``; manifests repeat the same few hundred scalars over and over.

    A plain look-up is several times cheaper than a call of :func:`functools.lru_cache`'s wrapper or of ``compute``.
    """

    def __init__(self, compute: Callable[[str], T]) -> None:
        super().__init__()
        self._compute = compute

    def __missing__(self, text: str) -> T:
        result = self._compute(text)
        if len(text) <= _MAX_LENGTH:
            if len(self) >= _MAX_ENTRIES:
                self.clear()
            self[text] = result
        return result
