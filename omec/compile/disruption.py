"""The PodDisruptionBudget of a component: what a drained node may take of it (reference 10 §5)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from omec.api.gotext import parse_integer
from omec.compile import companion_rules as rules
from omec.compile.components import Component
from omec.compile.disruption_settings import Budget, value_fault
from omec.compile.inputs import Object, Service
from omec.compile.metadata import described
from omec.compile.modes import Mode
from omec.compile.names import COMPONENTS, RUNTIME_CONFIG
from omec.compile.problems import Origin, Place, Problem, RenderError

_FIELDS = ("minAvailable", "maxUnavailable")
_VALUE_HELP = "write a number such as 1, or a percentage such as 25%"


def component_budget(component: Component, mode: Mode, defaults: Mapping[Mode, Budget]) -> Budget | None:
    """The budget of ``component``: its own, else the operator's for its ``mode``; ``None`` for none.

    The two are never mixed: a component that says either field gets nothing of the operator's. Raises
    :class:`RenderError` for a budget that OME refuses.
    """
    if mode not in (Mode.RAW_DEPLOYMENT, Mode.OME_NATIVE):
        return None
    given = _given(component.spec)
    _check(component, given)
    for field, value in given.items():
        return Budget(field, value)
    return defaults.get(mode)


def available_pods(budget: Budget, pods: int) -> int:
    """How many of ``pods`` must stay under ``budget``, percentages rounded up.

    Kubernetes knows the wanted number of pods of its own workloads only; for the pods of an InferenceReplica nothing
    but a number of available ones means what it says.
    """
    value = budget.value
    amount = -(-pods * (parse_integer(value[:-1]) or 0) // 100) if isinstance(value, str) else value
    return amount if budget.field == "minAvailable" else max(0, pods - amount)


def pod_disruption_budget(
    name: str,
    namespace: str,
    budget: Budget,
    *,
    selector: Mapping[str, str],
    labels: Mapping[str, str],
    annotations: Mapping[str, str],
) -> Object:
    """The object for the pods with the labels ``selector``."""
    return {
        "apiVersion": "policy/v1",
        "kind": "PodDisruptionBudget",
        "metadata": {"name": name, "namespace": namespace, **described(labels, annotations)},
        "spec": {budget.field: budget.value, "selector": {"matchLabels": dict(selector)}},
    }


def blocks_evictions(component: Component, budget: Budget, pods: int) -> Problem | None:
    """The warning about a budget that no number of ``pods`` leaves room in; ``None`` where there is room."""
    if pods == 0 or available_pods(budget, pods) < pods:
        return None
    shown = f"{budget.field}: {budget.value}"
    message = f"the disruption budget of the {component.name} ({shown}) lets none of its {pods} pods be evicted"
    return Problem(rules.BUDGET_BLOCKS, message, component.place(budget.field), rules.BUDGET_BLOCKS.remedy)


def budget_refusals(service: Service) -> Iterator[Problem]:
    """What OME's webhook says about the budgets that ``service`` itself gives (reference 09 A4, rule 15)."""
    for name in COMPONENTS:
        component = service.spec.get(name)
        own = _given(component) if isinstance(component, Mapping) else {}
        path = f"spec.{name}"
        if len(own) > 1:
            message = f"{path}.minAvailable and {path}.maxUnavailable cannot both be set"
            place = Place(Origin.SERVICE, ("spec", name, "maxUnavailable"))
            yield Problem(rules.BUDGET_INVALID, message, place, "keep one of them")
            continue
        for field, value in own.items():
            if fault := value_fault(f"{path}.{field}", value):
                place = Place(Origin.SERVICE, ("spec", name, field))
                yield Problem(rules.BUDGET_INVALID, fault, place, _VALUE_HELP)


def _given(spec: Mapping[str, Any]) -> dict[str, int | str]:
    return {field: spec[field] for field in _FIELDS if spec.get(field) is not None}


def _check(component: Component, given: Mapping[str, int | str]) -> None:
    """Raise what OME says about the merged fields ``given``."""
    failed = f"failed to resolve {component.name} PodDisruptionBudget: "
    if len(given) > 1:
        message = f"{failed}exactly one of minAvailable or maxUnavailable must be set"
        own = next(iter(_given(component.own)), "minAvailable")
        other = next(field for field in _FIELDS if field != own)
        help_ = f"{RUNTIME_CONFIG[component.name]} of the runtime sets {other}: set that one in the service"
        raise RenderError(Problem(rules.BUDGET_INVALID, message, component.place(own), help_))
    for field, value in given.items():
        if fault := value_fault(f"PodDisruptionBudget budget.{field}", value):
            raise RenderError(Problem(rules.BUDGET_INVALID, f"{failed}{fault}", component.place(field), _VALUE_HELP))
