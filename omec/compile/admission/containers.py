"""Rules on one container of a pod."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
from typing import Any

from omec.api.quantity import parse
from omec.compile.admission.fielderror import (
    Object,
    Refusals,
    duplicate,
    forbidden,
    invalid,
    not_empty,
    not_found,
    not_negative,
    one_of,
    required,
)
from omec.compile.admission.names import (
    CONFIG_KEY,
    ENVIRONMENT_NAME,
    POD_LABEL,
    port,
    port_name,
    port_number,
    qualified_name,
)
from omec.finding import FieldPath

PROTOCOLS = ("SCTP", "TCP", "UDP")
_CHOICES = {
    "imagePullPolicy": ("Always", "IfNotPresent", "Never"),
    "terminationMessagePolicy": ("File", "FallbackToLogsOnError"),
}
_PROBES = ("livenessProbe", "readinessProbe", "startupProbe")
_PROBE_HANDLERS = ("exec", "grpc", "httpGet", "tcpSocket")
_HOOK_HANDLERS = ("exec", "httpGet", "sleep", "tcpSocket")
_PROBE_NUMBERS = ("initialDelaySeconds", "timeoutSeconds", "periodSeconds", "successThreshold", "failureThreshold")
_STANDARD_RESOURCES = ("cpu", "ephemeral-storage", "memory")
_POD_FIELDS = (
    r"metadata\.(name|namespace|uid|(labels|annotations)\['.*'\])|spec\.(nodeName|serviceAccountName)"
    r"|status\.(hostIPs?|podIPs?)"
)
_HUGE_PAGES = "hugepages-"


def container(container: Object, path: FieldPath, volumes: Collection[str], *, host_network: bool) -> Refusals:
    """Everything about one container but whether its name is unique; ``volumes`` are the names of the pod's volumes."""
    name = container["name"]
    yield from POD_LABEL.require(name, (*path, "name"))
    yield from not_empty(container, path, ("image",))
    yield from one_of(container, path, _CHOICES)
    yield from _ports(container.get("ports", ()), (*path, "ports"), host_network=host_network)
    yield from _environment(container, path)
    yield from _mounts(container.get("volumeMounts", ()), (*path, "volumeMounts"), volumes)
    yield from _resources(container.get("resources", {}), (*path, "resources"))
    yield from user_ids(container.get("securityContext", {}), (*path, "securityContext"), ("runAsGroup", "runAsUser"))
    for probe in _PROBES:
        if probe in container:
            yield from _probe(container[probe], (*path, probe))
    for hook, handler in container.get("lifecycle", {}).items():
        if isinstance(handler, dict):
            yield from _handler(handler, (*path, "lifecycle", hook), _HOOK_HANDLERS)


def user_ids(context: Object, path: FieldPath, names: Iterable[str]) -> Refusals:
    """Users and groups in a security context."""
    for name in names:
        if not 0 <= context.get(name, 0) < 2**31:
            yield invalid((*path, name), context[name], "must be between 0 and 2147483647, inclusive")


def _ports(ports: Any, path: FieldPath, *, host_network: bool) -> Refusals:
    names: set[str] = set()
    for index, entry in enumerate(ports):
        at = (*path, index)
        if name := entry.get("name"):
            yield from port_name(name, (*at, "name"))
            if name in names:
                yield duplicate((*at, "name"), name)
            names.add(name)
        yield from port_number(entry["containerPort"], (*at, "containerPort"))
        if host_port := entry.get("hostPort"):
            yield from port_number(host_port, (*at, "hostPort"))
            if host_network and host_port != entry["containerPort"]:
                yield invalid((*at, "hostPort"), host_port, "must match `containerPort` when `hostNetwork` is true")
        yield from one_of(entry, at, {"protocol": PROTOCOLS})


def _environment(container: Object, path: FieldPath) -> Refusals:
    for index, entry in enumerate(container.get("env", ())):
        at = (*path, "env", index)
        name = entry["name"]
        yield from ENVIRONMENT_NAME.require(name, (*at, "name"))
        if "valueFrom" in entry:
            yield from _value_source(entry, (*at, "valueFrom"))
    for index, entry in enumerate(container.get("envFrom", ())):
        sources = [name for name in ("configMapRef", "secretRef") if name in entry]
        if not sources:
            yield invalid((*path, "envFrom", index), "", "must specify one of: `configMapRef` or `secretRef`")
        if len(sources) > 1:
            yield invalid((*path, "envFrom", index), "", "may not have more than one field specified at a time")


