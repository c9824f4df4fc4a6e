"""``selected-by-name``: an InferenceService whose runtime is the first of several by nothing but its name."""

from __future__ import annotations

from collections.abc import Iterator

from omec.finding import Related, Rule, Severity
from omec.lint.context import Context, Fault

RULE = Rule(
    "OME344",
    "selected-by-name",
    Severity.WARNING,
    "OME selects the runtime of an InferenceService by the alphabet",
    why=(
        "The first two runtimes for the model have one score and are equally close to its size, so that their names "
        "decide. The next runtime that comes earlier in the alphabet takes the service over."
    ),
    fix="Name the runtime in `spec.runtime`, or give it a higher `priority`.",
    source="OME docs: reference/matching/runtime-selection-scoring",
    bad="model: {name: llama-3-2-1b-instruct}\nengine: {}\n",
    good="model: {name: llama-3-2-1b-instruct}\nruntime: {name: engine-only}\nengine: {}\n",
)


def check(context: Context) -> Iterator[Fault]:
    for rendering in context.renderings:
        decision, service = rendering.decision, rendering.decision.service
        ranking = decision.selection.ranking if decision.named is None and decision.selection is not None else ()
        if service is None or len(ranking) < 2:
            continue
        first, second = ranking[:2]
        if (first.resource.kind, first.score, first.distance) != (second.resource.kind, second.score, second.distance):
            continue
        message = (
            f"{first.resource.name} is selected before {second.resource.name} by its name alone: both have score "
            f"{first.score} and the same distance from the model's size"
        )
        places = tuple(
            Related(verdict.resource.locate(("metadata", "name")), f"score {verdict.score}") for verdict in ranking[:2]
        )
        yield Fault(service, ("spec", "model", "name"), message, related=places)
