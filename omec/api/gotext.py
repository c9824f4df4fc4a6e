"""How Go prints text inside its error messages, and how it reads numbers."""

from __future__ import annotations

import re

_INTEGER = re.compile(r"(?P<sign>[+-]?)0*(?P<digits>[0-9]{1,19})")

_ESCAPES = {
    "\a": "\\a",
    "\b": "\\b",
    "\f": "\\f",
    "\n": "\\n",
    "\r": "\\r",
    "\t": "\\t",
    "\v": "\\v",
    "\\": "\\\\",
    '"': '\\"',
}


def quoted(text: str) -> str:
    """``text`` as Go's ``%q`` prints it: double quotes, escapes for what is not printable."""
    return f'"{"".join(map(_escaped, text))}"'


def parse_integer(text: str, bits: int = 64) -> int | None:
    """``text`` as Go's ``strconv`` reads a whole number of ``bits`` bits; ``None`` where it does not."""
    found = _INTEGER.fullmatch(text)
    value = None if found is None else int(found["sign"] + found["digits"])
    return value if value is not None and -(1 << bits - 1) <= value < 1 << bits - 1 else None


def _escaped(character: str) -> str:
    if character in _ESCAPES:
        return _ESCAPES[character]
    if character.isprintable():
        return character
    point = ord(character)
    if point < 0x80:
        return f"\\x{point:02x}"
    return f"\\u{point:04x}" if point <= 0xFFFF else f"\\U{point:08x}"
