"""The HTTPRoutes of a service (reference 10 §8.5)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec.structs import replace

from omec.compile.exposure.effective import DOMAIN, VISIBILITY_LABEL, gateways
from omec.compile.exposure.hosts import host_name
from omec.compile.exposure.settings import Gateway, IngressSettings
from omec.compile.inputs import Object, Service
from omec.compile.names import ComponentName, component_name

GROUP = "gateway.networking.k8s.io"
LARGEST_TIMEOUT = 99999

_NAME_HEADER = "OMe-Isvc-Name"
_NAMESPACE_HEADER = "OME-Isvc-Namespace"
"""The spelling is OME's."""

_NOT_COPIED = frozenset(
    {
        "internal.ome.io/storage-initializer-sourceuri",
        "kubectl.kubernetes.io/last-applied-configuration",
        "ome.io/rollout-promote",
        "ome.io/rollout-rollback",
    }
)
"""Annotations of a service that stay on it."""


def route_names(service: str, components: Sequence[ComponentName]) -> list[str]:
    """The names of the routes: of the service as a whole, then of its components in OME's order."""
    order: tuple[ComponentName, ...] = ("engine", "decoder", "router")
    return [service, *(component_name(service, component) for component in order if component in components)]


def http_routes(service: Service, settings: IngressSettings, ports: Mapping[ComponentName, int]) -> list[Object]:
    """One route to each component, and one to the service: its router or, without one, its engine.

    ``settings`` are the effective ones, ``ports`` those of the Services of the rendered components. Raises
    :class:`RenderError` for a host that is no domain.
    """
    attached = gateways(settings, service)
    hosts = [host_on(gateway, service, settings) for gateway in attached]
    entry: ComponentName = "router" if "router" in ports else "engine"
    backends: dict[str, ComponentName] = {service.name: entry}
    backends |= {component_name(service.name, component): component for component in ports}
    routes = []
    for name in route_names(service.name, list(ports)):
        rule = _rule(name, backends[name], service, settings, ports[backends[name]])
        spec = {"parentRefs": [_parent(gateway) for gateway in attached], "hostnames": list(hosts), "rules": [rule]}
        routes.append(
            {"apiVersion": f"{GROUP}/v1", "kind": "HTTPRoute", "metadata": _metadata(name, service), "spec": spec}
        )
    return routes


def route_timeout(service: Service, component: ComponentName, settings: IngressSettings) -> int | None:
    """The request timeout of the routes to ``component`` in seconds, ``None`` for the gateway's own.

    Only the service's own ``timeoutSeconds`` counts: what a runtime says there does not reach the routes.
    """
    own = (service.spec.get(component) or {}).get("timeoutSeconds")
    if own is not None:
        return int(own)
    default = settings.route_timeout
    return default if default is not None and default >= 0 else None


def host_on(gateway: Gateway, service: Service, settings: IngressSettings) -> str:
    """The host of the service on ``gateway``: one that all services share, or its own.

    Raises :class:`omec.compile.problems.RenderError` for a host that is no domain.
    """
    if settings.subdomain_per_service:
        # The service's own domain, where it names one, replaces that of every Gateway.
        domain = service.annotations.get(DOMAIN) or gateway.domain
        return host_name(service.name, service, replace(settings, domain=domain))
    prefix = settings.shared_host_prefix
    return f"{prefix}.{gateway.domain}" if prefix else gateway.domain


def _parent(gateway: Gateway) -> Object:
    parts = gateway.reference.split("/")
    return {"group": GROUP, "kind": "Gateway", "namespace": parts[0], "name": parts[-1]}


def _rule(name: str, backend: ComponentName, service: Service, settings: IngressSettings, port: int) -> Object:
    shared = not settings.subdomain_per_service
    prefix = f"/{service.namespace}/{name}/" if shared else "/"
    headers = [
        {"name": _NAME_HEADER, "value": service.name},
        {"name": _NAMESPACE_HEADER, "value": service.namespace},
    ]
    filters: list[Object] = [{"type": "RequestHeaderModifier", "requestHeaderModifier": {"set": headers}}]
    if shared:
        path = {"type": "ReplacePrefixMatch", "replacePrefixMatch": "/"}
        filters.append({"type": "URLRewrite", "urlRewrite": {"path": path}})
    target = {
        "kind": "Service",
        "name": component_name(service.name, backend),
        "namespace": service.namespace,
        "port": port,
    }
    rule: Object = {
        "matches": [{"path": {"type": "PathPrefix", "value": prefix}}],
        "filters": filters,
        "backendRefs": [target],
    }
    timeout = route_timeout(service, backend, settings)
    if timeout is not None:
        rule["timeouts"] = {"request": f"{timeout}s"}
    return rule


def _metadata(name: str, service: Service) -> Object:
    metadata: Object = {"name": name, "namespace": service.namespace}
    labels = {key: value for key, value in service.labels.items() if key != VISIBILITY_LABEL}
    annotations = {key: value for key, value in service.annotations.items() if key not in _NOT_COPIED}
    if labels:
        metadata["labels"] = labels
    if annotations:
        metadata["annotations"] = annotations
    return metadata
