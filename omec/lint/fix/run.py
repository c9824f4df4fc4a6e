"""Turn findings into edits of files, and make or show them."""

from __future__ import annotations

import difflib
import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

import msgspec

from omec.finding import FieldPath, Finding, Position
from omec.lint.disk import on_disk
from omec.lint.fix.fixers import FIXERS, Target
from omec.repo.document import Document
from omec.repo.edit import CannotEditError, Change, Edit, edited
from omec.repo.objects import read_text
from omec.repo.walk import SourceFile
from omec.repo.yaml.problem import LineIndex

_STEP = re.compile(r"\[([^\]]*)\]|([^.\[\]]+)")


class Fixed(msgspec.Struct, frozen=True):
    """One file: its text as it is and as it will be, and the findings that this mends."""

    path: str
    before: str
    after: str
    findings: tuple[Finding, ...]

    def write(self) -> None:
        """Replace the file in one step; raises :class:`omec.errors.OmecError`."""
        from omec.facts.atomic import write_file  # noqa: PLC0415

        write_file(Path(self.path), self.after.encode("utf-8"))

    def diff(self) -> str:
        """The change as ``diff -u`` shows it."""
        before, after = (re.findall(r"[^\n]*\n|[^\n]+", text) for text in (self.before, self.after))
        lines = difflib.unified_diff(before, after, self.path, self.path)
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
    documents: dict[str, _Documents] = {}
    wanted: dict[str, list[_Fix]] = {}
    risky: list[Finding] = []
    for finding in findings:
        fixer, path = FIXERS.get(finding.rule.code), finding.position.path
        if fixer is None or path not in texts:
            continue
        if path not in documents:
            documents[path] = _Documents(path, texts[path])
        target = documents[path].target(finding)
        edits = () if target is None else tuple(fixer.edits(target))
        if target is None or not edits:
            continue
        if unsafe or fixer.safe(target):
            wanted.setdefault(path, []).append(_Fix(finding, target.document, edits))
        else:
            risky.append(finding)
    return wanted, risky


class _Documents:
    """The documents of a file, by their places in it."""

    def __init__(self, path: str, text: str) -> None:
        self._documents = read_text(SourceFile(path, path, lambda _: text.encode("utf-8")), text).documents
        self._spans = [document.locate() for document in self._documents]
        self._text = text
        self._lines = LineIndex(text)

    def target(self, finding: Finding) -> Target | None:
        """Where the finding's field stands: in a parent, the finding may be about an object of another document."""
        if finding.field is None:
            return None
        place = (finding.position.line, finding.position.column)
        index = bisect_right(self._spans, place, key=lambda span: (span.line, span.column)) - 1
        if index < 0 or place > (self._spans[index].end_line, self._spans[index].end_column):
            return None
        return Target(self._documents[index], field_path(finding.field), finding, self._source)

    def _source(self, place: Position) -> str:
        start = self._lines.offset(place.line, place.column)
        return self._text[start : self._lines.offset(place.end_line, place.end_column)]


def field_path(text: str) -> FieldPath:
    """``spec.ports[0].name`` as its steps; what :func:`omec.finding.field_text` writes."""
    return tuple(
        int(inside) if inside.isdigit() else inside or plain
        for inside, plain in ((match[1] or "", match[2]) for match in _STEP.finditer(text))
    )


def _fixed(path: str, text: str, fixes: Sequence[_Fix]) -> Fixed | None:
    """As many of the fixes as the file takes together; it is written anew only for those that want it."""
    edit = _Editing(path, text)
    edit.splice([*_apart(fixes)])
    if edit.left and not edit.make(edit.left):
        for fix in edit.left:
            edit.make([fix])
    return Fixed(path, text, edit.after, tuple(fix.finding for fix in edit.made)) if edit.made else None


class _Editing:
    """The fixes that have been ``made`` in one file together, the text ``after`` them, and those that are ``left``."""

    def __init__(self, path: str, text: str) -> None:
        self._path, self._text = path, text
        self.after = text
        self.made: list[_Fix] = []
        self.left: list[_Fix] = []

    def make(self, fixes: Sequence[_Fix], *, anew: bool = True) -> bool:
        """Whether the file takes ``fixes`` as well."""
        together = [*self.made, *fixes]
        try:
            self.after = edited(self._path, self._text, _changes(together), anew=anew)
        except CannotEditError:
            return False
        self.made = together
        return True

    def splice(self, fixes: Sequence[_Fix]) -> None:
        """Make those that replace spans of the text; the others are found by halves, and left."""
        if self.make(fixes, anew=False):
            return
        if len(fixes) == 1:
            self.left += fixes
            return
        half = len(fixes) // 2
        self.splice(fixes[:half])
        self.splice(fixes[half:])


def _apart(fixes: Sequence[_Fix]) -> Iterator[_Fix]:
    """The fixes of which no edit lies in, or around, the place of another."""
    taken: dict[int, list[FieldPath]] = {}
    for fix in fixes:
        paths = [edit.path for edit in fix.edits]
        others = taken.setdefault(fix.document.index, [])
        if not any(_touch(path, other) for path in paths for other in others):
            others += paths
            yield fix


def _touch(one: FieldPath, other: FieldPath) -> bool:
    shorter = min(len(one), len(other))
    return one[:shorter] == other[:shorter]


def _changes(fixes: Sequence[_Fix]) -> list[Change]:
    by_document: dict[int, tuple[Document, list[Edit]]] = {}
    for fix in fixes:
        by_document.setdefault(fix.document.index, (fix.document, []))[1].extend(fix.edits)
    return [Change(document, edits) for document, edits in by_document.values()]
