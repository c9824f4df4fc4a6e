"""What is wrong with the runtime that an InferenceService gets.

The first line of a message is the webhook's own text where the webhook would refuse the service.
"""

from __future__ import annotations

from collections.abc import Iterator

from omec.api.kinds import RUNTIME_KINDS
from omec.catalog import Resource
from omec.finding import FieldPath, Finding, Related, field_text
from omec.resolve import reasons
from omec.resolve import selection_rules as rules
from omec.resolve.admission import has_complete_runner, is_disabled
from omec.resolve.decide import Decider, Decision
from omec.resolve.misses import nearest_misses
from omec.resolve.open_facts import FORMAT, open_facts
from omec.resolve.ranking import rank
from omec.resolve.reference_findings import reference_findings
from omec.resolve.select import ErrorKind
from omec.resolve.subject import MODEL_NAME, RUNTIME_NAME, ServiceSubject
from omec.resolve.unknown import undetermined
from omec.resolve.unknown_findings import facts_unknown

MAX_EXCLUDED = 3
"""A message lists at most so many excluded runtimes; ``omec explain`` lists all."""


def selection_findings(decider: Decider, *, allow_unpinned: bool = False) -> list[Finding]:
    """The findings about all services and runtimes of a repository, for lint.

    A reference to a runtime that exists in the cluster only is no finding here: nothing has to be rendered.
    """
    found = [
        finding
        for decision in decider.services()
        if decision.service is not None and not decision.service.context
        for finding in service_findings(decision, decider, allow_unpinned=allow_unpinned, compiling=False)
    ]
    return [*found, *runtime_findings(decider)]


def service_findings(
    decision: Decision,
    decider: Decider,
    *,
    allow_unpinned: bool = False,
    compiling: bool = True,
) -> list[Finding]:
    """The findings about one service: an error wherever its runtime is not certain.

    :func:`omec.resolve.unknown_findings.grouped` joins the findings of many services that have one remedy.
    """
    subject = ServiceSubject.of(decision, decider)
    findings = list(reference_findings(subject, allow_unpinned=allow_unpinned, compiling=compiling))
    if decision.model is not None and not is_disabled(decision.model):
        findings += _choice_findings(subject, decision.model)
    return findings


def runtime_findings(decider: Decider) -> Iterator[Finding]:
    """The findings about runtimes as candidates."""
    if decider.ome_version != "1.2":
        return
    path: FieldPath = ("spec", "modelSizeRange")
    for runtime in (r for kind in RUNTIME_KINDS for r in decider.catalog.of_kind(kind) if not r.context):
        bounds = runtime.spec.get("modelSizeRange")
        if isinstance(bounds, dict) and ("min" in bounds) != ("max" in bounds):
            missing = "max" if "min" in bounds else "min"
            yield Finding(
                rules.BOTH_BOUNDS,
                f"{runtime.ref} sets no modelSizeRange.{missing}, which OME 1.2 needs",
                runtime.locate(path, key=True),
                object=runtime.ref,
                field=field_text(path),
                help=f"set spec.modelSizeRange.{missing}",
            )


def _choice_findings(subject: ServiceSubject, model: Resource) -> Iterator[Finding]:
    """What the given facts lead to; where open facts could change that, they are what is reported."""
    decision = subject.decision
    facts = open_facts(model)
    if facts.given.sharded:
        yield subject.finding(
            rules.SHARDED,
            MODEL_NAME,
            subject.refusal(reasons.NO_CACHE_PROVIDER),
            related=(Related(model.locate(("spec", "distribution")), "Sharded here"),),
        )
        return
    if decision.named is None and (ambiguous := list(_ambiguous_candidates(subject))):
        yield from ambiguous
        return
    if (question := undetermined(subject.decider, decision)) is not None:
        yield facts_unknown(question)
    elif decision.error_kind == ErrorKind.MODEL_VALIDATION and FORMAT not in facts.fields:
        yield subject.finding(
            rules.FORMAT_MISSING,
            MODEL_NAME,
            subject.refusal(reasons.FORMAT_REQUIRED),
            remedy=f"set spec.modelFormat and spec.modelFramework on {model.ref}",
            related=(Related(model.locate(("spec",), key=True), "no modelFormat here"),),
        )
    elif decision.named is None and decision.error_kind is not None:
        yield _no_runtime(subject, model)
    elif decision.advisory is not None:
        yield _not_declared(subject, model, decision.advisory)


def _no_runtime(subject: ServiceSubject, model: Resource) -> Finding:
    decision, spec = subject.decision, subject.service.spec
    assert decision.selection is not None
    many = decision.selection.judged.excluded_count > MAX_EXCLUDED
    error = (decision.selection.error_in_short if many else decision.error) or ""
    by_webhook = isinstance(spec.get("engine"), dict) and not has_complete_runner(spec)
    misses = nearest_misses(decision)
    remedy = f"closest is {misses[0]}" if misses else "add a runtime that declares the model, or name one"
    message = reasons.no_supporting_runtime(model.name, error) if by_webhook else error
    return subject.finding(rules.NO_RUNTIME, MODEL_NAME, message, remedy=remedy)


def _not_declared(subject: ServiceSubject, model: Resource, advisory: str) -> Finding:
    named = subject.decision.named
    assert named is not None
    assert named.resource is not None
    entries = named.resource.locate(("spec", "supportedModelFormats"), key=True)
    return subject.finding(
        rules.NOT_DECLARED,
        RUNTIME_NAME,
        reasons.undeclared_support_warning(named.reference.name, model.name, advisory),
        related=(Related(entries, "what the runtime declares"),),
    )


def _ambiguous_candidates(subject: ServiceSubject) -> Iterator[Finding]:
    """Runtimes with several definitions of which one would be chosen before the runtime that omec sees."""
    decision, catalog = subject.decision, subject.decider.catalog
    selection = decision.selection
    if selection is None or not selection.model.format.name or not catalog.ambiguous:
        return
    judged = subject.decider.candidates.ambiguous_from(decision.namespace).verdicts(selection.model, decision.demands)
    first = [] if selection.selected is None else [selection.selected]
    preferred = {verdict.resource.ref for verdict in judged.ranking if rank([verdict, *first])[0] is verdict}
    for ref in sorted(preferred):
        yield subject.finding(
            rules.AMBIGUOUS_CANDIDATE,
            MODEL_NAME,
            f"{ref} would be selected, but it is defined {len(catalog.ambiguous[ref])} times",
            related=subject.copies(ref),
        )
