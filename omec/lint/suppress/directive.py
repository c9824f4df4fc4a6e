"""What a comment says to omec.

``# omec: ignore[OME123, some-rule] reason`` is about a line, ``# omec: ignore-file[OME123] reason`` about a file.
"""

from __future__ import annotations

import re
from difflib import SequenceMatcher

import msgspec

from omec.repo.yaml.problem import Span

MARK = "omec:"
"""What a text with a directive holds."""

_DIRECTIVE = re.compile(r"#\s*omec:\s*(?P<word>[\w-]+)\s*(?:\[(?P<names>[^\]]*)\])?(?P<reason>.*)")
_NAME = re.compile(r"[^\s,]+")
_WORDS = ("ignore", "ignore-file")


class Directive(msgspec.Struct, frozen=True):
    """A directive and where it stands in its comment; ``names`` are the selectors with their spans.

    ``fault`` says what makes it meaningless.
    """

    span: Span
    names: tuple[tuple[str, Span], ...] = ()
    whole_file: bool = False
    reason: str = ""
    fault: str = ""


def directive(comment: str) -> Directive | None:
    """The directive in a comment; ``None`` where it is an ordinary one."""
    match = _DIRECTIVE.search(comment)
    if match is None:
        return None
    word = match["word"]
    span = Span(match.start(), match.start("reason"))
    if word not in _WORDS:
        close = max(SequenceMatcher(None, word, known).ratio() for known in _WORDS) > 0.7
        return Directive(span, fault=f"omec knows no directive {word}") if close else None
    start = match.start("names")
    names = tuple(
        (name[0], Span(start + name.start(), start + name.end())) for name in _NAME.finditer(match["names"] or "")
    )
    if not names:
        return Directive(span, fault=f"{word} names no rule")
    if any(name == "ALL" for name, _ in names):
        return Directive(span, fault=f"{word} cannot name all rules at once")
    return Directive(span, names, whole_file=word == "ignore-file", reason=match["reason"].strip(" :-\t"))
