"""What lint rules look at: the repository, its inheritance chains and its decisions."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any

import msgspec

from omec.api.kinds import MODEL_KINDS, RUNTIME_KINDS
from omec.catalog import Catalog, Resource
from omec.compile.cluster import Cluster
from omec.compile.names import COMPONENTS
from omec.finding import FieldPath, ObjectRef, Related
from omec.lint.renderings import Rendering
from omec.repo.config import Config
from omec.repo.document import Document
from omec.repo.objects import object_ref
from omec.resolve.decide import Decider, Decision

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from omec.api.secrets import Secret
    from omec.lint.pods.view import Pod, Use
    from omec.lint.rules.exposure.annotations import Annotated
    from omec.lint.rules.models.storage import Stored
    from omec.repo.secrets import Found
    from omec.resolve.inherit import Chain
    from omec.resolve.match import RuntimeMatcher


class Context:
    """A repository as rules see it: only objects that omec reports about, and none that is faulty by itself.

    A rule looks an object up in ``catalog``, which has those of other catalogs too. ``others`` are the documents that
    are no ome.io objects, ``faulty`` the objects that have an error by themselves, ``renderings`` the services as
    ``cluster`` would run them. What several rules need is worked out here, once, when the first of them asks.
    """

    def __init__(
        self,
        catalog: Catalog,
        decider: Decider,
        config: Config,
        others: Sequence[Document] = (),
        faulty: Collection[ObjectRef | None] = (),
        *,
        cluster: Cluster | None = None,
        secrets: Callable[[], Found] = tuple,
    ) -> None:
        self.catalog = catalog
        self.decider = decider
        self.chains = decider.chains
        self.config = config
        self.others = others
        self._secrets = secrets
        self.cluster = cluster or Cluster()
        self.renderings: list[Rendering] = []
        self.faulty = frozenset(faulty)

    def of_kind(self, *kinds: str) -> tuple[Resource, ...]:
        """The objects of these kinds, kind by kind, each by namespace and name."""
        found = (resource for kind in kinds for resource in self.catalog.of_kind(kind))
        return tuple(resource for resource in found if not resource.context and resource.ref not in self.faulty)

    def is_sound(self, chain: Chain) -> bool:
        """Whether the chain gives a spec, and no member has an error of its own that makes its fields doubtful."""
        return chain.error is None and not any(runtime.ref in self.faulty for runtime in chain.runtimes)

    @cached_property
    def secrets(self) -> tuple[tuple[Resource, Secret], ...]:
        """Every secret in plain text, with the object that it stands in, whatever kind that is."""
        found = self._secrets()
        if not found:
            return ()
        copies = (copy for same in self.catalog.ambiguous.values() for copy in same)
        known = {id(resource.document): resource for resource in (*self.catalog, *copies)}
        return tuple((known.get(id(document)) or resource_of(document), secret) for document, secret in found)

    @cached_property
    def runtimes(self) -> tuple[Resource, ...]:
        """Every ServingRuntime and ClusterServingRuntime."""
        return self.of_kind(*RUNTIME_KINDS)

    @cached_property
    def matchers(self) -> tuple[RuntimeMatcher, ...]:
        """The runtimes as automatic selection sees them, each by its own spec."""
        own = {runtime.ref for runtime in self.runtimes}
        return tuple(self.decider.candidates.among(own))

    @cached_property
    def entries(self) -> tuple[tuple[Resource, int, dict[str, Any]], ...]:
        """The ``supportedModelFormats`` of all runtimes as written: runtime, index, entry."""
        return tuple(
            (runtime, index, entry)
            for runtime in self.runtimes
            for index, entry in enumerate(spec_of(runtime).get("supportedModelFormats") or ())
            if isinstance(entry, dict)
        )

    @cached_property
    def models(self) -> tuple[Resource, ...]:
        """Every BaseModel and ClusterBaseModel."""
        return self.of_kind(*MODEL_KINDS)

    @cached_property
    def stored_models(self) -> tuple[Stored, ...]:
        """Every model that says where its files are."""
        from omec.lint.rules.models.storage import stored_models  # noqa: PLC0415 - only rules about models ask

        return tuple(stored_models(self.models))

    @cached_property
    def annotated(self) -> tuple[Annotated, ...]:
        """Every mapping of annotations that OME reads."""
        from omec.lint.rules.exposure.annotations import annotated  # noqa: PLC0415 - only rules about annotations ask

        return tuple(annotated((*self.services, *self.runtimes)))

    @cached_property
    def services(self) -> tuple[Resource, ...]:
        """Every InferenceService."""
        return self.of_kind("InferenceService")

    @cached_property
    def uses(self) -> tuple[Use, ...]:
        """What each InferenceService certainly gets."""
        from omec.lint.pods.build import use_of  # noqa: PLC0415 - only rules about pods ask

        found = (use_of(self.decision_of(service)) for service in self.services)
        return tuple(use for use in found if use is not None and self._is_usable(use))

    def _is_usable(self, use: Use) -> bool:
        """Whether the model is in order; what rules ask of the runtime has no pods where it is not."""
        return use.model is None or use.model.ref not in self.faulty

    def decision_of(self, service: Resource) -> Decision:
        """The runtime of the service and why; as rendering has decided it, where that came first."""
        return self._rendered.get(service.ref) or self.decider.service(service)

    @cached_property
    def _rendered(self) -> dict[ObjectRef, Decision]:
        decisions = (rendering.decision for rendering in self.renderings)
        return {decision.service.ref: decision for decision in decisions if decision.service is not None}

    @cached_property
    def runtime_pods(self) -> dict[Resource, tuple[Pod, ...]]:
        """The pods that each runtime alone would give, those of profiles included."""
        from omec.lint.pods.build import runtime_pods  # noqa: PLC0415

        return runtime_pods(self)

    @cached_property
    def pods(self) -> tuple[Pod, ...]:
        """The pods of every runtime, then those of every InferenceService that changes its runtime's."""
        from omec.lint.pods.build import service_pods  # noqa: PLC0415

        by_runtime = self.runtime_pods
        return (*(pod for pods in by_runtime.values() for pod in pods), *service_pods(self, by_runtime))

    def pods_of(self, use: Use) -> list[Pod]:
        """The pods that a service gets: its own where it changes them, else those of its runtime."""
        own = self._own_pods.get(use.service.ref, [])
        changed = {(pod.name, pod.role) for pod in own}
        inherited = () if use.runtime is None else self.runtime_pods.get(use.runtime, ())
        wanted = [pod for pod in inherited if isinstance(use.service.spec.get(pod.name), dict)]
        return own + [pod for pod in wanted if (pod.name, pod.role) not in changed]

    @cached_property
    def _own_pods(self) -> dict[ObjectRef, list[Pod]]:
        found: dict[ObjectRef, list[Pod]] = {}
        for pod in self.pods:
            if pod.origin.use is not None:
                found.setdefault(pod.origin.use.service.ref, []).append(pod)
        return found

    @cached_property
    def unrendered_pods(self) -> tuple[Pod, ...]:
        """The pods that no service has which was rendered: what rendering says of the others is told already."""
        rendered = {
            (decision.selected.ref, name)
            for decision in (rendering.decision for rendering in self.renderings)
            if decision.selected is not None and decision.service is not None
            for name in COMPONENTS
            if isinstance(decision.service.spec.get(name), dict)
        }
        return tuple(
            pod for pod in self.pods if pod.origin.use is None and (pod.origin.owner.ref, pod.name) not in rendered
        )

    @cached_property
    def concrete_pods(self) -> tuple[Pod, ...]:
        """The pods that could run: without those of disabled runtimes, to which a child may add what they lack."""
        return tuple(pod for pod in self.pods if not pod.abstract)


