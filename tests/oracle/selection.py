"""Judge of ``selection.jsonl``: automatic selection and explicit references."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Any

from omec.catalog import Catalog, Resource
from omec.resolve.admission import admit_named, admit_selected
from omec.resolve.decide import Decider, Decision
from omec.resolve.inherit import ChainResolver
from omec.resolve.match import RuntimeVerdict
from omec.resolve.select import Selection
from tests.oracle.interface import Answer, Row, skip
from tests.oracle.objects import catalog_of, load_objects
from tests.oracle.sizes import number

KIND = "selection"


def accepts(row: Row) -> bool:
    return "models" in row and "runtimes" in row and "namespace" in row


def judge(row: Row, data: Path | None) -> dict[str, Answer]:
    if data is None and needs_corpus(row):
        return {"selected": skip("needs the corpus")}
    decision = decide(row, data)
    expected = row["expected"]
    named = decision.named is not None
    actual = explicit_answers(decision) if named else automatic_answers(decision, expected)
    return {name: Answer(expected.get(name), actual.get(name)) for name in sorted(expected.keys() | actual.keys())}


def needs_corpus(row: Row) -> bool:
    return any("corpus" in ref or "corpusRuntimes" in ref for ref in [*row["runtimes"], *row["models"]])


def decide(row: Row, data: Path | None) -> Decision:
    """The decision for the row's service, or for a service with nothing but the row's model."""
    refs = [*row["models"], *row["runtimes"], *([row["isvc"]] if row.get("isvc") else [])]
    catalog = catalog_of(load_objects(refs, data or Path(), default_namespace=row["namespace"]))
    decider = Decider(catalog, ChainResolver(catalog))
    if row.get("isvc"):
        service = catalog.get("InferenceService", row["isvc"]["metadata"]["name"], row["namespace"])
        assert service is not None
        return decider.service(service)
    return decider.model_resource(_model(catalog, row), row["namespace"])


def _model(catalog: Catalog, row: Row) -> Resource:
    name, namespace = row["model"], row["namespace"]
    model = catalog.get("BaseModel", name, namespace) or catalog.get("ClusterBaseModel", name)
    assert model is not None
    return model


def automatic_answers(decision: Decision, expected: dict[str, Any]) -> dict[str, Any]:
    selection = decision.selection
    assert selection is not None
    assert decision.model is not None
    chosen = selection.selected
    answers: dict[str, Any] = {
        "selected": chosen and {**_identity(chosen), "score": chosen.score},
        "error": selection.error,
        "modelLabel": selection.model.label,
        "admission": _admission(admit_selected(decision.model.name, selection).to_dict(), expected),
    }
    if selection.error_kind is not None:
        answers["errorKind"] = str(selection.error_kind)
    if decision.matcher is not None:
        answers["acceleratorEntry"] = decision.accelerator_entry
    if selection.model.format.name:
        answers |= _verdicts(selection)
    return _as_digests(answers, expected)


def _verdicts(selection: Selection) -> dict[str, Any]:
    sized = selection.model.size is not None
    warnings = {
        f"{verdict.resource.kind}/{verdict.resource.name}": list(verdict.warnings)
        for verdict in selection.verdicts
        if verdict.warnings
    }
    return {
        "ranking": [
            {**_details(verdict), **({"distance": number(verdict.distance)} if sized else {})}
            for verdict in selection.ranking
        ],
        "skipped": [_details(verdict) for verdict in selection.skipped],
        "excluded": [{**_identity(verdict), "reason": verdict.reason} for verdict in selection.excluded],
        **({"warnings": warnings} if warnings else {}),
    }


def explicit_answers(decision: Decision) -> dict[str, Any]:
    named = decision.named
    assert named is not None
    found = named.error is None and named.resource is not None
    answers: dict[str, Any] = {"found": None}
    if found and named.resource is not None:
        answers["found"] = {"name": named.resource.name, "kind": named.resource.kind, "disabled": named.disabled}
    else:
        answers |= {"getError": named.error, "getErrorKind": named.error_kind}
    if decision.model is None or decision.facts is None or decision.validation is None:
        return answers
    admission = admit_named(decision.model.name, named.reference.name, decision.validation).to_dict()
    answers |= {
        "modelLabel": decision.facts.label,
        "validateError": decision.validation.error,
        "admission": _admission(admission, {}),
    }
    if decision.validation.error_kind is not None:
        answers["validateErrorKind"] = str(decision.validation.error_kind)
    if decision.event is not None:
        answers["event"] = decision.event
    if named.matcher is not None:
        answers["acceleratorEntry"] = named.matcher.accelerator_entry(decision.facts, named=True)
    return answers


def _identity(verdict: RuntimeVerdict) -> dict[str, Any]:
    return {"name": verdict.resource.name, "kind": verdict.resource.kind}


def _details(verdict: RuntimeVerdict) -> dict[str, Any]:
    assert verdict.entry is not None
    return {
        **_identity(verdict),
        "score": verdict.score,
        "priority": verdict.entry.effective_priority,
        "weight": verdict.entry.shown_weight,
        "entryAutoSelect": verdict.entry.auto_select is True,
    }


def _admission(answer: dict[str, Any], expected: dict[str, Any]) -> dict[str, Any]:
    """``answer`` in the oracle's form: either warnings or a message, and no message where it is given as a digest."""
    if answer["allowed"]:
        return {"allowed": True, "warnings": answer["warnings"]}
    shown = {"allowed": False, "message": answer["message"]}
    if expected.get("admission") == {"allowed": False}:
        del shown["message"]
    return shown


def _as_digests(answers: dict[str, Any], expected: dict[str, Any]) -> dict[str, Any]:
    """``answers`` with the digests that ``expected`` has in place of long texts."""
    shown = dict(answers)
    if "excludedSha256" in expected:
        excluded = answers["excluded"]
        lines = "".join(f"{entry['kind']}/{entry['name']}\t{entry['reason']}\n" for entry in excluded)
        shown |= {"excludedCount": len(excluded), "excludedSha256": _sha256(lines)}
    if "errorSha256" in expected:
        error = answers["error"] or ""
        shown["errorSha256"] = _sha256(error)
        if "errorStart" in expected:
            shown["errorStart"] = error.split(". Excluded runtimes")[0]
    return {name: value for name, value in shown.items() if name in expected or name not in ("excluded", "error")}


def _sha256(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()
