"""Printing of mappings whose scalars all fit on their lines: most objects, several times faster than by the emitter.

How a scalar is written is asked of the emitter once for each text; the lines are put together here. Whatever the
emitter would write over several lines is left to it, so that both always print the same bytes.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from omec.repo.yaml.keyorder import ordered
from omec.repo.yaml.memo import Memo

_WIDTH = 80
_PLAIN = re.compile(r"[A-Za-z][A-Za-z0-9_./-]*")
"""Texts that need no emitter to be written: none of their characters means anything."""
_LINE_MARKS = "\x85\u2028\u2029"
_LONGEST_KEY = 100
"""Less than the emitter's limit for keys on the line of their values."""


class SeveralLinesError(Exception):
    """A scalar that does not fit on its line."""


class LinePrinter:
    """``write`` gives the text of a value alone, ``number`` that of a number, a truth value or ``None``.

    ``is_text`` says whether a text without quotes is read as a text again.
    """

    def __init__(
        self, write: Callable[[Any], str], number: Callable[[Any], str], is_text: Callable[[str], bool]
    ) -> None:
        self._number = number

        def is_plain(text: str) -> bool:
            return _PLAIN.fullmatch(text) is not None and is_text(text)

        def written(text: str) -> str | None:
            return text if is_plain(text) else _one_line(text, write({"k": text})[len("k: ") : -1])

        def written_key(key: str) -> str | None:
            return key if is_plain(key) else _one_line(key, write({key: 0})[: -len(": 0\n")])

        self._texts, self._keys = Memo(written), Memo(written_key)

    def print(self, mapping: Mapping[str, Any]) -> str:
        """The lines of ``mapping``, which is not empty; raises :class:`SeveralLinesError`."""
        lines: list[str] = []
        self._mapping(mapping, "", lines)
        lines.append("")
        return "\n".join(lines)

    def _mapping(self, mapping: Mapping[str, Any], indent: str, lines: list[str]) -> None:
        for key in ordered(mapping):
            value = mapping[key]
            if len(key) > _LONGEST_KEY or (name := self._keys[key]) is None:
                raise SeveralLinesError
            if value.__class__ is dict and value:
                lines.append(f"{indent}{name}:")
                self._mapping(value, f"{indent}  ", lines)
            elif value.__class__ is list and value:
                lines.append(f"{indent}{name}:")
                self._sequence(value, indent, lines)
            else:
                lines.append(self._line(f"{indent}{name}: ", value))

    def _sequence(self, sequence: Sequence[Any], indent: str, lines: list[str]) -> None:
        below, mark = f"{indent}  ", len(indent)
        for item in sequence:
            start = len(lines)
            if item.__class__ is dict and item:
                self._mapping(item, below, lines)
            elif item.__class__ is list and item:
                self._sequence(item, below, lines)
            else:
                lines.append(self._line(f"{indent}- ", item))
                continue
            lines[start] = f"{indent}- {lines[start][mark + 2 :]}"

    def _line(self, start: str, value: Any) -> str:
        if value.__class__ is str:
            text = self._texts[value]
            # The emitter folds at spaces beyond the width.
            if text is None or (" " in text and len(start) + len(text) > _WIDTH):
                raise SeveralLinesError
            return start + text
        if value.__class__ is dict:
            return f"{start}{{}}"
        return f"{start}[]" if value.__class__ is list else start + self._number(value)


def _one_line(text: str, written: str) -> str | None:
    """``written``, ``None`` where the emitter breaks ``text`` or may break it elsewhere in a document."""
    return None if "\n" in written or any(mark in text for mark in _LINE_MARKS) else written
