"""What services use: runtimes and models are judged by whether some service does."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from omec.catalog import Resource
from omec.compile.names import COMPONENTS
from omec.finding import ObjectRef
from omec.lint.context import Context
from omec.resolve.decide import Decision


class Use(NamedTuple):
    """An object that is used, or a name that is looked for: as ``what``, and ``where`` or in which of its parts."""

    what: str
    name: str
    ref: ObjectRef | None
    where: str = ""


def uses_of(context: Context) -> frozenset[Use]:
    """Everything that some service of ``context`` uses."""
    decisions = context.decider.services()
    return frozenset((*_rendered(context), *(use for decision in decisions for use in _uses(decision))))


def used_by(context: Context) -> Iterator[Resource]:
    """The objects that the services of ``context`` get, each perhaps more than once."""
    for decision in context.decider.services():
        chain = decision.named.chain if decision.named is not None else None
        runtimes = () if chain is None else chain.runtimes
        for resource in (decision.model, decision.known_model, decision.selected, *runtimes):
            if resource is not None:
                yield resource


def _rendered(context: Context) -> Iterator[Use]:
    for decision in (rendering.decision for rendering in context.renderings):
        if decision.selected is not None and decision.service is not None:
            for name in COMPONENTS:
                if isinstance(decision.service.spec.get(name), dict):
                    yield Use("rendered", decision.selected.name, decision.selected.ref, name)


def _uses(decision: Decision) -> Iterator[Use]:
    if decision.model is not None:
        yield Use("served", decision.model.name, decision.model.ref)
    if decision.selected is not None:
        yield Use("selected", decision.selected.name, decision.selected.ref)
    if decision.named is not None:
        yield Use("named", decision.named.reference.name, None, decision.namespace)
        if decision.named.resource is not None:
            yield Use("found", decision.named.resource.name, decision.named.resource.ref)
    if decision.model_reference is not None:
        yield Use("model", decision.model_reference.name, None, decision.namespace)
    service = decision.service
    model = service.spec.get("model") if service is not None else None
    for overlay in (model.get("overlays") if isinstance(model, dict) else None) or ():
        if isinstance(overlay, dict):
            yield Use("overlay", str(overlay.get("name")), None)
