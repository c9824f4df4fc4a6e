"""Kueue objects that people write themselves, and what OME's quota manager makes of them (reference 15 §3.4)."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping

import msgspec

from omec.compile.kueue.objects import MANAGED_BY_LABEL, NODE_LABEL, QueueObject
from omec.repo.document import Document
from omec.resolve.quota.hardware import Flavor

_GROUP = "kueue.x-k8s.io/"
_SWEPT = ("LocalQueue", "ClusterQueue", "Cohort")
"""In the order in which the quota manager deletes."""


class WrittenObject(msgspec.Struct, frozen=True):
    """A Kueue object; ``document`` is its manifest, where there is one."""

    kind: str
    name: str
    namespace: str | None
    labels: Mapping[str, str]
    document: Document | None = None

    @property
    def identity(self) -> tuple[str, str | None, str]:
        return self.kind, self.namespace, self.name

    def __str__(self) -> str:
        return f"{self.kind} {self.namespace}/{self.name}" if self.namespace else f"{self.kind} {self.name}"


def written_objects(documents: Iterable[Document]) -> list[WrittenObject]:
    """The Kueue objects among ``documents``; one without a name is nobody's."""
    found = []
    for document in documents:
        body = document.value
        kind, version, metadata = body.get("kind"), body.get("apiVersion"), body.get("metadata")
        if not isinstance(kind, str) or not isinstance(version, str) or not version.startswith(_GROUP):
            continue
        if not isinstance(metadata, dict) or not isinstance(metadata.get("name"), str):
            continue
        namespace = metadata.get("namespace") or None
        found.append(WrittenObject(kind, metadata["name"], namespace, metadata.get("labels") or {}, document))
    return found


def flavor_names(written: Iterable[WrittenObject]) -> frozenset[str]:
    return frozenset(item.name for item in written if item.kind == "ResourceFlavor")


def measured_flavors(written: Iterable[WrittenObject]) -> list[Flavor]:
    """The ResourceFlavors whose manifests say which nodes are theirs; one without labels has all that are nobody's."""
    flavors = []
    for item in written:
        if item.kind == "ResourceFlavor" and item.document is not None:
            spec = item.document.value.get("spec")
            labels = spec.get("nodeLabels") if isinstance(spec, dict) else None
            flavors.append(Flavor(item.name, labels if isinstance(labels, dict) else {}))
    return flavors


def local_queues(written: Iterable[WrittenObject]) -> frozenset[tuple[str, str]]:
    """The LocalQueues by namespace and name."""
    return frozenset((item.namespace or "", item.name) for item in written if item.kind == "LocalQueue")


def conflicts(
    objects: Iterable[QueueObject], written: Iterable[WrittenObject], manager: str
) -> list[tuple[QueueObject, WrittenObject]]:
    """The objects of the tree that exist already without the label of ``manager``, each with the one that exists."""
    foreign = {item.identity: item for item in written if item.labels.get(MANAGED_BY_LABEL) != manager}
    found = ((wanted, foreign.get(_identity(wanted))) for wanted in objects)
    return [(wanted, item) for wanted, item in found if item is not None]


def conflict_text(item: WrittenObject, manager: str) -> str:
    return f"{item} already exists and is not managed by {manager}; refusing to adopt it"


def swept(written: Iterable[WrittenObject], nodes: Collection[str], manager: str) -> list[WrittenObject]:
    """What ``manager`` deletes: objects with its label whose node is none of ``nodes``, in its order."""
    doomed = [
        item
        for item in written
        if item.labels.get(MANAGED_BY_LABEL) == manager
        and item.kind in _SWEPT
        and item.labels.get(NODE_LABEL) not in nodes
    ]
    return sorted(doomed, key=lambda item: (_SWEPT.index(item.kind), item.namespace or "", item.name))


def _identity(wanted: QueueObject) -> tuple[str, str | None, str]:
    metadata = wanted.body["metadata"]
    return wanted.body["kind"], metadata.get("namespace"), metadata["name"]