def _value_source(entry: Object, path: FieldPath) -> Refusals:
    source = entry["valueFrom"]
    if not source:
        kinds = "`fieldRef`, `resourceFieldRef`, `configMapKeyRef`, `secretKeyRef` or `fileKeyRef`"
        yield invalid(path, "", f"must specify one of: {kinds}")
    elif entry.get("value"):
        yield invalid(path, "", "may not be specified when `value` is not empty")
    elif len(source) > 1:
        yield invalid(path, "", "may not have more than one field specified at a time")
    field = source.get("fieldRef", {}).get("fieldPath")
    if field is not None and not re.fullmatch(_POD_FIELDS, field):
        detail = f"error converting fieldPath: field label not supported: {field}"
        yield invalid((*path, "fieldRef", "fieldPath"), field, detail)
    for kind in ("configMapKeyRef", "secretKeyRef"):
        if reference := source.get(kind):
            key = reference["key"]
            yield from CONFIG_KEY.require(key, (*path, kind, "key"))


def _mounts(mounts: Any, path: FieldPath, volumes: Collection[str]) -> Refusals:
    for index, mount in enumerate(mounts):
        at = (*path, index)
        yield from not_empty(mount, at, ("name", "mountPath"))
        if mount["name"] and mount["name"] not in volumes:
            yield not_found((*at, "name"), mount["name"])
        yield from one_of(mount, at, {"mountPropagation": ("Bidirectional", "HostToContainer", "None")})
        for name in ("subPath", "subPathExpr"):
            if sub_path := mount.get(name):
                yield from _sub_path(sub_path, (*at, name))


def _sub_path(text: str, path: FieldPath) -> Refusals:
    if text.startswith("/"):
        yield invalid(path, text, "must be a relative path")
    if ".." in text.split("/"):
        yield invalid(path, text, "must not contain '..'")


def _probe(probe: Object, path: FieldPath) -> Refusals:
    yield from _handler(probe, path, _PROBE_HANDLERS)
    yield from not_negative(probe, path, _PROBE_NUMBERS)
    is_readiness = path[-1] == "readinessProbe"
    if not is_readiness and probe.get("successThreshold", 0) not in (0, 1):
        yield invalid((*path, "successThreshold"), probe["successThreshold"], "must be 1")
    grace = probe.get("terminationGracePeriodSeconds")
    if grace is not None and is_readiness:
        yield invalid((*path, "terminationGracePeriodSeconds"), grace, "must not be set for readinessProbes")
    elif grace is not None and grace <= 0:
        yield invalid((*path, "terminationGracePeriodSeconds"), grace, "must be greater than 0")


def _handler(owner: Object, path: FieldPath, kinds: Collection[str]) -> Refusals:
    """The one action of a probe or lifecycle hook."""
    given = [kind for kind in kinds if kind in owner]
    if not given:
        yield required(path, "must specify a handler type")
    for kind in given[1:]:
        yield forbidden((*path, kind), "may not specify more than 1 handler type")
    if "exec" in given and not owner["exec"].get("command"):
        yield required((*path, "exec", "command"))
    for kind in ("httpGet", "tcpSocket", "grpc"):
        if kind in given:
            yield from port(owner[kind]["port"], (*path, kind, "port"))
    if "httpGet" in given:
        yield from one_of(owner["httpGet"], (*path, "httpGet"), {"scheme": ("HTTP", "HTTPS")})


def _resources(resources: Object, path: FieldPath) -> Refusals:
    limits, requests = resources.get("limits", {}), resources.get("requests", {})
    for kind, amounts in (("limits", limits), ("requests", requests)):
        for name, amount in amounts.items():
            yield from _resource(name, amount, (*path, kind, name))
    for name, amount in requests.items():
        requested, at = parse(str(amount)), (*path, "requests")
        if name not in limits:
            if not _may_overcommit(name):
                yield required((*path, "limits"), "Limit must be set for non overcommitable resources")
            continue
        limit = parse(str(limits[name]))
        if requested.value != limit.value and not _may_overcommit(name):
            yield invalid(at, str(requested), f"must be equal to {name} limit of {limit}")
        elif requested.value > limit.value:
            yield invalid(at, str(requested), f"must be less than or equal to {name} limit of {limit}")


def _resource(name: str, amount: Any, path: FieldPath) -> Refusals:
    yield from qualified_name(name, path)
    quantity = parse(str(amount))
    if "/" not in name and name not in _STANDARD_RESOURCES and not name.startswith(_HUGE_PAGES):
        yield invalid(path, name, "must be a standard resource for containers")
    if quantity.value < 0:
        yield invalid(path, str(quantity), "must be greater than or equal to 0")
    if "/" in name and quantity.value % 1:
        yield invalid(path, str(quantity), "must be an integer")


def _may_overcommit(name: str) -> bool:
    return name in _STANDARD_RESOURCES or "kubernetes.io/" in name
