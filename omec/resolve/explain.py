"""Why a model or an InferenceService gets its runtime: the record behind ``omec explain`` and the Python API."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec

from omec.catalog import Resource
from omec.finding import ObjectRef
from omec.resolve import reasons
from omec.resolve.admission import Admission
from omec.resolve.candidates import Verdicts
from omec.resolve.decide import Decider, Decision
from omec.resolve.filled_model import FilledModel
from omec.resolve.match import Demands
from omec.resolve.misses import nearest_misses as _nearest_misses
from omec.resolve.open_facts import FACTS, FORMAT_VERSION, OpenFacts, open_facts
from omec.resolve.reference import SERVING_RUNTIME
from omec.resolve.select import ErrorKind
from omec.resolve.table import format_table
from omec.resolve.unknown import UnknownFact, undetermined, unknown_for_runtime

HEADERS = ("RUNTIME", "SCOPE", "COMPATIBLE", "PRIORITY", "WEIGHT", "REASON")


class RuntimeRow(msgspec.Struct, frozen=True):
    """One candidate of automatic selection.

    ``rank`` counts from 1 and is ``None`` for a runtime that cannot be chosen; ``reasons`` then says why not.
    ``priority`` and ``weight`` are those of the first matching entry, ``unknown`` the open facts of the model that the
    verdict hangs on.
    """

    name: str
    kind: str
    namespace: str | None
    compatible: bool
    auto_selectable: bool
    rank: int | None
    score: int | None
    priority: int | None
    weight: int | None
    reasons: tuple[str, ...]
    warnings: tuple[str, ...]
    unknown: tuple[str, ...]

    def to_dict(self) -> dict[str, Any]:
        return {
            "name": self.name,
            "kind": self.kind,
            "namespace": self.namespace,
            "compatible": self.compatible,
            "autoSelectable": self.auto_selectable,
            "rank": self.rank,
            "score": self.score,
            "priority": self.priority,
            "weight": self.weight,
            "reasons": list(self.reasons),
            "warnings": list(self.warnings),
            "unknown": list(self.unknown),
        }


class Explanation(msgspec.Struct, frozen=True):
    """OME's answer on the given facts, and what it rests on.

    ``selected`` is the runtime that the service gets, ``automatic`` what automatic selection picks (hypothetical beside
    a named runtime). ``runtimes`` are in ranking order, then the skipped, then the excluded ones. ``named`` is what
    ``spec.runtime`` resolves to, with its ``disabled``; ``facts_from`` says where each given fact stands. ``undecided``
    is set where the facts that OME has yet to read from the weights could change the answer.
    """

    model: ObjectRef | None
    namespace: str
    selected: ObjectRef | None
    automatic: ObjectRef | None
    error: str | None
    error_kind: str | None
    advisory: str | None
    event: dict[str, str] | None
    warnings: tuple[str, ...]
    runtimes: tuple[RuntimeRow, ...]
    named: dict[str, Any] | None
    admission: Admission
    accelerator_entry: int | None
    facts_from: dict[str, str]
    decision: Decision
    service: ObjectRef | None = None
    undecided: UnknownFact | None = None

    def to_dict(self) -> dict[str, Any]:
        """The record as the JSON format prints it."""
        return {
            "service": _named(self.service),
            "model": _named(self.model),
            "namespace": self.namespace,
            "selected": _named(self.selected),
            "automatic": _named(self.automatic),
            "error": self.error,
            "errorKind": self.error_kind,
            "advisory": self.advisory,
            "event": self.event,
            "warnings": list(self.warnings),
            "runtimes": [row.to_dict() for row in self.runtimes],
            "named": self.named,
            "admission": self.admission.to_dict(),
            "acceleratorEntry": self.accelerator_entry,
            "factsFrom": self.facts_from,
            "undecided": list(self.undecided.fields) if self.undecided else [],
        }


def explain_model(decider: Decider, name: str, namespace: str) -> Explanation:
    """The record for a model as seen from ``namespace``; raises :class:`OmecError` where there is no such model."""
    return explain(decider, decider.model(name, namespace))


def explain_service(decider: Decider, service: Resource) -> Explanation:
    """The record for an InferenceService."""
    return explain(decider, decider.service(service))


def explain_all(decider: Decider) -> Iterator[Explanation]:
    """The records of every model (from its own namespace, a ClusterBaseModel from none) and every service."""
    for _, decision in decider.models():
        yield explain(decider, decision)
    for decision in decider.services():
        yield explain(decider, decision)


def explain(decider: Decider, decision: Decision) -> Explanation:
    """The record of a decision."""
    facts = open_facts(decision.model) if decision.model is not None else None
    return Explanation(
        model=None if decision.model is None else decision.model.ref,
        namespace=decision.namespace,
        selected=None if decision.selected is None else decision.selected.ref,
        automatic=None if decision.automatic is None else decision.automatic.ref,
        error=decision.error,
        error_kind=decision.error_kind,
        advisory=decision.advisory,
        event=decision.event,
        warnings=_warnings(decision),
        runtimes=() if facts is None else _rows(decider, decision, facts),
        named=_resolved(decision),
        admission=decision.admission,
        accelerator_entry=decision.accelerator_entry,
        facts_from={} if decision.model is None else facts_from(decision.model),
        service=None if decision.service is None else decision.service.ref,
        undecided=undetermined(decider, decision),
        decision=decision,
    )


def facts_from(model: Resource) -> dict[str, str]:
    """Where each fact that the manifest of ``model`` gives stands: field -> ``models/llama.yaml:12``."""
    places = {}
    for fact in FACTS:
        known = model.facts_from.get(fact) if isinstance(model, FilledModel) else None
        if known is not None:
            places[fact] = known
        elif fact != FORMAT_VERSION and model.spec.get(fact) is not None:
            position = model.locate(("spec", fact), key=True)
            places[fact] = f"{position.path}:{position.line}" if position.line else position.path
    return places


def render_table(explanation: Explanation, width: int = 80) -> str:
    """The table of ``kubectl ome runtime explain``; nothing where that command prints none."""
    rows = sorted(explanation.runtimes, key=_table_order)
    return format_table(HEADERS, [_cells(row) for row in rows], width) if rows else ""


def no_table_reason(explanation: Explanation) -> str | None:
    """What ``kubectl ome runtime explain`` says where it prints no table."""
    if explanation.service is not None and explanation.decision.model_reference is None:
        return reasons.service_without_model(explanation.service.name)
    if explanation.error_kind in (ErrorKind.MODEL_VALIDATION, ErrorKind.MODEL_NOT_FOUND):
        return explanation.error
    return None if explanation.runtimes else reasons.NO_RUNTIMES


def nearest_misses(explanation: Explanation) -> list[str]:
    """What would have to change for the runners-up to be chosen, a line each."""
    return _nearest_misses(explanation.decision)


def unknown_notes(explanation: Explanation) -> list[str]:
    """What the manifest leaves to the weights, as far as the answer hangs on it, a line each."""
    undecided = explanation.undecided
    if undecided is None:
        return []
    notes = [f"{fact}: OME reads it from the model's files" for fact in undecided.fields]
    if example := undecided.example:
        notes.append(f"for example, with {example}, {undecided.outcome}")
    return notes


def _rows(decider: Decider, decision: Decision, facts: OpenFacts) -> tuple[RuntimeRow, ...]:
    """The rows about a model; all of a catalog's services may use one, and each answer is as long as the catalog."""
    if decision.selection is None:
        return ()
    judged = decision.selection.judged
    question = ("rows", facts.key, judged.pool, decision.demands)
    return decider.latest(question, lambda: tuple(_judged_rows(judged, facts, decision.demands)))


