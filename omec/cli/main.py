"""The ``omec`` command: sub-commands by name, loaded when used, and the one place where errors become exit codes."""

from __future__ import annotations

import gc
import os
import sys
from typing import TYPE_CHECKING, NoReturn

from omec.errors import EXIT_INTERRUPTED, EXIT_USAGE, OmecError
from omec.version import __version__

if TYPE_CHECKING:
    import click


def main() -> NoReturn:
    """Run the command line and exit.

    Exit codes: 0 nothing at or above ``--fail-on``, 1 findings or stale output, 2 usage, configuration or internal
    error, 130 interrupted.
    """
    if sys.argv[1:2] != ["agent"]:
        gc.disable()  # a command ends before garbage could matter, and looking for it costs a tenth of the time
    sys.exit(run(sys.argv[1:]))


def run(args: list[str]) -> int:
    """Run the command line on ``args``; the exit code."""
    if args == ["--version"]:  # the one command that must not wait for click to be imported
        sys.stdout.write(f"omec {__version__}\n")
        return 0
    import click  # noqa: PLC0415

    debug = "--debug" in args
    try:
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
    except BrokenPipeError:
        return _quiet_end()
    except OmecError as error:
        if debug:
            raise
        return _tell(error)
    except Exception as error:
        if debug:
            raise
        return _internal_error(error)


def _tell(error: OmecError) -> int:
    from omec.cli.console import err  # noqa: PLC0415

    err(f"omec: error: {error.message} [{error.code}]")
    if error.hint:
        err(f"  help: {error.hint}")
    return error.exit_code


def _internal_error(error: Exception) -> int:
    """A bug of omec: one line for the user, never a traceback (that is what ``--debug`` is for)."""
    from omec.cli.console import err  # noqa: PLC0415

    err(f"omec: internal error: {type(error).__name__}: {error} [OME000]")
    err("  help: this is a bug of omec, not of your manifests; run again with --debug and report what it prints")
    return EXIT_USAGE


def _quiet_end() -> int:
    """The reader of stdout went away (``omec … | head``): end without a word, as other filters do."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return 0


def _application() -> click.Group:
    from omec.cli.application import application  # noqa: PLC0415

    return application
