"""Where clients reach a service: what OME writes into its status (reference 10 §8.7)."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from omec.compile.exposure.effective import effective_settings, gateways, is_cluster_local
from omec.compile.exposure.hosts import host_name
from omec.compile.exposure.routes import host_on
from omec.compile.exposure.settings import IngressSettings
from omec.compile.inputs import Service
from omec.compile.names import ComponentName, component_name

CLUSTER_LOCAL = "cluster-local"


class Address(msgspec.Struct, frozen=True):
    """One entry of ``status.addresses``; ``name`` is ``""`` for a Gateway without a label."""

    url: str
    name: str = ""


class Addresses(msgspec.Struct, frozen=True):
    """``status.url``, ``status.address.url`` and ``status.addresses``; ``None`` and empty where OME sets none."""

    url: str | None
    internal: str | None
    all: tuple[Address, ...] = ()


def addresses(service: Service, settings: IngressSettings, ports: Mapping[ComponentName, int]) -> Addresses:
    """The addresses of a service whose components have Services with ``ports``; ``settings`` are the operator's.

    Raises :class:`omec.compile.problems.RenderError` for a host that is no domain.
    """
    effective = effective_settings(settings, service.annotations)
    entry: ComponentName = "router" if "router" in ports else "engine"
    scheme, port = effective.url_scheme, ports[entry]
    backend = f"{component_name(service.name, entry)}.{service.namespace}.svc.cluster.local"
    if effective.disabled:
        if is_cluster_local(service):
            return Addresses(None, None)
        return Addresses(
            f"http://{service.name}.{service.namespace}.svc.cluster.local:{port}", f"http://{backend}:{port}"
        )
    if not effective.gateway_api:
        host = host_name(service.name, service, effective)
        return Addresses(f"{scheme}://{host}:{port}", f"{scheme}://{backend}:{port}")
    path = "/" if effective.subdomain_per_service else f"/{service.namespace}/{service.name}/"
    attached = gateways(effective, service)
    outside = [
        Address(f"{scheme}://{host_on(gateway, service, effective)}{path}", gateway.label) for gateway in attached
    ]
    inside = f"{scheme}://{backend}"
    return Addresses(outside[0].url, inside, (*outside, Address(inside, CLUSTER_LOCAL)))
