"""Rules on one container of a pod."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from omec.compile.admission.fielderror import (
    Object,
    Refusals,
    duplicate,
    invalid,
    not_empty,
    not_found,
    one_of,
    required,
    unsupported,
    warning,
)
from omec.compile.admission.mounts import mounts
from omec.compile.admission.names import (
    CONFIG_KEY,
    DNS_SUBDOMAIN,
    ENVIRONMENT_NAME,
    POD_LABEL,
    port_name,
    port_number,
)
from omec.compile.admission.probes import PROBES, hooks
from omec.compile.admission.probes import probe as probe_rules
from omec.compile.admission.references import ENVIRONMENT_FIELDS, field_reference, resource_reference
from omec.compile.admission.resources import resources
from omec.compile.admission.security import container_security
from omec.finding import FieldPath

PROTOCOLS = ("SCTP", "TCP", "UDP")
_CHOICES = {
    "imagePullPolicy": ("Always", "IfNotPresent", "Never"),
    "terminationMessagePolicy": ("File", "FallbackToLogsOnError"),
}
_EXIT_CODE_OPERATORS = ("In", "NotIn")


def container(container: Object, path: FieldPath, pod: Object, volumes: Mapping[str, Object]) -> Refusals:
    """Everything about one container but whether its name is unique; ``volumes`` are those of ``pod`` by name."""
    name = container["name"]
    yield from POD_LABEL.require(name, (*path, "name"))
    yield from not_empty(container, path, ("image",))
    yield from one_of(container, path, _CHOICES)
    yield from _ports(container.get("ports", ()), (*path, "ports"), host_network=pod.get("hostNetwork", False))
    yield from _environment(container, path, volumes)
    yield from mounts(container, path, volumes)
    yield from resources(container, path, pod)
    yield from container_security(container.get("securityContext", {}), (*path, "securityContext"))
    for probe in PROBES:
        if probe in container:
            yield from probe_rules(container[probe], (*path, probe))
    if "lifecycle" in container:
        yield from hooks(container["lifecycle"], (*path, "lifecycle"), pod)
    if "restartPolicyRules" in container:
        yield from _restart_rules(container, path)


def _restart_rules(container: Object, path: FieldPath) -> Refusals:
    rules: Any = container["restartPolicyRules"]
    if rules and not container.get("restartPolicy"):
        yield required((*path, "restartPolicy"), "must specify restartPolicy when restart rules are used")
    for index, rule in enumerate(rules):
        at = (*path, "restartPolicyRules", index)
        if rule["action"] != "Restart":
            yield unsupported((*at, "action"), rule["action"], ("Restart",))
        if "exitCodes" not in rule:
            yield required((*at, "exitCodes"), "must be specified")
        elif rule["exitCodes"]["operator"] not in _EXIT_CODE_OPERATORS:
            yield unsupported((*at, "exitCodes", "operator"), rule["exitCodes"]["operator"], _EXIT_CODE_OPERATORS)


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
        elif host := entry.get("hostIP"):
            yield warning((*at, "hostIP"), f"hostIP {host} is set without hostPort")
        yield from one_of(entry, at, {"protocol": PROTOCOLS})


def _environment(container: Object, path: FieldPath, volumes: Mapping[str, Object]) -> Refusals:
    for index, entry in enumerate(container.get("env", ())):
        at = (*path, "env", index)
        name = entry["name"]
        yield from ENVIRONMENT_NAME.require(name, (*at, "name"))
        if "valueFrom" in entry:
            yield from _value_source(entry, (*at, "valueFrom"), volumes)
    for index, entry in enumerate(container.get("envFrom", ())):
        sources = [name for name in ("configMapRef", "secretRef") if name in entry]
        if not sources:
            yield invalid((*path, "envFrom", index), "", "must specify one of: `configMapRef` or `secretRef`")
        if len(sources) > 1:
            yield invalid((*path, "envFrom", index), "", "may not have more than one field specified at a time")
        for name in sources:
            yield from DNS_SUBDOMAIN.require(entry[name].get("name", ""), (*path, "envFrom", index, name, "name"))


def _value_source(entry: Object, path: FieldPath, volumes: Mapping[str, Object]) -> Refusals:
    source = entry["valueFrom"]
    if not source:
        kinds = "`fieldRef`, `resourceFieldRef`, `configMapKeyRef`, `secretKeyRef` or `fileKeyRef`"
        yield invalid(path, "", f"must specify one of: {kinds}")
    elif entry.get("value"):
        yield invalid(path, "", "may not be specified when `value` is not empty")
    elif len(source) > 1:
        yield invalid(path, "", "may not have more than one field specified at a time")
    if "fieldRef" in source:
        yield from field_reference(source["fieldRef"], (*path, "fieldRef"), ENVIRONMENT_FIELDS)
    if "resourceFieldRef" in source:
        yield from resource_reference(source["resourceFieldRef"], (*path, "resourceFieldRef"))
    for kind in ("configMapKeyRef", "secretKeyRef"):
        if reference := source.get(kind):
            key = reference["key"]
            yield from CONFIG_KEY.require(key, (*path, kind, "key"))
            yield from DNS_SUBDOMAIN.require(reference.get("name", ""), (*path, kind, "name"))
    if (file := source.get("fileKeyRef")) and file["volumeName"] not in volumes:
        yield not_found((*path, "fileKeyRef", "volumeName"), file["volumeName"])
