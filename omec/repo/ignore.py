"""Which paths ``.gitignore`` files and ``exclude`` globs leave out, by Git's own rules (gitignore(5)).

Not pathspec: importing it takes longer than reading a repository, and it matches whole paths, where Git decides folder
by folder.
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
    regex, i = "", 0
    while i < len(glob):
        rest = glob[i:]
        at_start = i == 0 or glob[i - 1] == "/"
        if at_start and rest.startswith("**/"):
            regex, i = regex + "(?:.*/)?", i + 3
        elif at_start and rest == "**":
            regex, i = regex + ".+", i + 2
        elif glob[i] == "*":
            regex, i = regex + "[^/]*", i + 1
        elif glob[i] == "?":
            regex, i = regex + "[^/]", i + 1
        elif glob[i] == "[" and (end := _class_end(glob, i)):
            regex, i = regex + _translate_class(glob[i + 1 : end]), end + 1
        elif glob[i] == "\\" and i + 1 < len(glob):
            regex, i = regex + re.escape(glob[i + 1]), i + 2
        else:
            regex, i = regex + re.escape(glob[i]), i + 1
    return regex + r"\Z"


def _class_end(glob: str, start: int) -> int:
    """The index of the bracket that closes the class opened at ``start``, or 0 where none does."""
    i = start + 1
    if glob[i : i + 1] in ("!", "^"):
        i += 1
    if glob[i : i + 1] == "]":
        i += 1
    return glob.find("]", i) + 1 and glob.find("]", i)


def _translate_class(content: str) -> str:
    negated = content[:1] in ("!", "^")
    members = content[1:] if negated else content
    escaped = re.sub(r"[\[\]^&~|]", r"\\\g<0>", members)
    return f"(?!/)[{'^' if negated else ''}{escaped}]"
