"""What is known about models beyond their manifests: from ``omec.lock``, else from a directory on this machine."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from omec.catalog import Catalog, Resource
from omec.errors import OmecError
from omec.facts.lock import LOCK_NAME, Lock, key_of
from omec.facts.locked import LockedModel
from omec.facts.sources import ModelSource, Sources, open_directory
from omec.finding import ObjectRef
from omec.repo.document import Document
from omec.resolve.facts import as_text
from omec.resolve.filled_model import FilledModel, Knowledge, manifest_of
from omec.resolve.open_facts import OPTIONAL, PVC, open_facts

MODEL_KINDS = ("BaseModel", "ClusterBaseModel")


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
        return Catalog([*(self.filled(resource) for resource in catalog), *copies])

    def filled(self, resource: Resource) -> Resource:
        """``resource``, if it is a model that is known, with the spec that it gets in the cluster."""
        if resource.kind not in MODEL_KINDS:
            return resource
        manifest = manifest_of(resource)
        knowledge = self.of(manifest)
        if knowledge is None:
            return manifest
        return FilledModel(manifest, knowledge, by_job=source_of(manifest).uri.startswith(PVC))

    def of(self, manifest: Resource) -> Knowledge | None:
        """What is known about a model whose manifest leaves facts open that OME would fill."""
        return self.about(manifest) if open_facts(manifest).fields else None

    def about(self, manifest: Resource) -> Knowledge | None:
        """What is known about a model, whether or not its manifest needs it."""
        source = source_of(manifest)
        for lock in self._locks:
            locked = lock.get(manifest.ref)
            if locked is not None and locked.uri == source.uri:
                return Knowledge(locked, LOCK_NAME)
        return self._read(manifest, source)

    def stale(self, model: Resource) -> LockedModel | None:
        """The block that a lock has for ``model``, if it is about another URI than the manifest's."""
        uri = source_of(model).uri
        blocks = (locked for lock in self._locks if (locked := lock.get(model.ref)) is not None)
        return next((locked for locked in blocks if locked.uri != uri), None)

    def problem(self, model: Resource) -> OmecError | None:
        """Why the model's directory could not be read, if it has one."""
        return self._problems.get(model.ref)

    def remedy(self, model: Resource) -> str:
        """What to do about a model of which nothing is known."""
        command = f"run omec facts update {key_of(model.ref)}"
        stale = self.stale(model)
        return command if stale is None else f"{LOCK_NAME} has the facts of {stale.uri}: {command}"

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


def source_of(model: Resource) -> ModelSource:
    """Where the manifest of ``model`` says that it lives."""
    storage = model.spec.get("storage")
    given = storage if isinstance(storage, dict) else {}
    uri, path = as_text(given.get("storageUri")) or "", as_text(given.get("path")) or ""
    return ModelSource(uri, path, model.namespace or "")


def needs_facts(manifest: Resource) -> bool:
    """Whether the manifest of a model leaves open what choosing a runtime needs.

    A quantization or a pipeline alone does not count: who described the weights and wrote none has none.
    """
    return bool(open_facts(manifest).fields - OPTIONAL)


def model_at(place: str) -> FilledModel:
    """The model at ``place``, a URI or a directory, as if a ClusterBaseModel of that name had nothing but that URI.

    Its files are read now; raises :class:`OmecError` where that fails.
    """
    opened = Sources().open(ModelSource(place)) if "://" in place else open_directory(Path(place))
    locked, _ = opened.locked(place)
    return model_of(place, Knowledge(locked, opened.place))


def model_of(place: str, knowledge: Knowledge) -> FilledModel:
    """The model that is called ``place`` and is known to be what ``knowledge`` says."""
    body = {
        "apiVersion": "ome.io/v1beta1",
        "kind": "ClusterBaseModel",
        "metadata": {"name": place},
        "spec": {"storage": {"storageUri": place}},
    }
    return FilledModel(Resource("ClusterBaseModel", None, place, Document(place, 0, body)), knowledge)
