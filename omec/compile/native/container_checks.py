"""Variables and labels in containers that the controller of their pods does not provide (reference 05 §6.4, §7.3)."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import Any

from omec.compile.components import Component
from omec.compile.inputs import Object
from omec.compile.native import rules
from omec.compile.native.peers import revision_endpoints
from omec.compile.native.variables import (
    INSTANCE_VARIABLES,
    LEADER_WORKER_SET_LABELS,
    LEADER_WORKER_SET_VARIABLES,
    REPLICA_VARIABLES,
    references,
    texts,
)
from omec.compile.pod import Pod
from omec.compile.problems import Problem, Step

_REPLACEMENTS = {lws: ome for ome, lws in LEADER_WORKER_SET_VARIABLES.items()}
_PROVIDED = frozenset({*REPLICA_VARIABLES, *INSTANCE_VARIABLES})


def check_native_pod(component: Component, role: str, pod: Pod) -> Iterator[Problem]:
    """What the pods of a replica would not find."""
    for container in pod.spec["containers"]:
        yield from _check_container(component, role, container)
    yield from _check_early(component, role, pod)


def check_group_pod(component: Component, role: str, pod: Pod, provided: Collection[str]) -> Iterator[Problem]:
    """What the pods of a LeaderWorkerSet would not find; ``provided`` are the variables of OME that they have."""
    for container in pod.spec["containers"]:
        defined = {*_defined(container), *provided}
        for steps, text in texts(container):
            for name in sorted({*references(text)} & (_PROVIDED - defined)):
                message = f"container {container['name']} of the {component.name} uses $({name})"
                message += ", which has no counterpart in a LeaderWorkerSet"
                place = _place(component, _prefix(role), container, steps)
                yield Problem(rules.FOREIGN_VARIABLES, message, place, "set it in env, or use platform ome")
    yield from _check_init_containers(component, role, pod)


def _check_early(component: Component, role: str, pod: Pod) -> Iterator[Problem]:
    """Where OME's variables have no value yet: in init containers, and in ``env``, because they come at its end."""
    yield from _check_init_containers(component, role, pod)
    for container in pod.spec["containers"]:
        where = f"container {container['name']} of the {component.name}"
        for item in container.get("env") or ():
            for name in sorted({*references(item.get("value") or "")} & (_PROVIDED - _defined(container))):
                message = f"{item['name']} of {where} refers to $({name}), which OME sets behind it"
                place = _place(component, _prefix(role), container, ("env", ("name", item["name"]), "value"))
                yield Problem(rules.EARLY_VARIABLES, message, place, f"use $({name}) in the arguments instead")


def _check_init_containers(component: Component, role: str, pod: Pod) -> Iterator[Problem]:
    for container in pod.spec.get("initContainers") or ():
        for steps, text in texts(container):
            for name in sorted({*references(text)} & (_PROVIDED - _defined(container))):
                message = (
                    f"init container {container['name']} of the {component.name} uses $({name}), which it does not get"
                )
                place = component.place(*_prefix(role), "initContainers", ("name", container["name"]), *steps)
                yield Problem(rules.EARLY_VARIABLES, message, place, rules.EARLY_VARIABLES.fix)


def _defined(container: Mapping[str, Any]) -> set[str]:
    return {item["name"] for item in container.get("env") or ()}


def check_raw_pod(component: Component, pod: Pod, provided: Collection[str] = ()) -> Iterator[Problem]:
    """What the pods of a Deployment would not find; ``provided`` are variables that are set by other means."""
    for container in pod.spec["containers"]:
        defined = {*_defined(container), *provided}
        for steps, text in texts(container):
            names = {*references(text)} - defined
            for name in sorted(names & {*_PROVIDED, *_REPLACEMENTS}):
                where = f"container {container['name']} of the {component.name}"
                message = f"{where} uses $({name}), which the pods of a Deployment lack"
                place = _place(component, _prefix("default"), container, steps)
                help_ = "set it in env, or run the component on OMENative with platform ome"
                yield Problem(rules.FOREIGN_VARIABLES, message, place, help_)


def _check_container(component: Component, role: str, container: Object) -> Iterator[Problem]:
    name = container["name"]
    for steps, text in texts(container):
        place = _place(component, _prefix(role), container, steps)
        used = {*references(text)} - _defined(container)
        for lws in sorted(used & _REPLACEMENTS.keys()):
            message = f"container {name} of the {component.name} uses $({lws}), which only a LeaderWorkerSet sets"
            yield Problem(rules.FOREIGN_VARIABLES, message, place, f"write $({_REPLACEMENTS[lws]})")
        if LEADER_WORKER_SET_LABELS in text:
            message = (
                f"container {name} of the {component.name} selects by {LEADER_WORKER_SET_LABELS}…, which no pod has"
            )
            help_ = "write ome.io/runner=leader for leaderworkerset.sigs.k8s.io/worker-index=0"
            yield Problem(rules.FOREIGN_VARIABLES, message, place, help_)
        if "OME_INFERENCESERVICE_NAME" in used:
            message = f"container {name} of the {component.name} uses $(OME_INFERENCESERVICE_NAME)"
            yield Problem(rules.SERVICE_NAME_VARIABLE, message, place, rules.SERVICE_NAME_VARIABLE.fix)
    for endpoint in revision_endpoints(container):
        message = f"container {name} of the {component.name} uses $({endpoint}), which nothing sets"
        help_ = f"write $({endpoint.replace('_REVISION', '')})"
        place = component.place(*_prefix(role), "runner")
        yield Problem(rules.REVISION_ENDPOINT, message, place, help_)


def _prefix(role: str) -> tuple[Step, ...]:
    return () if role == "default" else (role,)


def _place(component: Component, prefix: tuple[Step, ...], container: Mapping[str, Any], steps: Any) -> Any:
    """The field of the runner where one has the container's name, else of the listed container."""
    part: Any = component.spec
    for step in prefix:
        part = part.get(step) or {}
    if (part.get("runner") or {}).get("name") == container["name"]:
        return component.place(*prefix, "runner", *steps)
    return component.place(*prefix, "containers", ("name", container["name"]), *steps)
