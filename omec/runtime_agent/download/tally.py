"""Counting what several threads have done, for the one who reports it."""

from __future__ import annotations

import threading

from omec.runtime_agent.download.job import Report


class Tally:
    """Bytes and files of one download."""

    def __init__(self) -> None:
        self._guard = threading.Lock()
        self._total_bytes = self._total_files = 0
        self._bytes = self._files = self._checked = 0
        self.transferred = 0
        self.phase = "scanning"

    def expect(self, files: int, size: int) -> None:
        self._total_files, self._total_bytes = files, size

    def arrived(self, count: int) -> None:
        with self._guard:
            self._bytes += count
            self.transferred += max(0, count)

    def checked(self, count: int) -> None:
        with self._guard:
            self._checked += count

    def completed(self, size: int = 0) -> None:
        """One more file is whole; ``size`` bytes of it were here before."""
        with self._guard:
            self._files += 1
            self._bytes += size

    def report(self) -> Report:
        with self._guard:
            return Report(self.phase, self._total_bytes, self._bytes, self._total_files, self._files, self._checked)
