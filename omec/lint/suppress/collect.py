"""The suppressions of a repository: comments, and annotations of objects."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

from omec.finding import FieldPath, Finding, ObjectRef, Position
from omec.lint import control_rules as rules
from omec.lint.suppress.directive import MARK, directive
from omec.lint.suppress.suppression import Suppression
from omec.repo.document import Document
from omec.repo.yaml.problem import LINE_BREAK, LineIndex, Span

ANNOTATION = "omec.io/ignore"
REASON = "omec.io/ignore-reason"

_PLACE: FieldPath = ("metadata", "annotations", ANNOTATION)


def of_comments(texts: Mapping[str, str]) -> Iterator[Suppression | Finding]:
    """The suppressions in the comments of files, by path and content; a finding for a directive that means nothing.

    A comment behind something covers what begins on its line; one that stands alone, the next line that is neither
    empty nor a comment.
    """
    for path, text in texts.items():
        if MARK in text:
            yield from _of_file(path, text)


def _of_file(path: str, text: str) -> Iterator[Suppression | Finding]:
    from omec.repo.yaml.comments import comments  # noqa: PLC0415 - few files hold a directive
    from omec.repo.yaml.splitter import is_json_stream  # noqa: PLC0415

    if is_json_stream(text):
        return
    index = LineIndex(text)
    for comment in comments(text):
        found = directive(comment.text)
        if found is None:
            continue

        def place(span: Span, start: int = comment.start) -> Position:
            return index.position(path, Span(start + span.start, start + span.end))

        position = place(found.span)
        if found.fault:
            yield Finding(rules.BAD_SUPPRESSION, found.fault, position, help=rules.BAD_SUPPRESSION.remedy)
            continue
        line = None if found.whole_file else _next_line(text, position.line) if comment.alone else position.line
        selectors = tuple((name, place(span)) for name, span in found.names)
        yield Suppression(path, selectors, position, line=line, reason=found.reason)


def _next_line(text: str, line: int) -> int:
    """The number of the first line after ``line`` that holds more than a comment."""
    for number, content in enumerate(LINE_BREAK.split(text)[line:], line + 1):
        if content.strip() and not content.lstrip().startswith("#"):
            return number
    return line


def of_objects(
    documents: Sequence[Document], ref_of: Callable[[Document], ObjectRef | None]
) -> Iterator[Suppression | Finding]:
    """The suppressions in the annotations of objects; ``ref_of`` gives the identity that findings know them by."""
    for document in documents:
        metadata = document.value.get("metadata")
        annotations = metadata.get("annotations") if isinstance(metadata, dict) else None
        if isinstance(annotations, dict) and ANNOTATION in annotations:
            yield _of_object(document, annotations, ref_of(document))


def _of_object(document: Document, annotations: Mapping[str, object], ref: ObjectRef | None) -> Suppression | Finding:
    position = document.locate(_PLACE)
    written = annotations[ANNOTATION]
    names = written.replace(",", " ").split() if isinstance(written, str) else []
    if not names or "ALL" in names:
        fault = f"the annotation {ANNOTATION} {'cannot name all rules at once' if names else 'names no rule'}"
        return Finding(rules.BAD_SUPPRESSION, fault, position, object=ref, help=rules.BAD_SUPPRESSION.remedy)
    reason = annotations.get(REASON)
    selectors = tuple((name, position) for name in dict.fromkeys(names))
    return Suppression(document.path, selectors, position, ref=ref, reason=reason if isinstance(reason, str) else "")