def resource_of(document: Document) -> Resource:
    """An object that the catalog does not know."""
    ref = object_ref(document.value) or ObjectRef(str(document.value.get("kind")), None, "")
    return Resource(ref.kind, ref.namespace, ref.name, document)


class Fault(msgspec.Struct, frozen=True):
    """One place that breaks a rule: ``field`` of ``resource`` (its key with ``key``), and what is wrong there.

    ``message`` is one sentence without a period; ``help`` says how to fix this very case (default: the rule's fix).
    """

    resource: Resource
    field: FieldPath
    message: str
    help: str = ""
    related: tuple[Related, ...] = ()
    key: bool = False


def judged(pods: Iterable[Pod], judge: Callable[[Pod], Iterable[Fault]]) -> Iterator[Fault]:
    """The faults of ``pods``; of those of an InferenceService, the faults that its runtime does not have by itself."""
    for pod in pods:
        faults = judge(pod)
        if pod.base is not None:
            faults = list(faults)
            known = {fault.message for fault in judge(pod.base)} if faults else ()
            faults = [fault for fault in faults if fault.message not in known]
        yield from faults


def spec_of(resource: Resource) -> dict[str, Any]:
    """The spec as written, ``{}`` where there is none: for what the schema has no defaults for."""
    spec = resource.body.get("spec")
    return spec if isinstance(spec, dict) else {}
