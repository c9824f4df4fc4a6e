"""Pods that find the other components of their service."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from omec.compile.components import Component
from omec.compile.inputs import Object
from omec.compile.native import rules
from omec.compile.native.peers import Peers, SelectorError, with_peers
from omec.compile.pod import Pod
from omec.compile.problems import Problem, RenderError


def connected_pod(component: Component, pod: Pod, peers: Peers) -> tuple[Pod, list[Problem]]:
    """``pod`` of ``component`` with containers that find the other components, and what was changed for that.

    Raises :class:`RenderError` for a selector that would find no pods.
    """
    problems: list[Problem] = []
    containers = []
    for container in pod.spec["containers"]:
        try:
            changed = with_peers(container, peers, component.name)
        except SelectorError as error:
            message = f"container {container['name']} of the {component.name} looks for pods by {error.text!r}"
            raise RenderError(
                Problem(rules.SELECTOR_UNUSABLE, message, component.place("runner"), rules.SELECTOR_UNUSABLE.remedy)
            ) from error
        if _arguments(changed) != _arguments(container):
            message = f"container {container['name']} of the {component.name} selects pods by the names of replicas"
            problems.append(Problem(rules.SELECTOR_REWRITTEN, message, component.place("runner")))
        containers.append(changed)
    return replace(pod, spec={**pod.spec, "containers": containers}), problems


def _arguments(container: Object) -> list[Any]:
    return [container.get("command"), container.get("args")]
