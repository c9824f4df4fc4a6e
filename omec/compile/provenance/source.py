"""What objects are rendered from: manifests, omec.toml, and what OME brings along itself."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from enum import Enum
from typing import Any

import msgspec

from omec.catalog import Resource
from omec.compile.provenance.values import has
from omec.finding import FieldPath, ObjectRef, Position, field_text
from omec.repo.document import Document


class Role(Enum):
    """What a source is to a rendered object; the order is that in which one overrides another."""

    SERVICE = "InferenceService"
    RUNTIME = "runtime"
    PARENT = "parent runtime"
    PRESET = "preset"
    MODEL = "model"
    WEIGHT = "fine-tuned weights"
    ACCELERATOR = "accelerator class"
    POLICY = "autoscaler policy"
    OBJECT = "copied object"
    RELATED = "related object"
    CONFIG_MAP = "operator configuration"
    CONFIG = "omec.toml"
    CHART = "operator default"
    API_DEFAULT = "API default"
    FACTS = "model facts"
    OME = "OME"


class Source(msgspec.Struct, frozen=True, eq=False):
    """One source: ``value`` is what rendering reads of it, ``find`` the place of a path in it (``None``: nowhere).

    ``name`` is what messages call it; ``written`` are its path below the configuration's folder, the same on every
    machine.
    """

    role: Role
    name: str
    value: Mapping[str, Any]
    find: Callable[[FieldPath], Position | None]
    ref: ObjectRef | None = None
    written: str = ""
    added: Callable[[FieldPath], Role | None] = lambda _: None
    """The role of a leaf that is not written in the source itself, such as a default of the API."""
    _positions: dict[FieldPath, Position | None] = msgspec.field(default_factory=dict)

    def role_of(self, path: FieldPath) -> Role:
        return self.added(path) or self.role

    def position(self, path: FieldPath) -> Position | None:
        """The place of ``path``, looked up once; ``None`` where no file holds it."""
        if path not in self._positions:
            self._positions[path] = self.find(path)
        return self._positions[path]

    def __repr__(self) -> str:
        return f"Source({self.name})"


class Spot(msgspec.Struct, frozen=True):
    """A leaf (or a list, where only all of it counts) of a source."""

    source: Source
    path: FieldPath

    @property
    def field(self) -> str:
        return field_text(self.path)


def of_resource(role: Role, resource: Resource, *, whole: bool = False) -> Source:
    """The manifest of ``resource``, with the defaults that the API server fills in and the facts that are known.

    With ``whole`` it is the manifest as written, ``apiVersion`` and ``kind`` included.
    """
    from omec.resolve.filled_model import FilledModel  # noqa: PLC0415 - only models of a lock file are filled

    written, facts = resource.body, isinstance(resource, FilledModel)
    manifest = resource.manifest.stored if isinstance(resource, FilledModel) else resource.stored

    def added(path: FieldPath) -> Role | None:
        if has(written, path):
            return None
        return Role.FACTS if facts and not has(manifest, path) else Role.API_DEFAULT

    unread = ("status",) if whole else ("apiVersion", "kind", "status")
    return Source(
        role,
        str(resource.ref),
        {key: value for key, value in (written if whole else resource.stored).items() if key not in unread},
        resource.locate,
        resource.ref,
        resource.document.source,
        added,
    )


def of_document(role: Role, document: Document, value: Mapping[str, Any], *, depth: int) -> Source:
    """A document whose ``value`` is finer than what is written below ``depth`` steps: a text that holds JSON."""
    metadata = document.value["metadata"]
    ref = ObjectRef(document.value["kind"], metadata.get("namespace"), metadata["name"])
    return Source(role, str(ref), value, lambda path: document.locate(path[:depth]), ref, document.source)
