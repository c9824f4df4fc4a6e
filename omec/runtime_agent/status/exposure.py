"""Where an InferenceService is reached, and whether the way is open (reference 09 B1.1, 10 §8.7).

Everything is read from the objects that were rendered, because the settings they were rendered with are not in the
cluster.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from omec.runtime_agent.status.conditions import Condition, condition

Object = Mapping[str, Any]

INGRESS_READY = "IngressReady"
CLUSTER_DOMAIN = "svc.cluster.local"

_DISABLED = "Ingress creation is disabled, using external service for access"
_NOT_READY = "ComponentNotReady"
_ROUTES = (("engine", "Engine"), ("router", "Router"), ("decoder", "Decoder"), ("toplevel", "TopLevel"))


@dataclass(frozen=True, slots=True)
class Doors:
    """What was rendered to let requests in: Services, Ingress and HTTPRoutes of one InferenceService, by name."""

    services: Mapping[str, Object] = field(default_factory=dict)
    ingress: Object | None = None
    routes: Mapping[str, Object] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Exposure:
    """``IngressReady``, and the URLs from outside and inside the cluster where there are any."""

    ready: Condition
    url: str | None = None
    address: str | None = None


def exposure(namespace: str, name: str, doors: Doors, ready: Mapping[str, bool]) -> Exposure:
    """How the service is exposed; ``ready`` tells of each component that exists whether it is."""
    inner = _inner_service(name, doors, ready)
    if doors.routes:
        return _by_routes(namespace, name, doors.routes, ready, inner)
    if doors.ingress is not None:
        return _by_ingress(namespace, doors.ingress, ready, inner)
    outer = doors.services.get(name)
    url = None if outer is None else f"http://{_host(namespace, name)}:{_port(outer)}"
    return Exposure(condition(INGRESS_READY, "True", "IngressDisabled", _DISABLED), url, url)


def component_url(service: str, ingress: Object | None) -> str | None:
    """The URL of a component's own host, where an Ingress serves it."""
    for rule in ((ingress or {}).get("spec") or {}).get("rules") or ():
        for path in (rule.get("http") or {}).get("paths") or ():
            backend = (path.get("backend") or {}).get("service") or {}
            if backend.get("name") == service and rule.get("host"):
                return f"{_scheme(ingress)}://{rule['host']}"
    return None


def _by_ingress(namespace: str, ingress: Object, ready: Mapping[str, bool], inner: Object | None) -> Exposure:
    target = next((name for name in ("router", "decoder", "engine") if name in ready), "engine")
    if not ready.get(target):
        return Exposure(condition(INGRESS_READY, "False", _NOT_READY, "Target service not ready for ingress creation"))
    host = next((rule["host"] for rule in (ingress.get("spec") or {}).get("rules") or () if rule.get("host")), None)
    if host is None or inner is None:
        return Exposure(condition(INGRESS_READY, "True"))
    scheme, port = _scheme(ingress), _port(inner)
    address = f"{scheme}://{_host(namespace, inner['metadata']['name'])}:{port}"
    return Exposure(condition(INGRESS_READY, "True"), f"{scheme}://{host}:{port}", address)


def _by_routes(
    namespace: str, name: str, routes: Mapping[str, Object], ready: Mapping[str, bool], inner: Object | None
) -> Exposure:
    for part, title in _ROUTES:
        route = routes.get(name if part == "toplevel" else f"{name}-{part}")
        if route is None:
            continue
        behind = part if part != "toplevel" else "router" if "router" in ready else "engine"
        if not ready.get(behind):
            message = f"{part} component not ready for HTTPRoute creation"
            return Exposure(condition(INGRESS_READY, "False", _NOT_READY, message))
        problem = _route_problem(route, part, title)
        if problem is not None:
            return Exposure(problem)
    outer = routes.get(name)
    url = None if outer is None else _route_url(namespace, name, outer)
    address = None if inner is None else f"http://{_host(namespace, inner['metadata']['name'])}"
    return Exposure(condition(INGRESS_READY, "True"), url, address)


def _route_problem(route: Object, part: str, title: str) -> Condition | None:
    parents = (route.get("status") or {}).get("parents") or ()
    if not parents:
        message = f"{part} HTTPRoute awaiting gateway programming"
        return condition(INGRESS_READY, "False", "ParentStatusNotAvailable", message)
    for parent in parents:
        for each in parent.get("conditions") or ():
            if each.get("status") == "False":
                message = f"{title} {each.get('message', '')}".rstrip()
                return condition(INGRESS_READY, "False", str(each.get("reason", "")), message)
    return None


def _route_url(namespace: str, name: str, route: Object) -> str | None:
    spec = route.get("spec") or {}
    host = next(iter(spec.get("hostnames") or ()), None)
    if host is None:
        return None
    own_path = f"/{namespace}/{name}/"
    shared = any(path.startswith(own_path) for path in _paths(spec))
    return f"http://{host}{own_path if shared else '/'}"


def _paths(spec: Object) -> Iterator[str]:
    for rule in spec.get("rules") or ():
        for match in rule.get("matches") or ():
            yield str((match.get("path") or {}).get("value", ""))


def _inner_service(name: str, doors: Doors, ready: Mapping[str, bool]) -> Object | None:
    """The Service that requests go to inside the cluster: the router's, else the engine's."""
    return doors.services.get(f"{name}-{'router' if 'router' in ready else 'engine'}")


def _host(namespace: str, service: str) -> str:
    return f"{service}.{namespace}.{CLUSTER_DOMAIN}"


def _port(service: Object) -> Any:
    ports: list[Object] = (service.get("spec") or {}).get("ports") or []
    return ports[0].get("port", 80) if ports else 80


def _scheme(ingress: Object | None) -> str:
    return "https" if ((ingress or {}).get("spec") or {}).get("tls") else "http"
