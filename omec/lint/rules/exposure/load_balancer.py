"""The InferenceServices that ask for load balancers."""

from __future__ import annotations

from collections.abc import Iterator

from omec.catalog import Resource
from omec.compile.names import COMPONENTS
from omec.lint.context import Context
from omec.lint.rules.exposure.service_type import KEY

LOAD_BALANCER = "LoadBalancer"


def balanced(context: Context) -> Iterator[tuple[Resource, list[str]]]:
    """The services of type LoadBalancer, with the components whose own Services get no other type."""
    for service in context.services:
        if service.annotations.get(KEY) == LOAD_BALANCER:
            parts = [name for name in COMPONENTS if isinstance(service.spec.get(name), dict)]
            yield service, [name for name in parts if KEY not in (service.spec[name].get("annotations") or {})]
