"""Conflicts between deployment modes (reference 05 §1.2 and §1.3).

OME's webhook looks at the modes that a service declares itself: a component's annotation, else ``spec.deploymentMode``.
Runtimes and the shape of a component do not count there.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from omec.compile.components import Component
from omec.compile.inputs import Service, ServiceInputs
from omec.compile.modes import MODE_ANNOTATION, Mode
from omec.compile.names import COMPONENTS, ComponentName
from omec.compile.native import mode_rules
from omec.compile.problems import Origin, Place, Problem
from omec.compile.rules import MODE_INVALID

_MULTI_POD = ("leader", "worker")
_NATIVE_ALONE = ("lifecycle", "topologyKey", "topologySpread", "topologySpreadKey")
_BAD_PAIR = "InvalidLeaderWorkerPairing: "


def declared_mode(service_spec: Mapping[str, Any], own: Mapping[str, Any]) -> str:
    """The mode that a service declares for a component of its own, ``""`` for none."""
    annotated = (own.get("annotations") or {}).get(MODE_ANNOTATION)
    if annotated in list(Mode):
        return str(annotated)
    return service_spec.get("deploymentMode") or ""


def mode_problems(
    inputs: ServiceInputs,
    components: Sequence[Component],
    modes: Mapping[ComponentName, Mode],
    *,
    ome_version: str = "1.3",
) -> Iterator[Problem]:
    """What is wrong or doubtful about the modes of a service's ``components``; ``modes`` are those in force."""
    yield from _different_modes(inputs.service.spec)
    for component in components:
        yield from _invalid_mode(component, modes[component.name], ome_version)
        yield from _pairing(component, modes[component.name])
        yield from _ready_policy(inputs.service.spec, component)
        yield from _ignored_strategy(inputs.service, component)
        yield from _skipped_annotation(component)
        if modes[component.name] is Mode.RAW_DEPLOYMENT and any(component.spec.get(part) for part in _MULTI_POD):
            part = next(part for part in _MULTI_POD if component.spec.get(part) is not None)
            message = f"the {component.name} has a {part} but runs as a Deployment, which starts no workers"
            yield Problem(mode_rules.WORKERS_IGNORED, message, component.place(part), mode_rules.WORKERS_IGNORED.remedy)
        if modes[component.name] is Mode.RAW_DEPLOYMENT:
            yield from _ignored_settings(component)


def shape_refusals(service: Service) -> Iterator[Problem]:
    """What OME's webhook says about the modes and shapes that a service declares itself (reference 09 A4)."""
    yield from _different_modes(service.spec)
    for name in COMPONENTS:
        own = service.spec.get(name)
        if isinstance(own, Mapping):
            component = Component(name, {**own}, own, {})
            yield from _pairing(component, Mode.RAW_DEPLOYMENT)
            yield from _ready_policy(service.spec, component)
            yield from _ignored_strategy(service, component)


def _different_modes(spec: Mapping[str, Any]) -> Iterator[Problem]:
    engine, decoder = spec.get("engine"), spec.get("decoder")
    if engine is None or decoder is None:
        return
    modes = [declared_mode(spec, part) for part in (engine, decoder)]
    if Mode.OME_NATIVE in modes and modes[0] != modes[1]:
        message = (
            f'InvalidDeploymentModeCombination: engine deploymentMode="{modes[0]}" does not match decoder '
            f'deploymentMode="{modes[1]}"; when either is OMENative, both must use the same value'
        )
        yield Problem(mode_rules.MODES_DIFFER, message, _mode_place(spec, "decoder"), mode_rules.MODES_DIFFER.remedy)


def _invalid_mode(component: Component, mode: Mode, ome_version: str) -> Iterator[Problem]:
    """OME stops at the first such component; all of them are told here."""
    place = component.place("annotations", MODE_ANNOTATION)
    if mode is Mode.VIRTUAL or (mode is Mode.MULTI_NODE and component.name == "router"):
        message = f"invalid deployment mode for {component.name}: {mode}"
        yield Problem(MODE_INVALID, message, place, "remove the annotation")
    elif mode is Mode.OME_NATIVE and ome_version == "1.2":
        message = f"the {component.name} runs in mode OMENative, which OME 1.2 does not have"
        yield Problem(MODE_INVALID, message, place, "set ome-version to 1.3, or write RawDeployment or MultiNode")


