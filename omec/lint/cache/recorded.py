"""The objects of a record: read again only when somebody looks into them."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Iterator, Sequence
from functools import cached_property
from typing import Any

import msgspec

from omec.api.kinds import RUNTIME_KINDS
from omec.catalog import Catalog, Resource
from omec.finding import FieldPath, ObjectRef, Position
from omec.lint.cache.record import NOTHING, RecordedFile
from omec.repo.document import Document
from omec.resolve.candidates import Candidates, matcher_of
from omec.resolve.match import RuntimeMatcher

Reader = Callable[[str], Sequence[Document]]
"""Reads the documents of the file at a path."""


class LazyDocument(Document):
    """A document that is read from its file when somebody asks; ``content`` is its value as JSON where it is kept."""

    __slots__ = ("_content", "_decoded", "_read")

    def __init__(self, path: str, index: int, read: Reader, content: msgspec.Raw = NOTHING) -> None:
        self.path = path
        self.index = index
        self._read = read
        self._content = content
        self._decoded: dict[str, Any] | None = None

    @property
    def _document(self) -> Document:
        return self._read(self.path)[self.index]

    @property
    def value(self) -> dict[str, Any]:  # type: ignore[override]
        if self._decoded is None:
            is_kept = self._content != NOTHING
            self._decoded = msgspec.json.decode(self._content) if is_kept else self._document.value
        assert self._decoded is not None
        return self._decoded

    @property
    def source(self) -> str:  # type: ignore[override]
        return self._document.source

    def locate(self, path: FieldPath = (), *, key: bool = False) -> Position:
        return self._document.locate(path, key=key)


class RecordedRuntime(Resource):
    """A runtime of which the record holds the annotations and what selection reads of its spec, as JSON."""

    def __init__(self, ref: ObjectRef, document: Document, content: msgspec.Raw) -> None:
        super().__init__(ref.kind, ref.namespace, ref.name, document, context=True)
        self._content = content

    @cached_property
    def _kept(self) -> tuple[dict[str, str], dict[str, Any]]:
        annotations, selection = msgspec.json.decode(self._content)
        return annotations, selection

    @property
    def annotations(self) -> dict[str, str]:
        return self._kept[0]

    @cached_property
    def matcher(self) -> RuntimeMatcher:
        return RuntimeMatcher(self, self._kept[1])


class RecordedCatalog(Catalog):
    """The objects of a record, which nothing is said about, but for those that are ``own``.

    Of services only the own ones are listed: whoever goes through all services wants to say something about each.
    """

    def of_kind(self, kind: str, namespace: str | None = None) -> list[Resource]:
        found = super().of_kind(kind, namespace)
        return [service for service in found if not service.context] if kind == "InferenceService" else found

    def with_own(self, own: Iterable[Resource]) -> RecordedCatalog:
        """This catalog with each of ``own`` in the place of what is recorded of its document."""
        by_place = {(resource.document.path, resource.document.index): resource for resource in own}
        kinds = {resource.kind for resource in by_place.values()}

        def present(resource: Resource) -> Resource:
            return by_place.get((resource.document.path, resource.document.index), resource)

        made = RecordedCatalog(())
        made.ambiguous = {ref: tuple(map(present, copies)) for ref, copies in self.ambiguous.items()}
        made._unique = {**self._unique}
        made._unique.update((each.ref, each) for each in by_place.values() if each.ref in self._unique)
        made._by_kind = {
            kind: [*map(present, resources)] if kind in kinds else resources
            for kind, resources in self._by_kind.items()
        }
        return made


class RecordedCandidates(Candidates):
    """The candidates of a recorded catalog, of which a few can be parsed without the others."""

    def __init__(self, catalog: Catalog) -> None:
        super().__init__(catalog, _recorded_matcher)

    def among(self, refs: Container[ObjectRef]) -> Iterator[RuntimeMatcher]:
        runtimes = (runtime for kind in RUNTIME_KINDS for runtime in self._catalog.of_kind(kind))
        return (_recorded_matcher(runtime) for runtime in runtimes if runtime.ref in refs)


def _recorded_matcher(runtime: Resource) -> RuntimeMatcher:
    return runtime.matcher if isinstance(runtime, RecordedRuntime) else matcher_of(runtime)


def recorded_objects(files: Iterable[RecordedFile], read: Reader) -> tuple[RecordedCatalog, list[Document]]:
    """The catalog of a record, and the documents that are no objects of OME."""
    resources: list[Resource] = []
    others: list[Document] = []
    for file in files:
        for index, kept in enumerate(file.documents):
            ref = kept.ref
            if ref is None:
                if kept.is_other:
                    others.append(LazyDocument(file.path, index, read, kept.content))
            elif ref.kind in RUNTIME_KINDS:
                document = LazyDocument(file.path, index, read)
                if kept.content == NOTHING:
                    resources.append(Resource(ref.kind, ref.namespace, ref.name, document, context=True))
                else:
                    resources.append(RecordedRuntime(ref, document, kept.content))
            else:
                document = LazyDocument(file.path, index, read, kept.content)
                resources.append(Resource(ref.kind, ref.namespace, ref.name, document, context=True))
    return RecordedCatalog(resources), others
