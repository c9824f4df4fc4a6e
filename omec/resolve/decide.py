"""Which runtime a model or an InferenceService gets, decided once for every part of omec that asks.

``explain``, the findings and the renderer all read the same :class:`Decision`.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property
from typing import Any

import msgspec
from msgspec.structs import replace

from omec.catalog import Catalog, Resource
from omec.errors import OmecError
from omec.finding import ObjectRef
from omec.resolve import reasons
from omec.resolve.admission import (
    ADMITTED,
    Admission,
    admit_named,
    admit_selected,
    admit_without_model,
    claim_elsewhere,
    has_complete_runner,
    is_disabled,
    revision_refusal,
)
from omec.resolve.candidates import Candidates
from omec.resolve.facts import ModelFacts
from omec.resolve.inherit import ChainResolver
from omec.resolve.match import NO_DEMANDS, Demands, RuntimeMatcher
from omec.resolve.memory import Memory
from omec.resolve.open_facts import FORMAT, open_facts
from omec.resolve.reference import (
    BASE_MODEL,
    CLUSTER_MODEL,
    NamedRuntime,
    Reference,
    Validation,
    find_known_model,
    find_served_model,
    resolve_named,
    validate_named,
)
from omec.resolve.select import ErrorKind, Selection

LATEST_ANSWERS = 16


class _Outcome(msgspec.Struct, frozen=True):
    """OME's error about a service, ``None`` for none."""

    error: str | None = None
    error_kind: str | None = None


class Decision(msgspec.Struct, frozen=True, dict=True):
    """The runtime of one model or service, and everything that led to it.

    ``service`` is ``None`` where only a model was asked about. ``model`` is ``None`` where the service has none
    (``model_reference`` is ``None`` too) or names one that does not exist or is ambiguous.
    """

    namespace: str
    candidates: Candidates
    service: Resource | None = None
    model_reference: Reference | None = None
    model: Resource | None = None
    ambiguous_model: ObjectRef | None = None
    demands: Demands = NO_DEMANDS
    facts: ModelFacts | None = None
    named: NamedRuntime | None = None
    validation: Validation | None = None
    known_model: Resource | None = None
    """The model that the webhook judges the service by: that of the namespace first, whatever kind is named."""

    @cached_property
    def selection(self) -> Selection | None:
        """What automatic selection makes of the given facts, hypothetical beside a ``named`` runtime."""
        if self.facts is None:
            return None
        return Selection(self.facts, self.namespace, self.candidates.visible_from(self.namespace), self.demands)

    @property
    def automatic(self) -> Resource | None:
        """The runtime that automatic selection picks."""
        chosen = None if self.selection is None else self.selection.selected
        return None if chosen is None else chosen.resource

    @cached_property
    def awaits_format(self) -> bool:
        """Whether all that stands against the named runtime is a format that OME has yet to read from the weights."""
        return (
            self.error_kind == ErrorKind.MODEL_VALIDATION
            and self.named is not None
            and self.model is not None
            and FORMAT in open_facts(self.model).fields
        )

    @property
    def selected(self) -> Resource | None:
        """The runtime that the service gets, ``None`` where it gets none.

        A service that names its runtime gets it although OME refuses the model until it has read its format.
        """
        return None if self.matcher is None else self.matcher.resource

    @cached_property
    def matcher(self) -> RuntimeMatcher | None:
        """The selected runtime with the spec that OME uses: merged for a named one, its own for a selected one."""
        if self.error_kind is not None and not self.awaits_format:
            return None
        if self.named is not None:
            return None if self.named.disabled else self.named.matcher
        chosen = None if self.selection is None else self.selection.selected
        return None if chosen is None else chosen.runtime

    @property
    def spec(self) -> dict[str, Any] | None:
        """The runtime spec that OME renders: merged for a named runtime, the runtime's own for a selected one."""
        if self.matcher is None:
            return None
        return self.matcher.resource.spec if self.named is None else self.named.spec

    @property
    def accelerator_entry(self) -> int | None:
        """The index of the entry whose ``acceleratorConfig`` applies; a service without a model has none."""
        if self.matcher is None or self.facts is None:
            return None
        return self.matcher.accelerator_entry(self.facts, named=self.named is not None)

    @cached_property
    def _outcome(self) -> _Outcome | Validation | NamedRuntime | Selection:
        """Whatever says why the service gets no runtime; a text that lists runtimes is made when it is read."""
        if self.model_reference is not None and self.model is None:
            return _Outcome(
                reasons.model_not_found(self.model_reference.name, self.namespace), ErrorKind.MODEL_NOT_FOUND
            )
        if self.service is not None and self.model is not None and is_disabled(self.model):
            return _Outcome(reasons.model_disabled(self.model.name), ErrorKind.MODEL_DISABLED)
        if self.validation is not None:
            return _Outcome() if self.validation.advisory else self.validation
        if self.named is not None:
            if self.named.error is None and self.named.disabled:
                return _Outcome(self.named.disabled_error, ErrorKind.RUNTIME_DISABLED)
            return self.named
        if self.selection is None:
            fronting = self.service is not None and isinstance(self.service.spec.get("replicaRefs"), dict)
            return _Outcome() if fronting else _Outcome(reasons.NOTHING_NAMED, ErrorKind.NOTHING_NAMED)
        return self.selection

    @property
    def error(self) -> str | None:
        """OME's own text where the service gets no runtime."""
        return self._outcome.error

    @property
    def error_kind(self) -> str | None:
        return self._outcome.error_kind

    @property
    def advisory(self) -> str | None:
        """The compatibility text of a named runtime that does not declare support for the model."""
        if self.error_kind is not None or self.validation is None or not self.validation.advisory:
            return None
        return self.validation.error

    @cached_property
    def admission(self) -> Admission:
        """The webhook's answer about model and runtime."""
        if self.service is None:
            assert self.model is not None
            assert self.selection is not None
            return admit_selected(self.model.name, self.selection)
        if self.model_reference is None:
            return admit_without_model(self.service.spec, self.named)
        if self.model is None or self.known_model is None:
            return Admission.refused(reasons.model_not_found(self.model_reference.name, self.namespace))
        judged = self
        if self.known_model is not self.model:
            facts = ModelFacts.of(self.known_model.spec)
            validation = validate_named(self.named, facts, self.demands) if self.named is not None else None
            judged = replace(self, model=self.known_model, facts=facts, validation=validation)
        return judged._admission(self.service)

    def _admission(self, service: Resource) -> Admission:
        assert self.model is not None
        if self.named is not None and (refused := revision_refusal(self.named.reference, self.namespace)) is not None:
            return Admission.refused(refused)
        if (refused := claim_elsewhere(self.model, self.namespace)) is not None:
            return Admission.refused(refused)
        if not isinstance(service.spec.get("engine"), dict):
            return ADMITTED
        if is_disabled(self.model):
            return Admission.refused(reasons.model_disabled(self.model.name))
        if self.named is not None and self.validation is not None:
            return admit_named(self.model.name, self.named.reference.name, self.validation)
        if has_complete_runner(service.spec) or self.selection is None:
            return ADMITTED
        return admit_selected(self.model.name, self.selection)

    @property
    def event(self) -> dict[str, str] | None:
        """The advisory event of OME's controller; a pinned service gets none."""
        if self.advisory is None or self.model is None or self.named is None or not self.named.reference.auto_sync:
            return None
        message = reasons.undeclared_support_event(self.named.reference.name, self.model.name, self.advisory)
        return {"reason": "RuntimeCompatibilityAdvisory", "message": message}


