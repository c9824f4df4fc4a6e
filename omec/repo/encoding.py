"""From bytes to text: manifests are UTF-8, with or without a byte order mark (reference 11 §1.5)."""

from __future__ import annotations

import codecs

from omec.repo import rules
from omec.repo.yaml.problem import Problem, ProblemError, Span

_SNIFFED = 8192

_OTHER_MARKS = {
    codecs.BOM_UTF32_LE: "UTF-32",
    codecs.BOM_UTF32_BE: "UTF-32",
    codecs.BOM_UTF16_LE: "UTF-16",
    codecs.BOM_UTF16_BE: "UTF-16",
}


def decode(data: bytes) -> str:
    """The text of a file; raises :class:`ProblemError`, with a span of the text up to the problem."""
    for mark, name in _OTHER_MARKS.items():
        if data.startswith(mark):
            raise ProblemError(_problem(f"the file is {name}, not UTF-8", Span(0, 0), "save the file as UTF-8"))
    if b"\0" in data[:_SNIFFED]:
        raise ProblemError(
            _problem("the file is binary, not text", Span(0, 0), "exclude the file, or give it another suffix")
        )
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        index = len(data[: error.start].decode("utf-8"))
        raise ProblemError(
            _problem(
                f"byte 0x{data[error.start]:02x} is not UTF-8",
                Span(index, index + 1),
                "save the file as UTF-8; it was probably saved as Latin-1 or Windows-1252",
            )
        ) from error


def _problem(message: str, span: Span, remedy: str) -> Problem:
    return Problem(rules.ENCODING, message, span, help=remedy)
