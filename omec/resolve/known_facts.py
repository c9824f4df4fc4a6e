"""What is known about models beyond their manifests: from ``omec.lock``, else from a directory on this machine.

In the cluster, OME fills what a manifest leaves unset from the model's files, and everything after looks at the result.
So does omec: a model that is known becomes a :class:`FilledModel`, whose spec is the filled one; its document, and with
it the output, stays as written. The order is manifest, lock, directory (reference 08 §9).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from omec.catalog import Catalog, Resource
from omec.errors import OmecError
from omec.facts.lock import LOCK_NAME, Lock, key_of
from omec.facts.locked import LockedModel
from omec.facts.sources import ModelSource, Sources, open_directory
from omec.finding import ObjectRef
from omec.repo.document import Document
from omec.resolve.facts import as_text
from omec.resolve.open_facts import FORMAT, FORMAT_VERSION, OPTIONAL, PVC, OpenFacts, open_facts

MODEL_KINDS = ("BaseModel", "ClusterBaseModel")


@dataclass(frozen=True, slots=True)
class Knowledge:
    """The facts of one model, and the place they come from: ``omec.lock``, or a directory."""

    locked: LockedModel
    place: str

    @property
    def complete(self) -> bool:
        """Whether the model's own files were read: then what they do not give, the model does not have."""
        return "modelArchitecture" in self.locked.facts


class FilledModel(Resource):
    """A model with the spec that it gets in the cluster. ``document`` and ``body`` are those of the manifest."""

    def __init__(self, model: Resource, knowledge: Knowledge) -> None:
        super().__init__(model.kind, model.namespace, model.name, model.document, context=model.context)
        self.manifest = model
        self.knowledge = knowledge

    @cached_property
    def stored(self) -> dict[str, Any]:
        filled = self.knowledge.locked.fill(self.manifest.spec, by_job=source_of(self.manifest).uri.startswith(PVC))
        return {**self.manifest.stored, "spec": filled}

    @cached_property
    def facts_from(self) -> Mapping[str, str]:
        """The place of each field of the spec that the manifest does not give (``modelFormat.version`` is one)."""
        given = self.manifest.spec
        added = [name for name, value in self.spec.items() if given.get(name) is None and value is not None]
        if given.get(FORMAT) is not None and self.spec[FORMAT] != given[FORMAT]:
            added.append(FORMAT_VERSION)
        return dict.fromkeys(added, self.knowledge.place)

    def still_open(self, manifest: OpenFacts) -> frozenset[str]:
        """The facts that ``manifest`` leaves open and nothing that is known tells."""
        if self.knowledge.complete:
            return frozenset()
        return frozenset(
            field for field in manifest.fields if field.partition(".")[0] not in self.knowledge.locked.facts
        )


class KnownFacts:
    """Looks models up in ``locks`` (the repository's own first), then below ``models_root``.

    A block about another URI than the manifest's is of no use; :meth:`stale` gives it.
    """

    def __init__(self, locks: Sequence[Lock] = (), models_root: Path | None = None) -> None:
        self._locks = tuple(locks)
        self._sources = Sources(models_root)
        self._problems: dict[ObjectRef, OmecError] = {}

    def fill(self, catalog: Catalog) -> Catalog:
        """``catalog`` with every model that is known filled."""
        copies = (copy for same in catalog.ambiguous.values() for copy in same)
        return Catalog([*(self._filled(resource) for resource in catalog), *copies])

    def of(self, model: Resource) -> Knowledge | None:
        """What is known about a model whose manifest leaves facts open that OME would fill."""
        return self.about(model) if open_facts(model).fields else None

    def about(self, model: Resource) -> Knowledge | None:
        """What is known about a model, whether or not its manifest needs it."""
        source = source_of(model)
        for lock in self._locks:
            locked = lock.get(model.ref)
            if locked is not None and locked.uri == source.uri:
                return Knowledge(locked, LOCK_NAME)
        return self._read(model, source)

    def stale(self, model: Resource) -> LockedModel | None:
        """The block that a lock has for ``model``, if it is about another URI than the manifest's."""
        uri = source_of(model).uri
        blocks = (locked for lock in self._locks if (locked := lock.get(model.ref)) is not None)
        return next((locked for locked in blocks if locked.uri != uri), None)

    def problem(self, model: Resource) -> OmecError | None:
        """Why the model's directory could not be read, if it has one."""
        return self._problems.get(model.ref)

    def remedy(self, model: Resource) -> str:
        """What to run for a model of which nothing is known."""
        command = f"run omec facts update {key_of(model.ref)}"
        stale = self.stale(model)
        return command if stale is None else f"{LOCK_NAME} has the facts of {stale.uri}: {command}"

    def _filled(self, resource: Resource) -> Resource:
        if resource.kind not in MODEL_KINDS or isinstance(resource, FilledModel):
            return resource
        knowledge = self.of(resource)
        return resource if knowledge is None else FilledModel(resource, knowledge)

    def _read(self, model: Resource, source: ModelSource) -> Knowledge | None:
        directory = self._sources.directory(source)
        if directory is None:
            return None
        try:
            locked, _ = open_directory(directory).locked(source.uri)
        except OmecError as error:
            self._problems[model.ref] = error
            return None
        return Knowledge(locked, str(directory))


def manifest_of(model: Resource) -> Resource:
    """``model`` without what is known beyond its manifest."""
    return model.manifest if isinstance(model, FilledModel) else model


def source_of(model: Resource) -> ModelSource:
    """Where the manifest of ``model`` says that it lives."""
    storage = model.spec.get("storage")
    given = storage if isinstance(storage, dict) else {}
    uri, path = as_text(given.get("storageUri")) or "", as_text(given.get("path")) or ""
    return ModelSource(uri, path, model.namespace or "")


def needs_facts(model: Resource) -> bool:
    """Whether the manifest of ``model`` leaves open what choosing a runtime needs.

    A quantization or a pipeline alone does not count: who described the weights and wrote none has none.
    """
    return bool(open_facts(model).fields - OPTIONAL)


def model_of(uri: str, knowledge: Knowledge) -> FilledModel:
    """A model that no manifest defines, as if a ClusterBaseModel called ``uri`` did, with nothing but that URI."""
    body = {
        "apiVersion": "ome.io/v1beta1",
        "kind": "ClusterBaseModel",
        "metadata": {"name": uri},
        "spec": {"storage": {"storageUri": uri}},
    }
    return FilledModel(Resource("ClusterBaseModel", None, uri, Document(uri, 0, body)), knowledge)
