"""The immutable index of a repository's objects, with OME's scoping rules for look-ups."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cached_property
from typing import Any

from omec.api.defaults import admitted
from omec.finding import FieldPath, ObjectRef, Position
from omec.repo.document import Document


class Resource:
    """One object of the repository: its identity, its body as written, and the document it came from.

    ``namespace`` is the resolved one (``default-namespace`` of the configuration filled in), ``None`` for
    cluster-scoped kinds. ``context`` marks an object of a ``[[sources]]`` catalog: usable, but without output and
    findings of its own.
    """

    def __init__(
        self, kind: str, namespace: str | None, name: str, document: Document, *, context: bool = False
    ) -> None:
        self.kind = kind
        self.namespace = namespace
        self.name = name
        self.document = document
        self.context = context

    @property
    def body(self) -> dict[str, Any]:
        """The object as written; never modify it."""
        return self.document.value

    @cached_property
    def stored(self) -> dict[str, Any]:
        """The object as the API server would store it: nulls pruned, schema defaults filled in; never modify it."""
        return admitted(self.kind, self.body)

    @property
    def spec(self) -> dict[str, Any]:
        """``spec`` of :attr:`stored`, ``{}`` when absent."""
        spec = self.stored.get("spec")
        return spec if isinstance(spec, dict) else {}

    @property
    def annotations(self) -> dict[str, str]:
        metadata = self.body.get("metadata")
        annotations = metadata.get("annotations") if isinstance(metadata, dict) else None
        return annotations if isinstance(annotations, dict) else {}

    @property
    def labels(self) -> dict[str, str]:
        metadata = self.body.get("metadata")
        labels = metadata.get("labels") if isinstance(metadata, dict) else None
        return labels if isinstance(labels, dict) else {}

    @property
    def ref(self) -> ObjectRef:
        return ObjectRef(self.kind, self.namespace, self.name)

    def locate(self, path: FieldPath = (), *, key: bool = False) -> Position:
        return self.document.locate(path, key=key)

    def __repr__(self) -> str:
        return f"Resource({self.ref})"


class Catalog:
    """Objects by kind, namespace and name.

    An identity that occurs more than once is *ambiguous*: :meth:`get` and :meth:`of_kind` leave it out, because omec
    never chooses between two definitions; :attr:`ambiguous` lists every copy.
    """

    def __init__(self, resources: Iterable[Resource]) -> None:
        by_ref: dict[ObjectRef, list[Resource]] = {}
        for resource in resources:
            by_ref.setdefault(resource.ref, []).append(resource)
        self.ambiguous: dict[ObjectRef, tuple[Resource, ...]] = {
            ref: tuple(copies) for ref, copies in by_ref.items() if len(copies) > 1
        }
        self._unique: dict[ObjectRef, Resource] = {ref: copies[0] for ref, copies in by_ref.items() if len(copies) == 1}
        self._by_kind: dict[str, list[Resource]] = {}
        for resource in sorted(self._unique.values(), key=lambda r: (r.kind, r.namespace or "", r.name)):
            self._by_kind.setdefault(resource.kind, []).append(resource)

    def get(self, kind: str, name: str, namespace: str | None = None) -> Resource | None:
        """The object of that identity, or ``None`` when there is none or it is ambiguous."""
        return self._unique.get(ObjectRef(kind, namespace, name))

    def is_ambiguous(self, kind: str, name: str, namespace: str | None = None) -> bool:
        return ObjectRef(kind, namespace, name) in self.ambiguous

    def of_kind(self, kind: str, namespace: str | None = None) -> list[Resource]:
        """The objects of a kind, ordered by namespace and name; only those of ``namespace`` when it is given."""
        found = self._by_kind.get(kind, [])
        return found if namespace is None else [resource for resource in found if resource.namespace == namespace]

    def __iter__(self) -> Iterator[Resource]:
        return iter(self._unique.values())

    def __len__(self) -> int:
        return len(self._unique)
