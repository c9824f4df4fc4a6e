"""From documents to a catalog: which documents are objects, in which namespace, and under which identity."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import msgspec

from omec.api.kinds import API_VERSION, KINDS, claims_ome
from omec.catalog.copies import listed, related
from omec.catalog.index import Catalog
from omec.catalog.resource import Resource
from omec.catalog.rules import DUPLICATE_OBJECT, MISSING_NAMESPACE
from omec.finding import Finding, ObjectRef
from omec.repo.document import Document

OPERATOR_CONFIGMAP = "inferenceservice-config"
"""The ConfigMap that holds the operator settings (OME docs: guides/operate-ome/configure-the-controller)."""


class Indexed(msgspec.Struct, frozen=True):
    """A catalog, what is wrong with the identities in it, and the source's documents that are not ome.io objects.

    ``unplaced`` are namespaced objects that no namespace is known for: they are in no catalog, because nothing can
    refer to them.
    """

    catalog: Catalog
    findings: tuple[Finding, ...]
    others: tuple[Document, ...]
    unplaced: tuple[Document, ...]


class Placed(msgspec.Struct, frozen=True):
    """Documents by what they are: objects with an identity, ``others`` and ``unplaced`` as in :class:`Indexed`."""

    resources: tuple[Resource, ...]
    others: tuple[Document, ...]
    unplaced: tuple[Document, ...]


def build_catalog(
    documents: Iterable[Document],
    *,
    context: Iterable[Document] = (),
    default_namespace: str | None = None,
) -> Indexed:
    """Index the ome.io objects among ``documents``; ``context`` are those of other catalogs (``[[sources]]``).

    A document that is read as both is the source's: no object is a duplicate of itself. An object without a usable
    ``metadata.name`` is left out: that is a finding of the API structure.
    """
    own = list(documents)
    placed = place(own, default_namespace)
    known = place(_elsewhere(context, own), default_namespace, context=True)
    catalog = Catalog([*placed.resources, *known.resources])
    return Indexed(
        catalog, (*missing(placed), *duplicates(catalog)), placed.others, (*placed.unplaced, *known.unplaced)
    )


def place(documents: Iterable[Document], default_namespace: str | None, *, context: bool = False) -> Placed:
    """The identities of ``documents``; ``context``: whether they are those of other catalogs."""
    resources: list[Resource] = []
    others: list[Document] = []
    unplaced: list[Document] = []
    for document in documents:
        kind = ome_kind(document.value)
        if kind is None:
            if not claims_ome(document.value):
                others.append(document)
            continue
        metadata = document.value.get("metadata")
        name = metadata.get("name") if isinstance(metadata, dict) else None
        if not isinstance(metadata, dict) or not isinstance(name, str) or not name:
            continue
        namespace = None
        if KINDS[kind].namespaced:
            namespace = namespace_of(metadata) or default_namespace
            if namespace is None:
                unplaced.append(document)
                continue
        resources.append(Resource(kind, namespace, name, document, context=context))
    return Placed(tuple(resources), tuple(others), tuple(unplaced))


def missing(placed: Placed) -> Iterator[Finding]:
    """The findings about objects that no namespace is known for."""
    return map(_missing_namespace, placed.unplaced)


def duplicates(catalog: Catalog) -> Iterator[Finding]:
    """The findings about objects that are defined more than once."""
    for copies in catalog.ambiguous.values():
        yield from (_duplicate(copy, copies) for copy in copies if not copy.context)


def _elsewhere(context: Iterable[Document], own: Iterable[Document]) -> Iterator[Document]:
    """The documents of ``context`` that are not read as the source's ``own`` too."""
    known = {(document.path, document.index) for document in own}
    return (document for document in context if (document.path, document.index) not in known)


def ome_kind(value: dict[str, Any]) -> str | None:
    """The kind of an ``ome.io/v1beta1`` object, ``None`` for everything else."""
    kind = value.get("kind")
    if value.get("apiVersion") == API_VERSION and isinstance(kind, str) and kind in KINDS:
        return kind
    return None


def namespace_of(metadata: dict[str, Any]) -> str | None:
    """``metadata.namespace`` when it is a non-empty text."""
    namespace = metadata.get("namespace")
    return namespace if isinstance(namespace, str) and namespace else None


def _missing_namespace(document: Document) -> Finding:
    kind, name = document.value["kind"], document.value["metadata"]["name"]
    return Finding(
        MISSING_NAMESPACE,
        f"{kind} {name} has no metadata.namespace",
        document.locate(("metadata",), key=True),
        object=ObjectRef(kind, None, name),
        field="metadata.namespace",
        help="add metadata.namespace to the object, or set default-namespace in omec.toml",
    )


def _duplicate(resource: Resource, copies: tuple[Resource, ...]) -> Finding:
    return Finding(
        DUPLICATE_OBJECT,
        f"{resource.ref} is also defined in {listed(copies, without=resource)}",
        resource.locate(("metadata", "name")),
        object=resource.ref,
        field="metadata.name",
        help="keep one of the definitions; omec uses none of them until then",
        related=related(copies, "also defined here", without=resource),
    )
