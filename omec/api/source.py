"""What the functions of this package need to know about a document."""

from __future__ import annotations

from typing import Any, Protocol

import msgspec

from omec.finding import FieldPath, Finding, ObjectRef, Position, Related, Rule, Severity, field_text


class SourceDocument(Protocol):
    """A parsed manifest that can locate its parts; :class:`omec.repo.document.Document` is one."""

    value: dict[str, Any]

    def locate(self, path: FieldPath = (), *, key: bool = False) -> Position: ...


class Subject(msgspec.Struct, frozen=True):
    """One object under judgement: its kind, where it stands, and what findings call it."""

    kind: str
    document: SourceDocument
    ref: ObjectRef | None = None

    def finding(
        self,
        rule: Rule,
        message: str,
        path: FieldPath = (),
        *,
        key: bool = False,
        field: FieldPath | None = None,
        help: str = "",  # noqa: A002 - the name that Finding has
        related: tuple[Related, ...] = (),
        severity: Severity | None = None,
    ) -> Finding:
        """A finding at the value at ``path`` (with ``key``, at its key), about ``field`` (by default the same path)."""
        return Finding(
            rule,
            message,
            self.document.locate(path, key=key),
            self.ref,
            field_text(path if field is None else field) or None,
            help,
            related,
            severity,
        )


def object_ref(kind: str, body: dict[str, Any]) -> ObjectRef | None:
    """The identity that a manifest claims; ``None`` where it has no usable name."""
    metadata = body.get("metadata")
    if not isinstance(metadata, dict):
        return None
    name, namespace = metadata.get("name"), metadata.get("namespace")
    if not isinstance(name, str):
        return None
    return ObjectRef(kind, namespace if isinstance(namespace, str) else None, name)
