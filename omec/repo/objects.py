"""From the text of a file to its Kubernetes objects."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import TYPE_CHECKING, Any

import msgspec

from omec.finding import FieldPath, Finding, ObjectRef, Position, Related
from omec.repo import recognize, rules
from omec.repo.document import Document, Locator
from omec.repo.lost import Lost
from omec.repo.note import Note
from omec.repo.walk import SourceFile
from omec.repo.yaml.document import locate, parse, seek
from omec.repo.yaml.problem import LineIndex, Problem, ProblemError, Span
from omec.repo.yaml.splitter import is_json_stream, split

if TYPE_CHECKING:
    from omec.repo.yaml.outline import Outline

_MAX_LIST_NESTING = 8


class Content(msgspec.Struct):
    """What one file holds."""

    documents: list[Document] = msgspec.field(default_factory=list)
    findings: list[Finding] = msgspec.field(default_factory=list)
    notes: list[Note] = msgspec.field(default_factory=list)
    lost: list[Lost] = msgspec.field(default_factory=list)


def read_text(file: SourceFile, text: str) -> Content:
    """The objects, findings and notes of a file with content ``text``."""
    return _FileReader(file, text).read()


Seek = Callable[[FieldPath, bool], Span | None]
_SEEKS = 3


def _seek_in(text: str, path: FieldPath, key: bool) -> Span | None:
    return seek(text, path, key=key)


class _Places:
    """Turns spans into positions of one file; made when first needed, because most files have no finding."""

    def __init__(self, path: str, text: str) -> None:
        self._path = path
        self._text = text
        self._index: LineIndex | None = None

    def position(self, span: Span, offset: int) -> Position:
        if self._index is None:
            self._index = LineIndex(self._text)
        return self._index.position(self._path, Span(span.start + offset, span.end + offset))


class _Locator:
    """Locates field paths in one document of a file.

    The first few are looked for one by one with ``seek``, where that can tell; the outline is made when more are asked.
    Many findings name the same place (a model that many services use), so that places are remembered.
    """

    __slots__ = ("_found", "_left", "_make_outline", "_offset", "_outline", "_places", "_seek")

    def __init__(
        self, places: _Places, offset: int, make_outline: Callable[[], Outline], seek: Seek | None = None
    ) -> None:
        self._places = places
        self._offset = offset
        self._make_outline = make_outline
        self._outline: Outline | None = None
        self._seek = seek
        self._left = _SEEKS if seek is not None else 0
        self._found: dict[tuple[FieldPath, bool], Position] | None = None

    def __call__(self, path: FieldPath, key: bool) -> Position:
        if self._found is None:
            self._found = {}
        position = self._found.get((path, key))
        if position is None:
            span = self._sought(path, key) or self._outlined(path, key)
            position = self._found[path, key] = self._places.position(span, self._offset)
        return position

    def _sought(self, path: FieldPath, key: bool) -> Span | None:
        if self._outline is not None or self._seek is None or not self._left:
            return None
        self._left -= 1
        return self._seek(path, key)

    def _outlined(self, path: FieldPath, key: bool) -> Span:
        if self._outline is None:
            self._outline = self._make_outline()
        return self._outline.find(path, key=key)

    def below(self, prefix: FieldPath) -> Locator:
        def locate_below(path: FieldPath, key: bool) -> Position:
            return self(prefix + path, key)

        return locate_below if prefix else self


class _FileReader:
    def __init__(self, file: SourceFile, text: str) -> None:
        self.file = file
        self.text = text
        self.content = Content()
        self.places = _Places(file.path, text)
        self.others: list[tuple[_Locator, FieldPath]] = []  # documents that are no Kubernetes objects
        self.is_template = False

    def read(self) -> Content:
        if self.file.is_chart_template and recognize.has_actions(self.text):
            return self.skipped("Helm template: skipped (render the chart first, for example with helm template)")
        is_json = is_json_stream(self.text)
        if self.file.path.lower().endswith(".json") and not (is_json and recognize.may_hold_objects(self.text)):
            return self.content
        if is_json:
            self.read_json()
        else:
            self.read_yaml()
        return self.judged()

    def judged(self) -> Content:
        """The content, once all documents of the file are known."""
        content = self.content
        if self.is_template:
            return self.skipped("template source, not YAML: skipped (render it first)")
        if content.documents:
            content.findings.extend(self.not_an_object(locator(path, False)) for locator, path in self.others)
        elif self.others and not content.findings and not self.file.path.lower().endswith(".json"):
            content.notes.append(Note(self.file.path, "no Kubernetes object (apiVersion and kind): skipped"))
        return content

    def skipped(self, why: str) -> Content:
        return Content(notes=[Note(self.file.path, why)])

    def not_an_object(self, position: Position) -> Finding:
        return Finding(
            rules.NOT_AN_OBJECT,
            "this document lacks apiVersion or kind, although others of the file are Kubernetes objects",
            position,
            help="add apiVersion and kind, or move the document to a file of its own",
        )

    def read_json(self) -> None:
        from omec.repo.jsonstream import JsonReader, json_outline  # noqa: PLC0415  (few sources hold JSON)

        documents, problem = JsonReader(self.text).documents()
        for document in documents:
            offset = document.offset
            locator = _Locator(self.places, 0, lambda offset=offset: json_outline(self.text, offset))  # type: ignore[misc]
            self.add(document.value, locator, document.problems, 0)
        if problem:
            self.broken(problem, self.text, 0)

    def read_yaml(self) -> None:
        for chunk in split(self.text):
            if chunk.problem:
                self.report(chunk.problem, 0)
                self.lose(chunk.problem, chunk.text, 0)
                continue
            text = chunk.text
            try:
                parsed = parse(text)
            except ProblemError as error:
                self.broken(error.problem, text, chunk.offset)
                continue
            locator = _Locator(
                self.places,
                chunk.offset,
                partial(locate, text),
                None if parsed.problems else partial(_seek_in, text),
            )
            self.add(parsed.value, locator, parsed.problems, chunk.offset)

    def broken(self, problem: Problem, text: str, offset: int) -> None:
        """Report what is no YAML, unless it is a template: one such document makes the whole file one."""
        self.is_template = self.is_template or (problem.rule is rules.SYNTAX and recognize.looks_templated(text))
        self.report(problem, offset)
        self.lose(problem, text, offset)

    def lose(self, problem: Problem, text: str, offset: int) -> None:
        self.content.lost.append(Lost.of_text(self.places.position(problem.span, offset), text))

    def add(self, value: Any, locator: _Locator, problems: tuple[Problem, ...], offset: int) -> None:
        """Add the objects of one document, and its problems if it is meant for Kubernetes."""
        if value is None and not problems:
            return
        if not recognize.is_object(value):
            self.others.append((locator, ()))
            problems = tuple(problem for problem in problems if self.always_reported(problem))
        elif not recognize.is_cluster_object(value):
            self.content.notes.append(
                Note(self.file.path, "kustomize file: skipped (--kustomize OVERLAY reads what it builds)")
            )
        elif not any(problem.fatal for problem in problems):
            for path, item in flatten(value):
                self.add_object(path, item, locator)
        else:
            self.content.lost.append(Lost(locator((), False), frozenset([str(value.get("kind"))])))
        for problem in problems:
            if problem.rule is rules.UNUSABLE_KEY:
                self.is_template = self.is_template or recognize.looks_templated(self.text)
            self.report(problem, offset, object_ref(value) if isinstance(value, dict) else None)

    def always_reported(self, problem: Problem) -> bool:
        """Whether a problem counts even in a document of unknown purpose."""
        if problem.rule is rules.CODE_TAG:
            return not recognize.allows_code_tags(self.file.path)
        return problem.rule is rules.ALIAS

    def add_object(self, path: FieldPath, item: Any, locator: _Locator) -> None:
        if not recognize.is_object(item):
            self.others.append((locator, path))
            return
        document = Document(
            self.file.path,
            len(self.content.documents),
            item,
            locator.below(path),
            source=self.file.source,
        )
        self.content.documents.append(document)

    def report(self, problem: Problem, offset: int, ref: ObjectRef | None = None) -> None:
        self.content.findings.append(
            Finding(
                problem.rule,
                problem.message,
                self.places.position(problem.span, offset),
                object=ref,
                help=problem.help,
                related=tuple(
                    Related(self.places.position(span, offset), message) for span, message in problem.related
                ),
            )
        )


def flatten(value: dict[str, Any], path: FieldPath = ()) -> Iterator[tuple[FieldPath, Any]]:
    """The objects in ``value``: itself, or for a list kind its items, with their paths (reference 11 §1.1).

    Items of a typed list may leave out apiVersion and kind, as ``kubectl get -o yaml`` never does but the API allows.
    """
    kind, items = str(value.get("kind")), value.get("items")
    if not kind.endswith("List") or not isinstance(items, list) or len(path) > _MAX_LIST_NESTING:
        yield path, value
        return
    for i, item in enumerate(items):
        below = (*path, "items", i)
        if isinstance(item, dict) and "kind" not in item and "apiVersion" not in item and kind != "List":
            yield below, {"apiVersion": value.get("apiVersion"), "kind": kind.removesuffix("List"), **item}
        elif recognize.is_object(item):
            yield from flatten(item, below)
        else:
            yield below, item


def object_ref(value: dict[str, Any]) -> ObjectRef | None:
    """The identity that an object gives itself, if it has one."""
    metadata = value.get("metadata")
    if not isinstance(metadata, dict) or not isinstance(metadata.get("name"), str):
        return None
    namespace = metadata.get("namespace")
    return ObjectRef(str(value.get("kind")), namespace if isinstance(namespace, str) else None, metadata["name"])
