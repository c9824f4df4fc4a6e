"""From the decisions about a repository's InferenceServices to their objects, each checked before it is written."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec
from msgspec.structs import replace

from omec.catalog import Resource
from omec.compile.certainty import Certainty
from omec.compile.cluster import Cluster
from omec.compile.findings import Sources, finding_of
from omec.compile.gather import gather
from omec.compile.inputs import Object, Runtime, Service, ServiceInputs
from omec.compile.native.surroundings import Surroundings
from omec.compile.problems import Problem, RenderError
from omec.compile.render import render, render_front
from omec.compile.rendered import Rendered, RenderedObject, SharedObject
from omec.compile.repository_rules import REFUSED_OBJECT
from omec.compile.validate import SchemaError, Validator
from omec.finding import Finding, ObjectRef, Position, Severity
from omec.repo.document import Document
from omec.resolve.decide import Decision

if TYPE_CHECKING:
    from omec.compile.custom_schemas import CustomSchemas


class CompiledService(msgspec.Struct, frozen=True):
    """One InferenceService: the decision about it, its objects (none when it failed), and what is wrong with it.

    ``broken`` says that its manifest has an error of its own, which is not among ``findings``. ``shared`` are objects
    that other services of the namespace may need too.
    """

    decision: Decision
    objects: tuple[Object, ...]
    findings: tuple[Finding, ...]
    broken: bool = False
    shared: tuple[SharedObject, ...] = ()

    @property
    def service(self) -> Resource:
        assert self.decision.service is not None
        return self.decision.service

    @property
    def failed(self) -> bool:
        return self.broken or any(finding.severity is Severity.ERROR for finding in self.findings)

    @property
    def involved(self) -> frozenset[ObjectRef]:
        """The service and the objects that it is rendered from."""
        model = self.decision.model
        return frozenset(
            resource.ref for resource in (self.service, *runtimes_in_use(self.decision), *([model] if model else []))
        )

    @property
    def chain(self) -> tuple[ObjectRef, ...]:
        """The inheritance chain of the runtime in use, root first; the runtime alone where OME selected it."""
        return tuple(runtime.ref for runtime in reversed(runtimes_in_use(self.decision)))


class ServiceCompiler:
    """Renders the services of the catalog of ``surroundings``.

    ``certainty`` knows the errors of other manifests: a service that hangs on one is not rendered. The schemas of
    custom resources are those among ``documents`` and in the folder ``schema_path``.
    """

    def __init__(
        self,
        cluster: Cluster,
        validator: Validator,
        certainty: Certainty,
        surroundings: Surroundings,
        documents: Sequence[Document] = (),
        schema_path: Path | None = None,
    ) -> None:
        self._cluster = cluster
        self._validator = validator
        self._certainty = certainty
        self._surroundings = surroundings
        self._documents = documents
        self._schema_path = schema_path

    def compile(self, decision: Decision, findings: Sequence[Finding]) -> CompiledService:
        """The objects of the decision's service; ``findings`` are those that the decision itself gave rise to."""
        found = [*findings, *self._certainty.doubts(decision, runtimes_in_use(decision))]
        if decision.service is not None and decision.service.ref in self._certainty.broken:
            return CompiledService(decision, (), tuple(found), broken=True)
        fronting = decision.service is not None and decision.service.spec.get("replicaRefs") is not None
        hopeless = decision.selected is None or any(finding.severity is Severity.ERROR for finding in found)
        if hopeless and not fronting:
            return CompiledService(decision, (), tuple(found))
        rendered, rendering = self._render(decision)
        found += rendering
        if any(finding.severity is Severity.ERROR for finding in found):
            rendered = Rendered(())
        return CompiledService(decision, rendered.objects, tuple(found), shared=rendered.shared)

    def _render(self, decision: Decision) -> tuple[Rendered, list[Finding]]:
        assert decision.service is not None
        sources = Sources(decision.service, runtimes_in_use(decision), decision.model)
        try:
            rendered = render_decision(decision, self._cluster, self._surroundings)
        except RenderError as error:
            return Rendered(()), [finding_of(problem, sources) for problem in error.problems]
        findings = [finding_of(problem, sources) for problem in rendered.problems]
        # What OME itself refuses in a custom resource would be told a second time by its schema.
        known = any(finding.severity is Severity.ERROR for finding in findings)
        parts = [part for part in rendered.parts if not known or self._validator.covers(part.body)]
        findings += _once_per_name(refusal for part in parts for refusal in self._refusals(part, sources))
        return rendered, findings

    def _errors(self, body: Object) -> list[SchemaError]:
        if self._validator.covers(body):
            return self._validator.errors(body)
        return self._custom_schemas.errors(body)

    def unchecked(self, services: Iterable[CompiledService]) -> Iterator[Finding]:
        """A note for each kind of object of ``services`` whose schema nobody has given, at the first that has one."""
        seen = set()
        for compiled in services:
            for body in compiled.objects:
                kind = (body["apiVersion"], body["kind"])
                if kind in seen or self._validator.covers(body):
                    continue
                seen.add(kind)
                if not self._custom_schemas.covers(body):
                    yield self._unchecked(compiled.service, body["kind"])

    def _unchecked(self, service: Resource, kind: str) -> Finding:
        from omec.compile.custom_schemas.rules import NO_SCHEMA  # noqa: PLC0415 - few services have custom resources

        message = f"{kind} objects, such as that of {service.ref}, are checked in part only: their schema is not known"
        position = service.locate(("metadata", "name"))
        return Finding(NO_SCHEMA, message, position, object=service.ref, help=NO_SCHEMA.remedy)

    @cached_property
    def _custom_schemas(self) -> CustomSchemas:
        from omec.compile.custom_schemas import CustomSchemas  # noqa: PLC0415 - few services have custom resources

        return CustomSchemas(self._documents, self._schema_path, validator=self._validator)

    def _refusals(self, part: RenderedObject, sources: Sources) -> Iterator[Finding]:
        """What the API server would say about a rendered object, each at the line that the field comes from."""
        name = f"{part.body['kind']} {part.body['metadata']['name']}"
        for error in self._errors(part.body):
            says = "refuse" if error.severity is Severity.ERROR else "warn about"
            message = f"the API server would {says} the rendered {name}: {error.message}"
            problem = Problem(REFUSED_OBJECT, message, part.place(error.path), REFUSED_OBJECT.remedy)
            yield replace(finding_of(problem, sources), severity_override=error.severity)


