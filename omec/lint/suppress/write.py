"""Write suppressions into manifests (``--add-ignore``): nothing but comments changes, byte for byte."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

import msgspec

from omec.finding import Finding
from omec.lint.disk import on_disk
from omec.lint.suppress.directive import directive
from omec.repo.yaml.comments import Comment, comments
from omec.repo.yaml.document import parse
from omec.repo.yaml.problem import LINE_BREAK, LineIndex, ProblemError
from omec.repo.yaml.splitter import is_json_stream, split

_LINE = re.compile(r"([^\r\n]*)(\r\n|\r|\n|\Z)")


class Written(msgspec.Struct):
    """What was done: how many comments in how many files, and the findings that no comment can suppress."""

    comments: int = 0
    files: int = 0
    left: list[Finding] = msgspec.field(default_factory=list)


def add_ignores(findings: Iterable[Finding], texts: Mapping[str, str], reason: str = "") -> Written:
    """Suppress ``findings`` by comments on their lines; ``texts`` are the files as they were read.

    Left alone are findings without a line, about JSON, about files that are not on disk (or not as they were read),
    and on lines where a comment would change a value. Raises :class:`omec.errors.OmecError` for a file that cannot be
    written; those before it have their comments.
    """
    from omec.facts.atomic import write_file  # noqa: PLC0415

    done = Written()
    by_path: dict[str, dict[int, list[Finding]]] = {}
    for finding in findings:
        by_path.setdefault(finding.position.path, {}).setdefault(finding.position.line, []).append(finding)
    for path, lines in by_path.items():
        text = on_disk(path, texts)
        if text is None or is_json_stream(text):
            done.left += [finding for found in lines.values() for finding in found]
            continue
        done.left += lines.pop(0, [])
        changed = "".join(_with_comments(piece, found, reason, done) for piece, found in _by_piece(text, lines))
        if changed != text:
            write_file(Path(path), changed.encode("utf-8"))
            done.files += 1
    return done


class _Piece(NamedTuple):
    """A document's part of a file, and the number of lines before it: a comment can change nothing outside of it."""

    text: str
    lines: int


def _pieces(text: str) -> Iterator[_Piece]:
    lines = 0
    for start, end in pairwise((0, *(chunk.offset for chunk in split(text)[1:]), len(text))):
        yield _Piece(text[start:end], lines)
        lines += len(LINE_BREAK.findall(text, start, end))


def _by_piece(text: str, lines: Mapping[int, list[Finding]]) -> Iterator[tuple[str, dict[int, list[Finding]]]]:
    """Each piece with the findings on its lines, by the number of the line in it."""
    pieces = [*_pieces(text)]
    before = [piece.lines for piece in pieces]
    found: list[dict[int, list[Finding]]] = [{} for _ in pieces]
    for number, of_line in lines.items():
        index = bisect_left(before, number) - 1
        found[index][number - before[index]] = of_line
    return zip((piece.text for piece in pieces), found, strict=True)


def _with_comments(text: str, lines: Mapping[int, list[Finding]], reason: str, done: Written) -> str:
    """``text`` with suppressions of the findings on its ``lines``."""
    # From the last line to the first, so that those still to come keep their numbers.
    for number in sorted(lines, reverse=True):
        codes = sorted({finding.rule.code for finding in lines[number]})
        with_comment = _suppressed(text, number, codes, reason)
        if with_comment is None:
            done.left += lines[number]
        else:
            text = with_comment
            done.comments += 1
    return text


def _suppressed(text: str, number: int, codes: list[str], reason: str) -> str | None:
    """``text`` with a suppression of ``codes`` on line ``number``, or above it; ``None`` where neither is safe."""
    start, content, line_break = _line(text, number)
    end = start + len(content)
    written = f"# omec: ignore[{', '.join(codes)}]{f' {reason}' if reason else ''}"
    existing = _existing(text, number)
    if existing is not None:
        candidates = [f"{text[:existing]}, {', '.join(codes)}{text[existing:]}"]
    else:
        indentation = content[: len(content) - len(content.lstrip(" "))]
        candidates = [
            f"{text[:end]}  {written}{text[end:]}",
            f"{text[:start]}{indentation}{written}{line_break or chr(10)}{text[start:]}",
        ]
    values = _values(text)
    return next(
        (new for new in candidates if values is not None and _values(new) == values and _reads(new, codes)), None
    )


def _line(text: str, number: int) -> tuple[int, str, str]:
    """Where line ``number`` begins, what it holds, and its line break."""
    for count, match in enumerate(_LINE.finditer(text), 1):
        if count == number:
            return match.start(), match[1], match[2]
    return len(text), "", ""


def _existing(text: str, number: int) -> int | None:
    """Where further codes go in the directive on line ``number``, if it has one."""
    index = LineIndex(text)
    for comment in comments(text):
        found = directive(comment.text)
        if found and found.names and not found.whole_file and index.place(comment.start)[0] == number:
            return comment.start + found.names[-1][1].end
    return None


def _values(text: str) -> list[object] | None:
    """The values of all documents; ``None`` where one cannot be read, so that nothing can be compared."""
    try:
        return [parse(chunk.text).value for chunk in split(text.removeprefix("\ufeff"))]
    except ProblemError:
        return None


def _reads(text: str, codes: list[str]) -> bool:
    """Whether the codes stand in a comment now, and not in a value."""
    return any(_names(comment) >= set(codes) for comment in comments(text))


def _names(comment: Comment) -> set[str]:
    found = directive(comment.text)
    return {name for name, _ in found.names} if found else set()
