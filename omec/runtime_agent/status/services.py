"""The status of one InferenceService, made of what was rendered from it and runs now (reference 09 B1-B3)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from omec.runtime_agent.status.conditions import Condition, condition, find, merged
from omec.runtime_agent.status.exposure import INGRESS_READY, Doors, component_url, exposure
from omec.runtime_agent.status.loading import model_status
from omec.runtime_agent.status.workloads import COMPONENTS, ENGINE_READY, component_condition, missing_condition

Object = dict[str, Any]

READY = "Ready"
_DEPENDENTS = (ENGINE_READY, INGRESS_READY)
"""``Ready`` hangs on these two alone: OME leaves decoder and router out."""


@dataclass(frozen=True, slots=True)
class Parts:
    """Everything in the cluster that was rendered from one InferenceService."""

    namespace: str
    name: str
    workloads: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    """The workload of each component."""
    doors: Doors = field(default_factory=Doors)
    pods: Sequence[Mapping[str, Any]] = ()
    """The pods of the engine."""


def service_status(
    parts: Parts, service: Mapping[str, Any] | None, former: Mapping[str, Any] | None, now: str
) -> Object:
    """The status for the object ``service``, or for the agent's own list where there is no such object.

    ``former`` is the status until now. Conditions that OME's manager once wrote about other things are kept.
    """
    conditions = (former or {}).get("conditions")
    of_components = {
        name: component_condition(name, parts.workloads[name]) for name in COMPONENTS if name in parts.workloads
    }
    ready = {name: each["status"] == "True" for name, each in of_components.items()}
    way = exposure(parts.namespace, parts.name, parts.doors, ready)
    wanted = [*of_components.values(), way.ready]
    if ENGINE_READY not in {each["type"] for each in wanted}:
        wanted.append(missing_condition())
    wanted.append(_ready(wanted))
    status: Object = {"conditions": merged(wanted, conditions, now)}
    if parts.workloads:  # server-side apply stores an empty map in the place of a filled one as null
        status["components"] = _components(parts, of_components)
    if way.url:
        status["url"] = way.url
    if way.address:
        status["address"] = {"url": way.address}
    if service is None or (service.get("spec") or {}).get("model"):
        status["modelStatus"] = model_status(parts.pods, ready=wanted[-1]["status"] == "True")
    if service is not None:
        status["observedGeneration"] = service["metadata"].get("generation", 0)
    return status


def is_ready(status: Mapping[str, Any] | None) -> str:
    """``True``, ``False`` or ``Unknown``: the condition ``Ready`` of a status."""
    ready = find((status or {}).get("conditions"), READY)
    return "Unknown" if ready is None else str(ready.get("status"))


def _ready(wanted: Sequence[Condition]) -> Condition:
    """The first dependent that is False decides, else the first that is not True."""
    dependents = [each for type_ in _DEPENDENTS for each in wanted if each["type"] == type_]
    for status in ("False", "Unknown"):
        for each in dependents:
            if each["status"] == status:
                return condition(READY, status, each.get("reason", ""), each.get("message", ""))
    return condition(READY, "True")


def _components(parts: Parts, conditions: Mapping[str, Condition]) -> Object:
    components: Object = {}
    for name, workload in parts.workloads.items():
        target = {"apiVersion": workload["apiVersion"], "kind": workload["kind"], "name": workload["metadata"]["name"]}
        components[name] = {"scaleTargetRef": target}
        url = component_url(f"{parts.name}-{name}", parts.doors.ingress)
        if url and conditions[name]["status"] == "True":
            components[name]["url"] = url
    return components
