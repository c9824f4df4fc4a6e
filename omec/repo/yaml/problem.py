"""What is wrong with the text of one document, and where."""

from __future__ import annotations

import re
from bisect import bisect_right
from typing import NamedTuple

from omec.finding import Position, Rule


class Span(NamedTuple):
    """A range of characters in a text; ``end`` is exclusive."""

    start: int
    end: int


class Problem(NamedTuple):
    """A judgement about a span of a chunk's text.

    ``fatal`` says that kubectl refuses the document, so that it has no value. ``related`` are further spans, each
    with the phrase that says what it is.
    """

    rule: Rule
    message: str
    span: Span
    help: str = ""
    related: tuple[tuple[Span, str], ...] = ()
    fatal: bool = True


class ProblemError(Exception):
    """Ends the reading of a document; carries the :class:`Problem`."""

    def __init__(self, problem: Problem) -> None:
        super().__init__(problem.message)
        self.problem = problem


LINE_BREAK = re.compile(r"\r\n|\r|\n")
"""What ends a line, as editors count them: YAML's other breaks (NEL, LS and PS) do not."""


class LineIndex:
    """Line and column of every character of a text.

    Lines end at a :data:`LINE_BREAK`. Columns are 1-based and count characters (Unicode code points), a tab as one, a
    byte order mark at the start not at all.
    """

    __slots__ = ("_end", "_starts")

    def __init__(self, text: str) -> None:
        start = 1 if text.startswith("\ufeff") else 0
        self._starts = [start, *(match.end() for match in LINE_BREAK.finditer(text))]
        self._end = len(text)

    def place(self, index: int) -> tuple[int, int]:
        """The 1-based line and column of the character at ``index``."""
        index = max(index, self._starts[0])
        line = bisect_right(self._starts, index)
        return line, index - self._starts[line - 1] + 1

    def offset(self, line: int, column: int) -> int:
        """The index of the character at this 1-based line and column; beyond the last line, that of the text's end."""
        return self._starts[line - 1] + column - 1 if line <= len(self._starts) else self._end

    def position(self, path: str, span: Span) -> Position:
        return Position(path, *self.place(span.start), *self.place(span.end))
