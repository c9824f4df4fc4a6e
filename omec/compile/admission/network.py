"""Rules on Services and Ingresses."""

from __future__ import annotations

from omec.compile.admission.containers import PROTOCOLS
from omec.compile.admission.fielderror import (
    Object,
    Refusals,
    duplicate,
    invalid,
    not_empty,
    one_of,
    required,
    unsupported,
)
from omec.compile.admission.names import (
    DNS_SUBDOMAIN,
    POD_LABEL,
    SERVICE_NAME,
    labels,
    port,
    port_name,
    port_number,
    qualified_name,
)
from omec.finding import FieldPath

_SPEC: FieldPath = ("spec",)
_SERVICE_CHOICES = {
    "externalTrafficPolicy": ("Cluster", "Local"),
    "internalTrafficPolicy": ("Cluster", "Local"),
    "sessionAffinity": ("ClientIP", "None"),
    "type": ("ClusterIP", "ExternalName", "LoadBalancer", "NodePort"),
}
_PATH_TYPES = ("Exact", "ImplementationSpecific", "Prefix")


def service(obj: Object) -> Refusals:
    spec = obj["spec"]
    yield from one_of(spec, _SPEC, _SERVICE_CHOICES)
    yield from labels(spec.get("selector", {}), (*_SPEC, "selector"))
    ports = spec.get("ports", ())
    needs_ports = spec.get("clusterIP") != "None" and spec.get("type") != "ExternalName"
    if not ports and needs_ports:
        yield required((*_SPEC, "ports"))
    if spec.get("type") == "ExternalName":
        yield from not_empty(spec, _SPEC, ("externalName",))
    names: set[str] = set()
    for index, entry in enumerate(ports):
        at = (*_SPEC, "ports", index)
        name = entry.get("name", "")
        if name:
            yield from POD_LABEL.check(name, (*at, "name"))
            if name in names:
                yield duplicate((*at, "name"), name)
            names.add(name)
        elif len(ports) > 1:
            yield required((*at, "name"))
        yield from _service_port(entry, at)


def _service_port(entry: Object, path: FieldPath) -> Refusals:
    yield from port_number(entry["port"], (*path, "port"))
    yield from one_of(entry, path, {"protocol": PROTOCOLS})
    if target := entry.get("targetPort"):
        yield from port(target, (*path, "targetPort"))
    if protocol := entry.get("appProtocol"):
        yield from qualified_name(protocol, (*path, "appProtocol"))


def ingress(obj: Object) -> Refusals:
    spec = obj["spec"]
    if not spec.get("rules") and "defaultBackend" not in spec:
        yield invalid(_SPEC, [], "either `defaultBackend` or `rules` must be specified")
    for index, rule in enumerate(spec.get("rules", ())):
        at = (*_SPEC, "rules", index)
        if (host := rule.get("host", "")) and not host.startswith("*."):
            yield from DNS_SUBDOMAIN.check(host, (*at, "host"))
        if "http" in rule and not rule["http"]["paths"]:
            yield required((*at, "http", "paths"))
        for number, path in enumerate(rule.get("http", {}).get("paths", ())):
            yield from _ingress_path(path, (*at, "http", "paths", number))


def _ingress_path(path: Object, at: FieldPath) -> Refusals:
    path_type, text = path["pathType"], path.get("path", "")
    if path_type not in _PATH_TYPES:
        yield unsupported((*at, "pathType"), path_type, _PATH_TYPES)
    elif path_type != "ImplementationSpecific" and not text.startswith("/"):
        yield invalid((*at, "path"), text, "must be an absolute path")
    if service := path["backend"].get("service"):
        yield from _ingress_backend(service, (*at, "backend"))
    elif "resource" not in path["backend"]:
        yield invalid((*at, "backend"), "", "resource or service backend is required")


def _ingress_backend(service: Object, path: FieldPath) -> Refusals:
    name, chosen = service["name"], service.get("port", {})
    at = (*path, "service")
    yield from SERVICE_NAME.require(name, (*at, "name"))
    if chosen.get("name"):
        yield from port_name(chosen["name"], (*at, "port", "name"))
    elif chosen.get("number"):
        yield from port(chosen["number"], (*at, "port", "number"))
    else:
        yield required(path, "port name or number is required")
