"""Objects that no single service is rendered into: copies, and what a whole repository gives rise to."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from omec.catalog import Catalog, Resource
from omec.compile.copied import copy_of
from omec.compile.inputs import Object
from omec.compile.provenance.bench import Changes, changed_resource
from omec.compile.provenance.settings_sources import SettingsSources
from omec.compile.provenance.source import Role, Source, of_document, of_resource
from omec.compile.result import Evidence, compile_repository
from omec.resolve.decide import Decider
from omec.resolve.inherit import ChainResolver

_RELATED = {
    "AcceleratorQuota": ("AcceleratorQuota", "AcceleratorClass"),
    "BenchmarkJob": ("InferenceService", "BaseModel", "ClusterBaseModel"),
    "InferenceService": ("InferenceReplica",),
}
"""What the objects of each kind are rendered from beside the object itself."""


_KUEUE = "kueue.x-k8s.io/"
_ALL = 99


class CopyBench:
    """An object that stands in the output as in the source."""

    def __init__(self, resource: Resource, settings: SettingsSources) -> None:
        self._resource = resource
        self._settings = settings
        self._source = of_resource(Role.OBJECT, resource, whole=True)

    @property
    def sources(self) -> Sequence[Source]:
        return self._source, self._settings.toml

    def render(self, changes: Changes) -> list[Object]:
        config, _ = self._settings.changed(changes)
        return [copy_of(changed_resource(self._resource, self._source, changes, config.default_namespace)).body]


class RepositoryBench:
    """What ``owner`` gives rise to in the repository: each experiment compiles all of it."""

    def __init__(self, owner: Resource, decider: Decider, settings: SettingsSources) -> None:
        self._owner = owner
        self._catalog = decider.catalog
        self._settings = settings
        related = _RELATED.get(owner.kind, ())
        near = [r for r in self._catalog if r.kind in related and r.namespace in (None, owner.namespace)]
        self._resources = {of_resource(Role.OBJECT, owner, whole=owner.kind == "BenchmarkJob"): owner}
        self._resources |= {of_resource(Role.RELATED, r): r for r in near if r.ref != owner.ref}
        self._documents = {
            of_document(Role.RELATED, document, document.value, depth=_ALL): document
            for document in settings.others
            if str(document.value.get("apiVersion")).startswith(_KUEUE) and owner.kind == "AcceleratorQuota"
        }

    @property
    def sources(self) -> Sequence[Source]:
        return *self._resources, *self._documents, *self._settings.sources

    def render(self, changes: Changes) -> list[Object]:
        config, others = self._settings.changed(changes)
        changed = {id(document): changes[source] for source, document in self._documents.items() if source in changes}
        others = [item.with_value(changed[id(item)]) if id(item) in changed else item for item in others]
        now = {
            resource.ref: changed_resource(resource, source, changes, config.default_namespace, renamed=True)
            for source, resource in self._resources.items()
        }
        catalog = Catalog([now.get(resource.ref, resource) for resource in self._catalog])
        chains = ChainResolver.of(catalog, config)
        compilation = compile_repository(
            Decider(catalog, chains, config.ome_version), config, Evidence(others=others), progress=_ignore
        )
        owner = now[self._owner.ref].ref
        bodies = [item.body for item in compilation.outputs if item.owner.ref == owner]
        if not bodies:
            raise ValueError(f"{owner} gives rise to nothing")
        return bodies


_ignore: Callable[[str], None] = lambda _: None  # noqa: E731 - nobody watches an experiment
