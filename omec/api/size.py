"""Parameter counts of models and the size ranges of runtimes.

OME reads ``3.21B`` as a double and takes everything it cannot read as 0, without complaint
(OME docs: reference/matching/model-size-range-matching; reference 01 §6).
"""

from __future__ import annotations

import math
import re

import msgspec

_MULTIPLIERS = {"T": 1e12, "B": 1e9, "M": 1e6}

_DIGITS = r"[0-9](?:_?[0-9])*"
_HEX = r"[0-9a-fA-F](?:_?[0-9a-fA-F])*"
_DECIMAL = re.compile(rf"[+-]?(?:{_DIGITS}(?:\.(?:{_DIGITS})?)?|\.{_DIGITS})(?:[eE][+-]?{_DIGITS})?")
_HEXADECIMAL = re.compile(rf"[+-]?0[xX](?:_?{_HEX}(?:\.(?:{_HEX})?)?|\.{_HEX})[pP][+-]?{_DIGITS}")
_INFINITE = re.compile(r"[+-]?inf(?:inity)?", re.IGNORECASE | re.ASCII)
_NOT_A_NUMBER = re.compile("nan", re.IGNORECASE | re.ASCII)

_CLEAN = re.compile(r"[0-9]+(?:\.[0-9]+)?[MBT]?")


def parse_size(text: str) -> float:
    """The parameter count written as ``text``; 0 for anything unreadable, as in OME.

    An upper-case ``T``, ``B`` or ``M`` at the end multiplies. Arithmetic is that of doubles on purpose: ``2.01B`` is
    below ``2010M``.
    """
    multiplier = _MULTIPLIERS.get(text[-1:], 1.0)
    return _parse_float(text[:-1] if multiplier != 1.0 else text) * multiplier


def is_clean_size(text: str) -> bool:
    """Whether ``text`` is a size as the documentation writes it: ``999``, ``500M``, ``3.21B``, ``1.5T``."""
    return _CLEAN.fullmatch(text) is not None


def _parse_float(text: str) -> float:
    """``text`` as Go's ``strconv.ParseFloat`` reads it; 0 where that is an error, which overflow is too."""
    if _DECIMAL.fullmatch(text):
        value = float(text)
        return 0.0 if math.isinf(value) else value
    if _HEXADECIMAL.fullmatch(text):
        try:
            return float.fromhex(text.replace("_", ""))
        except OverflowError:
            return 0.0
    if _INFINITE.fullmatch(text):
        return -math.inf if text[0] == "-" else math.inf
    if _NOT_A_NUMBER.fullmatch(text):
        return math.nan
    return 0.0


class SizeRange(msgspec.Struct, frozen=True):
    """``modelSizeRange`` of a runtime: bounds as written (``None`` when unset) and their values."""

    min_text: str | None
    max_text: str | None
    min: float
    max: float

    @classmethod
    def of(cls, min_text: str | None, max_text: str | None) -> SizeRange:
        return cls(
            min_text,
            max_text,
            0.0 if min_text is None else parse_size(min_text),
            0.0 if max_text is None else parse_size(max_text),
        )

    def contains(self, size: float) -> bool:
        """Whether ``size`` is within the bounds, which are inclusive; NaN is within every range."""
        if self.min_text is not None and size < self.min:
            return False
        return not (self.max_text is not None and size > self.max)

    def distance(self, size: float) -> float:
        """How far the bounds are from ``size``, summed: the tie-break between runtimes of equal score."""
        distance = 0.0
        if self.min_text is not None:
            distance += abs(self.min - size)
        if self.max_text is not None:
            distance += abs(self.max - size)
        return distance

    @property
    def label(self) -> str:
        """The range as OME's messages print it: ``[500M, 2B]``, ``[70B, inf)``."""
        lower = "(-inf" if self.min_text is None else f"[{self.min_text}"
        upper = "inf)" if self.max_text is None else f"{self.max_text}]"
        return f"{lower}, {upper}"
