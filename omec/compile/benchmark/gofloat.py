"""Texts that Go reads as floating-point numbers (Go documentation, ``strconv.ParseFloat``)."""

from __future__ import annotations

import math
import re

from omec.api.gotext import quoted

_SPECIAL = re.compile(r"[+-]?inf(?:inity)?|nan", re.IGNORECASE)
_DECIMAL = re.compile(r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?")
_HEXADECIMAL = re.compile(r"[+-]?0[xX](?:[0-9a-fA-F]+\.?[0-9a-fA-F]*|\.[0-9a-fA-F]+)[pP][+-]?[0-9]+")
_STRAY_UNDERSCORE = re.compile(r"(?<![0-9])_|_(?![0-9])")
_STRAY_HEXADECIMAL_UNDERSCORE = re.compile(r"(?<![0-9a-fA-FxX])_|_(?![0-9a-fA-F])")


def float_problem(text: str) -> str | None:
    """Go's error for a ``text`` that is no 64 bit float, ``None`` for one that is.

    Underscores may stand between digits. ``NaN`` and ``Inf`` are numbers; what is too small is zero.
    """
    if _SPECIAL.fullmatch(text):
        return None
    plain = text.replace("_", "")
    hexadecimal = _HEXADECIMAL.fullmatch(plain) is not None
    stray = _STRAY_HEXADECIMAL_UNDERSCORE if hexadecimal else _STRAY_UNDERSCORE
    if stray.search(text) or not (hexadecimal or _DECIMAL.fullmatch(plain)):
        return _error(text, "invalid syntax")
    try:
        number = float.fromhex(plain) if hexadecimal else float(plain)
    except OverflowError:
        return _error(text, "value out of range")
    return _error(text, "value out of range") if math.isinf(number) else None


def _error(text: str, problem: str) -> str:
    return f"strconv.ParseFloat: parsing {quoted(text)}: {problem}"
