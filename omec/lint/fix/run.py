"""Turn findings into edits of files, and make or show them."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

import msgspec

from omec.finding import FieldPath, Finding
from omec.lint.disk import on_disk
from omec.lint.fix.fixers import FIXERS, Target
from omec.repo.document import Document
from omec.repo.edit import CannotEditError, Change, Edit, edited
from omec.repo.objects import read_text
from omec.repo.walk import SourceFile

_STEP = re.compile(r"\[([^\]]*)\]|([^.\[\]]+)")


class Fixed(msgspec.Struct, frozen=True):
    """One file: its text as it is and as it will be, and the findings that this mends."""

    path: str
    before: str
    after: str
    findings: tuple[Finding, ...]

    def write(self) -> None:
        """Replace the file in one step; raises ``OSError``."""
        from omec.facts.atomic import replace_file  # noqa: PLC0415

        replace_file(Path(self.path), self.after.encode("utf-8"))

    def diff(self) -> str:
        """The change as ``diff -u`` shows it."""
        lines = difflib.unified_diff(
            self.before.splitlines(keepends=True), self.after.splitlines(keepends=True), self.path, self.path
        )
        return "".join(line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n" for line in lines)


class Fixes(msgspec.Struct, frozen=True):
    """What can be mended: the new text of each file, and the findings that were left although a fix is known.

    ``unsafe`` are those that only ``--unsafe-fixes`` mends, ``left`` those where the file is not one on disk, or is
    written in a way that leaves no place for the change.
    """

    files: tuple[Fixed, ...]
    unsafe: tuple[Finding, ...]
    left: tuple[Finding, ...]

    @classmethod
    def of(cls, findings: Iterable[Finding], texts: Mapping[str, str], *, unsafe: bool = False) -> Fixes:
        """The fixes for ``findings``; ``texts`` are the files as they were read.

        Two fixes of one place are not made at once: the first in the order of findings wins, and the next run sees
        what is left.
        """
        wanted, risky = _wanted(findings, texts, unsafe=unsafe)
        files: list[Fixed] = []
        left: list[Finding] = []
        for path, fixes in sorted(wanted.items()):
            text = on_disk(path, texts)
            made = None if text is None else _fixed(path, text, fixes)
            if made is not None:
                files.append(made)
            mended = () if made is None else made.findings
            left += [fix.finding for fix in fixes if fix.finding not in mended]
        return cls(tuple(files), tuple(risky), tuple(left))


class _Fix(msgspec.Struct, frozen=True):
    finding: Finding
    document: Document
    edits: tuple[Edit, ...]


def _wanted(
    findings: Iterable[Finding], texts: Mapping[str, str], *, unsafe: bool
) -> tuple[dict[str, list[_Fix]], list[Finding]]:
    """The fixes by file, and the findings whose fix is unsafe where those are not asked for."""
    documents: dict[str, list[Document]] = {}
    wanted: dict[str, list[_Fix]] = {}
    risky: list[Finding] = []
    for finding in findings:
        fixer, path = FIXERS.get(finding.rule.code), finding.position.path
        if fixer is None or path not in texts:
            continue
        if path not in documents:
            documents[path] = _documents(path, texts[path])
        target = _target(finding, documents[path])
        edits = () if target is None else tuple(fixer.edits(target))
        if target is None or not edits:
            continue
        if unsafe or fixer.safe(target):
            wanted.setdefault(path, []).append(_Fix(finding, target.document, edits))
        else:
            risky.append(finding)
    return wanted, risky


def _documents(path: str, text: str) -> list[Document]:
    return read_text(SourceFile(path, path, lambda _: text.encode("utf-8")), text).documents


def _target(finding: Finding, documents: Sequence[Document]) -> Target | None:
    """Where the finding's field stands: in a parent, the finding may be about an object of another document."""
    if finding.field is None:
        return None
    place = (finding.position.line, finding.position.column)
    for document in documents:
        whole = document.locate()
        if (whole.line, whole.column) <= place <= (whole.end_line, whole.end_column):
            return Target(document, field_path(finding.field), finding)
    return None


def field_path(text: str) -> FieldPath:
    """``spec.ports[0].name`` as its steps; what :func:`omec.finding.field_text` writes."""
    return tuple(
        int(inside) if inside.isdigit() else inside or plain
        for inside, plain in ((match[1] or "", match[2]) for match in _STEP.finditer(text))
    )


def _fixed(path: str, text: str, fixes: Sequence[_Fix]) -> Fixed | None:
    """As many of the fixes as the file takes together."""
    apart = [*_apart(fixes)]
    try:
        return Fixed(path, text, edited(path, text, _changes(apart)), tuple(fix.finding for fix in apart))
    except CannotEditError:
        # One of them is the culprit; the others are made one by one.
        made: list[_Fix] = []
        after = text
        for fix in apart:
            try:
                after = edited(path, text, _changes([*made, fix]))
            except CannotEditError:
                continue
            made.append(fix)
        return Fixed(path, text, after, tuple(fix.finding for fix in made)) if made else None


def _apart(fixes: Sequence[_Fix]) -> Iterator[_Fix]:
    """The fixes of which no edit lies in, or around, the place of another."""
    taken: list[tuple[int, FieldPath]] = []
    for fix in fixes:
        places = [(fix.document.index, edit.path) for edit in fix.edits]
        if not any(_touch(place, other) for place in places for other in taken):
            taken += places
            yield fix


def _touch(one: tuple[int, FieldPath], other: tuple[int, FieldPath]) -> bool:
    shorter = min(len(one[1]), len(other[1]))
    return one[0] == other[0] and one[1][:shorter] == other[1][:shorter]


def _changes(fixes: Sequence[_Fix]) -> list[Change]:
    by_document: dict[int, tuple[Document, list[Edit]]] = {}
    for fix in fixes:
        by_document.setdefault(fix.document.index, (fix.document, []))[1].extend(fix.edits)
    return [Change(document, edits) for document, edits in by_document.values()]
