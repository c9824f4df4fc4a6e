"""Streams and colour: findings and output go to stdout, progress and summaries to stderr."""

from __future__ import annotations

import io
import os
import re
import sys
from collections.abc import Callable, Iterable
from functools import cache
from pathlib import Path
from typing import TextIO

from omec.api.redact import REDACTED, redact
from omec.error_rules import STDOUT_LOST
from omec.errors import OmecError

_COLORS = {"red": "31", "yellow": "33", "cyan": "36", "green": "32", "bold": "1", "dim": "2"}
_hidden: list[Callable[[], re.Pattern[str] | None]] = []
"""What finds the secrets of the repositories that this run has opened."""


def prepare_streams() -> None:
    """Write UTF-8 whatever the locale says, as kubectl and git do; a character that cannot be encoded is escaped.

    A closed stderr swallows what is written to it. Raises :class:`OmecError` where stdout is closed.
    """
    _hidden.clear()
    if sys.stderr is None:
        sys.stderr = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115, PTH123 - for the rest of the process
    if sys.stdout is None:
        raise OmecError(
            "standard output is closed", hint="give the command somewhere to write to", code=STDOUT_LOST.code
        )
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(encoding="utf-8", errors="backslashreplace")


def wants_color(stream: TextIO) -> bool:
    """Whether ``stream`` is to be coloured: ``NO_COLOR`` off, ``FORCE_COLOR`` on, else only a real terminal.

    See https://no-color.org; an empty variable counts as unset.
    """
    if os.environ.get("NO_COLOR"):
        return False
    if os.environ.get("FORCE_COLOR", "0") not in {"", "0"}:
        return True
    return stream.isatty() and os.environ.get("TERM") != "dumb"


def paint(text: str, color: str, *, on: bool) -> str:
    """``text`` in an ANSI colour when ``on``."""
    return f"\x1b[{_COLORS[color]}m{text}\x1b[0m" if on else text


def hide(secrets: Callable[[], Iterable[str]]) -> None:
    """Replace the texts that ``secrets`` gives, too, in whatever is written from now on; it is asked once, if ever."""
    _hidden.append(cache(lambda: _pattern(secrets())))


def _pattern(secrets: Iterable[str]) -> re.Pattern[str] | None:
    from omec.api.secrets import hidden_forms  # noqa: PLC0415

    forms = {form for secret in secrets for form in hidden_forms(secret)}
    # The longest first: one secret may begin with another.
    alternatives = "|".join(map(re.escape, sorted(forms, key=lambda form: (-len(form), form))))
    return re.compile(rf"(?<!\w)(?:{alternatives})(?!\w)") if forms else None


def _clean(text: str) -> str:
    """``text`` with tokens, passwords and the secrets of the manifests replaced."""
    text = redact(text)
    for pattern_of in _hidden if text.strip() else ():
        if (pattern := pattern_of()) is not None:
            text = pattern.sub(REDACTED, text)
    return text


def is_clean(text: str) -> bool:
    """Whether ``text`` is written as it is, because nothing in it has to be replaced."""
    return _clean(text) == text


def out(text: str) -> None:
    """Write ``text`` (with its own line ends) to stdout, tokens and passwords replaced."""
    sys.stdout.write(_clean(text))


def out_file(path: Path, text: str) -> None:
    """Write ``text`` to a file in one step, tokens and passwords replaced; raises :class:`OmecError` if it cannot."""
    from omec.facts.atomic import write_file  # noqa: PLC0415

    write_file(path, _clean(text).encode("utf-8", "backslashreplace"))


def out_manifests(text: str) -> None:
    """Write rendered manifests to stdout as they are: what is applied must be what was compiled."""
    sys.stdout.write(text)


def err(text: str) -> None:
    """Write one line to stderr, tokens and passwords replaced."""
    _to_stderr(f"{_clean(text)}\n")


def _to_stderr(text: str) -> None:
    """Write ``text`` to stderr; where nobody can read it, the exit code alone speaks, as with a closed stderr."""
    try:
        sys.stderr.write(text)
        sys.stderr.flush()
    except OSError:
        sys.stderr = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115, PTH123 - for the rest of the process


class Progress:
    """A one-line progress display on stderr; silent where stderr is not a terminal."""

    def __init__(self) -> None:
        self._active = sys.stderr.isatty() and os.environ.get("TERM") != "dumb"
        self._shown = False

    def step(self, text: str) -> None:
        if self._active:
            _to_stderr(f"\r\x1b[K{text}")
            self._shown = True

    def done(self) -> None:
        if self._shown:
            _to_stderr("\r\x1b[K")
            self._shown = False
