"""Edits as replacements of spans of a file's text: every other character stays.

Each function gives the span and its new text, or raises :class:`NoPlaceError` where the text is written in a way that
this does not handle; the file is written anew then.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from itertools import pairwise
from typing import Any, NamedTuple

from omec.finding import FieldPath
from omec.repo.document import Document
from omec.repo.edit.model import Change, Drop, Edit, Put, Rename
from omec.repo.yaml import dump
from omec.repo.yaml.problem import LineIndex
from omec.repo.yaml.splitter import is_json_stream

_SPECIAL = ("&", "*", "!", "|", ">", "?")
"""How a node begins that is more than its value: anchors, aliases, tags, blocks."""

_ANCHOR = re.compile(r"&[^\s,\[\]{}]+[ \t]+")
_LINE_END = re.compile(r"\r\n|\r|\n|\Z")


class NoPlaceError(Exception):
    """An edit that replacing a span cannot make."""


class Replacement(NamedTuple):
    start: int
    end: int
    text: str


def spliced(text: str, changes: Iterable[Change]) -> str:
    """``text`` with the edits made; raises :class:`NoPlaceError`."""
    splicer = _Splicer(text)
    made: list[Replacement] = []
    for change in changes:
        made += splicer.replacements(change)
    made.sort(key=lambda each: (each.start, each.end))
    for earlier, later in pairwise(made):
        if later.start < earlier.end:
            raise NoPlaceError
    for each in reversed(made):
        text = text[: each.start] + each.text + text[each.end :]
    return text


def dropped(text: str, changes: Iterable[Change]) -> list[tuple[int, int]]:
    """The spans of ``text`` of the fields that go, each from its key to the end of the last line of its value."""
    splicer = _Splicer(text)
    drops = ((change.document, edit) for change in changes for edit in change.edits if isinstance(edit, Drop))
    return [splicer.lines(document, edit.path) for document, edit in drops]


class _Splicer:
    """Finds the spans in one text."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.index = LineIndex(text)
        self.json = is_json_stream(text.removeprefix("\ufeff"))
        self.line_end = "\r\n" if "\r\n" in text else "\n"

    def replacements(self, change: Change) -> Iterator[Replacement]:
        document = change.document
        # Of several fields that go into one mapping, the first stands first.
        for edit in change.edits:
            yield self._replacement(document, edit)

    def _replacement(self, document: Document, edit: Edit) -> Replacement:
        match edit:
            case Drop(path=path):
                return self._dropped(document, path)
            case Rename(path=path, key=key):
                start, end = self._span(document, path, key=True)
                return Replacement(start, end, self._scalar(key, self.text[start:end]))
            case Put(path=path, value=value):
                if _has(document.value, path):
                    return self._replaced(document, path, value)
                return self._inserted(document, path, value)

    # --- A value that is there -----------------------------------------------------------------------------------

    def _replaced(self, document: Document, path: FieldPath, value: Any) -> Replacement:
        start, end = self._span(document, path)
        anchor = _ANCHOR.match(self.text, start, end)
        start = start if anchor is None else anchor.end()
        old = self.text[start:end]
        if not old or old.startswith(_SPECIAL) or isinstance(_at(document.value, path), dict | list):
            raise NoPlaceError
        return Replacement(start, end, self._scalar(value, old))

    def _scalar(self, value: Any, old: str = "") -> str:
        """``value`` on one line, in the quotes that ``old`` has."""
        if self.json or (isinstance(value, str) and (old.startswith('"') or re.search(r"[,\[\]{}]", value))):
            return json.dumps(value, ensure_ascii=False)
        if isinstance(value, dict):
            return "{" + ", ".join(f"{self._scalar(key)}: {self._scalar(inner)}" for key, inner in value.items()) + "}"
        if isinstance(value, list):
            raise NoPlaceError
        if isinstance(value, str) and old.startswith("'") and value.isprintable():
            return "'" + value.replace("'", "''") + "'"
        text = dump(value).rstrip("\n")
        if "\n" in text:
            raise NoPlaceError
        return text

    # --- A field that is not -------------------------------------------------------------------------------------

    def _inserted(self, document: Document, path: FieldPath, value: Any) -> Replacement:
        *parents, name = path
        mapping = _at(document.value, tuple(parents)) if _has(document.value, tuple(parents)) else None
        if not parents or not isinstance(name, str):
            raise NoPlaceError
        if mapping is None:
            return self._inserted(document, tuple(parents), {name: value})
        if not isinstance(mapping, dict):
            raise NoPlaceError
        start, end = self._span(document, tuple(parents))
        if not mapping:
            if self.text[start] != "{" or self.text[start + 1 : end].strip() != "}":
                raise NoPlaceError
            return Replacement(start, end, self._scalar({name: value}))
        first = document.locate((*parents, next(iter(mapping))), key=True)
        place = self.index.offset(first.line, first.column)
        if self.text[start : start + 1] == "{":
            key = json.dumps(name) if self.json else dump(name).rstrip("\n")
            return Replacement(place, place, f"{key}: {self._scalar(value)}, ")
        head = document.locate(tuple(parents), key=True)
        indent = " " * (first.column - 1)
        lines = dump({name: value}).splitlines()
        if first.line > head.line and first.column > head.column:
            # Below the key of its mapping, so that a comment stays with the field that it stands above.
            below = self.index.offset(head.line + 1, 1)
            return Replacement(below, below, "".join(f"{indent}{line}{self.line_end}" for line in lines))
        if self.text[start : start + 1] in _SPECIAL:
            raise NoPlaceError
        return Replacement(place, place, "".join(f"{line}{self.line_end}{indent}" for line in lines))

    # --- A field that goes ---------------------------------------------------------------------------------------

    def _dropped(self, document: Document, path: FieldPath) -> Replacement:
        parents = path[:-1]
        mapping = _at(document.value, parents)
        if not isinstance(mapping, dict):
            raise NoPlaceError
        start, end = self._field(document, path)
        whole, whole_end = self._span(document, parents)
        if self.text[whole : whole + 1] == "{":
            if len(mapping) == 1:
                return Replacement(whole, whole_end, "{}")
            return self._dropped_from_flow(document, path, start, end)
        if len(mapping) == 1:
            return self._emptied(document, path, start)
        line_start = self._line_start(start)
        if not self.text[line_start:start].strip(" "):
            return Replacement(line_start, self._next_line(max(start, end - 1)), "")
        following = self._next_key(document, path)
        if following is None:
            raise NoPlaceError
        line_end = self._line_end(end)
        if "#" in self.text[line_end:following]:
            # A comment above the next key stays with it, below the dash of the item.
            return Replacement(len(self.text[:start].rstrip(" ")), line_end, "")
        return Replacement(start, following, "")

    def _emptied(self, document: Document, path: FieldPath, start: int) -> Replacement:
        """Without its only field, a block is ``{}``: behind the key of the block where nothing is between them."""
        parents = path[:-1]
        end = self._line_end(self._end(document, path))
        if parents and isinstance(parents[-1], str):
            _, key_end = self._span(document, parents, key=True)
            if re.fullmatch(r":[ \t]*(\r\n|\r|\n) *", self.text[key_end:start]):
                return Replacement(key_end + 1, end, " {}")
        return Replacement(start, end, "{}")

    def lines(self, document: Document, path: FieldPath) -> tuple[int, int]:
        start, end = self._field(document, path)
        return start, self._line_end(end)

    def _field(self, document: Document, path: FieldPath) -> tuple[int, int]:
        """The span from the key at ``path`` to the end of its value."""
        return self._span(document, path, key=True)[0], self._end(document, path)

    def _dropped_from_flow(self, document: Document, path: FieldPath, start: int, end: int) -> Replacement:
        following = self._next_key(document, path)
        if following is not None:
            if self.text[end:following].strip(" ,\r\n\t"):
                raise NoPlaceError
            return Replacement(start, following, "")
        *parents, name = path
        names = list(_at(document.value, tuple(parents)))
        before = self._end(document, (*parents, names[names.index(name) - 1]))
        if self.text[before:start].strip(" ,\r\n\t"):
            raise NoPlaceError
        return Replacement(before, end, "")

    def _next_key(self, document: Document, path: FieldPath) -> int | None:
        """Where the key behind that of ``path`` begins."""
        *parents, name = path
        names = list(_at(document.value, tuple(parents)))
        position = names.index(name) + 1
        return self._span(document, (*parents, names[position]), key=True)[0] if position < len(names) else None

    # --- Places --------------------------------------------------------------------------------------------------

    def _span(self, document: Document, path: FieldPath, *, key: bool = False) -> tuple[int, int]:
        position = document.locate(path, key=key)
        if not position.line:
            raise NoPlaceError
        return (
            self.index.offset(position.line, position.column),
            self.index.offset(position.end_line, position.end_column),
        )

    def _end(self, document: Document, path: FieldPath) -> int:
        """Where the value at ``path`` ends; the end of a block is that of its last part, not of the comments below."""
        start, end = self._span(document, path)
        value = _at(document.value, path)
        if self.text[start : start + 1] in ("{", "["):
            return end
        if isinstance(value, dict | list) and value:
            steps: Iterable[str | int] = value if isinstance(value, dict) else range(len(value))
            return max(self._end(document, (*path, step)) for step in steps)
        while end > start and self.text[end - 1 : end] in "\r\n ":
            end -= 1
        return end

    def _line_start(self, offset: int) -> int:
        return max(self.text.rfind("\n", 0, offset), self.text.rfind("\r", 0, offset)) + 1

    def _line_end(self, offset: int) -> int:
        found = _LINE_END.search(self.text, offset)
        return len(self.text) if found is None else found.start()

    def _next_line(self, offset: int) -> int:
        found = _LINE_END.search(self.text, offset)
        return len(self.text) if found is None else found.end()


def _at(value: Any, path: FieldPath) -> Any:
    for step in path:
        value = value[step]
    return value


def _has(value: Any, path: FieldPath) -> bool:
    for step in path:
        if isinstance(value, dict) and isinstance(step, str):
            if step not in value:
                return False
        elif not (isinstance(value, list) and isinstance(step, int) and step < len(value)):
            return False
        value = value[step]
    return True