def _once_per_name(refusals: Iterable[Finding]) -> Iterator[Finding]:
    """``refusals`` with those that one name causes told once, the worst of them: names stand in every object."""
    by_name: dict[Position, list[Finding]] = {}
    for finding in refusals:
        if finding.field == "metadata.name":
            by_name.setdefault(finding.position, []).append(finding)
        else:
            yield finding
    for findings in by_name.values():
        worst = max(findings, key=lambda finding: finding.severity)
        more = len(findings) - 1
        count = f" (and {more} other field{'s' if more > 1 else ''} made of this name)" if more else ""
        yield replace(worst, message=f"{worst.message}{count}")


def render_decision(decision: Decision, cluster: Cluster, surroundings: Surroundings) -> Rendered:
    """The objects of the service of a decision that gives it a runtime, or in front of replicas.

    Raises :class:`RenderError` where OME would fail, or where the service asks for what omec does not render.
    """
    resource = decision.service
    assert resource is not None
    if resource.spec.get("replicaRefs") is None:
        return render(gather(decision, surroundings.catalog, cluster))
    from omec.compile.native.front import fronts  # noqa: PLC0415 - few services need it

    service = Service.of(resource.stored, resource.namespace or "")
    inputs = ServiceInputs(
        service,
        Runtime("", {}),
        operator=cluster.operator,
        metadata=cluster.metadata,
        environment=cluster.environment,
    )
    return render_front(inputs, fronts(service, surroundings))


def runtimes_in_use(decision: Decision) -> tuple[Resource, ...]:
    """The runtime in use and its parents, the runtime itself first."""
    if decision.named is not None and decision.named.chain is not None:
        return tuple(reversed(decision.named.chain.runtimes))
    return (decision.automatic,) if decision.named is None and decision.automatic is not None else ()
