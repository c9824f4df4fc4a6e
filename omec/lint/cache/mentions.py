"""Which files name the objects of which others: all that an object can have to do with another one goes by its name."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from itertools import accumulate
from typing import Any

_USUAL_NAME = re.compile(r"[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?")
_WORD = re.compile(r"[A-Za-z0-9](?:[A-Za-z0-9.-]*[A-Za-z0-9])?")
_PART_OF_NAME = frozenset(b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-")
_ESCAPE = re.compile(rb"\\(?:[xuU]|(?<=[A-Za-z0-9-]\\)\r?\n)")
_BASE64 = b"binary"


def is_usual(name: str) -> bool:
    """Whether texts have the name as it is: nothing in it needs quotes or escapes."""
    return _USUAL_NAME.fullmatch(name) is not None


def may_hide_names(content: bytes) -> bool:
    """Whether a name may not stand in a file as it is: for an escape, a line that goes on without a break, base64.

    Much of what is found here hides nothing; files are few enough.
    """
    return _BASE64 in content or (b"\\" in content and _ESCAPE.search(content) is not None)


class Texts:
    """The contents of many files, one after the other, in which names are looked for at once."""

    def __init__(self, files: Sequence[tuple[str, bytes]]) -> None:
        self._paths = [path for path, _ in files]
        self._text = b"\n".join(content for _, content in files)
        self._ends = [*accumulate(len(content) + 1 for _, content in files)]

    def naming(self, name: str) -> set[str]:
        """The files in which ``name`` stands, with no character before or behind it that would make it longer."""
        text, word = self._text, name.encode("ascii")
        found: set[str] = set()
        start = text.find(word)
        while start >= 0:
            end = start + len(word)
            if text[end : end + 1] not in _NAME_CHARACTERS and text[max(start - 1, 0) : start] not in _NAME_CHARACTERS:
                place = bisect_right(self._ends, start)
                found.add(self._paths[place])
                end = self._ends[place]
            start = text.find(word, end)
        return found


_NAME_CHARACTERS = frozenset(bytes([character]) for character in _PART_OF_NAME)


def words_of(value: Any) -> Iterator[str]:
    """Everything in ``value`` that could be the name of an object."""
    if isinstance(value, str):
        for word in _WORD.findall(value):
            yield word
            if "." in word:  # names in host names and in names of files
                yield from word.split(".")
    elif isinstance(value, dict):
        for key, item in value.items():
            yield from words_of(key)
            yield from words_of(item)
    elif isinstance(value, list):
        for item in value:
            yield from words_of(item)
    elif value is not None:
        yield str(value)
