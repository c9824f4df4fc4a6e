"""Downloads under supervision: a child process each, watched by the bytes that it writes.

The hub's library is known to hang on large models without an error, so a child that makes no progress is killed and
another one goes on where it was, without Xet from the second attempt on.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from queue import Empty, SimpleQueue
from typing import Any

from omec.runtime_agent.cluster.backoff import Backoff
from omec.runtime_agent.download.errors import DownloadError, Kind
from omec.runtime_agent.download.job import Job, Report, Result
from omec.runtime_agent.process.logs import logger

log = logger(__name__)

_TICK = 0.2
_KEPT_VARIABLES = (
    *("PATH", "LANG", "LC_ALL", "TZ", "TMPDIR", "LOG_LEVEL", "PYTHONPATH", "HOME", "DOCKER_CONFIG"),
    *("HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY", "http_proxy", "https_proxy", "no_proxy", "ALL_PROXY", "all_proxy"),
    *("SSL_CERT_FILE", "SSL_CERT_DIR", "REQUESTS_CA_BUNDLE", "HF_HOME", "HF_XET_CACHE", "HF_HUB_DISABLE_XET"),
)
"""What a child inherits; credentials of the agent are not among them."""

_LATER = (Kind.LOCKED, Kind.CHECKSUM)
"""What passes, but not soon: who holds the lock may take hours, and each wrong digest costs a whole file, twice."""

OnReport = Callable[[Report], None]


class CancelledError(Exception):
    """The download was stopped on request; what arrived stays for the next one."""


@dataclass(frozen=True, slots=True)
class Supervision:
    """How long a child may be without progress, how often another one is started, and the waits between."""

    stall_seconds: float = 300.0
    attempts: int = 5
    first_wait: float = 5.0
    longest_wait: float = 300.0


def run(job: Job, stop: threading.Event, on_report: OnReport, supervision: Supervision | None = None) -> Result:
    """Do ``job``, in as many attempts as it takes.

    Raises :class:`DownloadError` when another attempt cannot help, when all were used up, or when a server asks for a
    pause of more than ``longest_wait``; :class:`CancelledError` soon after ``stop`` is set.
    """
    rules = supervision or Supervision()
    # Longer pauses are waited for here: a child that waits looks like one that hangs.
    job = replace(job, longest_wait=min(job.longest_wait, rules.stall_seconds / 2))
    backoff = Backoff(rules.first_wait, rules.longest_wait)
    for attempt in range(1, rules.attempts + 1):
        try:
            return _Child(replace(job, xet=job.xet and attempt == 1), rules, on_report).outcome(stop)
        except DownloadError as error:
            too_long = error.kind in _LATER or error.wait > rules.longest_wait
            if not error.passing or too_long or attempt == rules.attempts:
                raise
            wait = max(backoff.next(), error.wait)
            log.warning("download interrupted", path=job.path, error=str(error), attempt=attempt, wait=round(wait, 1))
            if stop.wait(wait):
                raise CancelledError from None
    raise AssertionError  # the last attempt returns or raises


class _Child:
    """One attempt."""

    def __init__(self, job: Job, rules: Supervision, on_report: OnReport) -> None:
        self._rules = rules
        self._on_report = on_report
        self._lines: SimpleQueue[str | None] = SimpleQueue()
        environment = {name: os.environ[name] for name in _KEPT_VARIABLES if name in os.environ}
        self._process = subprocess.Popen(
            [sys.executable, "-m", "omec.runtime_agent.download.worker"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env=environment,
            start_new_session=True,
            text=True,
            encoding="utf-8",
        )
        assert self._process.stdin is not None
        with suppress(BrokenPipeError):  # told as a crash below
            self._process.stdin.write(f"{json.dumps(job.to_dict())}\n")
            self._process.stdin.flush()
        threading.Thread(target=self._read, daemon=True).start()

    def outcome(self, stop: threading.Event) -> Result:
        """What the child tells in the end; it is gone when this returns."""
        try:
            return self._outcome(stop)
        finally:
            self._kill()

    def _outcome(self, stop: threading.Event) -> Result:
        moved, since = -1, time.monotonic()
        while not stop.is_set():
            if time.monotonic() - since > self._rules.stall_seconds:
                raise DownloadError(Kind.STALLED, f"no byte arrived in {self._rules.stall_seconds:.0f} s")
            try:
                line = self._lines.get(timeout=_TICK)
            except Empty:
                continue
            values = _parsed(line)
            event = values.pop("event", None)
            if event == "done":
                return Result(**values)
            if event == "failed":
                raise DownloadError(Kind(values["kind"]), values["message"], wait=values["wait"])
            if event is None:
                raise DownloadError(Kind.CRASHED, f"the download process ended with {_ended(self._process.wait())}")
            report = Report(**values)
            if report.moved != moved:
                moved, since = report.moved, time.monotonic()
            self._on_report(report)
        raise CancelledError

    def _read(self) -> None:
        assert self._process.stdout is not None
        with suppress(ValueError):  # closed while waiting
            for line in self._process.stdout:
                self._lines.put(line)
        self._lines.put(None)

    def _kill(self) -> None:
        with suppress(ProcessLookupError):
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()
        for stream in (self._process.stdin, self._process.stdout):
            with suppress(OSError):
                if stream is not None:
                    stream.close()


def _ended(code: int) -> str:
    return f"signal {signal.Signals(-code).name}" if code < 0 else f"exit code {code}"


def _parsed(line: str | None) -> dict[str, Any]:
    """The values of a line; none after the last one, or where the child was killed while it wrote the line."""
    try:
        values: dict[str, Any] = json.loads(line) if line else {}
    except ValueError:
        return {}
    return values
