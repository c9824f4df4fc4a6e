"""A record: what a run saw and said, kept so that the next one need only look at what has changed.

It is one JSON text, and behind it the contents of the files as they are. Files that hold secrets are not among them:
of these, a digest is kept.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import Any

import msgspec

from omec.api.kinds import MODEL_KINDS, RUNTIME_KINDS
from omec.catalog import Resource
from omec.finding import Finding, ObjectRef, Rule
from omec.lint.cache.entry import Packed, packed_of, unpacked
from omec.lint.cache.mentions import may_hide_names
from omec.lint.judge import Judgement, with_errors
from omec.lint.suppress.collect import ANNOTATION
from omec.lint.suppress.directive import MARK
from omec.repo.document import Document
from omec.resolve.match import selection_part
from omec.resolve.unknown_findings import FactsUnknown

COMMON_KINDS = frozenset({*RUNTIME_KINDS, *MODEL_KINDS, "InferenceService"})
"""The kinds that a repository has most of. Of these, values are read again from the files when somebody asks."""

_MARK, _ANNOTATION = MARK.encode(), ANNOTATION.encode()
NOTHING = msgspec.Raw(b"null")


class RecordedDocument(msgspec.Struct, frozen=True, array_like=True):
    """A document: the identity of its object (``None``: it is in no catalog), and what is kept of its value.

    Of a runtime these are its annotations and what selection reads of its spec, of a model or a service nothing, of
    anything else the value. ``is_other``: it is no object of OME.
    """

    ref: ObjectRef | None
    content: msgspec.Raw = NOTHING
    is_other: bool = False


class RecordedFile(msgspec.Struct, frozen=True, array_like=True):
    """A file by its path: its documents, and its length in the contents; for a file with secrets a digest instead.

    ``hides`` as :func:`may_hide_names`, ``suppresses`` as :func:`may_suppress`.
    """

    path: str
    documents: tuple[RecordedDocument, ...]
    length: int
    digest: str = ""
    hides: bool = False
    suppresses: bool = False


class Open(msgspec.Struct, frozen=True, array_like=True):
    """What a :class:`FactsUnknown` has more than another finding."""

    family: str
    facts: tuple[str, ...]
    model: ObjectRef | None
    pvc: bool


class Record(msgspec.Struct, frozen=True):
    """What a run saw and said.

    ``found`` is a digest of :meth:`Snapshot.found`, ``findings`` those before settings apply and those of several
    services are joined (``open`` are the facts that some of them are about, by index); ``faulty`` and ``failed`` as in
    :class:`omec.lint.judge.Elsewhere`; ``automatic`` the runtimes that services get without naming them.
    """

    found: str
    files: tuple[RecordedFile, ...]
    rules: tuple[Rule, ...]
    packed: tuple[Packed, ...]
    open: dict[int, Open]
    notes: tuple[str, ...]
    faulty: tuple[ObjectRef, ...]
    failed: tuple[ObjectRef, ...]
    automatic: tuple[tuple[ObjectRef, ObjectRef], ...]

    @property
    def findings(self) -> Iterator[Finding]:
        for index, finding in enumerate(unpacked(self.packed, self.rules)):
            more = self.open.get(index)
            if more is None:
                yield finding
            else:
                yield FactsUnknown(
                    *(getattr(finding, name) for name in Finding.__struct_fields__),
                    *(getattr(more, name) for name in Open.__struct_fields__),
                )


def record_of(
    judgement: Judgement,
    documents: Sequence[Document],
    contents: Sequence[tuple[str, bytes]],
    *,
    found: str,
    notes: tuple[str, ...],
    with_secrets: frozenset[str],
) -> Record:
    """The record of a run; ``contents`` are all files by path, in the order of ``documents``.

    Raises ``ValueError`` or ``OverflowError`` for what JSON cannot hold.
    """
    findings = judgement.raw
    packed, rules = packed_of(findings)
    decisions = judgement.context.decider.services()
    return Record(
        found=found,
        files=tuple(_files(judgement, documents, contents, with_secrets)),
        rules=rules,
        packed=packed,
        open={
            index: Open(finding.family, finding.facts, finding.model, finding.pvc)
            for index, finding in enumerate(findings)
            if isinstance(finding, FactsUnknown)
        },
        notes=notes,
        faulty=tuple(sorted((ref for ref in judgement.context.faulty if ref is not None), key=str)),
        failed=tuple(sorted((ref for ref in with_errors(judgement.known) if ref is not None), key=str)),
        automatic=tuple(
            (decision.service.ref, decision.selected.ref)
            for decision in decisions
            if decision.named is None and decision.service is not None and decision.selected is not None
        ),
    )


def _files(
    judgement: Judgement,
    documents: Sequence[Document],
    contents: Sequence[tuple[str, bytes]],
    with_secrets: frozenset[str],
) -> Iterator[RecordedFile]:
    context = judgement.context
    copies = (copy for same in context.catalog.ambiguous.values() for copy in same)
    resources = {id(resource.document): resource for resource in (*context.catalog, *copies)}
    others = set(map(id, context.others))
    by_path = {path: list(group) for path, group in groupby(documents, key=lambda document: document.path)}
    for path, content in contents:
        is_secret = path in with_secrets
        recorded = tuple(
            _document(document, resources.get(id(document)), is_secret=is_secret, is_other=id(document) in others)
            for document in by_path.get(path, ())
        )
        if is_secret:
            length, digest = 0, digest_of_content(content)
        else:
            length, digest = len(content), ""
        yield RecordedFile(path, recorded, length, digest, may_hide_names(content), may_suppress(content))


def _document(
    document: Document,
    resource: Resource | None,
    *,
    is_secret: bool,
    is_other: bool,
) -> RecordedDocument:
    ref = None if resource is None else resource.ref
    if is_secret or (resource is None and not is_other):
        return RecordedDocument(ref, NOTHING, is_other)
    if resource is None or resource.kind not in COMMON_KINDS:
        return RecordedDocument(ref, _exact(document.value), is_other)
    if resource.kind in RUNTIME_KINDS:
        return RecordedDocument(ref, _exact([resource.annotations, selection_part(resource.spec)]))
    return RecordedDocument(ref)


def _exact(value: Any) -> msgspec.Raw:
    """``value`` as JSON; raises ``ValueError`` where that is another value."""
    data = msgspec.json.encode(value)
    if msgspec.json.decode(data) != value:
        raise ValueError("no value of JSON")
    return msgspec.Raw(data)


def may_suppress(content: bytes) -> bool:
    """Whether suppressions may stand in a file: in comments, or in annotations of objects."""
    return _MARK in content or _ANNOTATION in content or may_hide_names(content)


def digest_of_content(content: bytes) -> str:
    """A digest of a file."""
    return hashlib.sha256(content).hexdigest()


def encoded(record: Record, contents: Sequence[tuple[str, bytes]]) -> bytes:
    """``record`` with the ``contents`` that it was made of."""
    kept = (content for file, (_, content) in zip(record.files, contents, strict=True) if not file.digest)
    return b"".join((msgspec.json.encode(record), b"\n", *kept))


def decoded(data: bytes) -> tuple[Record, bytes] | None:
    """The record and the contents of its files, one after the other; ``None`` where it is none of this omec."""
    head, _, contents = data.partition(b"\n")
    try:
        record = msgspec.json.decode(head, type=Record)
    except (ValueError, RecursionError):
        return None
    is_whole = sum(file.length for file in record.files) == len(contents)
    return (
        (record, contents) if is_whole and all(0 <= item.rule < len(record.rules) for item in record.packed) else None
    )
