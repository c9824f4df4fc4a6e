"""What is doubtful about the accelerator classes that a service asks for (reference 03 §10)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from omec.compile.accel import rules
from omec.compile.accel.choice import CLASS, IN_SELECTOR, POLICY, SELECTOR, Basis, Choice
from omec.compile.accel.nodes import matching_nodes, roomy_nodes
from omec.compile.accel.versions import is_compared_wrongly
from omec.compile.inputs import Service
from omec.compile.problems import Origin, Place, Problem, Steps
from omec.finding import Rule
from omec.repo.settings_nodes import NodeGroup
from omec.resolve.match import ACCELERATOR_CLASS

_ANNOTATION: Steps = ("metadata", "annotations", ACCELERATOR_CLASS)
_OVERRIDING = ("engine", "decoder")
_LACKING = ("missing memory", "missing compute capability")
"""How the exclusions of classes begin that do not say what a constraint asks."""


def check_requests(service: Service) -> Iterator[Problem]:
    """What concerns the places of ``service`` that name classes, whatever the runtime."""
    named = dict(_names(service))
    for steps, name in named.items():
        if name == "":
            yield _problem(rules.CLASS_EMPTY, f"{steps[-1]} names no class: it is empty", steps)
    if named.get(_ANNOTATION) and len(named) == 1:
        message = f"the annotation {ACCELERATOR_CLASS} gives no component the class {named[_ANNOTATION]}"
        yield _problem(rules.ANNOTATION_ONLY, message, _ANNOTATION)
    for component in _OVERRIDING:
        override = (service.spec.get(component) or {}).get("acceleratorOverride") or {}
        if override.get("constraints"):
            message = f"constraints in the acceleratorOverride of the {component} have no effect"
            yield _problem(rules.OVERRIDE_WITHOUT_EFFECT, message, (*_override(component), "constraints"))
    wanted = (service.spec.get(SELECTOR) or {}).get("constraints") or {}
    if is_compared_wrongly(least := wanted.get("minArchitectureVersion") or ""):
        message = f"minArchitectureVersion {least} is compared as a text: it is less than 9.0"
        yield _problem(rules.VERSION_AS_TEXT, message, (*IN_SELECTOR, "constraints", "minArchitectureVersion"))


def check_choice(
    service: Service,
    choice: Choice,
    classes: Mapping[str, Mapping[str, Any]],
    nodes: Sequence[NodeGroup] | None = None,
    *,
    ome_version: str = "1.3",
) -> Iterator[Problem]:
    """What concerns the ``choice`` for one component; ``nodes`` is the inventory, ``None`` where there is none."""
    component, wish = choice.component, choice.wish
    if wish is None:
        return
    if choice.basis is Basis.NONE_LISTED:
        asked = f"policy {wish.value}" if wish.is_policy else f"class {wish.value}"
        message = f"the {component} gets no accelerator class: the runtime lists none, so {asked} is ignored"
        yield _problem(rules.CLASS_DROPPED, message, wish.steps)
        return
    override = (service.spec.get(component) or {}).get("acceleratorOverride") or {}
    if choice.basis is Basis.NAMED and override.get(POLICY):
        message = f"the {component} runs on class {wish.value}, which is named: policy {override[POLICY]} is ignored"
        yield _problem(rules.OVERRIDE_WITHOUT_EFFECT, message, (*_override(component), POLICY))
    if choice.basis is Basis.POLICY:
        yield from _check_policy(choice, wish.value, wish.steps)
    if choice.chosen is not None and choice.exists and nodes is not None:
        yield from _check_nodes(choice, classes[choice.chosen], nodes, wish.steps, ome_version)


def _names(service: Service) -> Iterator[tuple[Steps, str]]:
    """The places that name a class, and the names."""
    if ACCELERATOR_CLASS in service.annotations:
        yield _ANNOTATION, service.annotations[ACCELERATOR_CLASS]
    selector = service.spec.get(SELECTOR) or {}
    if selector.get(CLASS) is not None:
        yield (*IN_SELECTOR, CLASS), selector[CLASS]
    for component in _OVERRIDING:
        override = (service.spec.get(component) or {}).get("acceleratorOverride") or {}
        if override.get(CLASS) is not None:
            yield (*_override(component), CLASS), override[CLASS]


def _check_policy(choice: Choice, policy: str, steps: Steps) -> Iterator[Problem]:
    if choice.chosen is None:
        message = f"policy {policy} finds no accelerator class for the {choice.component}: {_nothing(choice)}"
        yield _problem(rules.NO_CANDIDATE, message, steps)
    if choice.crashes_ome:
        number = len(choice.valid)
        message = f"OME 1.3 fails over policy BestFit for the {choice.component}: {number} classes and no constraints"
        yield _problem(rules.BEST_FIT_CRASH, message, steps)
    for candidate in choice.candidates:
        if (candidate.exclusion or "").startswith(_LACKING):
            message = f"policy {policy} passes over class {candidate.accelerator.name}: {candidate.exclusion}"
            yield _problem(rules.FACT_MISSING, message, steps)


def _nothing(choice: Choice) -> str:
    if choice.valid:
        return "none of them states a cost"
    excluded = [f"{c.accelerator.name} ({c.exclusion})" for c in choice.candidates]
    missing = [f"{name} (does not exist)" for name in choice.absent]
    return ", ".join([*excluded, *missing])


def _check_nodes(
    choice: Choice, spec: Mapping[str, Any], nodes: Sequence[NodeGroup], steps: Steps, ome_version: str
) -> Iterator[Problem]:
    matching = matching_nodes(spec, nodes, ome_version=ome_version)
    if not matching:
        message = f"the {choice.component} runs on class {choice.chosen}, which no node of the inventory matches"
        yield _problem(rules.NO_NODES, message, steps)
    elif not roomy_nodes(spec, matching):
        names = ", ".join(node.name for node in matching)
        message = (
            f"the {choice.component} runs on class {choice.chosen}, whose nodes ({names}) have fewer accelerators than "
            "the class gives each pod"
        )
        yield _problem(rules.NO_NODES, message, steps)


def _override(component: str) -> Steps:
    return ("spec", component, "acceleratorOverride")


def _problem(rule: Rule, message: str, steps: Steps) -> Problem:
    return Problem(rule, message, Place(Origin.SERVICE, steps), rule.remedy)
