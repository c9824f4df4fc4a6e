"""The orderly end of a process: SIGTERM and SIGINT ask for it, once; a second signal does not wait."""

from __future__ import annotations

import os
import signal
import threading
from types import FrameType

from omec.errors import EXIT_INTERRUPTED
from omec.runtime_agent.process.logs import logger

log = logger(__name__)


def stop_on_signals() -> threading.Event:
    """An event that the first SIGTERM or SIGINT sets; to be called in the main thread."""
    stop = threading.Event()

    def asked(number: int, _frame: FrameType | None) -> None:
        if stop.is_set():
            os._exit(EXIT_INTERRUPTED)
        log.info("stopping", signal=signal.Signals(number).name)
        stop.set()

    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, asked)
    return stop
