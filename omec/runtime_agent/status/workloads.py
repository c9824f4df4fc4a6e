"""Which component a workload is, and how it is (reference 09 B1)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from omec.runtime_agent.status.conditions import Condition, condition, find

Object = Mapping[str, Any]

COMPONENTS = ("engine", "decoder", "router")
RENDERED_FROM_LABEL = "omec.io/inferenceservice"
"""omec's own label: the service that an object was rendered from. OME's names a replica on the replica's pods."""
SERVICE_LABEL = "ome.io/inferenceservice"
COMPONENT_LABEL = "component"

_DECIDING = {"Deployment": "Available", "LeaderWorkerSet": "Available", "InferenceReplica": "Ready"}
WORKLOAD_KINDS = tuple(_DECIDING)

_CONDITIONS = {name: f"{name.capitalize()}Ready" for name in COMPONENTS}
ENGINE_READY = _CONDITIONS["engine"]


def service_of(obj: Object) -> tuple[str, str] | None:
    """Namespace and name of the InferenceService that ``obj`` belongs to, by its labels."""
    metadata = obj["metadata"]
    labels = metadata.get("labels") or {}
    name = labels.get(RENDERED_FROM_LABEL) or labels.get(SERVICE_LABEL)
    return (metadata.get("namespace") or "", name) if name else None


def component_of(obj: Object) -> str | None:
    """``engine``, ``decoder`` or ``router``; ``None`` for anything else."""
    name = (obj["metadata"].get("labels") or {}).get(COMPONENT_LABEL)
    return name if name in COMPONENTS else None


def component_condition(component: str, workload: Object) -> Condition:
    """``EngineReady`` (or of another component) as the workload's own condition says, times and all.

    A workload that nobody has looked at yet has none; OME then writes an empty status, which counts as unknown.
    """
    type_ = _CONDITIONS[component]
    own = find((workload.get("status") or {}).get("conditions"), _DECIDING[workload["kind"]])
    severity = {} if component == "engine" else {"severity": "Info"}
    if own is None:
        return condition(type_, "Unknown", "NotObserved", f"{workload['kind']} has no status yet", **severity)
    copied = condition(type_, str(own["status"]), str(own.get("reason", "")), str(own.get("message", "")), **severity)
    time = own.get("lastTransitionTime")
    return copied | ({"lastTransitionTime": time} if time else {})


def missing_condition() -> Condition:
    """``EngineReady`` of a service that had workloads and has none any more."""
    return condition(ENGINE_READY, "False", "NoDeployments", "No deployments available")


def replicas(workload: Object) -> tuple[int, int]:
    """How many replicas are ready, and how many are wanted."""
    spec, status = workload.get("spec") or {}, workload.get("status") or {}
    return status.get("readyReplicas") or 0, 1 if spec.get("replicas") is None else spec["replicas"]
