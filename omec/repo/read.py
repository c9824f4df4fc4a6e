"""Reading a source: the one entry point from files to Kubernetes documents."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import BinaryIO

import msgspec
from msgspec.structs import replace

from omec.errors import OmecError
from omec.finding import Finding, Position, Severity
from omec.repo import rules, source_rules
from omec.repo.document import Document
from omec.repo.encoding import decode
from omec.repo.lost import Lost
from omec.repo.note import Note
from omec.repo.objects import Content, read_text
from omec.repo.sources import STDIN, Selection, built_file, in_order, stdin_file, walk_disk, walk_revision
from omec.repo.tree import FileTooLargeError
from omec.repo.walk import MAX_FILE_BYTES, SourceFile, Walk
from omec.repo.yaml.problem import LineIndex, ProblemError


class Reading(msgspec.Struct, frozen=True):
    """What a source holds.

    ``documents`` are the Kubernetes objects, by path and place in the file (the items of a ``List`` one by one);
    ``findings`` what is wrong with files and their text; ``notes`` what was recognised and skipped; ``files`` the
    number of files read; ``sources`` the path from the configuration's folder of every file, by the path that users are
    shown; ``lost`` is what could not be read; ``texts`` are the contents of the files that could be, by that path, too.
    ``origins`` gives the ``source`` of an overlay for each file that its build comes from.
    """

    documents: tuple[Document, ...]
    findings: tuple[Finding, ...]
    notes: tuple[Note, ...]
    files: int
    sources: Mapping[str, str]
    lost: tuple[Lost, ...] = ()
    texts: Mapping[str, str] = msgspec.field(default_factory=dict)
    origins: Mapping[str, str] = msgspec.field(default_factory=dict)


def read(
    paths: Sequence[str | Path],
    *,
    rev: str | None = None,
    exclude: Sequence[str] = (),
    skip: Sequence[Path] = (),
    stdin: BinaryIO | None = None,
    kustomize: str | None = None,
    root: Path | None = None,
    max_file_bytes: int = MAX_FILE_BYTES,
) -> Reading:
    """Read every manifest at and below ``paths`` (files, folders, or ``-`` for ``stdin``).

    With ``rev`` the files come from that Git revision instead of the disk. ``exclude`` are globs in the syntax of
    ``.gitignore``, relative to ``root`` (the current folder); ``skip`` are files and folders to leave out, such as the
    output. With ``kustomize`` the build of that overlay takes the place of any path that contains the overlay.

    A file that cannot be read or parsed is a finding and does not stop the rest. Raises :class:`OmecError` where there
    is nothing to read: a missing path, no Git repository, an unknown revision, a failing build.
    """
    if rev is not None and kustomize is not None:
        raise OmecError(
            "an overlay cannot be built from a revision, because kustomize reads files on disk",
            hint="leave out one of the two options",
            code=source_rules.KUSTOMIZE_FAILED.code,
        )
    selection = Selection(exclude, skip, root or Path.cwd())
    with ExitStack() as stack:
        files: list[SourceFile] = []
        if kustomize is not None:
            files.append(built_file(kustomize, selection.root))
            paths = [path for path in paths if not _holds(path, kustomize)]
        if any(str(path) == STDIN for path in paths):
            files.append(stdin_file(stdin))
        named = [path for path in paths if str(path) != STDIN]
        walks = [walk_disk(named, selection)] if rev is None else walk_revision(named, rev, selection, stack)
        files.extend(in_order(walks))
        reading = read_files(files, walks, max_file_bytes)
    return reading if kustomize is None else _traced(reading, kustomize, files[0], selection.root)


def _traced(reading: Reading, overlay: str, build: SourceFile, root: Path) -> Reading:
    """``reading`` with the objects of the build traced to the files that they come from."""
    from omec.repo.origins import traced  # noqa: PLC0415 - few runs build an overlay

    built = traced((each for each in reading.documents if each.path == build.path), overlay, root)
    return replace(
        reading,
        documents=(*built.documents, *(each for each in reading.documents if each.path != build.path)),
        sources={**built.sources, **reading.sources},
        texts={**built.texts, **reading.texts},
        origins=dict.fromkeys(built.sources.keys() - reading.sources.keys(), build.source),
    )


def _holds(path: str | Path, overlay: str) -> bool:
    return Path(overlay).resolve().is_relative_to(Path(path).resolve())


def read_files(files: Sequence[SourceFile], walks: Sequence[Walk], limit: int = MAX_FILE_BYTES) -> Reading:
    """What ``files`` hold, which ``walks`` have found among other things."""
    documents: list[Document] = []
    findings = [finding for walk in walks for finding in walk.findings]
    notes = [note for walk in walks for note in walk.notes]
    lost = [Lost(finding.position) for finding in findings if finding.severity is Severity.ERROR]
    texts: dict[str, str] = {}
    for file in files:
        content = _read_file(file, limit, texts)
        documents.extend(content.documents)
        findings.extend(content.findings)
        notes.extend(content.notes)
        lost.extend(content.lost)
    return Reading(
        documents=tuple(documents),
        findings=tuple(sorted(findings, key=lambda f: f.sort_key)),
        notes=tuple(sorted(notes)),
        files=len(files),
        sources={file.path: file.source for file in files},
        lost=tuple(lost),
        texts=texts,
    )


def _read_file(file: SourceFile, limit: int, texts: dict[str, str]) -> Content:
    """What is in ``file``; its text is added to ``texts``."""
    try:
        data = file.read(limit)
    except FileTooLargeError as error:
        return _too_large(file, error.size, limit)
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        finding = Finding(
            rules.UNREADABLE,
            f"file cannot be read: {reason}",
            Position(file.path),
            help="repair the permissions, or exclude the file",
        )
        return Content(findings=[finding], lost=[Lost(finding.position)])
    try:
        text = decode(data)
    except ProblemError as error:
        if file.path.lower().endswith(".json"):
            return Content()
        problem = error.problem
        before = data.decode("utf-8", "replace")
        position = LineIndex(before).position(file.path, problem.span) if problem.span.end else Position(file.path)
        finding = Finding(problem.rule, problem.message, position, help=problem.help)
        return Content(findings=[finding], lost=[Lost.of_text(position, before)])
    texts[file.path] = text
    return read_text(file, text)


def _too_large(file: SourceFile, size: int, limit: int) -> Content:
    what = f"file has {size / 2**20:.1f} MiB, more than the limit of {limit / 2**20:.1f} MiB"
    if file.path.lower().endswith(".json"):
        return Content(notes=[Note(file.path, f"{what}: skipped")])
    finding = Finding(
        rules.TOO_LARGE,
        what,
        Position(file.path),
        help="exclude the file, or split it; no Kubernetes object is larger than 1.5 MiB",
    )
    return Content(findings=[finding], lost=[Lost(finding.position)])
