"""What OME's webhook refuses of ``spec.rollout`` and of update budgets (reference 05 §12.3, 09 A4).

Standalone replicas roll out on their own whatever the groups say; but a service that OME refuses is not compiled. The
plan of a canary (its steps and analysis) is not looked at.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from typing import Any

from omec.api.gotext import parse_integer, quoted
from omec.compile.modes import Mode
from omec.compile.names import COMPONENTS
from omec.compile.native import rollout_rules
from omec.compile.native.admission_shape import Fault
from omec.compile.native.mode_checks import declared_mode
from omec.compile.problems import Origin, Place, Problem, Steps

_BUDGETS = ("maxSurge", "maxUnavailable")
_CANARY, _BLUE_GREEN, _ROLLING_UPDATE = "canary", "blueGreen", "rollingUpdate"
_ZERO = re.compile(r"[+-]?0+%", re.ASCII)
_SAFE_TOLERANCE = 50

Group = Mapping[str, Any]


def rollout_problems(spec: Mapping[str, Any]) -> Iterator[Problem]:
    """What the webhook says about a service's ``spec``: its first refusal, and its warning."""
    for steps, message in islice(rollout_refusals(spec), 1):
        place = Place(Origin.SERVICE, steps)
        yield Problem(rollout_rules.ROLLOUT_REFUSED, message, place, rollout_rules.ROLLOUT_REFUSED.remedy)
    for steps, message in islice(_tolerances(spec), 1):
        place = Place(Origin.SERVICE, steps)
        yield Problem(rollout_rules.RATIO_TOLERANCE, message, place, rollout_rules.RATIO_TOLERANCE.remedy)


def rollout_refusals(spec: Mapping[str, Any]) -> Iterator[Fault]:
    """The rules that a service's ``spec`` breaks, in OME's order; steps start at the root of the service."""
    groups: Sequence[Group] = (spec.get("rollout") or {}).get("groups") or ()
    yield from _canaries(spec, groups)
    yield from _members(groups)
    yield from _duplicates(groups)
    yield from _declared(spec, groups)
    yield from _modes(spec, groups)
    yield from _group_budgets(groups)
    yield from _soaks(groups)
    yield from _lifecycle_budgets(spec)
    yield from _order(spec, groups)


def _tolerances(spec: Mapping[str, Any]) -> Iterator[Fault]:
    """Guards that are too wide to guard anything."""
    for index, group in enumerate((spec.get("rollout") or {}).get("groups") or ()):
        tolerance = (group.get("maintainRatio") or {}).get("tolerance")
        if tolerance is not None and tolerance > _SAFE_TOLERANCE:
            message = (
                f"spec.rollout.groups[{index}].maintainRatio.tolerance={tolerance} effectively disables ratio "
                f"enforcement (>{_SAFE_TOLERANCE}) (RatioToleranceTooHigh)"
            )
            yield (*_group(index), "maintainRatio", "tolerance"), message


def progression(group: Group) -> str:
    """How a group rolls out: its own progression, else the one that it says its policy has, else blue-green."""
    own = next((kind for kind in (_CANARY, _ROLLING_UPDATE, _BLUE_GREEN) if group.get(kind) is not None), None)
    declared = (group.get("policyRef") or {}).get("progression")
    return own or declared or _BLUE_GREEN


def _canaries(spec: Mapping[str, Any], groups: Sequence[Group]) -> Iterator[Fault]:
    for index, group in enumerate(groups):
        if progression(group) != _CANARY:
            continue
        start = f"spec.rollout.groups[{index}]: "
        members = group["components"]
        for component in members:
            if component not in COMPONENTS:
                yield (
                    _components(index),
                    f"{start}canary component {quoted(component)} is not one of router/engine/decoder (CanaryInvalid)",
                )
            elif spec.get(component) is None:
                yield (
                    _components(index),
                    f"{start}canary component {quoted(component)} is not declared on the InferenceService "
                    "(CanaryInvalid)",
                )
        yield from _mode(spec, index, group, "canary")
        both = spec.get("engine") is not None and spec.get("decoder") is not None
        if both and ("engine" in members) != ("decoder" in members):
            yield (
                _components(index),
                f"{start}this InferenceService declares both engine and decoder, so a canary group naming either must "
                "name both — they roll as one unit (CanaryInvalid)",
            )


def _members(groups: Sequence[Group]) -> Iterator[Fault]:
    for index, group in enumerate(groups):
        for component in group["components"] if progression(group) != _CANARY else ():
            if component not in COMPONENTS:
                yield (
                    _components(index),
                    f"spec.rollout.groups[{index}]: component {quoted(component)} is not one of router/engine/decoder "
                    "(InvalidComponentInCoordinationGroup)",
                )


def _duplicates(groups: Sequence[Group]) -> Iterator[Fault]:
    first: dict[str, int] = {}
    for index, group in enumerate(groups):
        for component in group["components"]:
            if component in first:
                yield (
                    _components(index),
                    f"spec.rollout.groups: component {quoted(component)} appears in groups[{first[component]}] and "
                    f"groups[{index}] (DuplicateComponentInCoordinationGroups)",
                )
            first.setdefault(component, index)


def _declared(spec: Mapping[str, Any], groups: Sequence[Group]) -> Iterator[Fault]:
    for index, group in enumerate(groups):
        missing = [quoted(component) for component in group["components"] if spec.get(component) is None]
        if missing:
            yield (
                _components(index),
                f"spec.rollout.groups[{index}]: component(s) {', '.join(missing)} not declared on the InferenceService "
                "(OrphanCoordinationGroup)",
            )


