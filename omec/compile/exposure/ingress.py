"""The Ingress of a service (reference 10 §8.4)."""

from __future__ import annotations

from collections.abc import Mapping

from omec.compile.exposure.hosts import host_name
from omec.compile.exposure.settings import IngressSettings
from omec.compile.inputs import Object, Service
from omec.compile.names import ComponentName, component_name


def ingress(service: Service, settings: IngressSettings, ports: Mapping[ComponentName, int]) -> Object:
    """The Ingress; ``settings`` are the effective ones, ``ports`` those of the Services of the rendered components.

    The host of the service leads to its router, or to its engine. Components get hosts of their own where there are
    several. Raises :class:`RenderError` for a host that is no domain.
    """
    entry: ComponentName = "router" if "router" in ports else "engine"
    named: list[tuple[str, ComponentName]] = [(service.name, entry)]
    if len(ports) > 1:
        order: tuple[ComponentName, ...] = ("router", "engine", "decoder")
        named += [(component_name(service.name, component), component) for component in order if component in ports]
    spec: Object = {} if settings.class_name is None else {"ingressClassName": settings.class_name}
    spec["rules"] = [
        _rule(host_name(name, service, settings), component_name(service.name, component), ports[component])
        for name, component in named
    ]
    metadata: Object = {"name": service.name, "namespace": service.namespace}
    if service.annotations:
        metadata["annotations"] = dict(service.annotations)
    return {"apiVersion": "networking.k8s.io/v1", "kind": "Ingress", "metadata": metadata, "spec": spec}


def _rule(host: str, backend: str, port: int) -> Object:
    path = {"path": "/", "pathType": "Prefix", "backend": {"service": {"name": backend, "port": {"number": port}}}}
    return {"host": host, "http": {"paths": [path]}}
