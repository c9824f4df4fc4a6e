"""One object of the repository."""

from __future__ import annotations

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

    @cached_property
    def ref(self) -> ObjectRef:
        return ObjectRef(self.kind, self.namespace, self.name)

    def locate(self, path: FieldPath = (), *, key: bool = False) -> Position:
        return self.document.locate(path, key=key)

    def __repr__(self) -> str:
        return f"Resource({self.ref})"