def _modes(spec: Mapping[str, Any], groups: Sequence[Group]) -> Iterator[Fault]:
    for index, group in enumerate(groups):
        if progression(group) != _CANARY:
            yield from _mode(spec, index, group, "coordination")


def _mode(spec: Mapping[str, Any], index: int, group: Group, what: str) -> Iterator[Fault]:
    """The mode that counts is the one that the service itself declares."""
    for component in group["components"]:
        mode = declared_mode(spec, spec.get(component) or {})
        if component in COMPONENTS and mode != Mode.OME_NATIVE:
            yield (
                _components(index),
                f"spec.rollout.groups[{index}]: component {quoted(component)} has deploymentMode={quoted(mode)}; "
                f"{what} requires OMENative ({what.capitalize()}RequiresOMENative)",
            )


def _group_budgets(groups: Sequence[Group]) -> Iterator[Fault]:
    updates = [(index, group["rollingUpdate"]) for index, group in enumerate(groups) if group.get("rollingUpdate")]
    for index, update in updates:
        for field in _BUDGETS:
            shown = f"spec.rollout.groups[{index}].rollingUpdate.{field}"
            yield from _budget((*_group(index), "rollingUpdate", field), shown, update.get(field))
    for index, update in updates:
        if all(_is_zero(update.get(field)) for field in _BUDGETS):
            yield (
                (*_group(index), "rollingUpdate"),
                f"spec.rollout.groups[{index}].rollingUpdate: maxSurge and maxUnavailable both resolve to zero, which "
                "deadlocks the rollout — set at least one non-zero (ZeroBudgetPacingUnstartable)",
            )


def _soaks(groups: Sequence[Group]) -> Iterator[Fault]:
    others = [group for group in groups if progression(group) != _CANARY]
    sequence = len(others) > 1 and all(_alone(group) for group in others)
    for index, group in enumerate(groups):
        if group.get("soak") is None:
            continue
        start = f"spec.rollout.groups[{index}]: soak is "
        if progression(group) == _CANARY:
            yield (
                (*_group(index), "soak"),
                f"{start}not honored on a canary group (the canary engine does not gate on it) (SoakNotHonored)",
            )
        elif not sequence:
            yield (
                (*_group(index), "soak"),
                f"{start}honored only when the rollout is a sequence of single-Component groups (which roll "
                "one-at-a-time); this rollout runs groups concurrently, so the soak would be dropped (SoakNotHonored)",
            )


def _order(spec: Mapping[str, Any], groups: Sequence[Group]) -> Iterator[Fault]:
    """An order that OME would drop is refused."""
    for index, group in enumerate(groups):
        if group.get("order"):
            yield (
                (*_group(index), "order"),
                f"spec.rollout.groups[{index}]: order is not applied by any progression — the Components in a group "
                "advance together; to roll Components one at a time, declare one single-Component blueGreen group per "
                "Component, in the desired sequence (OrderNotHonored)",
            )
    if len(groups) < 2 or spec["rollout"].get("groupOrdering") == "Concurrent":
        return
    for index, group in enumerate(groups):
        if not _alone(group):
            kind = progression(group)
            shape = "multi-Component" if kind == _BLUE_GREEN else kind
            yield (
                ("spec", "rollout", "groups"),
                "spec.rollout.groups: groups[] is ordered (group N completes before group N+1 begins), but that is "
                f"enforced only for a run of single-Component blueGreen groups; groups[{index}] is a {shape} group, so "
                "the groups would run concurrently and the declared order would be dropped (GroupOrderingNotHonored)",
            )


def _alone(group: Group) -> bool:
    """Whether the group is one that OME can make wait for another."""
    return progression(group) == _BLUE_GREEN and len(group["components"]) == 1


def _lifecycle_budgets(spec: Mapping[str, Any]) -> Iterator[Fault]:
    for component in COMPONENTS:
        lifecycle = (spec.get(component) or {}).get("lifecycle") or {}
        update = (lifecycle.get("updateStrategy") or {}).get("rollingUpdate") or {}
        whole: Steps = ("spec", component, "lifecycle", "updateStrategy", "rollingUpdate")
        for field in _BUDGETS:
            steps: Steps = (*whole, field)
            yield from _budget(steps, ".".join(map(str, steps)), update.get(field))
        if all(_is_zero(update.get(field)) for field in _BUDGETS):
            message = "maxSurge=0 and maxUnavailable=0 together yield an unstartable rollout (RollingUpdateZeroBudget)"
            yield whole, f"{'.'.join(map(str, whole))}: {message}"


def _budget(steps: Steps, shown: str, value: int | str | None) -> Iterator[Fault]:
    """Why ``value`` is no budget: OME would take it for 0."""
    if isinstance(value, int) and value < 0:
        yield steps, f"{shown}={value} must be >= 0 (InvalidRollingUpdateInteger)"
    elif isinstance(value, str):
        reason = "InvalidRollingUpdatePercent"
        if not value.endswith("%"):
            yield steps, f'{shown}={quoted(value)} must be an integer count or a percent string like "25%" ({reason})'
        elif (percent := parse_integer(value[:-1])) is None:
            yield steps, f"{shown}={quoted(value)} has a malformed percent value ({reason})"
        elif not 0 <= percent <= 100:
            yield steps, f"{shown}={quoted(value)} percent must be between 0% and 100% ({reason})"


def _is_zero(value: int | str | None) -> bool:
    return value == 0 if isinstance(value, int) else value is not None and _ZERO.fullmatch(value) is not None


def _group(index: int) -> Steps:
    return ("spec", "rollout", "groups", index)


def _components(index: int) -> Steps:
    return (*_group(index), "components")
