"""Errors that end a command.

What a user's manifests get wrong is a :class:`omec.finding.Finding`; an exception of this module means that omec cannot
go on at all: wrong usage, broken configuration, an unreadable source, an unwritable output.
"""

from __future__ import annotations

EXIT_CLEAN = 0
EXIT_FINDINGS = 1
EXIT_USAGE = 2
EXIT_INTERRUPTED = 130


class OmecError(Exception):
    """A problem that ends the command, told in one paragraph.

    ``message`` says what is wrong (a sentence without a final period, naming the file or option), ``hint`` what to do
    about it, ``code`` is the stable ``OME0xx`` code. ``exit_code`` is 2 unless the error is about the content of the
    user's manifests.
    """

    def __init__(self, message: str, *, hint: str = "", code: str = "OME001", exit_code: int = EXIT_USAGE) -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint
        self.code = code
        self.exit_code = exit_code

    def __str__(self) -> str:
        return f"{self.message} ({self.hint})" if self.hint else self.message
