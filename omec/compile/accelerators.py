"""The AcceleratorClass of a component, and what it changes on the pods (reference 03 §5 and §7, 04 §8 and §10)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from omec.compile import rules
from omec.compile.arguments import (
    PIPELINE_PARALLEL_FLAGS,
    TENSOR_PARALLEL_FLAGS,
    merge_arguments,
    override_parameter,
)
from omec.compile.components import Component
from omec.compile.inputs import Object, ServiceInputs
from omec.compile.problems import Origin, Place, Problem, RenderError, Step, Steps


@dataclass(frozen=True, slots=True)
class Accelerator:
    """A class and the runtime's settings for it (``{}`` for none)."""

    spec: Mapping[str, Any]
    config: Mapping[str, Any]

    @property
    def resources(self) -> dict[str, Any]:
        """How much of each resource one container asks for."""
        return {item["name"]: item.get("quantity", "1") for item in self.spec.get("resources") or ()}

    @property
    def environment(self) -> Mapping[str, str]:
        return self.config.get("environmentOverride") or {}

    @property
    def node_selector(self) -> Mapping[str, str]:
        return (self.spec.get("discovery") or {}).get("nodeSelector") or {}

    @property
    def node_affinity(self) -> Mapping[str, Any] | None:
        return ((self.spec.get("discovery") or {}).get("affinity") or {}).get("nodeAffinity")

    @property
    def sets_parallelism(self) -> bool:
        """Whether the runtime states the parallelism itself; even an empty statement counts."""
        return self.config.get("tensorParallelismOverride") is not None


NO_ACCELERATOR = Accelerator({}, {})


def component_accelerator(inputs: ServiceInputs, component: Component) -> Accelerator:
    """The class that the service names for ``component``; :data:`NO_ACCELERATOR` for none.

    A runtime that lists no classes takes none. Raises :class:`RenderError` where the class does not exist, or where a
    policy would choose it.
    """
    listed = (inputs.runtime.spec.get("acceleratorRequirements") or {}).get("acceleratorClasses")
    if not listed or component.name == "router":
        return NO_ACCELERATOR
    selector = inputs.service.spec.get("acceleratorSelector") or {}
    override = component.own.get("acceleratorOverride") or {}
    override_path: Steps = ("spec", component.name, "acceleratorOverride")
    path = override_path if override.get("acceleratorClass") is not None else ("spec", "acceleratorSelector")
    name = (override if path == override_path else selector).get("acceleratorClass")
    if name:
        return _named(inputs, component, name, (*path, "acceleratorClass"))
    path = override_path if override.get("policy") else ("spec", "acceleratorSelector")
    policy = (override if path == override_path else selector).get("policy")
    if policy:
        message = f"omec does not choose the accelerator class of the {component.name} by policy {policy} yet"
        help_ = f"name one of the runtime's classes in acceleratorClass: {', '.join(listed)}"
        raise RenderError(Problem(rules.ACCELERATOR_POLICY, message, _in_service(*path, "policy"), help_))
    return NO_ACCELERATOR


def _named(inputs: ServiceInputs, component: Component, name: str, path: Steps) -> Accelerator:
    spec = inputs.accelerator_classes.get(name)
    if spec is None:
        message = (
            f"Failed to get accelerator class for {component.name}: accelerator class {name} not found at cluster scope"
        )
        help_ = "add the AcceleratorClass to the repository, or name one that exists"
        raise RenderError(Problem(rules.ACCELERATOR_CLASS_MISSING, message, _in_service(*path), help_))
    entry = inputs.runtime.accelerator_entry
    formats = inputs.runtime.spec.get("supportedModelFormats") or []
    configs = formats[entry].get("acceleratorConfig") if entry is not None else None
    return Accelerator(spec, (configs or {}).get(name) or {})


def override_arguments(runner: Object, config: Mapping[str, Any]) -> None:
    """Change ``args`` and ``command`` of ``runner`` as the runtime's settings for the class ask."""
    args = merge_arguments(runner.get("args") or [], config.get("runtimeArgsOverride") or [])
    command = runner.get("command") or []
    parallelism = config.get("tensorParallelismOverride") or {}
    for field, flags in (
        ("tensorParallelSize", TENSOR_PARALLEL_FLAGS),
        ("pipelineParallelSize", PIPELINE_PARALLEL_FLAGS),
    ):
        size = parallelism.get(field) or 0
        if size > 0:
            args, command = override_parameter(args, command, flags, size)
    runner["args"], runner["command"] = args, command


def _in_service(*path: Step) -> Place:
    return Place(Origin.SERVICE, path)
