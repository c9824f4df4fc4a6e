"""The immutable index of a repository's objects."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from omec.catalog.resource import Resource
from omec.finding import ObjectRef


class Catalog:
    """Objects by kind, namespace and name.

    An identity that occurs more than once is *ambiguous*: :meth:`get` and :meth:`of_kind` leave it out, because omec
    never chooses between two definitions; :attr:`ambiguous` lists every copy, in the order of files.
    """

    def __init__(self, resources: Iterable[Resource]) -> None:
        by_ref: dict[ObjectRef, list[Resource]] = {}
        for resource in resources:
            by_ref.setdefault(resource.ref, []).append(resource)
        self.ambiguous: dict[ObjectRef, tuple[Resource, ...]] = {
            ref: tuple(sorted(copies, key=_place)) for ref, copies in by_ref.items() if len(copies) > 1
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


def _place(resource: Resource) -> tuple[str, int]:
    return resource.document.path, resource.document.index
