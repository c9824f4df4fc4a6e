"""What is doubtful about the changes that a class makes to a runner (reference 03 §7)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any

from omec.compile.accel import rules
from omec.compile.accelerators import Accelerator
from omec.compile.arguments import (
    PIPELINE_PARALLEL_FLAGS,
    TENSOR_PARALLEL_FLAGS,
    merge_arguments,
    override_parameter,
)
from omec.compile.components import Component
from omec.compile.inputs import Runtime
from omec.compile.problems import Origin, Place, Problem, Steps
from omec.compile.runner import accelerator_count

_SIZES = (("tensorParallelSize", TENSOR_PARALLEL_FLAGS), ("pipelineParallelSize", PIPELINE_PARALLEL_FLAGS))


def check_effects(
    component: Component,
    accelerator: Accelerator,
    runtime: Runtime,
    runner: Mapping[str, Any],
    container: Mapping[str, Any],
    accelerator_resources: Sequence[str],
) -> Iterator[Problem]:
    """What ``accelerator`` makes of the merged ``runner``, which ends up as ``container``.

    ``accelerator_resources`` are the names of resources that count as accelerators.
    """
    place = _config_place(runtime, accelerator)
    overrides = accelerator.config.get("runtimeArgsOverride") or []
    args = merge_arguments(runner.get("args") or [], overrides)
    command = runner.get("command") or []
    for flag in _collapsed(runner.get("args") or [], args):
        message = f"the {component.name} keeps only the last {flag} of its args: the class overrides arguments"
        yield Problem(rules.ARGUMENTS_LOST, message, place, rules.ARGUMENTS_LOST.remedy)
    parallelism = accelerator.config.get("tensorParallelismOverride") or {}
    for field, flags in _SIZES:
        if (parallelism.get(field) or 0) > 0:
            yield from _check_flag(component, field, flags, args, command, place)
    yield from _check_gpus(component, parallelism, container, accelerator_resources, place)
    yield from _check_vendors(component, accelerator, container, accelerator_resources)


def _check_flag(
    component: Component, field: str, flags: Sequence[str], args: Sequence[str], command: Sequence[str], place: Place
) -> Iterator[Problem]:
    # The result depends on the size wherever a flag is found.
    if override_parameter(args, command, flags, 1) == override_parameter(args, command, flags, 2):
        message = f"{field} changes nothing of the {component.name}: neither args nor command has {' or '.join(flags)}"
        yield Problem(rules.FLAG_MISSING, message, place, rules.FLAG_MISSING.remedy)
    for words in (args, command):
        for word, following in pairwise(words):
            if word in flags and following.startswith("-"):
                message = f"{field} replaces {following} of the {component.name}, which follows {word} without a value"
                yield Problem(rules.ARGUMENTS_LOST, message, place, rules.ARGUMENTS_LOST.remedy)


def _check_gpus(
    component: Component,
    parallelism: Mapping[str, Any],
    container: Mapping[str, Any],
    names: Sequence[str],
    place: Place,
) -> Iterator[Problem]:
    tensor, pipeline = ((parallelism.get(field) or 0) for field, _ in _SIZES)
    pods = 1 + ((component.spec.get("worker") or {}).get("size") or 0)
    gpus = accelerator_count(container.get("resources") or {}, names) * pods
    if tensor > 0 and gpus > 0 and tensor * max(pipeline, 1) != gpus:
        parts = f"tensor parallelism {tensor}" + (f" x pipeline parallelism {pipeline}" if pipeline > 0 else "")
        message = f"the {component.name} runs with {parts} on {gpus} GPU{'s' if gpus > 1 else ''} a replica"
        yield Problem(rules.GPUS_DIFFER, message, place, rules.GPUS_DIFFER.remedy)


def _check_vendors(
    component: Component, accelerator: Accelerator, container: Mapping[str, Any], names: Sequence[str]
) -> Iterator[Problem]:
    resources = container.get("resources") or {}
    asked = {name for kind in ("limits", "requests") for name in resources.get(kind) or {}}
    gpus = sorted(name for name in asked if name in names or name.endswith("/gpu"))
    if len(gpus) > 1 and not accelerator.resources.keys().isdisjoint(gpus):
        message = f"the {component.name} asks for {' and '.join(gpus)} in one container"
        place = component.place("runner", "resources")
        yield Problem(rules.VENDORS_MIXED, message, place, rules.VENDORS_MIXED.remedy)


def _collapsed(before: Sequence[str], after: Sequence[str]) -> list[str]:
    """The flags that occur more than once in ``before`` and less often in ``after``."""
    had, has = _flags(before), _flags(after)
    return [flag for flag, number in had.items() if number > 1 and has[flag] < number]


def _flags(arguments: Sequence[str]) -> Counter[str]:
    words = (word for argument in arguments for word in argument.split())
    return Counter(word.partition("=")[0] for word in words if word.startswith("-"))


def _config_place(runtime: Runtime, accelerator: Accelerator) -> Place:
    steps: Steps = ("spec", "supportedModelFormats")
    if runtime.accelerator_entry is not None:
        steps = (*steps, runtime.accelerator_entry, "acceleratorConfig", accelerator.name)
    return Place(Origin.RUNTIME, steps)
