"""What strangers wrote, on a terminal: no text may move the cursor, change colours, or read in another order."""

from __future__ import annotations

import unicodedata

_NAMED = {"\t": "\\t", "\n": "\\n", "\r": "\\r"}
_BREAKS = frozenset({"Cc", "Zl", "Zp"})
"""Categories of control characters, and of what breaks a line or a paragraph."""
_DIRECTIONS = frozenset({"LRE", "RLE", "PDF", "LRO", "RLO", "LRI", "RLI", "FSI", "PDI"})
_MARKS = "\u200e\u200f\u061c"
"""Marks of direction, which Unicode files under the direction that they stand for."""


def visible(text: str) -> str:
    """``text`` with control characters, line breaks and marks of text direction written out (``\\n``, ``\\u001b``)."""
    return text if text.isprintable() else "".join(map(_written_out, text))


def _written_out(character: str) -> str:
    if character in _NAMED:
        return _NAMED[character]
    hidden = (
        unicodedata.category(character) in _BREAKS
        or unicodedata.bidirectional(character) in _DIRECTIONS
        or character in _MARKS
    )
    return f"\\u{ord(character):04x}" if hidden else character