def _pairing(component: Component, mode: Mode) -> Iterator[Problem]:
    """Half of a pair in the service is OME's to refuse; with one that comes about with the runtime it runs single pods.

    In mode MultiNode the half is an error of its own (:mod:`omec.compile.native.multinode`).
    """
    name = component.name
    for part, other, reason in (
        ("leader", "worker", "LeaderRequiresWorker"),
        ("worker", "leader", "WorkerRequiresLeader"),
    ):
        if component.own.get(part) is not None and component.own.get(other) is None:
            message = (
                f"{_BAD_PAIR}{name}.{part} is set but {name}.{other} is not; multi-pod configurations require both "
                f"({reason})"
            )
            yield Problem(mode_rules.LEADER_WORKER_PAIR, message, component.place(part), f"add {other}: {{}}")
        elif mode is Mode.OME_NATIVE and component.spec.get(part) is not None and component.spec.get(other) is None:
            message = f"the {name} has a {part} but no {other}, so that OME runs it as single pods"
            yield Problem(mode_rules.WORKERS_IGNORED, message, component.place(part), f"add {other}: {{}}")
    size = (component.spec.get("worker") or {}).get("size")
    if size is not None and size <= 0:
        message = (
            f"{_BAD_PAIR}{name}.worker.size must be a positive integer when set; leave it unset to use the runtime's "
            "size or one worker (WorkerSizeMustBePositive)"
        )
        yield Problem(mode_rules.LEADER_WORKER_PAIR, message, component.place("worker", "size"), "set it to 1 or more")


def _ready_policy(spec: Mapping[str, Any], component: Component) -> Iterator[Problem]:
    own = component.own
    shaped = all(own.get(part) is not None for part in _MULTI_POD)
    size = (own.get("worker") or {}).get("size")
    annotated = (own.get("annotations") or {}).get(MODE_ANNOTATION)
    mode = annotated or spec.get("deploymentMode") or (Mode.OME_NATIVE if shaped else "")
    if not shaped or (size is not None and size <= 0) or mode != Mode.OME_NATIVE:
        return
    if (own.get("lifecycle") or {}).get("readyPolicy") == "None":
        message = (
            f'{component.name}.lifecycle.readyPolicy "None" is not allowed on a multi-pod OMENative component: per-pod '
            'readiness reporting is not yet supported; set readyPolicy to "AllPodReady" or remove the field'
        )
        place = component.place("lifecycle", "readyPolicy")
        yield Problem(mode_rules.READY_POLICY, message, place, mode_rules.READY_POLICY.remedy)


def _ignored_strategy(service: Service, component: Component) -> Iterator[Problem]:
    if component.own.get("deploymentStrategy") is None:
        return
    mode = declared_mode(service.spec, component.own)
    if mode in ("", Mode.RAW_DEPLOYMENT):
        mode = service.annotations.get(MODE_ANNOTATION, "")
    if mode not in ("", Mode.RAW_DEPLOYMENT):
        name = component.name
        message = (
            f'{name}.deploymentStrategy is set but deploymentMode is "{mode}"; deploymentStrategy applies only to '
            f"RawDeployment and is ignored here — use {name}.lifecycle.updateStrategy.rollingUpdate for rollout pacing"
        )
        yield Problem(mode_rules.STRATEGY_IGNORED, message, component.place("deploymentStrategy"))


def _ignored_settings(component: Component) -> Iterator[Problem]:
    """What the service itself asks of a Deployment, and only OMENative has; its runtime may be meant for both."""
    for field in _NATIVE_ALONE:
        if component.own.get(field):
            from omec.compile.native.rules import SETTING_IGNORED  # noqa: PLC0415 - few services ask for it

            message = f"the {component.name} runs as a Deployment, of which OME reads no {field}"
            help_ = "set deploymentMode: OMENative, or use deploymentStrategy" if field == "lifecycle" else "remove it"
            yield Problem(SETTING_IGNORED, message, component.place(field), help_)


def _skipped_annotation(component: Component) -> Iterator[Problem]:
    value = (component.spec.get("annotations") or {}).get(MODE_ANNOTATION)
    if value is None or value in list(Mode):
        return
    from difflib import get_close_matches  # noqa: PLC0415 - needed for errors only

    by_lower_case = {mode.lower(): mode for mode in Mode if mode is not Mode.VIRTUAL}
    near = get_close_matches(value.strip().lower(), by_lower_case, n=1)
    help_ = f"did you mean {by_lower_case[near[0]]}?" if near else mode_rules.MODE_SKIPPED.remedy
    message = f'{component.name} is annotated with the unknown deployment mode "{value}", which OME skips'
    yield Problem(mode_rules.MODE_SKIPPED, message, component.place("annotations", MODE_ANNOTATION), help_)


def _mode_place(spec: Mapping[str, Any], component: str) -> Place:
    if MODE_ANNOTATION in ((spec.get(component) or {}).get("annotations") or {}):
        return Place(Origin.SERVICE, ("spec", component, "annotations", MODE_ANNOTATION))
    return Place(Origin.SERVICE, ("spec", component))


def virtual_note(inputs: ServiceInputs) -> Problem:
    """The note about a service of which nothing is rendered."""
    message = f"InferenceService {inputs.service.name} is in VirtualDeployment mode, so nothing is rendered for it"
    place = Place(Origin.SERVICE, ("metadata", "annotations", MODE_ANNOTATION))
    return Problem(mode_rules.VIRTUAL_SERVICE, message, place)
