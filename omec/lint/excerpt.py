"""A few lines of a file with a mark below a place in it."""

from __future__ import annotations

from collections.abc import Callable
from unicodedata import combining, east_asian_width

from omec.api.redact import masked
from omec.api.visible import visible
from omec.finding import Position
from omec.repo.yaml.problem import LINE_BREAK

_WIDTH = 100
_BEFORE = 40
_TAB = "    "


def excerpt(position: Position, text: str, paint: Callable[[str], str] = str) -> list[str]:
    """The line of ``position`` in ``text``, with the line above it, numbers at the left, and ``^^^`` below the place.

    A line longer than a terminal is cut around the place. Empty where the place is not known. Nothing of the file can
    steer the terminal, and tokens are replaced.
    """
    lines = LINE_BREAK.split(text.removeprefix("\ufeff")) if position.line else []
    if not 0 < position.line <= len(lines):
        return []
    line = masked(lines[position.line - 1])
    start = position.column - 1
    end = position.end_column - 1 if position.end_line == position.line else len(line.rstrip())
    before, marked, after = line[:start], line[start : max(end, start + 1)], line[max(end, start + 1) :]
    gutter = len(str(position.line))
    empty = f"{'':>{gutter}} |"
    shown = [empty]
    if position.line > 1 and lines[position.line - 2].strip():
        shown.append(f"{position.line - 1:>{gutter}} | {_shown(masked(lines[position.line - 2]))[:_WIDTH]}".rstrip())
    left = _shown(before)
    cut = max(0, len(left) - _BEFORE) if len(left) + len(marked) > _WIDTH else 0
    left = f"…{left[cut + 1 :]}" if cut else left
    middle = _shown(marked)[: _WIDTH - _BEFORE]
    right = _shown(after)[: max(0, _WIDTH - len(left) - len(middle))]
    shown.append(f"{position.line:>{gutter}} | {left}{middle}{right}".rstrip())
    mark = paint("^" * max(_width(middle), 1))
    shown.append(f"{empty} {' ' * _width(left)}{mark}")
    return [f"  {part}" for part in shown]


def _shown(text: str) -> str:
    return visible(text.replace("\t", _TAB))


def _width(text: str) -> int:
    """How many columns a terminal needs for ``text``."""
    return sum(0 if combining(char) else 2 if east_asian_width(char) in "WF" else 1 for char in text)
