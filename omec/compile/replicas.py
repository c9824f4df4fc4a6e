"""How many pods a component runs, and who decides (reference 04 §6.2 and §12.4, 10 §2)."""

from __future__ import annotations

import msgspec

from omec.compile import rules
from omec.compile.components import Component
from omec.compile.inputs import Object
from omec.compile.names import ComponentName
from omec.compile.operator import OperatorConfig
from omec.compile.problems import Problem, RenderError

_DEFAULT_REPLICAS = 1


class Bounds(msgspec.Struct, frozen=True):
    """The least and the most replicas."""

    minimum: int
    maximum: int


def fill_operator_defaults(spec: Object, component: ComponentName, operator: OperatorConfig) -> None:
    """Fill what the merged ``spec`` leaves open with the operator's defaults."""
    if spec.get("minReplicas") is None and operator.min_replicas is not None:
        spec["minReplicas"] = operator.min_replicas
    default_maximum = operator.max_replicas.get(component)
    if not spec.get("maxReplicas") and default_maximum is not None:
        spec["maxReplicas"] = max(default_maximum, spec.get("minReplicas") or 0)
    grace = operator.termination_grace_period_seconds
    leader, worker = spec.get("leader"), spec.get("worker")
    for part in (spec, leader, worker):
        if part is not None and part.get("terminationGracePeriodSeconds") is None and grace is not None:
            part["terminationGracePeriodSeconds"] = grace
    if leader is not None and worker is not None and worker.get("size") is None:
        worker["size"] = 1


def replica_bounds(component: Component) -> Bounds:
    """The effective bounds of ``component``; raises :class:`RenderError` for bounds with which OME fails."""
    minimum = component.spec.get("minReplicas")
    if minimum is not None and minimum < 0:
        raise _refused(component, f"minReplicas must be non-negative, got {minimum}", "set it to 1 or more")
    if (maximum := component.spec.get("maxReplicas") or 0) < 0:
        message = f"maxReplicas must be non-negative, got {maximum}"
        raise RenderError(Problem(rules.REPLICA_BOUNDS, message, component.place("maxReplicas"), "set it to 1 or more"))
    if minimum == 0 and not _scales_to_zero(component):
        message = "minReplicas=0 requires typed KEDA with at least one trigger"
        help_ = f"set minReplicas to 1, or give spec.{component.name}.autoscaler class KEDA with triggers"
        raise RenderError(Problem(rules.SCALE_TO_ZERO, message, component.place("minReplicas"), help_))
    minimum = _DEFAULT_REPLICAS if minimum is None else minimum
    maximum = maximum or max(minimum, _DEFAULT_REPLICAS)
    if minimum > maximum:
        message = f"minReplicas must not exceed maxReplicas: {minimum} > {maximum}"
        raise _refused(component, message, f"raise maxReplicas to {minimum}, or lower minReplicas to {maximum}")
    return Bounds(minimum, maximum)


def fixed_replicas(component: Component, bounds: Bounds) -> int | None:
    """The replica count that the Deployment states, ``None`` where an autoscaler owns it.

    A count in Git would be reset by every sync while an autoscaler changes it.
    """
    block = component.own.get("autoscaler")
    if block is None and component.own.get("autoscalerPolicyRef") is None:
        block = component.config.get("autoscaler")
    return bounds.minimum if block is not None and block.get("class") == "None" else None


def _scales_to_zero(component: Component) -> bool:
    """Whether the service itself gives a KEDA block; one from the runtime or a policy does not count."""
    block = component.own.get("autoscaler") or {}
    return block.get("class") == "KEDA" and bool((block.get("keda") or {}).get("triggers"))


def _refused(component: Component, message: str, help_: str) -> RenderError:
    """The error at the bound that the service sets, else at the one that the runtime does."""
    bounds = ("minReplicas", "maxReplicas")
    field = next((bound for part in (component.own, component.config) for bound in bounds if bound in part), bounds[0])
    return RenderError(Problem(rules.REPLICA_BOUNDS, message, component.place(field), help_))
