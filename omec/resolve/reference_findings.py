"""What is wrong with the model and the runtime that an InferenceService names."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from omec.api.kinds import MODEL_KINDS, RUNTIME_KINDS
from omec.catalog import Resource
from omec.finding import FieldPath, Finding, ObjectRef, Related, Severity
from omec.resolve import admission, reasons
from omec.resolve import selection_rules as rules
from omec.resolve.inherit import Reason
from omec.resolve.reference import BASE_MODEL, CLUSTER_RUNTIME, SERVING_RUNTIME, NamedRuntime
from omec.resolve.select import ErrorKind
from omec.resolve.subject import (
    AUTO_SYNC,
    MODEL_KIND,
    MODEL_NAME,
    REVISION,
    RUNTIME_KIND,
    RUNTIME_NAME,
    ServiceSubject,
)


def reference_findings(subject: ServiceSubject, *, allow_unpinned: bool, compiling: bool) -> Iterator[Finding]:
    """The findings about what the service names; an external runtime is one only for whom needs its manifest."""
    yield from _model_findings(subject)
    yield from _runtime_findings(subject, compiling=compiling)
    yield from _pin_findings(subject, allow_unpinned=allow_unpinned)
    if subject.decision.error_kind == ErrorKind.NOTHING_NAMED:
        yield subject.finding(rules.NOTHING_NAMED, ("spec",), reasons.NOTHING_NAMED)


def _model_findings(subject: ServiceSubject) -> Iterator[Finding]:
    decision, reference = subject.decision, subject.decision.model_reference
    if reference is None:
        if decision.named is not None and subject.decider.ome_version == "1.2":
            message = f"{subject.service.ref} names no model, which OME 1.2 needs"
            yield subject.finding(rules.MODEL_REQUIRED, ("spec",), message)
        return
    if reference.kind not in MODEL_KINDS:
        message = reasons.unsupported_model_kind(reference.kind)
        yield subject.finding(rules.REFERENCE_KIND, MODEL_KIND, message, remedy=f"write {' or '.join(MODEL_KINDS)}")
    if decision.ambiguous_model is not None:
        yield _ambiguous(subject, MODEL_NAME, decision.ambiguous_model)
    elif decision.model is None:
        message = reasons.model_not_found(reference.name, decision.namespace)
        remedy = subject.similar(reference.name, MODEL_KINDS)
        yield subject.finding(rules.MODEL_NOT_FOUND, MODEL_NAME, message, remedy=remedy)
    else:
        yield from _model_scope_findings(subject, decision.model, reference.kind)
        yield from _model_use_findings(subject, decision.model)


def _model_use_findings(subject: ServiceSubject, model: Resource) -> Iterator[Finding]:
    if admission.is_disabled(model):
        yield subject.finding(
            rules.MODEL_DISABLED,
            MODEL_NAME,
            reasons.model_disabled(model.name),
            remedy=f"set spec.disabled: false on {model.ref}, or name another model",
            related=(Related(model.locate(("spec", "disabled"), key=True), "disabled here"),),
        )
    if (message := admission.claim_elsewhere(model, subject.decision.namespace)) is not None:
        yield subject.finding(rules.CLAIM_NAMESPACE, MODEL_NAME, message)


def _model_scope_findings(subject: ServiceSubject, model: Resource, kind: str) -> Iterator[Finding]:
    if kind in MODEL_KINDS and model.kind != kind:
        yield subject.finding(
            rules.MODEL_KIND,
            MODEL_KIND if subject.gives(MODEL_KIND) else MODEL_NAME,
            f"model {model.name} is a {model.kind}, but OME looks for a {kind}",
            remedy=f"set spec.model.kind: {model.kind}",
            related=(_definition(model),),
        )
        return
    # A service that is served the namespace's own model is also judged by it.
    local = subject.decider.catalog.get(BASE_MODEL, model.name, subject.service.namespace)
    if local is not None and local is not model:
        yield subject.finding(
            rules.MODEL_SCOPES,
            MODEL_NAME,
            f"{model.name} is a {model.kind} and a {local.kind}; OME serves the {model.kind}",
            related=(_definition(model), _definition(local)),
        )


def _runtime_findings(subject: ServiceSubject, *, compiling: bool) -> Iterator[Finding]:
    named = subject.decision.named
    if named is None:
        return
    if named.reference.kind not in RUNTIME_KINDS:
        message = f"spec.runtime.kind {named.reference.kind} is no kind of runtime"
        yield subject.finding(rules.REFERENCE_KIND, RUNTIME_KIND, message, remedy=f"write {' or '.join(RUNTIME_KINDS)}")
    if named.ambiguous is not None:
        yield _ambiguous(subject, RUNTIME_NAME, named.ambiguous)
    elif (external := _external_name(subject, named)) is not None:
        if compiling:
            message = f"the manifest of runtime {external} is not here: external-runtimes only names it"
            yield subject.finding(rules.RUNTIME_EXTERNAL, RUNTIME_NAME, message)
    elif named.error is not None:
        yield _unresolved(subject, named, named.error)
    elif named.disabled:
        yield _disabled(subject, named)
    yield from _runtime_scope_findings(subject, named)


def _unresolved(subject: ServiceSubject, named: NamedRuntime, error: str) -> Finding:
    if named.resource is None:
        remedy = subject.similar(named.reference.name, RUNTIME_KINDS)
        return subject.finding(rules.RUNTIME_NOT_FOUND, RUNTIME_NAME, subject.refusal(error), remedy=remedy)
    return subject.finding(
        rules.RUNTIME_CHAIN,
        RUNTIME_NAME,
        subject.refusal(error),
        remedy=f"repair the inheritance of {named.resource.ref}",
        related=(Related(named.resource.locate(("metadata", "annotations")), "the runtime inherits here"),),
    )


def _disabled(subject: ServiceSubject, named: NamedRuntime) -> Finding:
    assert named.chain is not None
    setter = next((r for r in reversed(named.chain.runtimes) if "disabled" in r.spec), named.chain.head)
    return subject.finding(
        rules.RUNTIME_DISABLED,
        RUNTIME_NAME,
        subject.refusal(named.disabled_error),
        remedy=f"set spec.disabled: false on {named.chain.head.ref}, or name another runtime",
        related=(Related(setter.locate(("spec", "disabled"), key=True), f"{setter.ref} is disabled here"),),
    )


def _runtime_scope_findings(subject: ServiceSubject, named: NamedRuntime) -> Iterator[Finding]:
    if named.resource is None or subject.gives(RUNTIME_KIND):
        return
    name, catalog = named.reference.name, subject.decider.catalog
    local = catalog.get(SERVING_RUNTIME, name, subject.service.namespace)
    cluster = catalog.get(CLUSTER_RUNTIME, name)
    if local is not None and cluster is not None:
        yield subject.finding(
            rules.RUNTIME_SCOPES,
            RUNTIME_NAME,
            f"runtime {name} is a ServingRuntime of namespace {local.namespace} and a ClusterServingRuntime; "
            f"OME {subject.decider.ome_version} takes the {named.resource.kind}",
            remedy=f"set spec.runtime.kind, to {named.resource.kind} if that is meant",
            related=(_definition(local), _definition(cluster)),
        )


def _external_name(subject: ServiceSubject, named: NamedRuntime) -> str | None:
    """The runtime that exists in the cluster only, where the named one is it or inherits from it."""
    if named.resource is None:
        return named.reference.name if named.reference.name in subject.decider.chains.external else None
    if named.chain is not None and named.chain.reason is Reason.EXTERNAL_PARENT:
        return named.chain.parent
    return None


def _pin_findings(subject: ServiceSubject, *, allow_unpinned: bool) -> Iterator[Finding]:
    named = subject.decision.named
    if named is None or not named.reference.pinned:
        return
    reference = named.reference
    if (message := admission.revision_refusal(reference, subject.decision.namespace)) is not None:
        yield subject.finding(rules.REVISION, REVISION, message)
    what = f"revision {reference.revision}" if reference.revision else "a stored revision"
    finding = subject.finding(
        rules.PINNED,
        AUTO_SYNC if reference.revision is None else REVISION,
        f"{subject.service.ref} runs {what} of runtime {reference.name}, which the repository does not hold",
    )
    if allow_unpinned:
        rendered = "the live runtime is rendered instead (--allow-unpinned)"
        finding = replace(finding, severity_override=Severity.WARNING, message=f"{finding.message}; {rendered}")
    yield finding


def _ambiguous(subject: ServiceSubject, path: FieldPath, ref: ObjectRef) -> Finding:
    count = len(subject.decider.catalog.ambiguous[ref])
    return subject.finding(rules.AMBIGUOUS, path, f"{ref} is defined {count} times", related=subject.copies(ref))


def _definition(resource: Resource) -> Related:
    return Related(resource.locate(("metadata", "name")), f"the {resource.kind}")
