"""Rules on the pods of a template."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from omec.compile.admission.containers import container
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
    warning,
)
from omec.compile.admission.metadata import labels_and_annotations
from omec.compile.admission.names import DNS_SUBDOMAIN, POD_LABEL
from omec.compile.admission.probes import PROBES
from omec.compile.admission.resources import pod_resources
from omec.compile.admission.scheduling import placement
from omec.compile.admission.security import pod_security
from omec.compile.admission.volumes import volume
from omec.finding import FieldPath

RESTART_POLICIES = ("Always", "OnFailure", "Never")
_USUAL_DNS = "ClusterFirst"
_RESOLVER = frozenset(("dnsConfig", "hostAliases"))
_NAMES = {
    "hostname": POD_LABEL,
    "nodeName": DNS_SUBDOMAIN,
    "priorityClassName": DNS_SUBDOMAIN,
    "runtimeClassName": DNS_SUBDOMAIN,
    "serviceAccountName": DNS_SUBDOMAIN,
    "subdomain": POD_LABEL,
}
_SYSTEMS = ("linux", "windows")
_CLAIM_SOURCES = ("resourceClaimName", "resourceClaimTemplateName")
_PROBES_AND_HOOKS = ("lifecycle", *PROBES)


def pod_template(template: Object, path: FieldPath, restart_policies: Iterable[str] = RESTART_POLICIES) -> Refusals:
    """A pod template whose owner allows ``restart_policies``."""
    yield from labels_and_annotations(template.get("metadata", {}), (*path, "metadata"))
    spec, at = template.get("spec", {}), (*path, "spec")
    policy = spec.get("restartPolicy", "Always")
    if policy not in restart_policies:
        yield unsupported((*at, "restartPolicy"), policy, restart_policies)
    yield from _names(spec, at)
    if spec.get("dnsPolicy", _USUAL_DNS) != _USUAL_DNS or not _RESOLVER.isdisjoint(spec):
        from omec.compile.admission.resolver import resolver  # noqa: PLC0415 - few pods have one of their own

        yield from resolver(spec, at)
    security = spec.get("securityContext", {})
    yield from pod_security(security, (*at, "securityContext"), host_network=spec.get("hostNetwork", False))
    yield from _shared_namespaces(spec, at)
    yield from _resource_claims(spec.get("resourceClaims", ()), (*at, "resourceClaims"))
    for index, entry in enumerate(spec.get("volumes", ())):
        yield from volume(entry, (*at, "volumes", index))
    yield from _containers(spec, at)
    yield from placement(spec, at)
    yield from pod_resources(spec, at)


def _names(spec: Object, path: FieldPath) -> Refusals:
    """Names that the pod has or refers to."""
    for name, grammar in _NAMES.items():
        if text := spec.get(name):
            yield from grammar.check(text, (*path, name))
    if "os" in spec and spec["os"].get("name") not in _SYSTEMS:
        yield from not_empty(spec["os"], (*path, "os"), ("name",))
        yield from one_of(spec["os"], (*path, "os"), {"name": _SYSTEMS})
    for index, secret in enumerate(spec.get("imagePullSecrets", ())):
        if not secret.get("name"):
            yield warning((*path, "imagePullSecrets", index, "name"), 'invalid empty name ""')
    account, former = spec.get("serviceAccountName"), spec.get("serviceAccount")
    if account and former and account != former:
        text = f"the API server stores {account}, the serviceAccountName, in place of {former}"
        yield warning((*path, "serviceAccount"), text)


def _shared_namespaces(spec: Object, path: FieldPath) -> Refusals:
    if spec.get("shareProcessNamespace") and spec.get("hostPID"):
        detail = "ShareProcessNamespace and HostPID cannot both be enabled"
        yield invalid((*path, "shareProcessNamespace"), True, detail)
    if spec.get("hostUsers", True):
        return
    for name in ("hostIPC", "hostNetwork", "hostPID"):
        if spec.get(name):
            yield forbidden((*path, name), "when `hostUsers` is false")


def _resource_claims(claims: Any, path: FieldPath) -> Refusals:
    for index, claim in enumerate(claims):
        sources = [name for name in _CLAIM_SOURCES if claim.get(name) is not None]
        if len(sources) != 1:
            names = " or ".join(f"`{name}`" for name in _CLAIM_SOURCES)
            few = f"must specify one of: {names.replace(' or', ',')}"
            yield invalid((*path, index), claim, f"at most one of {names} may be specified" if sources else few)


def _containers(spec: Object, path: FieldPath) -> Refusals:
    if spec.get("ephemeralContainers"):
        yield forbidden((*path, "ephemeralContainers"), "ephemeral containers not allowed in pod template")
    containers: Any = spec.get("containers", ())
    if not containers:
        yield required((*path, "containers"))
    volumes = {entry["name"]: entry for entry in spec.get("volumes", ())}
    for index, entry in enumerate(containers):
        yield from container(entry, (*path, "containers", index), spec, volumes)
    names = {entry["name"] for entry in containers}
    for index, entry in enumerate(spec.get("initContainers", ())):
        at = (*path, "initContainers", index)
        yield from container(entry, at, spec, volumes)
        if entry["name"] in names:
            yield duplicate((*at, "name"), entry["name"])
        if entry.get("restartPolicy") != "Always":
            yield from _runs_once(entry, at)


def _runs_once(entry: Object, path: FieldPath) -> Refusals:
    for name in _PROBES_AND_HOOKS:
        if name in entry:
            yield forbidden((*path, name), "may not be set for init containers without restartPolicy=Always")
