"""Services without routes: what they say about routes is judged all the same, because the setting may come later.

Where routes are rendered, rendering says it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

from omec.catalog import Resource
from omec.compile.exposure.effective import effective_settings
from omec.compile.inputs import Service
from omec.compile.names import COMPONENTS, ComponentName
from omec.compile.problems import Problem
from omec.lint.context import Context, Fault


def has_timeout(resource: Resource) -> bool:
    """Whether a component of the service has a request timeout."""
    components = (resource.spec.get(name) for name in COMPONENTS)
    return any(isinstance(component, dict) and "timeoutSeconds" in component for component in components)


class Unrouted(NamedTuple):
    """A service of which OME makes no HTTPRoute, as written and as it is stored."""

    resource: Resource
    service: Service
    components: tuple[ComponentName, ...]

    @property
    def timeouts(self) -> dict[ComponentName, int]:
        """The request timeouts of components, in seconds."""
        written = {name: self.service.spec[name].get("timeoutSeconds") for name in self.components}
        return {name: seconds for name, seconds in written.items() if isinstance(seconds, int)}

    def faults(self, problems: Iterable[Problem]) -> Iterator[Fault]:
        """What rendering would call ``problems``."""
        for problem in problems:
            field = tuple(map(str, problem.place.steps))
            yield Fault(self.resource, field, problem.message, problem.help)


def unrouted(context: Context, concerned: Callable[[Resource], bool]) -> Iterator[Unrouted]:
    """Every service that is ``concerned`` and exposed by no route."""
    settings = context.cluster.environment.settings.ingress
    for resource in filter(concerned, context.services):
        service = Service.of(resource.stored, resource.namespace or "")
        effective = effective_settings(settings, service.annotations)
        if effective.disabled or not effective.gateway_api:
            components = tuple(name for name in COMPONENTS if isinstance(service.spec.get(name), dict))
            yield Unrouted(resource, service, components)
