"""Problems of rendering as findings, at the line that causes them."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from omec.catalog import Resource
from omec.compile.problems import Origin, Problem, Steps, deepest, follow
from omec.finding import Finding, Related, field_text


class Sources(msgspec.Struct, frozen=True):
    """Where the inputs of a service stand; ``runtimes`` is the inheritance chain, the runtime itself first."""

    service: Resource
    runtimes: Sequence[Resource]
    model: Resource | None


def finding_of(problem: Problem, sources: Sources) -> Finding:
    """``problem`` at its field, in the member of the runtime's chain that sets it; the finding is about the service."""
    resource, field = _locate(problem, sources)
    path = deepest(resource.body, field)
    return Finding(
        rule=problem.rule,
        message=problem.message,
        position=resource.locate(path, key=problem.place.is_key),
        object=sources.service.ref,
        field=field_text(path) or None,
        help=problem.help,
        related=() if resource is sources.service else (_user(sources.service, resource),),
    )


def _user(service: Resource, used: Resource) -> Related:
    return Related(service.locate(("metadata", "name")), f"{service.ref} uses {used.ref}")


def _locate(problem: Problem, sources: Sources) -> tuple[Resource, Steps]:
    steps = problem.place.steps
    if problem.place.origin is Origin.RUNTIME and sources.runtimes:
        for runtime in sources.runtimes:
            if follow(runtime.body, steps) is not None:
                return runtime, steps
        return sources.runtimes[0], steps
    if problem.place.origin is Origin.MODEL and sources.model is not None:
        return sources.model, steps
    return sources.service, steps
