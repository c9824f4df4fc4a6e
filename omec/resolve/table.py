"""Text tables as ``kubectl ome`` prints them: three spaces between columns, wrapped to a width (reference 01 §14.2)."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from functools import partial

from omec.api.visible import visible

GAP = 3
_DELIMITED = re.compile(r"[^-_/.:]*[-_/.:]|[^-_/.:]+")
"""The pieces of a long word: it breaks after a delimiter if it can."""

Row = Sequence[str]


def format_table(headers: Row, rows: Sequence[Row], width: int) -> str:
    """The table, each line with its line end.

    Columns get their natural widths where these fit. Otherwise every column starts at the width of its header and
    grows by one in turn until ``width`` is used up, and cells wrap; where not even the headers fit, each row becomes a
    block of lines.
    """
    cells = [[visible(cell) for cell in row] for row in (headers, *rows)]
    natural = [max(map(display_width, column)) for column in zip(*cells, strict=True)]
    least = [display_width(header) for header in cells[0]]
    if _total(natural) > width >= _total(least):
        wrapped = _grown(least, natural, width)
        return "".join(line for row in cells for line in _wrapped_lines(row, wrapped))
    if _total(natural) > width:
        return "\n".join("".join(_stacked_lines(cells[0], row, width)) for row in cells[1:])
    return "".join(_line(row, natural) for row in cells)


def display_width(text: str) -> int:
    """How many terminal columns ``text`` takes."""
    return len(text) if text.isascii() else sum(map(_character_width, text))


def wrap(text: str, width: int) -> list[str]:
    """``text`` in lines of at most ``width`` columns, broken at blanks, else inside words.

    A line break takes one blank with it; the others of a run begin the next line.
    """
    if display_width(text) <= width:
        return [text]
    lines: list[str] = []
    line = blanks = ""
    for token in re.findall(r"\s+|\S+", text):
        if token.isspace():
            blanks = token
            continue
        if display_width(line + blanks + token) <= width:
            line += blanks + token
        else:
            if line:
                lines.append(line)
            rest = blanks[1:] + token if line else blanks + token
            if display_width(rest) <= width:
                line = rest
            else:  # a word that takes a line of its own begins it
                *full, line = _broken(token, width)
                lines += full
        blanks = ""
    if display_width(line + blanks) <= width:
        return [*lines, line + blanks]
    return [*lines, line, blanks[:width]]


def _broken(word: str, width: int) -> list[str]:
    """``word`` in lines of at most ``width`` columns, broken after delimiters where possible."""
    lines: list[str] = []
    line = ""
    for piece in _DELIMITED.findall(word):
        parts = [piece] if display_width(piece) <= width else list(piece)
        for index, part in enumerate(parts):
            starts_long_piece = index == 0 and len(parts) > 1
            if line and (starts_long_piece or display_width(line + part) > width):
                lines.append(line)
                line = ""
            line += part
    return [*lines, line]


def _total(widths: Iterable[int]) -> int:
    measured = list(widths)
    return sum(measured) + GAP * (len(measured) - 1)


def _grown(least: Sequence[int], natural: Sequence[int], width: int) -> list[int]:
    grown = list(least)
    room = width - _total(least)
    while room:
        for column, wanted in enumerate(natural):
            if room and grown[column] < wanted:
                grown[column] += 1
                room -= 1
    return grown


def _wrapped_lines(row: Row, widths: Sequence[int]) -> Iterator[str]:
    cells = list(map(wrap, row, widths))
    for index in range(max(map(len, cells))):
        yield _line([cell[index] if index < len(cell) else "" for cell in cells], widths)


def _line(cells: Row, widths: Sequence[int]) -> str:
    """One line: cells padded to their columns, nothing after the last one that is not empty."""
    last = max((index for index, cell in enumerate(cells) if cell), default=0)
    pad = partial(_padded, widths=widths)
    return "".join(pad(cells, index) for index in range(last)) + cells[last] + "\n"


def _padded(cells: Row, index: int, *, widths: Sequence[int]) -> str:
    return cells[index] + " " * (widths[index] - display_width(cells[index]) + GAP)


def _stacked_lines(headers: Row, row: Row, width: int) -> Iterator[str]:
    label_width = max(map(display_width, headers)) + 1 + GAP
    for header, cell in zip(headers, row, strict=True):
        label = f"{header}:"
        if label_width < width and display_width(cell) <= width - label_width:
            yield f"{label:<{label_width}}{cell}".rstrip(" ") + "\n"
            continue
        yield from (f"{line}\n" for line in wrap(label, width))
        indent = "  " if width > 2 else ""
        yield from (f"{indent}{line}\n" for line in wrap(cell, width - len(indent)) if cell)


def _character_width(character: str) -> int:
    if unicodedata.combining(character) or unicodedata.category(character) in ("Mn", "Me", "Cf"):
        return 0
    return 2 if unicodedata.east_asian_width(character) in ("W", "F") else 1
