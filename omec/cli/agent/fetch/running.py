"""What the tasks have in common: their options, and the way from an error to an exit code and last words."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import click

from omec.cli.console import err
from omec.errors import EXIT_CLEAN, OmecError

Command = TypeVar("Command", bound=Callable[..., Any])


def task_options(command: Command) -> Command:
    """``--config`` and ``--debug``, as containers are rendered with them."""
    command = click.option("--debug", is_flag=True, help="Log more.")(command)
    return click.option(
        "--config",
        type=click.Path(path_type=Path, dir_okay=False),
        metavar="FILE",
        help="Defaults for the variables OME_AGENT_…; may be missing.",
    )(command)


def run_task(task: Callable[[], str], *, debug: bool) -> int:
    """Run ``task``, log its result, and return the exit code; the last line says why a task failed.

    No error is left to the caller: ``--debug`` is about logs here, and a traceback would take the place of the reason.
    """
    from omec.api.redact import redact  # noqa: PLC0415
    from omec.runtime_agent.download.errors import DownloadError  # noqa: PLC0415
    from omec.runtime_agent.fetch.failure import EXIT_CODES, EXIT_TERMINATED, rule_of  # noqa: PLC0415
    from omec.runtime_agent.fetch.rules import FETCH_CONTRACT_BROKEN  # noqa: PLC0415
    from omec.runtime_agent.process.logs import configure_logs, logger  # noqa: PLC0415

    configure_logs("debug" if debug else "info")
    # The first process of a container ignores signals that it has not asked for; what has arrived is on disk already.
    signal.signal(signal.SIGTERM, lambda *_: os._exit(EXIT_TERMINATED))
    log = logger("fetch")
    try:
        log.info(task())
    except DownloadError as error:
        message, rule = str(error), rule_of(error)
    except OmecError as error:
        message, rule = error.message, FETCH_CONTRACT_BROKEN
    except Exception as error:
        log.error("bug", traceback=True, error=str(error))
        err(f"omec: internal error: {redact(f'{type(error).__name__}: {error}')} [OME000]")
        return 1
    else:
        return EXIT_CLEAN
    err(f"omec: error: {redact(message)} [{rule.code}]")
    return EXIT_CODES[rule]
