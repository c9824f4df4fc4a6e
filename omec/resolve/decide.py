"""Which runtime a model or an InferenceService gets, decided once for every part of omec that asks.

``explain``, the findings and the renderer all read the same :class:`Decision`.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from omec.catalog import Catalog, Resource
from omec.errors import OmecError
from omec.resolve import reasons
from omec.resolve.admission import (
    ADMITTED,
    Admission,
    admit_named,
    admit_selected,
    admit_without_model,
    has_complete_runner,
)
from omec.resolve.facts import ModelFacts
from omec.resolve.inherit import ChainResolver
from omec.resolve.match import NO_DEMANDS, Demands, RuntimeMatcher
from omec.resolve.reference import (
    BASE_MODEL,
    CLUSTER_MODEL,
    Lookup,
    NamedRuntime,
    Reference,
    Validation,
    find_known_model,
    find_served_model,
    resolve_named,
    validate_named,
)
from omec.resolve.select import Candidates, Selection, select


@dataclass(frozen=True)
class Decision:
    """The runtime of one model or service, and everything that led to it.

    ``service`` is ``None`` where only a model was asked about. ``model`` is ``None`` where the service has none
    (``model_reference`` is ``None`` too) or names one that does not exist or is ambiguous. ``selection`` is what
    automatic selection makes of the given facts, hypothetical beside a ``named`` runtime.
    """

    namespace: str
    service: Resource | None = None
    model_reference: Reference | None = None
    model: Resource | None = None
    ambiguous_model: bool = False
    demands: Demands = NO_DEMANDS
    selection: Selection | None = None
    named: NamedRuntime | None = None
    validation: Validation | None = None
    admission: Admission = ADMITTED

    @property
    def facts(self) -> ModelFacts | None:
        return None if self.selection is None else self.selection.model

    @property
    def automatic(self) -> Resource | None:
        """The runtime that automatic selection picks."""
        chosen = None if self.selection is None else self.selection.selected
        return None if chosen is None else chosen.resource

    @property
    def selected(self) -> Resource | None:
        """The runtime that the service gets, ``None`` where it gets none."""
        if self.error is not None:
            return None
        return self.automatic if self.named is None else self.named.resource

    @property
    def matcher(self) -> RuntimeMatcher | None:
        """The selected runtime with the spec that OME uses: merged for a named one, its own for a selected one."""
        if self.error is not None:
            return None
        if self.named is not None:
            return self.named.matcher
        chosen = None if self.selection is None else self.selection.selected
        return None if chosen is None else chosen.runtime

    @property
    def spec(self) -> dict[str, Any] | None:
        """The runtime spec that OME renders: merged for a named runtime, the runtime's own for a selected one."""
        if self.error is not None:
            return None
        if self.named is not None:
            return self.named.spec
        return None if self.automatic is None else self.automatic.spec

    @property
    def accelerator_entry(self) -> int | None:
        """The index of the entry whose ``acceleratorConfig`` applies; a service without a model has none."""
        if self.matcher is None or self.facts is None:
            return None
        return self.matcher.accelerator_entry(self.facts, named=self.named is not None)

    @cached_property
    def _error(self) -> tuple[str, str | None] | None:
        if self.model_reference is not None and self.model is None:
            return reasons.model_not_found(self.model_reference.name, self.namespace), "ModelNotFound"
        if self.service is not None and self.model is not None and is_disabled(self.model):
            return reasons.model_disabled(self.model.name), "ModelDisabled"
        if self.validation is not None:
            if self.validation.error is None or self.validation.advisory:
                return None
            return self.validation.error, self.validation.error_kind
        if self.named is not None:
            if self.named.error is None and self.named.disabled:
                return self.named.disabled_error, "RuntimeDisabled"
            return None if self.named.error is None else (self.named.error, self.named.error_kind)
        if self.selection is None:
            fronting = self.service is not None and isinstance(self.service.spec.get("replicaRefs"), dict)
            return None if fronting else (reasons.NOTHING_NAMED, "NothingNamed")
        return None if self.selection.error is None else (self.selection.error, self.selection.error_kind)

    @property
    def error(self) -> str | None:
        """OME's own text where the service gets no runtime."""
        return None if self._error is None else self._error[0]

    @property
    def error_kind(self) -> str | None:
        return None if self._error is None else self._error[1]

    @property
    def advisory(self) -> str | None:
        """The compatibility text of a named runtime that does not declare support for the model."""
        if self.error is not None or self.validation is None or not self.validation.advisory:
            return None
        return self.validation.error

    @property
    def event(self) -> dict[str, str] | None:
        """The advisory event of OME's controller; a pinned service gets none."""
        if self.advisory is None or self.model is None or self.named is None or not self.named.reference.auto_sync:
            return None
        message = reasons.undeclared_support_event(self.named.reference.name, self.model.name, self.advisory)
        return {"reason": "RuntimeCompatibilityAdvisory", "message": message}


