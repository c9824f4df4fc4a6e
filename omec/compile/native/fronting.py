"""Services in front of InferenceReplicas that stand alone: ``spec.replicaRefs`` (reference 05 §9.2, 09 A4.1)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from omec.api.gotext import quoted
from omec.compile.inputs import Object, Service
from omec.compile.metadata import COMPONENT_LABEL, INFERENCE_SERVICE_LABEL
from omec.compile.names import COMPONENTS, DEFAULT_PORT, ComponentName, component_name, shortened
from omec.compile.native.labels import serving_selector
from omec.compile.native.names import NAME_PATTERN, is_replica_name
from omec.compile.native.owner import projecting_service
from omec.compile.services import service_ports

_OWN_MODEL = "the referenced replicas carry their own model and runtime"
_NOTHING_RENDERED = "the service writes nothing on, and renders nothing for, a referenced replica"
_THIS_CLUSTER = "the referenced replicas exist in this cluster only"
_NOT_BESIDE = {
    "model": _OWN_MODEL,
    "runtime": _OWN_MODEL,
    "scalingPolicy": _NOTHING_RENDERED,
    "acceleratorSelector": _NOTHING_RENDERED,
    "placement": _THIS_CLUSTER,
    "routing": _THIS_CLUSTER,
}

FIXED = "spec.replicaRefs is fixed at create; delete and recreate the InferenceService to front other replicas"


def referenced(spec: Mapping[str, Any]) -> dict[ComponentName, str]:
    """The replica that stands for each role of a service; a block without an engine has no effect at all."""
    block = spec.get("replicaRefs") or {}
    if not block.get("engine"):
        return {}
    return {role: block[role][0] for role in COMPONENTS if block.get(role)}


def same_references(old: Mapping[str, Any], new: Mapping[str, Any]) -> bool:
    """Whether the block is the same in two specs of a service; an empty list counts as none."""
    before, after = ({r: (s.get("replicaRefs") or {}).get(r) or [] for r in COMPONENTS} for s in (old, new))
    return before == after and (old.get("replicaRefs") is None) == (new.get("replicaRefs") is None)


def shape_refusals(spec: Mapping[str, Any]) -> Iterator[tuple[tuple[str | int, ...], str]]:
    """What OME's webhook refuses of a service's spec with ``replicaRefs``, in its order: the field and the message."""
    block = spec.get("replicaRefs")
    if block is None:
        return
    if not block.get("engine"):
        yield (
            ("replicaRefs",),
            "spec.replicaRefs.engine is required when spec.replicaRefs is set; a service has an engine",
        )
    yield from _name_refusals(block)
    for component in COMPONENTS:
        if spec.get(component) is not None:
            yield (
                (component,),
                f"spec.{component} and spec.replicaRefs cannot both be set; a service references all of its roles or "
                "none",
            )
    if spec.get("rollout") is not None:
        yield ("rollout",), "spec.rollout is not accepted with spec.replicaRefs; a referenced replica rolls on its own"
    for field, reason in _NOT_BESIDE.items():
        if spec.get(field) is not None:
            yield (field,), f"spec.{field} is not accepted with spec.replicaRefs; {reason}"
    mode = spec.get("deploymentMode")
    if mode not in (None, "OMENative"):
        message = f"spec.deploymentMode {mode} is not accepted with spec.replicaRefs; a referenced replica is OMENative"
        yield ("deploymentMode",), message


def _name_refusals(block: Mapping[str, Any]) -> Iterator[tuple[tuple[str | int, ...], str]]:
    named: dict[str, ComponentName] = {}
    for role in COMPONENTS:
        names: Sequence[str] = block.get(role) or ()
        field = f"spec.replicaRefs.{role}"
        if len(names) > 1:
            yield ("replicaRefs", role), f"{field} names {len(names)} replicas; one entry per role is accepted"
        for name in names:
            if not is_replica_name(name):
                yield ("replicaRefs", role, 0), f"{field}[0] {quoted(name)} must match {quoted(NAME_PATTERN)}"
            if name in named:
                yield (
                    ("replicaRefs", role, 0),
                    f"InferenceReplica {name} is named by both spec.replicaRefs.{named[name]} and {field}; a replica "
                    "serves one role",
                )
            named[name] = role


def reference_refusals(
    service: Service, replicas: Iterable[Object], others: Iterable[Service]
) -> Iterator[tuple[tuple[str | int, ...], str]]:
    """What OME's webhook refuses of the replicas that a new service names, in its order.

    ``replicas`` and ``others`` are the InferenceReplicas and InferenceServices that exist, in any namespace.
    """
    found = _by_name(service.namespace, replicas)
    taken = _fronted(service, others)
    for role, name in referenced(service.spec).items():
        field: tuple[str | int, ...] = ("replicaRefs", role, 0)
        start = f"spec.replicaRefs.{role} names InferenceReplica {service.namespace}/{name}"
        replica = found.get(name)
        if replica is None:
            yield field, f"{start}, which does not exist; create it first"
            continue
        if (parent := _projected_by(replica)) is not None:
            yield field, f"{start}, which InferenceService {parent} projects; name a standalone replica"
        if (component := replica["spec"].get("component", "")) != role:
            yield field, f"{start}, whose component is {component}"
        if name in taken:
            yield field, f"{start}, which InferenceService {taken[name]} already fronts; a replica has one service"


def _fronted(service: Service, others: Iterable[Service]) -> dict[str, str]:
    """The replicas that other services of the namespace front, each with the first that does."""
    taken: dict[str, str] = {}
    for other in others:
        if other.namespace == service.namespace and other.name != service.name:
            for name in referenced(other.spec).values():
                taken.setdefault(name, other.name)
    return taken


def fronting_services(service: Service, replicas: Iterable[Object]) -> list[Object]:
    """The component Services of a service in front of its replicas; a role without a usable replica has none."""
    found = _by_name(service.namespace, replicas)
    return [
        _fronting_service(service, role, found[name])
        for role, name in referenced(service.spec).items()
        if name in found and _unusable(role, found[name]) is None
    ]


def _fronting_service(service: Service, role: ComponentName, replica: Object) -> Object:
    runners = {runner["name"]: runner for runner in replica["spec"].get("runners") or ()}
    serving = runners.get("leader") or runners.get("default")
    if serving is None:
        ports: list[Object] = [{"port": DEFAULT_PORT, "targetPort": DEFAULT_PORT, "protocol": "TCP"}]
    else:
        ports = service_ports(serving["template"]["spec"]["containers"][0], {})
    return {
        "apiVersion": "v1",
        "kind": "Service",
        "metadata": {
            "name": shortened(component_name(service.name, role)),
            "namespace": service.namespace,
            "labels": {INFERENCE_SERVICE_LABEL: service.name, COMPONENT_LABEL: role},
        },
        "spec": {
            "type": "ClusterIP",
            "selector": serving_selector(replica["metadata"]["name"], role, leaders="leader" in runners),
            "ports": ports,
        },
    }


def role_conditions(service: Service, replicas: Iterable[Object]) -> list[dict[str, str]]:
    """What OME reports about the roles that have no usable replica."""
    found = _by_name(service.namespace, replicas)
    conditions = []
    for role, name in referenced(service.spec).items():
        start = f"InferenceReplica {name} named by spec.replicaRefs.{role}"
        fault = "does not exist" if name not in found else _unusable(role, found[name])
        if fault is not None:
            reason = "ReplicaRefInvalid" if name in found else "ReplicaRefMissing"
            message = f"{start} {fault}"
            conditions.append({"component": role, "status": "False", "reason": reason, "message": message})
    return conditions


def _unusable(role: ComponentName, replica: Object) -> str | None:
    if (parent := _projected_by(replica)) is not None:
        return f"is projected by InferenceService {parent}"
    component = replica["spec"].get("component", "")
    return None if component == role else f"has component {component}"


def _projected_by(replica: Object) -> str | None:
    return (replica["spec"].get("parentRef") or {}).get("name") or projecting_service(replica)


def _by_name(namespace: str, replicas: Iterable[Object]) -> dict[str, Object]:
    return {
        replica["metadata"]["name"]: replica for replica in replicas if replica["metadata"]["namespace"] == namespace
    }
