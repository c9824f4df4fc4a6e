"""Findings about open facts, and how those of a whole repository become few.

A repository may hold a hundred models without facts; a finding for each would bury everything else. Findings of one
model family with one remedy are joined.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from msgspec.structs import replace

from omec.catalog import Resource
from omec.finding import FieldPath, Finding, ObjectRef, Related, Severity, field_text
from omec.resolve.facts import as_text
from omec.resolve.open_facts import QUANTIZATION, SKIP_PARSING, open_facts
from omec.resolve.selection_rules import FACTS_UNKNOWN
from omec.resolve.unknown import UnknownFact

MAX_EXAMPLE = 2
"""An example of more values than these tells nothing."""

_MODEL_NAME: FieldPath = ("spec", "model", "name")


class FactsUnknown(Finding, frozen=True):
    """A finding about open facts that can be joined with others of the same ``family`` and ``facts``.

    ``pvc``: whether the files of ``model`` lie in a volume.
    """

    family: str = ""
    facts: tuple[str, ...] = ()
    model: ObjectRef | None = None
    pvc: bool = False


def facts_unknown(question: UnknownFact) -> FactsUnknown:
    """The finding about one service: an error where OME chooses the runtime, a warning where the service names it."""
    decision = question.decision
    service, model = decision.service, decision.model
    assert service is not None
    assert model is not None
    subject = "whether the named runtime declares support" if question.named else "which runtime OME selects"
    telling = question.example and len(question.values) <= MAX_EXAMPLE
    pvc = open_facts(model).pvc
    example = f"; with {question.example}, {question.outcome}" if telling else ""
    return FactsUnknown(
        FACTS_UNKNOWN,
        f"{subject} for {service.ref} is open: model {model.name} does not give {_listed(question.fields)}{example}",
        service.locate(_MODEL_NAME),
        object=service.ref,
        field=field_text(_MODEL_NAME),
        help=_remedy(question.fields, [model.ref], named=question.named, pvc=pvc),
        related=(_lacking(model),),
        severity_override=Severity.WARNING if question.named else None,
        family=family_of(model),
        facts=question.fields,
        model=model.ref,
        pvc=pvc,
    )


def grouped(findings: Iterable[Finding]) -> list[Finding]:
    """``findings`` with those about open facts joined by severity, model family and remedy; the others as they are.

    A joined finding stands where the first of them stood, and lists the other models and services.
    """
    result: list[Finding] = []
    groups: dict[tuple[Severity, str, tuple[str, ...]], list[FactsUnknown]] = {}
    for finding in findings:
        if isinstance(finding, FactsUnknown):
            groups.setdefault((finding.severity, finding.family, finding.facts), []).append(finding)
        else:
            result.append(finding)
    return result + [_joined(sorted(group, key=lambda finding: finding.sort_key)) for group in groups.values()]


def family_of(model: Resource) -> str:
    """What models are grouped by: the organisation on Hugging Face, else the vendor, else the kind of storage."""
    storage = model.spec.get("storage")
    uri = as_text(storage.get("storageUri")) or "" if isinstance(storage, dict) else ""
    if uri.startswith("hf://"):
        return uri.removeprefix("hf://").partition("/")[0]
    if vendor := as_text(model.spec.get("vendor")):
        return vendor
    from omec.api.storage_uri import storage_type  # noqa: PLC0415 - most models are on the hub, or name a vendor

    return storage_type(uri) or ""


def _joined(group: list[FactsUnknown]) -> Finding:
    first = group[0]
    if len(group) == 1:
        return first
    models = {finding.model: finding.related for finding in group if finding.model is not None}
    named = first.severity is Severity.WARNING
    subject = "whether the named runtimes declare support" if named else "which runtimes OME selects"
    lacking = f"{len(models)} models" if len(models) > 1 else f"model {next(iter(models)).name}"
    verb = "do" if len(models) > 1 else "does"
    return replace(
        first,
        message=(
            f"{subject} for {len(group)} InferenceServices is open: {lacking} of {first.family or 'one family'} "
            f"{verb} not give {_listed(first.facts)}"
        ),
        help=_remedy(first.facts, list(models), named=named, pvc=any(finding.pvc for finding in group)),
        related=(
            *(place for _, places in sorted(models.items()) for place in places),
            *(Related(finding.position, f"so is {finding.object}") for finding in group[1:]),
        ),
    )


def _remedy(fields: tuple[str, ...], models: Sequence[ObjectRef], *, named: bool, pvc: bool) -> str:
    """How to close the question: let omec read the weights, or write down what they say.

    Where the weights are not quantized there is nothing to write down, so that the choice has to be made otherwise.
    """
    one = models[0] if len(models) == 1 else None
    update = "run omec facts update"
    if one is not None:
        update += f" {'/'.join(filter(None, (one.kind, one.namespace, one.name)))}"
    remedy = f"{update}, or set {_spec_fields(fields, str(one or 'each model'))}"
    if QUANTIZATION not in fields or named:
        return remedy
    otherwise = "name the runtime in spec.runtime"
    if not pvc:  # whose Job ignores the annotation
        otherwise += f', or annotate the model with {SKIP_PARSING}: "true" to keep the facts as given'
    return f"{remedy}; if they are not, {otherwise}"


def _lacking(model: Resource) -> Related:
    return Related(model.locate(("spec",), key=True), f"{model.ref} gives too little")


def _listed(fields: tuple[str, ...]) -> str:
    return fields[0] if len(fields) == 1 else f"{', '.join(fields[:-1])} and {fields[-1]}"


def _spec_fields(fields: tuple[str, ...], model: str) -> str:
    """What to set on ``model``; quantization is for those whose weights are."""
    required = tuple(f"spec.{field}" for field in fields if field != QUANTIZATION)
    if len(required) == len(fields):
        return f"{_listed(required)} on {model}"
    quantization = f"spec.{QUANTIZATION}"
    if not required:
        return f"{quantization} on {model} if its weights are quantized"
    return f"{_listed(required)} on {model}, and {quantization} if its weights are quantized"
