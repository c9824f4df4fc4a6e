"""What OME adds to the runner of an engine or a decoder (reference 04 §8)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from omec.api import quantity
from omec.compile.accelerators import Accelerator, override_arguments
from omec.compile.components import Component
from omec.compile.inputs import Object, ServiceInputs
from omec.compile.weights_pod import PodWeights

PARALLELISM_SIZE = "PARALLELISM_SIZE"


def complete_runner(
    runner: Mapping[str, Any],
    component: Component,
    inputs: ServiceInputs,
    *,
    weights: PodWeights,
    accelerator: Accelerator,
) -> Object:
    """``runner`` with the paths and mounts of weights, and with what the accelerator class asks for."""
    runner = dict(runner)
    env = list(runner.get("env") or ())
    for variable in weights.variables:
        (set_variable if variable.overrides else add_variable)(env, variable.name, variable.value)
    if weights.mounts:
        runner["volumeMounts"] = weights.with_mounts(runner.get("volumeMounts") or ())
    for name, value in sorted(accelerator.environment.items()):
        set_variable(env, name, value)
    if not _states_resources(component.own.get("runner")):
        runner["resources"] = _resources(runner, inputs.runtime.spec, accelerator)
    override_arguments(runner, accelerator.config)
    if not accelerator.sets_parallelism:
        gpus = accelerator_count(runner.get("resources") or {}, inputs.operator.accelerator_resources)
        if (size := gpus * _pods(component)) > 0:
            set_variable(env, PARALLELISM_SIZE, str(size))
    runner["env"] = env
    return runner


def add_variable(env: list[Object], name: str, value: str) -> None:
    """Append the variable unless ``env`` has it."""
    if all(item.get("name") != name for item in env):
        env.append({"name": name, "value": value})


def set_variable(env: list[Object], name: str, value: str) -> None:
    """Give the variable this value; a ``valueFrom`` that it has stays, as in OME."""
    for index, item in enumerate(env):
        if item.get("name") == name:
            env[index] = {**item, "value": value}
            return
    env.append({"name": name, "value": value})


def accelerator_count(resources: Mapping[str, Any], names: Sequence[str]) -> int:
    """How many accelerators a container with ``resources`` has: the first of ``names`` that it limits or requests."""
    for amounts in (resources.get("limits") or {}, resources.get("requests") or {}):
        for name in names:
            if name in amounts:
                return quantity.parse(str(amounts[name])).units
    return 0


def _states_resources(own_runner: Mapping[str, Any] | None) -> bool:
    """Whether the service itself says what the runner gets; then neither class nor runtime adds anything."""
    resources = (own_runner or {}).get("resources") or {}
    # An empty map of amounts counts, an empty list of claims does not.
    return any(resources.get(key) is not None for key in ("limits", "requests")) or bool(resources.get("claims"))


def _resources(runner: Mapping[str, Any], runtime_spec: Mapping[str, Any], accelerator: Accelerator) -> Object:
    """The runner's resources, gaps filled from the runtime's container of its name, then those of the class."""
    resources = dict(runner.get("resources") or {})
    containers = runtime_spec.get("containers") or ()
    namesake = next((item for item in containers if item.get("name") == runner["name"]), None) or {}
    legacy = namesake.get("resources") or {}
    for kind in ("requests", "limits"):
        amounts = {**(legacy.get(kind) or {}), **(resources.get(kind) or {}), **accelerator.resources}
        if amounts:
            resources[kind] = amounts
    return resources


def _pods(component: Component) -> int:
    """The pods of one replica: one or a leader, and the workers."""
    leads = component.name == "engine" or any(component.spec.get(part) is not None for part in ("leader", "runner"))
    return int(leads) + ((component.spec.get("worker") or {}).get("size") or 0)
