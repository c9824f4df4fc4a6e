"""Run one process and say what it cost."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

_RSS_UNIT = 1 if sys.platform == "darwin" else 1024


class FailedError(Exception):
    """A measured process ended with an exit code that says it did not do its work."""


@dataclass(frozen=True, slots=True)
class Sample:
    """Seconds on the clock, seconds of processor time, and the largest resident set in bytes."""

    wall: float
    cpu: float
    memory: int


def environment(scratch: Path) -> dict[str, str]:
    """The environment to measure in: byte code (as an installed package has it) and the cache are in ``scratch``."""
    unwanted = ("PYTHONDONTWRITEBYTECODE", "OMEC_NO_CACHE")
    kept = {name: value for name, value in os.environ.items() if name not in unwanted}
    return kept | {"PYTHONPYCACHEPREFIX": str(scratch / "byte-code"), "OMEC_CACHE_DIR": str(scratch / "cache")}


def measure(command: Sequence[str], exit_codes: Sequence[int], env: Mapping[str, str] | None = None) -> Sample:
    """The cost of ``command`` from its start to its end; its output is thrown away.

    The memory is never less than this process has itself, which therefore has to stay small. Raises
    :class:`FailedError` with the end of its stderr where it ends with none of ``exit_codes``.
    """
    with tempfile.TemporaryFile() as errors:
        start = time.perf_counter()
        process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=errors, env=env)
        # wait4 is the one way to the memory of this very child: getrusage knows only the largest of all.
        _, status, usage = os.wait4(process.pid, 0)
        wall = time.perf_counter() - start
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode not in exit_codes:
            errors.seek(0)
            said = errors.read().decode(errors="replace")[-1000:].strip()
            raise FailedError(f"{' '.join(command[:4])} … ended with {process.returncode}: {said}")
    return Sample(wall, usage.ru_utime + usage.ru_stime, usage.ru_maxrss * _RSS_UNIT)
