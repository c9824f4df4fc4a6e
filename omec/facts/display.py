"""What strangers wrote, in messages for people: short, and unable to steer a terminal."""

from __future__ import annotations

_LONGEST_NAME = 60
_LONGEST_PATH = 300


def shown(name: str) -> str:
    """A name from a file of a model, its end left out where it is long."""
    return readable(name if len(name) <= _LONGEST_NAME else f"{name[:_LONGEST_NAME]}…")


def printable(path: str) -> str:
    """A path, its middle left out where it is long: the name of the file is at the end."""
    text = readable(path)
    half = _LONGEST_PATH // 2
    return text if len(text) <= _LONGEST_PATH else f"{text[:half]}…{text[-half:]}"


def readable(text: str) -> str:
    """``text`` in full; bytes that are not UTF-8 become U+FFFD, control characters are escaped."""
    return "".join(char if char.isprintable() else _escaped(char) for char in text)


def _escaped(char: str) -> str:
    return "\ufffd" if "\ud800" <= char <= "\udfff" else char.encode("unicode_escape").decode()
