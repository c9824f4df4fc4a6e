"""What the containers of a component would not find in its pods, at the field of the component that asks for it."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from typing import Any

from omec.compile.components import Component
from omec.compile.native.container_remarks import (
    in_deployment,
    in_group,
    in_init_container,
    in_replica,
    names_service,
)
from omec.compile.native.remarks import Remark
from omec.compile.pod import Pod
from omec.compile.problems import Place, Problem, Step, Steps

_Container = Mapping[str, Any]


def check_native_pod(component: Component, role: str, pod: Pod) -> Iterator[Problem]:
    """What the pods of a replica would not find."""
    yield from _check(component, role, pod, lambda container, who: in_replica(container, who, role))
    yield from _check(component, role, pod, names_service)
    yield from _check_init_containers(component, role, pod)


def check_group_pod(component: Component, role: str, pod: Pod, provided: Collection[str] = ()) -> Iterator[Problem]:
    """What the pods of a LeaderWorkerSet would not find; ``provided`` are the variables of OME that omec sets."""
    yield from _check(component, role, pod, lambda container, who: in_group(container, who, provided))
    yield from _check_init_containers(component, role, pod)


def check_raw_pod(component: Component, pod: Pod, provided: Collection[str] = ()) -> Iterator[Problem]:
    """What the pods of a Deployment would not find; ``provided`` are variables of OME that are set by other means."""
    return _check(component, "default", pod, lambda container, who: in_deployment(container, who, provided))


def _check(
    component: Component, role: str, pod: Pod, remarks: Callable[[_Container, str], Iterable[Remark]]
) -> Iterator[Problem]:
    for container in pod.spec["containers"]:
        for remark in remarks(container, f"container {container['name']} of the {component.name}"):
            place = _place(component, _prefix(role), container, remark.steps)
            yield Problem(remark.rule, remark.message, place, remark.help)


def _check_init_containers(component: Component, role: str, pod: Pod) -> Iterator[Problem]:
    for container in pod.spec.get("initContainers") or ():
        for remark in in_init_container(container, f"init container {container['name']} of the {component.name}"):
            steps = (*_prefix(role), "initContainers", ("name", container["name"]), *remark.steps)
            yield Problem(remark.rule, remark.message, component.place(*steps), remark.help)


def _prefix(role: str) -> tuple[Step, ...]:
    return () if role == "default" else (role,)


def _place(component: Component, prefix: tuple[Step, ...], container: _Container, steps: Steps) -> Place:
    """The field of the runner where one has the container's name, else of the listed container."""
    part: Any = component.spec
    for step in prefix:
        part = part.get(step) or {}
    if (part.get("runner") or {}).get("name") == container["name"]:
        return component.place(*prefix, "runner", *steps)
    return component.place(*prefix, "containers", ("name", container["name"]), *steps)
