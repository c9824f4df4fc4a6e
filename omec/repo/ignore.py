"""Which paths ``.gitignore`` files and ``exclude`` globs leave out, by Git's own rules (gitignore(5)).

Not pathspec: it matches whole paths, where Git decides folder by folder. With the lines ``build`` and ``!src`` Git
leaves out ``src/build``, and pathspec reads it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import NamedTuple

_WILDCARD = re.compile(r"[*?\[\\]")


class _Pattern(NamedTuple):
    negated: bool
    folders_only: bool
    by_name: bool
    literal: str | None
    regex: re.Pattern[str] | None

    def matches(self, path: str, name: str, *, folder: bool) -> bool:
        if self.folders_only and not folder:
            return False
        text = name if self.by_name else path
        return text == self.literal if self.regex is None else self.regex.match(text) is not None


class IgnoreList:
    """The patterns of one ``.gitignore`` file, relative to the folder it stands in."""

    def __init__(self, lines: Iterable[str]) -> None:
        self._patterns = [pattern for line in lines if (pattern := _parse(line)) is not None]

    def __bool__(self) -> bool:
        return bool(self._patterns)

    def decide(self, path: str, *, folder: bool) -> bool | None:
        """Whether the entry at ``path`` (relative, with ``/``) is ignored; ``None`` where no pattern matches it.

        The last pattern that matches decides. Only the entry itself is judged, not the folders above it.
        """
        name = path.rpartition("/")[2]
        for pattern in reversed(self._patterns):
            if pattern.matches(path, name, folder=folder):
                return not pattern.negated
        return None


class IgnoreRules(NamedTuple):
    """The ignore lists that apply in a folder, the innermost last, each with the prefix of the folder it is in."""

    lists: tuple[tuple[str, IgnoreList], ...] = ()

    def inside(self, folder: str, patterns: IgnoreList) -> IgnoreRules:
        """These rules and those of the ``.gitignore`` in ``folder`` (``""`` for the root)."""
        return IgnoreRules((*self.lists, (f"{folder}/" if folder else "", patterns))) if patterns else self

    def ignores(self, path: str, *, folder: bool) -> bool:
        for prefix, patterns in reversed(self.lists):
            decision = patterns.decide(path[len(prefix) :], folder=folder)
            if decision is not None:
                return decision
        return False


def _parse(line: str) -> _Pattern | None:
    text = line.rstrip("\r\n")
    while text.endswith(" ") and not text.endswith("\\ "):
        text = text[:-1]
    if not text or text.startswith("#"):
        return None
    negated = text.startswith("!")
    text = text[1:] if negated else text
    folders_only = text.endswith("/")
    text = text.rstrip("/") if folders_only else text
    by_name = "/" not in text
    text = text.removeprefix("/")
    if not text:
        return None
    if not _WILDCARD.search(text):
        return _Pattern(negated, folders_only, by_name, text, None)
    return _Pattern(negated, folders_only, by_name, None, re.compile(_translate(text), re.DOTALL))


def _translate(glob: str) -> str:
    """``glob`` as a regular expression for a whole path; POSIX classes such as ``[:alpha:]`` are not known."""
    regex, i = "", 0
    while i < len(glob):
        part, i = _translate_next(glob, i)
        regex += part
    return regex + r"\Z"


def _translate_next(glob: str, i: int) -> tuple[str, int]:
    """The regular expression of the element at index ``i``, and the index after it."""
    character = glob[i]
    if character == "*":
        stars = re.match(r"\*+", glob[i:])
        end = i + len(stars[0]) if stars else i + 1
        is_component = end - i > 1 and glob[i - 1 : i] in ("", "/") and glob[end : end + 1] in ("", "/")
        if not is_component:
            return "[^/]*", end
        return ("(?:.*/)?", end + 1) if end < len(glob) else (".+", end)
    if character == "?":
        return "[^/]", i + 1
    if character == "[":
        return _translate_class(glob, i + 1)
    if character == "\\":
        return (re.escape(glob[i + 1]), i + 2) if i + 1 < len(glob) else (_NEVER, i + 1)
    return re.escape(character), i + 1


def _translate_class(glob: str, start: int) -> tuple[str, int]:
    """The class whose content begins at ``start``; one that is not closed matches nothing."""
    i = start
    negated = glob[i : i + 1] in ("!", "^")
    first = i = i + negated
    members = ""
    while i < len(glob) and (glob[i] != "]" or i == first):
        low, i = _class_member(glob, i)
        high = low
        if glob[i : i + 1] == "-" and glob[i + 1 : i + 2] not in ("", "]"):
            high, i = _class_member(glob, i + 1)
        if low <= high:
            members += f"{re.escape(low)}-{re.escape(high)}"
    if i >= len(glob):
        return _NEVER, i
    if not members:
        return ("[^/]" if negated else _NEVER), i + 1
    return f"(?!/)[{'^' if negated else ''}{members}]", i + 1


def _class_member(glob: str, i: int) -> tuple[str, int]:
    escaped = glob[i] == "\\" and i + 1 < len(glob)
    return glob[i + escaped], i + 1 + escaped


_NEVER = "(?!)"
