"""Where experiments are made: sources, and the objects that come of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Protocol, TypeAlias

from omec.catalog import Catalog, Resource
from omec.compile.cluster import cluster_of
from omec.compile.gather import inputs_of
from omec.compile.inputs import Object, Runtime
from omec.compile.operator_source import operator_settings
from omec.compile.provenance.settings_sources import SettingsSources
from omec.compile.provenance.source import Role, Source, of_resource
from omec.compile.render import render
from omec.compile.repository import runtimes_in_use
from omec.resolve.decide import Decision
from omec.resolve.inherit import merged_chain
from omec.resolve.preset import ANNOTATION, SGLANG_PD, FilledRuntime, sglang_pd

Changes: TypeAlias = Mapping[Source, Any]
"""Sources whose value is another one now."""


class Bench(Protocol):
    """Something that renders objects from sources."""

    @property
    def sources(self) -> Sequence[Source]: ...

    def render(self, changes: Changes) -> list[Object]:
        """The objects with ``changes``, in the same order for the same changes; raises whatever rendering raises."""
        ...


class ServiceBench:
    """One InferenceService, with the runtime and the model that were decided for it: they stay whatever changes."""

    def __init__(self, decision: Decision, catalog: Catalog, settings: SettingsSources) -> None:
        assert decision.service is not None
        self._decision = decision
        self._settings = settings
        self._service = of_resource(Role.SERVICE, decision.service)
        self._chain = [_Member(runtime, depth) for depth, runtime in enumerate(runtimes_in_use(decision))]
        self._model = None if decision.model is None else of_resource(Role.MODEL, decision.model)
        self._manifests = {self._service: decision.service}
        if self._model is not None and decision.model is not None:
            self._manifests[self._model] = decision.model
        self._manifests |= {member.source: member.runtime for member in self._chain}
        self._beside = _beside(decision, catalog)
        self._manifests |= self._beside

    @property
    def sources(self) -> Sequence[Source]:
        members = [source for member in self._chain for source in member.sources]
        model = [] if self._model is None else [self._model]
        return self._service, *members, *model, *self._beside, *self._settings.sources

    def render(self, changes: Changes) -> list[Object]:
        config, others = self._settings.changed(changes)
        service = self._now(self._service, changes, config.default_namespace)
        model = None if self._model is None else self._now(self._model, changes, config.default_namespace)
        catalog = Catalog(self._now(source, changes, config.default_namespace) for source in self._beside)
        cluster = cluster_of(config, operator_settings(others, config))
        rendered = render(inputs_of(service, self._runtime(changes, config.default_namespace), model, catalog, cluster))
        return [*rendered.objects, *(item.body for item in rendered.shared)]

    def _runtime(self, changes: Changes, default_namespace: str | None) -> Runtime:
        decision = self._decision
        members = [member.now(changes, default_namespace) for member in self._chain]
        # OME merges the chain of a runtime that the service names; one that it selects is used as it is.
        spec = members[0].spec if decision.named is None else merged_chain(tuple(reversed(members))).spec
        return Runtime(members[0].body["metadata"]["name"], spec or {}, decision.accelerator_entry)

    def _now(self, source: Source, changes: Changes, default_namespace: str | None) -> Resource:
        return changed_resource(self._manifests[source], source, changes, default_namespace)


class _Member:
    """A runtime of the chain, and the preset that it may be filled in from."""

    def __init__(self, runtime: Resource, depth: int) -> None:
        self.runtime = runtime
        own = runtime
        self.preset: Source | None = None
        if runtime.annotations.get(ANNOTATION) == SGLANG_PD:
            own = Resource(runtime.kind, runtime.namespace, runtime.name, runtime.document)
            self.preset = Source(
                Role.PRESET, f"preset {SGLANG_PD}", {"spec": sglang_pd()}, lambda _: own.locate(_PRESET_PATH), own.ref
            )
        self.source = of_resource(Role.PARENT if depth else Role.RUNTIME, own)

    @property
    def sources(self) -> list[Source]:
        return [self.source] if self.preset is None else [self.source, self.preset]

    def now(self, changes: Changes, default_namespace: str | None) -> Resource:
        own = changed_resource(self.runtime, self.source, changes, default_namespace)
        if self.preset is None:
            return own
        from omec.api.shapes import SERVING_RUNTIME_SPEC  # noqa: PLC0415
        from omec.resolve.merge import strategic_merge  # noqa: PLC0415

        preset = changes.get(self.preset, self.preset.value)["spec"]
        return FilledRuntime(own, strategic_merge(SERVING_RUNTIME_SPEC, preset, own.spec))


_PRESET_PATH = ("metadata", "annotations", ANNOTATION)
_BESIDE = {
    "FineTunedWeight": Role.WEIGHT,
    "AcceleratorClass": Role.ACCELERATOR,
    "AutoscalerPolicy": Role.POLICY,
}


def changed_resource(
    resource: Resource, source: Source, changes: Changes, default_namespace: str | None, *, renamed: bool = False
) -> Resource:
    """``resource`` as ``changes`` have it, in the namespace that it says then.

    It is found under the same name, but for ``renamed``.
    """
    value = changes.get(source)
    namespace = resource.namespace
    if namespace is not None:
        written = (source.value if value is None else value)["metadata"].get("namespace")
        namespace = written or default_namespace
        if not namespace:
            raise ValueError(f"{resource.ref} would be in no namespace")
    if value is None and namespace == resource.namespace and not isinstance(resource, FilledRuntime):
        return resource
    body = {**resource.body, **(source.value if value is None else value)}
    name = body["metadata"]["name"] if renamed else resource.name
    return Resource(resource.kind, namespace, name, resource.document.with_value(body))


def _beside(decision: Decision, catalog: Catalog) -> dict[Source, Resource]:
    """What rendering may look up beside the service, its runtime and its model."""
    assert decision.service is not None
    service = decision.service
    found = {
        of_resource(role, resource): resource
        for kind, role in _BESIDE.items()
        for resource in catalog.of_kind(kind)
        if resource.namespace in (None, service.namespace)
    }
    model = service.spec.get("model") or {}
    names = {item.get("name") for item in model.get("overlays") or ()}
    for kind in ("BaseModel", "ClusterBaseModel"):
        for resource in catalog.of_kind(kind):
            if resource.name in names and resource.namespace in (None, service.namespace):
                found[of_resource(Role.MODEL, resource)] = resource
    return found
