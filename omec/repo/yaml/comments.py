"""The comments of a YAML stream.

A ``#`` begins a comment only between tokens; inside of a plain, quoted or block scalar it is text. So the scanner is
asked for the tokens, and comments are looked for in the gaps that it leaves.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import yaml

from omec.repo.yaml.document import without_marks
from omec.repo.yaml.events import Parser
from omec.repo.yaml.splitter import split


class Comment(NamedTuple):
    """A comment from its ``#`` to the end of the line; ``start`` is its index in the stream.

    ``alone`` says that nothing else stands on its line.
    """

    start: int
    text: str
    alone: bool


def comments(text: str) -> Iterator[Comment]:
    """The comments of every document of the stream ``text``, in order; of a broken document those before the fault."""
    for chunk in split(text):
        for start, end in _gaps(without_marks(chunk.text)):
            yield from _in_gap(text, chunk.offset + start, min(chunk.offset + end, len(text)))


def _gaps(text: str) -> Iterator[tuple[int, int]]:
    """The spans of ``text`` between tokens, and those of the first lines of block scalars."""
    parser = Parser(text)
    end = 0
    while True:
        try:
            token = parser.get_token()
        except yaml.YAMLError:
            return
        if token is None:
            return
        start = token.start_mark.index
        if start > end:
            yield end, start
        end = max(end, token.end_mark.index)
        if isinstance(token, yaml.ScalarToken) and token.style in ("|", ">"):
            yield start, text.find("\n", start)


def _in_gap(text: str, start: int, end: int) -> Iterator[Comment]:
    while (mark := text.find("#", start, end)) >= 0:
        line_end = min((found for found in (text.find("\n", mark), text.find("\r", mark)) if found >= 0), default=end)
        line_start = max(text.rfind("\n", 0, mark), text.rfind("\r", 0, mark)) + 1
        yield Comment(mark, text[mark:line_end].rstrip(), alone=not text[line_start:mark].strip(" \t\ufeff"))
        start = line_end
