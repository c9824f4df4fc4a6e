"""The services of a repository as they would be rendered: what compiling them would find, without the output."""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Sequence
from typing import NamedTuple

from msgspec.structs import replace

from omec.compile.admission import refusals
from omec.compile.cluster import Cluster
from omec.compile.findings import Sources, finding_of
from omec.compile.native.surroundings import Surroundings
from omec.compile.problems import Problem, RenderError
from omec.compile.rendered import Rendered, RenderedObject
from omec.compile.repository import render_decision, runtimes_in_use
from omec.compile.repository_rules import REFUSED_OBJECT
from omec.finding import Finding, ObjectRef
from omec.resolve.decide import Decision

ABOUT_OUTPUT = frozenset(
    {"OME160", "OME162", "OME531", "OME565", "OME566", "OME578", "OME579", "OME580", "OME581", "OME582", "OME589"}
)
"""Rules about what omec compile makes of the manifests: it cannot render something, or a standalone replica or a
workload without OME gives less than the InferenceService would. They say nothing about what OME itself runs."""

TOLD_OTHERWISE = frozenset({"OME703"})
"""Rules about what a rule of lint says at its cause, whether a service meets it or not."""


_JUDGED = frozenset({"HorizontalPodAutoscaler", "Ingress", "PodDisruptionBudget"})
"""Kinds of rendered objects in which manifests say more than pods, ports and names."""


def _has_strategy(part: RenderedObject) -> bool:
    """Whether a Deployment has more to judge than its pods."""
    return part.component is not None and bool(part.component.spec.get("deploymentStrategy"))


class Rendering(NamedTuple):
    """One service with the objects that OME would make for it; none where OME would fail."""

    decision: Decision
    rendered: Rendered
    problems: Sequence[Problem]

    @property
    def sources(self) -> Sources:
        """Where its inputs stand."""
        assert self.decision.service is not None
        return Sources(self.decision.service, runtimes_in_use(self.decision), self.decision.model)

    def findings(self) -> Iterator[Finding]:
        """What rendering says about the manifests."""
        for problem in self.problems:
            if problem.rule.code not in ABOUT_OUTPUT | TOLD_OTHERWISE:
                yield finding_of(problem, self.sources)
        for part in self.rendered.parts:
            yield from self._refusals(part)

    def _refusals(self, part: RenderedObject) -> Iterator[Finding]:
        """What the API server would refuse in an object, but for its pods and ports: a rule of lint tells of those."""
        if part.body["kind"] not in _JUDGED and not _has_strategy(part):
            return
        for refusal in refusals(part.body):
            if refusal.path[0] == "spec" and refusal.path[1] not in ("template", "ports"):
                name = f"{part.body['kind']} {part.body['metadata']['name']}"
                message = f"the API server would refuse the rendered {name}: {refusal.message}"
                problem = Problem(REFUSED_OBJECT, message, part.place(refusal.path), REFUSED_OBJECT.remedy)
                yield replace(finding_of(problem, self.sources), severity_override=refusal.severity)


def render_services(
    decisions: Iterable[Decision],
    cluster: Cluster,
    surroundings: Surroundings,
    failed: Container[ObjectRef | None],
) -> Iterator[Rendering]:
    """Each service that gets a runtime, or fronts replicas; not those that have ``failed``, or use an object that has.

    What is wrong with them is told already, and the rest would only follow from it.
    """
    for decision in decisions:
        service = decision.service
        assert service is not None
        if service.context or (decision.selected is None and service.spec.get("replicaRefs") is None):
            continue
        used = (service, *runtimes_in_use(decision), *([decision.model] if decision.model else []))
        if not any(ref in failed for ref in (*(resource.ref for resource in used), *_classes(decision))):
            yield _rendering(decision, cluster, surroundings)


def _classes(decision: Decision) -> Iterator[ObjectRef]:
    """The accelerator classes that the service may get: those that it names, and those that a policy chooses from."""
    required = (decision.spec or {}).get("acceleratorRequirements") or {}
    for name in (*decision.demands.classes, *(required.get("acceleratorClasses") or ())):
        yield ObjectRef("AcceleratorClass", None, name)


def _rendering(decision: Decision, cluster: Cluster, surroundings: Surroundings) -> Rendering:
    try:
        rendered = render_decision(decision, cluster, surroundings)
    except RenderError as error:
        return Rendering(decision, Rendered(()), error.problems)
    return Rendering(decision, rendered, rendered.problems)