def _judged_rows(judged: Verdicts, facts: OpenFacts, demands: Demands) -> Iterator[RuntimeRow]:
    for place, verdict in enumerate(judged.all, start=1):
        selectable, entry = verdict.auto_selectable, verdict.entry if verdict.compatible else None
        skipped = verdict.skip_reason
        yield RuntimeRow(
            name=verdict.resource.name,
            kind=verdict.resource.kind,
            namespace=verdict.resource.namespace,
            compatible=verdict.compatible,
            auto_selectable=selectable,
            rank=place if selectable else None,
            score=verdict.score if verdict.compatible else None,
            priority=None if entry is None else entry.effective_priority,
            weight=None if entry is None else entry.shown_weight,
            reasons=() if skipped is None else (skipped,),
            warnings=verdict.warnings,
            unknown=unknown_for_runtime(facts, verdict.runtime, demands),
        )


def _resolved(decision: Decision) -> dict[str, Any] | None:
    named = decision.named
    if named is None or named.resource is None or named.error is not None:
        return None
    return {"name": named.resource.name, "kind": named.resource.kind, "disabled": named.disabled}


def _warnings(decision: Decision) -> tuple[str, ...]:
    """The warnings of OME's compatibility report about the runtime that is used."""
    if decision.matcher is None or decision.facts is None:
        return ()
    return decision.matcher.verdict(decision.facts, decision.demands).warnings


def _table_order(row: RuntimeRow) -> tuple[bool, int, bool, str]:
    return row.rank is None, row.rank or 0, row.kind != SERVING_RUNTIME, row.name


def _cells(row: RuntimeRow) -> tuple[str, ...]:
    chosen = row.rank is not None
    return (
        row.name,
        "Namespaced" if row.kind == SERVING_RUNTIME else "Cluster",
        "Yes" if chosen else "No",
        str(row.priority) if chosen else "-",
        str(row.weight) if chosen else "-",
        "; ".join(row.reasons) or "-",
    )


def _named(ref: ObjectRef | None) -> dict[str, str | None] | None:
    return None if ref is None else {"name": ref.name, "kind": ref.kind, "namespace": ref.namespace}
