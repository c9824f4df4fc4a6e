"""What is written of a compiled repository: the objects of services, and what belongs to several of them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from omec.catalog import Catalog, Resource
from omec.compile.copied import copy_of
from omec.compile.layout import OutputObject, identity
from omec.compile.native.surroundings import Surroundings
from omec.compile.repository import CompiledService


def service_outputs(services: Iterable[CompiledService]) -> Iterator[OutputObject]:
    """The objects of each service's own."""
    for compiled in services:
        selected = compiled.decision.selected
        for body in compiled.objects:
            yield OutputObject(body, compiled.service, selected.ref if selected else None, compiled.chain)


def shared_outputs(services: Iterable[CompiledService], catalog: Catalog) -> list[OutputObject]:
    """The objects that several services of a namespace need, each once; they belong to the policies that ask for
    them.
    """
    found: dict[tuple[str, str, str | None, str], OutputObject] = {}
    for compiled in services:
        for item in compiled.shared:
            policy = catalog.get("AutoscalerPolicy", item.policy, compiled.service.namespace)
            assert policy is not None
            found.setdefault(identity(item.body), OutputObject(item.body, policy))
    return list(found.values())


def shared_owners(service: Resource, catalog: Catalog) -> Iterator[Resource]:
    """The policies that ``service`` names: what they ask for stays when the service fails."""
    for part in service.spec.values():
        reference = part.get("autoscalerPolicyRef") if isinstance(part, dict) else None
        name = reference.get("name") if isinstance(reference, dict) else None
        policy = catalog.get("AutoscalerPolicy", name, service.namespace) if isinstance(name, str) else None
        if policy is not None:
            yield policy


def referenced_outputs(replicas: Sequence[Resource], surroundings: Surroundings) -> list[OutputObject]:
    """What OME's manager renders the repository's own ``replicas`` from, as far as it is in the repository."""
    if not replicas:
        return []
    from omec.compile.native.standalone import needed_resources  # noqa: PLC0415 - few repositories have replicas

    needed = {
        resource.ref: resource
        for replica in replicas
        for resource in needed_resources(replica, surroundings)
        if not resource.context
    }
    return [copy_of(resource) for _, resource in sorted(needed.items())]


def each_once(outputs: Sequence[OutputObject]) -> list[OutputObject]:
    """``outputs`` without the second copy of a resource."""
    found: dict[tuple[object, object], OutputObject] = {}
    for output in outputs:
        found.setdefault((output.owner.ref, identity(output.body)), output)
    return list(found.values())
