"""A model with the spec that it gets in the cluster.

OME fills what a manifest leaves unset from the model's files, and everything after looks at the result (reference 08
§9). Where omec knows the files, it does the same: the spec of a :class:`FilledModel` is the filled one. Its document,
and with it the output, stays as written.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Any

import msgspec

from omec.catalog import Resource

if TYPE_CHECKING:
    from omec.facts.locked import LockedModel

_FORMAT = "modelFormat"


class Knowledge(msgspec.Struct, frozen=True):
    """The facts of one model, and the place they come from: ``omec.lock``, or a directory."""

    locked: LockedModel
    place: str

    def tells(self, field: str) -> bool:
        """Whether it settles a field of the spec (``modelFormat.version`` is one).

        Where the model's own files were read, it settles all: what they do not give, the model does not have.
        """
        facts = self.locked.facts
        return "modelArchitecture" in facts or field.partition(".")[0] in facts


class FilledModel(Resource):
    """``manifest``, a model of the source, filled with what is known about it."""

    def __init__(self, manifest: Resource, knowledge: Knowledge, *, by_job: bool = False) -> None:
        super().__init__(manifest.kind, manifest.namespace, manifest.name, manifest.document, context=manifest.context)
        self.manifest = manifest
        self.knowledge = knowledge
        self._by_job = by_job

    @cached_property
    def stored(self) -> dict[str, Any]:
        filled = self.knowledge.locked.fill(self.manifest.spec, by_job=self._by_job)
        return {**self.manifest.stored, "spec": filled}

    @cached_property
    def facts_from(self) -> Mapping[str, str]:
        """The place of each field of the spec that the manifest does not give (``modelFormat.version`` is one)."""
        given = self.manifest.spec
        added = [name for name, value in self.spec.items() if given.get(name) is None and value is not None]
        if given.get(_FORMAT) is not None and self.spec[_FORMAT] != given[_FORMAT]:
            added.append(f"{_FORMAT}.version")
        return dict.fromkeys(added, self.knowledge.place)


def manifest_of(model: Resource) -> Resource:
    """``model`` without what is known beyond its manifest."""
    return model.manifest if isinstance(model, FilledModel) else model
