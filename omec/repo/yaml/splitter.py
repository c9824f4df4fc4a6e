"""From a stream to its documents, as kubectl splits it: by lines, before any YAML is parsed (reference 11 §1.1)."""

from __future__ import annotations

import re
from typing import NamedTuple

from omec.repo import rules
from omec.repo.yaml.checks import BOM
from omec.repo.yaml.problem import Problem, Span

_SEPARATOR = re.compile(r"^---([^\n]*)(?:\n|\Z)", re.MULTILINE)


class Chunk(NamedTuple):
    """The text of one document, and the index of its first character in the stream.

    ``problem`` is set (with a span of the *stream*) where the separator before the chunk is wrong, so that the chunk
    is not read.
    """

    text: str
    offset: int
    problem: Problem | None = None


def is_json_stream(text: str) -> bool:
    """Whether kubectl reads the stream as JSON: when the first character that is not white space is ``{``."""
    return text.lstrip()[:1] == "{" if text[:1].isspace() else text[:1] == "{"


def split(text: str) -> list[Chunk]:
    """The chunks of a YAML stream; a chunk may hold nothing but comments."""
    if not text.startswith("---") and "\n---" not in text:
        return [_chunk(text, 0, len(text))]
    chunks: list[Chunk] = []
    start = 0
    problem: Problem | None = None
    for match in _SEPARATOR.finditer(text):
        rest = match[1].strip()
        bad = bool(rest) and not rest.startswith("#")
        if not bad and start == match.start():
            continue  # nothing stands before it: the line belongs to the chunk that it opens
        if start < match.start():
            chunks.append(_chunk(text, start, match.start(), problem))
        start, problem = match.end(), _bad_separator(match, rest) if bad else None
    if start < len(text) or problem:
        chunks.append(_chunk(text, start, len(text), problem))
    return chunks


def _chunk(text: str, start: int, end: int, problem: Problem | None = None) -> Chunk:
    if text.startswith(BOM, start):
        start += 1
    content = text[start:end]
    # kubectl's line reader ends every line, the last one too.
    return Chunk(content if content.endswith("\n") else content + "\n", start, problem)


def _bad_separator(match: re.Match[str], rest: str) -> Problem:
    dashes = "a line of more than three dashes" if rest.startswith("-") else f"“{rest}” after ---"
    return Problem(
        rules.SYNTAX,
        f"invalid document separator: {dashes}; kubectl allows nothing but a comment there",
        Span(match.start(), match.start() + len(match[0].rstrip())),
        help="begin the document on the line after ---" if not rest.startswith("-") else "write exactly three dashes",
    )
