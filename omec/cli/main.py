"""The ``omec`` command: sub-commands by name, loaded when used, and the one place where errors become exit codes."""

from __future__ import annotations

import gc
import os
import sys
from contextlib import suppress
from typing import TYPE_CHECKING, NoReturn

from omec.error_rules import STDOUT_LOST
from omec.errors import EXIT_INTERRUPTED, EXIT_USAGE, OmecError
from omec.version import __version__

if TYPE_CHECKING:
    import click


def main() -> NoReturn:
    """Run the command line and exit.

    Exit codes: 0 nothing at or above ``--fail-on``, 1 findings or stale output, 2 usage, configuration or internal
    error, 130 interrupted.
    """
    if sys.argv[1:2] == ["agent"]:
        sys.exit(run(sys.argv[1:]))
    gc.disable()  # a command ends before garbage could matter, and looking for it costs a tenth of the time
    _end(run(sys.argv[1:]))


def run(args: list[str]) -> int:
    """Run the command line on ``args``; the exit code."""
    if args == ["--version"] and sys.stdout:  # the one command that must not wait for click to be imported
        with suppress(OSError):  # told below
            sys.stdout.write(f"omec {__version__}\n")
            sys.stdout.flush()
            return 0
    import click  # noqa: PLC0415

    from omec.cli.console import prepare_streams  # noqa: PLC0415

    debug = "--debug" in args
    try:
        prepare_streams()
        code = _application().main(args=args, prog_name="omec", standalone_mode=False)
        sys.stdout.flush()
        return int(code or 0)
    except click.exceptions.Exit as stop:
        return stop.exit_code
    except click.ClickException as wrong:
        wrong.show()
        return EXIT_USAGE
    except (KeyboardInterrupt, click.exceptions.Abort):
        sys.stderr.write("omec: interrupted\n")
        return EXIT_INTERRUPTED
    except (BrokenPipeError, SystemExit):  # click exits where it meets the closed pipe first
        return _quiet_end()
    except OmecError as error:
        if debug:
            raise
        return _tell(error)
    except Exception as error:
        if debug:
            raise
        return _failed(error)


def _tell(error: OmecError) -> int:
    from omec.cli.console import err  # noqa: PLC0415

    err(f"omec: error: {error.message} [{error.code}]")
    if error.hint:
        err(f"  help: {error.hint}")
    return error.exit_code


def _failed(error: Exception) -> int:
    """A full disk behind stdout, or else a bug of omec: one line, never a traceback (``--debug`` is for that)."""
    if isinstance(error, OSError) and error.filename is None:
        _forget_stdout()
        return _tell(
            OmecError(
                f"cannot write to standard output: {(error.strerror or str(error)).lower()}",
                hint="what was written is not complete",
                code=STDOUT_LOST.code,
            )
        )
    from omec.cli.console import err  # noqa: PLC0415

    err(f"omec: internal error: {type(error).__name__}: {error} [OME000]")
    err("  help: this is a bug of omec, not of your manifests; run again with --debug and report what it prints")
    return EXIT_USAGE


def _quiet_end() -> int:
    """The reader of stdout went away (``omec … | head``): end without a word, as other filters do."""
    _forget_stdout()
    return 0


def _forget_stdout() -> None:
    """Keep the interpreter from writing the rest of stdout when it ends."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _end(code: int) -> NoReturn:
    """End the process without freeing its objects one by one: after a large compile that is a twelfth of the time."""
    try:
        for stream in filter(None, (sys.stdout, sys.stderr)):
            stream.flush()
    except OSError:
        sys.exit(code)  # the interpreter tells of it
    os._exit(code)


def _application() -> click.Group:
    from omec.cli.application import application  # noqa: PLC0415

    return application