class Decider:
    """Decides for the models and services of one catalog; parses every runtime once."""

    def __init__(self, catalog: Catalog, chains: ChainResolver, ome_version: str = "1.3") -> None:
        self.catalog = catalog
        self.chains = chains
        self.ome_version = ome_version

    @cached_property
    def candidates(self) -> Candidates:
        return Candidates(self.catalog)

    def model(self, name: str, namespace: str) -> Decision:
        """What a service of ``namespace`` with nothing but that model would get.

        Raises :class:`OmecError` with the API server's text where there is no such model.
        """
        lookup = find_known_model(self.catalog, name, namespace)
        if lookup.ambiguous is not None:
            raise OmecError(
                f"{lookup.ambiguous} is defined more than once", hint="keep one of the definitions", code="OME020"
            )
        if lookup.resource is None:
            raise OmecError(
                reasons.api_not_found("clusterbasemodels", name),
                hint=f"neither a BaseModel in namespace {namespace} nor a ClusterBaseModel has that name",
                code="OME020",
            )
        return self.model_resource(lookup.resource, namespace)

    def model_resource(self, model: Resource, namespace: str) -> Decision:
        """As :meth:`model`, for an object at hand."""
        selection = self._select(model, namespace, NO_DEMANDS)
        return Decision(
            namespace,
            model_reference=Reference(model.name, model.kind),
            model=model,
            selection=selection,
            admission=admit_selected(model.name, selection),
        )

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
        decision = Decision(namespace, service, model_reference, demands=demands, named=named)
        if model_reference is None:
            return replace(decision, admission=admit_without_model(spec, named))
        known = find_known_model(self.catalog, model_reference.name, namespace)
        served = find_served_model(self.catalog, model_reference, namespace) or known
        if served.resource is None:
            refused = Admission.refused(reasons.model_not_found(model_reference.name, namespace))
            return replace(decision, ambiguous_model=served.ambiguous is not None, admission=refused)
        decision = self._judged(decision, served.resource)
        judged = decision if known.resource in (None, served.resource) else self._judged(decision, known.resource)
        return replace(decision, admission=_admission(judged, known))

    def services(self) -> list[Decision]:
        """The decisions of all InferenceServices, by namespace and name."""
        return [self.service(service) for service in self.catalog.of_kind("InferenceService")]

    def models(self, namespace: str = "") -> Iterable[tuple[Resource, Decision]]:
        """Every model with its decision; a ClusterBaseModel as seen from ``namespace``."""
        for kind in (BASE_MODEL, CLUSTER_MODEL):
            for model in self.catalog.of_kind(kind):
                yield model, self.model_resource(model, model.namespace or namespace)

    def _judged(self, decision: Decision, model: Resource) -> Decision:
        """``decision`` with what selection and validation make of ``model``."""
        selection = self._select(model, decision.namespace, decision.demands)
        validation = (
            validate_named(decision.named, selection.model, decision.demands) if decision.named is not None else None
        )
        return replace(decision, model=model, selection=selection, validation=validation)

    def _select(self, model: Resource, namespace: str, demands: Demands) -> Selection:
        return select(ModelFacts.of(model.spec), namespace, self.candidates.visible_from(namespace), demands)


def _admission(decision: Decision, known: Lookup) -> Admission:
    """The webhook's answer to a service with a model; ``decision`` is about the model that the webhook looks at."""
    service, model = decision.service, decision.model
    assert service is not None
    assert model is not None
    reference = Reference.of(service.spec, "runtime")
    if reference is not None and reference.revision is not None and reference.auto_sync:
        return Admission.refused(reasons.REVISION_NEEDS_PIN)
    if known.resource is None:
        return Admission.refused(reasons.model_not_found(model.name, decision.namespace))
    if not isinstance(service.spec.get("engine"), dict):
        return ADMITTED
    if is_disabled(model):
        return Admission.refused(reasons.model_disabled(model.name))
    if decision.named is not None and decision.validation is not None:
        return admit_named(model.name, decision.named.reference.name, decision.validation)
    if has_complete_runner(service.spec) or decision.selection is None:
        return ADMITTED
    return admit_selected(model.name, decision.selection)


def is_disabled(model: Resource) -> bool:
    return model.spec.get("disabled") is True