class Decider:
    """Decides for the models and services of one catalog; parses every runtime once.

    ``candidates`` are those of the catalog unless they are given. ``latest`` keeps the last few large answers for those
    who ask again.
    """

    def __init__(
        self,
        catalog: Catalog,
        chains: ChainResolver,
        ome_version: str = "1.3",
        candidates: Candidates | None = None,
    ) -> None:
        self._candidates = candidates
        self.catalog = catalog
        self.chains = chains
        self.ome_version = ome_version
        self.latest = Memory(LATEST_ANSWERS)

    @cached_property
    def candidates(self) -> Candidates:
        return self._candidates or Candidates(self.catalog)

    def model(self, name: str, namespace: str) -> Decision:
        """What a service of ``namespace`` with nothing but that model would get.

        Raises :class:`OmecError` with the API server's text where there is no such model.
        """
        lookup = find_known_model(self.catalog, name, namespace)
        if lookup.ambiguous is not None:
            raise OmecError(
                f"{lookup.ambiguous} is defined more than once", hint="keep one of the definitions", code="OME041"
            )
        if lookup.resource is None:
            raise OmecError(
                reasons.api_not_found("clusterbasemodels", name),
                hint=_no_such_model(namespace),
                code="OME041",
            )
        return self.model_resource(lookup.resource, namespace)

    def model_resource(self, model: Resource, namespace: str) -> Decision:
        """As :meth:`model`, for an object at hand."""
        reference, facts = Reference(model.name, model.kind), ModelFacts.of(model.spec)
        return Decision(namespace, self.candidates, model_reference=reference, model=model, facts=facts)

    def service(self, service: Resource) -> Decision:
        """What an InferenceService gets."""
        spec, namespace = service.spec, service.namespace or ""
        demands = Demands.of(spec, service.annotations)
        reference = Reference.of(spec, "runtime")
        named = (
            resolve_named(self.catalog, self.chains, reference, namespace, self.ome_version)
            if reference is not None
            else None
        )
        model_reference = Reference.of(spec, "model")
        decision = Decision(namespace, self.candidates, service, model_reference, demands=demands, named=named)
        if model_reference is None:
            return decision
        known = find_known_model(self.catalog, model_reference.name, namespace)
        served = find_served_model(self.catalog, model_reference, namespace) or known
        if served.resource is None:
            return replace(decision, ambiguous_model=served.ambiguous)
        return self._about(replace(decision, known_model=known.resource), served.resource)

    def services(self) -> tuple[Decision, ...]:
        """The decisions of all InferenceServices, by namespace and name."""
        return self._services

    @cached_property
    def _services(self) -> tuple[Decision, ...]:
        return tuple(self.service(service) for service in self.catalog.of_kind("InferenceService"))

    def models(self, namespace: str = "") -> Iterable[tuple[Resource, Decision]]:
        """Every model with its decision; a ClusterBaseModel as seen from ``namespace``."""
        for kind in (BASE_MODEL, CLUSTER_MODEL):
            for model in self.catalog.of_kind(kind):
                yield model, self.model_resource(model, model.namespace or namespace)

    def _about(self, decision: Decision, model: Resource) -> Decision:
        """``decision`` with ``model``, and the named runtime checked against it."""
        facts = ModelFacts.of(model.spec)
        named = decision.named
        validation = validate_named(named, facts, decision.demands) if named is not None else None
        return replace(decision, model=model, facts=facts, validation=validation)


def _no_such_model(namespace: str) -> str:
    if not namespace:
        return "no ClusterBaseModel has that name; for a BaseModel, name its namespace with -n"
    return f"neither a BaseModel in namespace {namespace} nor a ClusterBaseModel has that name"
