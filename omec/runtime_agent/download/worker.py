"""The child process of one download: a job in, reports and one outcome out, a line of JSON each.

The parent holds the other end of standard input; when that closes, the parent is gone and the child ends at once. The
files it leaves are what the next attempt goes on from.
"""

from __future__ import annotations

import json
import os
import sys
import threading
from dataclasses import asdict
from typing import Any, TextIO

from omec.api.redact import redact
from omec.runtime_agent.download.errors import DownloadError
from omec.runtime_agent.download.job import Job
from omec.runtime_agent.download.tally import Tally
from omec.runtime_agent.process.logs import configure_logs

_REPORT_SECONDS = 0.5


def main() -> int:
    """Do the job that stands on the first line of standard input; 0 where an outcome was told."""
    configure_logs(os.environ.get("LOG_LEVEL", "info"))
    job = Job.from_dict(json.loads(sys.stdin.readline()))
    threading.Thread(target=_end_with_parent, daemon=True).start()
    told = Outcomes(_take_standard_output())
    tally = Tally()
    reporter = threading.Thread(target=_report, args=(tally, told), daemon=True)
    _prepare_environment(job)
    reporter.start()
    from omec.runtime_agent.download.fetch import fetch  # noqa: PLC0415

    try:
        result = fetch(job, tally)
        told.line({"event": "report", **asdict(tally.report())})
        told.line({"event": "done", **result.to_dict()})
    except DownloadError as error:
        told.line({"event": "failed", "kind": error.kind.value, "message": redact(str(error)), "wait": error.wait})
    os._exit(0)  # threads of other files may still wait for a server


class Outcomes:
    """Lines for the parent, from several threads; nothing is told after the outcome."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream
        self._guard = threading.Lock()
        self._ended = False

    def line(self, values: dict[str, Any]) -> None:
        with self._guard:
            if not self._ended:
                self._ended = values["event"] != "report"
                self._stream.write(f"{json.dumps(values)}\n")
                self._stream.flush()


def _take_standard_output() -> TextIO:
    """The stream to the parent; whatever libraries print goes to standard error from now on."""
    stream = os.fdopen(os.dup(sys.stdout.fileno()), "w", encoding="utf-8")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    return stream


def _prepare_environment(job: Job) -> None:
    """What libraries read from the environment; set here, so that no other process sees the token."""
    token = job.secrets.get("token", "")
    given = {"HF_TOKEN": token} if token else {"HF_HUB_DISABLE_IMPLICIT_TOKEN": "1"}
    endpoint = {"HF_ENDPOINT": job.endpoint} if job.endpoint else {}
    os.environ.pop("HF_TOKEN", None)
    os.environ |= {"HF_HUB_DISABLE_PROGRESS_BARS": "1", "HF_HUB_DISABLE_TELEMETRY": "1", **given, **endpoint}


def _end_with_parent() -> None:
    while sys.stdin.readline():
        pass
    os._exit(1)


def _report(tally: Tally, told: Outcomes) -> None:
    last = None
    waiting = threading.Event()
    while not waiting.wait(_REPORT_SECONDS):
        report = tally.report()
        if report != last:
            told.line({"event": "report", **asdict(report)})
            last = report


if __name__ == "__main__":
    sys.exit(main())
