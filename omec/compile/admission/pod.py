"""Rules on the pods of a template."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from omec.compile.admission.containers import container, user_ids
from omec.compile.admission.fielderror import (
    Object,
    Refusals,
    duplicate,
    forbidden,
    invalid,
    not_empty,
    one_of,
    required,
    unsupported,
)
from omec.compile.admission.metadata import labels_and_annotations
from omec.compile.admission.names import DNS_SUBDOMAIN, POD_LABEL
from omec.compile.admission.scheduling import placement
from omec.finding import FieldPath

RESTART_POLICIES = ("Always", "OnFailure", "Never")
_DNS_POLICIES = ("ClusterFirstWithHostNet", "ClusterFirst", "Default", "None")
_NAMES = {
    "hostname": POD_LABEL,
    "priorityClassName": DNS_SUBDOMAIN,
    "runtimeClassName": DNS_SUBDOMAIN,
    "serviceAccountName": DNS_SUBDOMAIN,
    "subdomain": POD_LABEL,
}
_REQUIRED_OF_VOLUMES = {
    "configMap": ("name",),
    "csi": ("driver",),
    "hostPath": ("path",),
    "nfs": ("path", "server"),
    "persistentVolumeClaim": ("claimName",),
    "secret": ("secretName",),
}
_HOST_PATH_TYPES = ("", "BlockDevice", "CharDevice", "Directory", "DirectoryOrCreate", "File", "FileOrCreate", "Socket")
_PROBES_AND_HOOKS = ("lifecycle", "livenessProbe", "readinessProbe", "startupProbe")


def pod_template(template: Object, path: FieldPath, restart_policies: Iterable[str] = RESTART_POLICIES) -> Refusals:
    """A pod template whose owner allows ``restart_policies``."""
    yield from labels_and_annotations(template.get("metadata", {}), (*path, "metadata"))
    spec, at = template.get("spec", {}), (*path, "spec")
    policy = spec.get("restartPolicy", "Always")
    if policy not in restart_policies:
        yield unsupported((*at, "restartPolicy"), policy, restart_policies)
    for name, grammar in _NAMES.items():
        if text := spec.get(name):
            yield from grammar.check(text, (*at, name))
    yield from one_of(spec, at, {"dnsPolicy": _DNS_POLICIES})
    yield from _security(spec.get("securityContext", {}), (*at, "securityContext"))
    for index, volume in enumerate(spec.get("volumes", ())):
        yield from _volume(volume, (*at, "volumes", index))
    yield from _containers(spec, at)
    yield from placement(spec, at)


def _security(context: Object, path: FieldPath) -> Refusals:
    yield from user_ids(context, path, ("fsGroup", "runAsGroup", "runAsUser"))
    yield from one_of(context, path, {"fsGroupChangePolicy": ("Always", "OnRootMismatch")})


def _volume(volume: Object, path: FieldPath) -> Refusals:
    name = volume["name"]
    yield from POD_LABEL.require(name, (*path, "name"))
    sources = [kind for kind in volume if kind != "name"]
    if len(sources) > 1:
        yield forbidden(path, "may not specify more than 1 volume type")
    for kind in sources:
        yield from not_empty(volume[kind], (*path, kind), _REQUIRED_OF_VOLUMES.get(kind, ()))
    if host_path := volume.get("hostPath"):
        at = (*path, "hostPath")
        if ".." in host_path["path"].split("/"):
            yield invalid((*at, "path"), host_path["path"], "must not contain '..'")
        yield from one_of(host_path, at, {"type": _HOST_PATH_TYPES})


def _containers(spec: Object, path: FieldPath) -> Refusals:
    containers: Any = spec.get("containers", ())
    if not containers:
        yield required((*path, "containers"))
    volumes = {volume["name"] for volume in spec.get("volumes", ())}
    host_network = spec.get("hostNetwork", False)
    for index, entry in enumerate(containers):
        yield from container(entry, (*path, "containers", index), volumes, host_network=host_network)
    names = {entry["name"] for entry in containers}
    for index, entry in enumerate(spec.get("initContainers", ())):
        at = (*path, "initContainers", index)
        yield from container(entry, at, volumes, host_network=host_network)
        if entry["name"] in names:
            yield duplicate((*at, "name"), entry["name"])
        if entry.get("restartPolicy") != "Always":
            yield from _runs_once(entry, at)


def _runs_once(entry: Object, path: FieldPath) -> Refusals:
    for name in _PROBES_AND_HOOKS:
        if name in entry:
            yield forbidden((*path, name), "may not be set for init containers without restartPolicy=Always")
