"""How many Instances a component runs, and who decides (reference 05 §5, 10 §2 and §3)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from omec.api.shapes.autoscaling import COMPONENT_AUTOSCALER
from omec.compile.components import Component
from omec.compile.inputs import Object
from omec.compile.replicas import Bounds

_DEFAULT_AUTOSCALER: Object = {"class": "HPA"}


def instance_bounds(spec: Mapping[str, Any]) -> Bounds:
    """The effective bounds; unlike a Deployment's they never contradict each other: the most is raised to the least.

    There is no scaling to zero: 0 runs one Instance.
    """
    minimum = max(spec.get("minReplicas") or 1, 1)
    return Bounds(minimum, max(spec.get("maxReplicas") or minimum, minimum))


def resolved_autoscaler(component: Component) -> Object:
    """The autoscaler block in force: the service's as a whole, else the runtime's, else an HPA.

    Annotations choose no class here.
    """
    for part in (component.own, component.config):
        if isinstance(block := part.get("autoscaler"), Mapping):
            normalised: Object = COMPONENT_AUTOSCALER.normalise(block)
            return normalised
    return dict(_DEFAULT_AUTOSCALER)
