"""Judge of ``accelerators.jsonl``: the class of each component, and what a class changes (SELECTION.md)."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

from msgspec.structs import replace

from omec.catalog import Resource
from omec.compile.accel.choice import Choice, assess, choose, listed_classes
from omec.compile.accel.constraints import Constraints
from omec.compile.accelerators import NO_ACCELERATOR, Accelerator, accelerator
from omec.compile.arguments import merge_arguments
from omec.compile.components import Component
from omec.compile.inputs import Runtime, Service, ServiceInputs
from omec.compile.operator import OperatorConfig
from omec.compile.pod import Pod, build_pod
from omec.resolve import reasons
from omec.resolve.match import Check, Demands, RuntimeMatcher
from tests.oracle.interface import Answer, Row, same
from tests.oracle.objects import catalog_of

KIND = "accelerators"

Object = dict[str, Any]

_POD_DEFAULTS = ("imagePullPolicy", "readinessProbe", "terminationMessagePath", "terminationMessagePolicy")
"""What a rendered container has beside what its runner says."""


def accepts(row: Row) -> bool:
    return "acceleratorClasses" in row or "acceleratorClass" in row or {"base", "override"} <= row.keys()


def judge(row: Row, data: Path | None) -> dict[str, Answer]:
    expected = row["expected"]
    if "base" in row:
        merged = merge_arguments(row["base"] or [], row["override"] or [])
        return {"args": Answer(expected["args"] or [], merged)}
    return _choice_answers(row, expected) if "acceleratorClasses" in row else _effect_answers(row, expected)


# --- Choice ------------------------------------------------------------------------------------------------------


def _choice_answers(row: Row, expected: Object) -> dict[str, Answer]:
    catalog = catalog_of([row["isvc"], row["runtime"], *row["acceleratorClasses"]])
    (service,) = catalog.of_kind("InferenceService")
    (runtime,) = (resource for resource in catalog if resource.kind == row["runtime"]["kind"])
    classes = {resource.name: resource.spec for resource in catalog.of_kind("AcceleratorClass")}
    answers = {"runtimeFilter": Answer(expected["runtimeFilter"], _filter(service, runtime))}
    for component in ("engine", "decoder"):
        if component in expected:
            choice = choose(component, service.spec, runtime.spec, classes)
            answers[component] = Answer(_without_remarks(expected[component]), _described(choice))
    if "candidates" in expected:
        wanted = Constraints.of((service.spec.get("acceleratorSelector") or {}).get("constraints"))
        actual = [candidate.to_dict() for candidate in assess(listed_classes(runtime.spec), classes, wanted)]
        answers["candidates"] = Answer(*_within_rounding(expected["candidates"], actual))
    return answers


def _filter(service: Resource, runtime: Resource) -> Object:
    demands = Demands.of(service.spec, service.annotations)
    if RuntimeMatcher(runtime, runtime.spec).refusal(demands) is Check.ACCELERATOR_CLASS:
        return {"passes": False, "reason": reasons.ACCELERATOR_CLASS}
    return {"passes": True}


def _without_remarks(expected: Object) -> Object:
    return {key: value for key, value in expected.items() if key != "assumed"}


def _described(choice: Choice) -> Object:
    if choice.error is not None:
        message = f"Failed to get accelerator class for {choice.component}: {choice.error}"
        return {
            "class": None,
            "error": choice.error,
            "event": {"reason": "AcceleratorClassError", "message": message},
        }
    return {"class": choice.chosen, **({"v13Panics": True} if choice.crashes_ome else {})}


def _within_rounding(expected: list[Object], actual: list[Object]) -> tuple[list[Object], list[Object]]:
    """Scores are sums of products, so that the last bit depends on the compiler."""
    scores = ("bestFit", "mostCapable")
    for ours, theirs in zip(actual, expected, strict=False):
        for key in scores:
            if key in ours and key in theirs and math.isclose(ours[key], theirs[key], rel_tol=1e-12, abs_tol=1e-12):
                ours[key] = theirs[key]
    return expected, actual


# --- Effects -----------------------------------------------------------------------------------------------------


def _effect_answers(row: Row, expected: Object) -> dict[str, Answer]:
    classes = [row["acceleratorClass"]] if row["acceleratorClass"] is not None else []
    catalog = catalog_of([row["isvc"], row["runtime"], *classes])
    (service,) = catalog.of_kind("InferenceService")
    (runtime,) = (resource for resource in catalog if resource.kind == row["runtime"]["kind"])
    chosen = next(iter(catalog.of_kind("AcceleratorClass")), None)
    inputs = ServiceInputs(
        service=Service.of(service.stored, service.namespace or ""),
        runtime=Runtime(runtime.name, runtime.spec, row.get("entry")),
        operator=OperatorConfig(accelerator_resources=()),  # PARALLELISM_SIZE is an answer of its own
    )
    effective = NO_ACCELERATOR if chosen is None else accelerator(inputs.runtime, chosen.name, chosen.spec)
    pod = _pod(row, inputs, effective)
    container = _rendered_container(row["before"]["container"], pod.spec["containers"][pod.main])
    return {
        "container": _answer(expected["container"], container),
        "nodeSelector": _answer(expected.get("nodeSelector"), pod.spec.get("nodeSelector")),
        "affinity": _answer(expected.get("affinity"), pod.spec.get("affinity")),
        "parallelismFromClass": Answer(expected["parallelismFromClass"], effective.sets_parallelism),
    }


def _pod(row: Row, inputs: ServiceInputs, effective: Accelerator) -> Pod:
    own = inputs.service.spec.get(row["component"])
    if own is None:
        # omec renders no component that the service does not declare. OME's functions, asked about one, add neither
        # resources nor affinity.
        discovery = {key: value for key, value in (effective.spec.get("discovery") or {}).items() if key != "affinity"}
        effective = replace(effective, spec={"discovery": discovery})
    before = row["before"]
    component = Component(row["component"], {**(before.get("pod") or {}), "runner": before["container"]}, own or {}, {})
    return build_pod(inputs, component, weights=None, accelerator=effective)


def _rendered_container(before: Object, container: Object) -> Object:
    return {key: value for key, value in container.items() if key in before or key not in _POD_DEFAULTS}


def _answer(expected: Any, actual: Any) -> Answer:
    expected, actual = _without_empty(expected), _without_empty(actual)
    return Answer(expected, expected if same(expected, actual) else actual)


def _without_empty(value: Any) -> Any:
    """``value`` without empty objects and lists: absent and empty mean the same there."""
    if isinstance(value, dict):
        kept = {key: _without_empty(item) for key, item in value.items()}
        return {key: item for key, item in kept.items() if item not in (None, {}, [])}
    return [_without_empty(item) for item in value] if isinstance(value, list) else value
