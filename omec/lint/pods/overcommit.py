"""Requests that are above their limits."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from omec.lint.pods.amounts import amounts, extended_resources, quantity
from omec.lint.pods.view import Container, Pod, Written


class Overcommitment(NamedTuple):
    """A request above its limit, and where each of them is written."""

    message: str
    request: Written
    limit: Written


def overcommitments(pod: Pod) -> Iterator[Overcommitment]:
    """The requests of the pod's containers that exceed their limits; devices have rules of their own."""
    for container in (*pod.containers, *pod.init_containers):
        yield from _of(container)


def _of(container: Container) -> Iterator[Overcommitment]:
    requests, limits = amounts(container.body, "requests"), amounts(container.body, "limits")
    if not requests or not limits or requests == limits:
        return
    devices = set(extended_resources(container.body))
    for name in sorted(requests.keys() & limits.keys() - devices, key=str):
        request, limit = quantity(requests[name]), quantity(limits[name])
        if request is not None and limit is not None and request.value > limit.value:
            yield Overcommitment(
                f"{container.title} requests {requests[name]} {name}, more than its limit {limits[name]}",
                container.written("resources", "requests", name),
                container.written("resources", "limits", name),
            )
