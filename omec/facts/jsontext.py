"""Bytes of a configuration file into JSON that can be read.

Some writers emit ``Infinity`` and ``NaN``, which JSON has no words for. OME replaces them in the text before decoding,
also inside strings, by expressions whose matches do not overlap, so that ``[NaN,NaN]`` stays wrong (reference 08 §1.2).
"""

from __future__ import annotations

import re

from omec.facts.jsonscan import Value, parse

_REPLACEMENTS = tuple(
    (re.compile(rb"([:,\[][ \t\n\f\r]*)" + word + rb"([ \t\n\f\r]*[,\]}])"), rb"\g<1>" + number + rb"\g<2>")
    for word, number in ((b"Infinity", b"1e308"), (b"-Infinity", b"-1e308"), (b"NaN", b"null"))
)


def parse_lenient(data: bytes) -> Value:
    """The value of a configuration file; raises :class:`omec.facts.jsonscan.JsonError` where it is not JSON."""
    return parse(without_special_numbers(data))


def without_special_numbers(data: bytes) -> bytes:
    """``data`` with standalone ``Infinity``, ``-Infinity`` and ``NaN`` replaced by ``±1e308`` and ``null``."""
    for pattern, replacement in _REPLACEMENTS:
        data = pattern.sub(replacement, data)
    return data
