"""``ambiguous-autoselect``: two runtimes between which only their names decide."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby

from omec.finding import Related, Rule, Severity
from omec.lint.context import Context, Fault
from omec.lint.rules.selection.rivals import Group, Rival, groups

RULE = Rule(
    "OME340",
    "ambiguous-autoselect",
    Severity.WARNING,
    "Two runtimes are selected for the same models with equal score and equal distance, so that the name decides",
    why=(
        "OME sorts by score, then by the distance of the size range from the model's size, then by name. A runtime "
        "that is renamed, or a new one that comes earlier in the alphabet, moves the workloads without a word."
    ),
    fix="Give one of them a higher `priority`, or narrow its `modelSizeRange`.",
    source="OME docs: reference/matching/runtime-selection-scoring",
    bad="""\
apiVersion: ome.io/v1beta1
kind: ClusterServingRuntime
metadata: {name: vllm-llama}
spec:
  modelSizeRange: {min: 1B, max: 5B}
  supportedModelFormats:
  - modelFormat: {name: safetensors}
    modelFramework: {name: transformers}
    modelArchitecture: LlamaForCausalLM
    autoSelect: true
---
apiVersion: ome.io/v1beta1
kind: ClusterServingRuntime
metadata: {name: sglang-llama}
spec:
  modelSizeRange: {min: 1B, max: 5B}
  supportedModelFormats:
  - modelFormat: {name: safetensors}
    modelFramework: {name: transformers}
    modelArchitecture: LlamaForCausalLM
    autoSelect: true
""",
    good="""\
apiVersion: ome.io/v1beta1
kind: ClusterServingRuntime
metadata: {name: vllm-llama}
spec:
  modelSizeRange: {min: 1B, max: 5B}
  supportedModelFormats:
  - modelFormat: {name: safetensors}
    modelFramework: {name: transformers}
    modelArchitecture: LlamaForCausalLM
    autoSelect: true
---
apiVersion: ome.io/v1beta1
kind: ClusterServingRuntime
metadata: {name: sglang-llama}
spec:
  modelSizeRange: {min: 1B, max: 5B}
  supportedModelFormats:
  - modelFormat: {name: safetensors}
    modelFramework: {name: transformers}
    modelArchitecture: LlamaForCausalLM
    autoSelect: true
    priority: 2
""",
)


def check(context: Context) -> Iterator[Fault]:
    for group in groups(context.matchers):
        for winner, loser in ties(group):
            yield _fault(winner, loser)


def ties(group: Group) -> Iterator[tuple[Rival, Rival]]:
    """Pairs of rivals with equal score and distance for every size in common, the one that comes first by name first.

    Each rival is compared with the one before it in the order of ranges that reaches furthest, which it overlaps if it
    overlaps any: so all of a group are looked at once.
    """
    alike = sorted((rival for rival in group if rival.width == rival.width), key=_sort_key)  # NaN is no width
    for _, members in groupby(alike, key=_likeness):
        reach: Rival | None = None
        for rival in members:
            if reach is not None and (rival.low < reach.high or rival.low == reach.low):
                yield (reach, rival) if reach.name < rival.name else (rival, reach)
            if reach is None or rival.high > reach.high or (rival.high == reach.high and rival.name < reach.name):
                reach = rival


def _likeness(rival: Rival) -> tuple[int, float, list[str], list[tuple[str, str]]]:
    return rival.score, rival.width, sorted(rival.matcher.classes), sorted(rival.matcher.modes.items())


def _sort_key(rival: Rival) -> tuple[tuple[int, float, list[str], list[tuple[str, str]]], float, str]:
    return _likeness(rival), rival.low, rival.name


def _fault(winner: Rival, loser: Rival) -> Fault:
    runtime, other = loser.matcher.resource, winner.matcher.resource
    sizes = loser.matcher.size_range
    span = "" if sizes is None else f", size range {sizes.label}"
    message = (
        f"{winner.name} is selected before {loser.name} by its name alone: both have score {loser.score} for "
        f"{loser.models}{span}"
    )
    if winner.matcher.size_range is not None and sizes is not None and winner.low != loser.low:
        message += f" against {winner.matcher.size_range.label}"
    where = other.locate(("spec", "supportedModelFormats", winner.entry.index))
    path = ("spec", "supportedModelFormats", loser.entry.index)
    return Fault(runtime, path, message, related=(Related(where, f"{winner.name} declares the same models"),))
