"""Versions that OME compares as texts."""

from __future__ import annotations

import re

_TWO_DIGITS = re.compile(r"[0-9]{2,}(?:\.|$)")


def is_compared_wrongly(version: str) -> bool:
    """Whether the version has a major number of two digits, which as a text comes before every single digit."""
    return _TWO_DIGITS.match(version) is not None
