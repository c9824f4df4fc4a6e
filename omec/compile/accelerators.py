"""The AcceleratorClass of a component, and what it changes on the pods (reference 03 §5 and §7, 04 §8 and §10)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import msgspec

from omec.compile import rules
from omec.compile.arguments import (
    PIPELINE_PARALLEL_FLAGS,
    TENSOR_PARALLEL_FLAGS,
    merge_arguments,
    override_parameter,
)
from omec.compile.components import Component
from omec.compile.inputs import Object, Runtime, ServiceInputs
from omec.compile.problems import Origin, Place, Problem, RenderError

if TYPE_CHECKING:
    from omec.compile.accel.choice import Choice


class Accelerator(msgspec.Struct, frozen=True):
    """The class ``name`` and the runtime's settings for it (``{}`` for none)."""

    spec: Mapping[str, Any]
    config: Mapping[str, Any]
    name: str = ""

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


def component_choice(inputs: ServiceInputs, component: Component) -> Choice | None:
    """The class of ``component`` with the reasons for it, ``None`` for a router or where the service asks for none."""
    spec = inputs.service.spec
    asked = spec.get("acceleratorSelector") or (spec.get(component.name) or {}).get("acceleratorOverride")
    if component.name == "router" or not asked:
        return None
    from omec.compile.accel.choice import choose  # noqa: PLC0415 - few services ask for a class

    return choose(component.name, inputs.service.spec, inputs.runtime.spec, inputs.accelerator_classes)


def component_accelerator(inputs: ServiceInputs, component: Component) -> Accelerator:
    """The class of ``component``, as :func:`chosen_accelerator` gives it."""
    return chosen_accelerator(inputs, component_choice(inputs, component))


def chosen_accelerator(inputs: ServiceInputs, choice: Choice | None) -> Accelerator:
    """The class of ``choice``, :data:`NO_ACCELERATOR` for none.

    Raises :class:`RenderError` where the service names one that does not exist.
    """
    if choice is None or choice.chosen is None:
        return NO_ACCELERATOR
    if choice.error is not None:
        raise RenderError(_missing(choice))
    return accelerator(inputs.runtime, choice.chosen, inputs.accelerator_classes[choice.chosen])


def accelerator(runtime: Runtime, name: str, spec: Mapping[str, Any]) -> Accelerator:
    """The class ``name`` with what ``runtime`` sets for it.

    The settings are those of the entry that fits the model best, under exactly the name of the class (reference 03
    §7.1); a misspelled name counts for nothing.
    """
    entry = runtime.accelerator_entry
    formats = runtime.spec.get("supportedModelFormats") or []
    configs = formats[entry].get("acceleratorConfig") if entry is not None else None
    return Accelerator(spec, (configs or {}).get(name) or {}, name)


def _missing(choice: Choice) -> Problem:
    assert choice.wish is not None
    message = f"Failed to get accelerator class for {choice.component}: {choice.error}"
    help_ = "add the AcceleratorClass to the repository, or name one that exists"
    return Problem(rules.ACCELERATOR_CLASS_MISSING, message, Place(Origin.SERVICE, choice.wish.steps), help_)


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
