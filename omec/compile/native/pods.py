"""The pods of one Instance, by role (reference 05 §7.3, 04 §5.5).

The same composition as for a Deployment, but for the defaults of Deployments, which OME gives neither replicas nor (in
full) LeaderWorkerSets.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

from omec.api.shapes import POD_FIELDS, POD_SPEC
from omec.compile.accelerators import Accelerator
from omec.compile.components import Component
from omec.compile.inputs import ServiceInputs
from omec.compile.names import component_name
from omec.compile.pod import (
    Pod,
    _affinity,
    _filled,
    _node_selector,
    _router_runner,
    _sent,
    _with_runner,
)
from omec.compile.runner import complete_runner
from omec.compile.weights import Weights

Role = Literal["default", "leader", "worker"]


def roles(component: Component) -> tuple[Role, ...]:
    """The roles of an Instance in the order of their ranks; half a pair of leader and worker makes a single pod."""
    pair = (component.spec.get(part) is not None for part in ("leader", "worker"))
    return ("leader", "worker") if all(pair) else ("default",)


def worker_size(component: Component) -> int:
    """How many workers an Instance has."""
    return 0 if roles(component) == ("default",) else (component.spec["worker"].get("size") or 0)


def compose_pod(
    inputs: ServiceInputs, component: Component, role: Role, *, weights: Weights | None, accelerator: Accelerator
) -> Pod:
    """The pod of ``role``, nothing filled in that OME leaves to the API server. Raises :class:`RenderError`."""
    source: Mapping[str, Any] = component.spec
    if role == "worker":
        source = component.spec["worker"]
    elif component.spec.get("leader") is not None:
        source = component.spec["leader"]
    spec = {key: value for key, value in source.items() if key in POD_FIELDS.fields}
    runner = source.get("runner")
    if runner is not None and component.name == "router":
        runner = _router_runner(runner, component.spec.get("config") or {})
    elif runner is not None:
        runner = complete_runner(runner, component, inputs, weights=weights, accelerator=accelerator)
    containers, main = _with_runner(component, spec.get("containers") or [], runner)
    containers[main] = _filled(inputs, component, containers[main])
    spec["containers"] = containers
    if weights is not None:
        spec["volumes"] = [*(spec.get("volumes") or ()), weights.volume]
    if component.name == "router":
        spec["serviceAccountName"] = component_name(inputs.service.name, component.name)
    else:
        spec["nodeSelector"] = _node_selector(inputs, component, spec.get("nodeSelector") or {}, weights, accelerator)
        if (affinity := _affinity(component, spec.get("affinity"), accelerator)) is not None:
            spec["affinity"] = affinity
    spec = _sent(POD_SPEC.normalise(spec))
    return Pod(spec, source, main, None if weights is None else len(spec["volumes"]) - 1)
