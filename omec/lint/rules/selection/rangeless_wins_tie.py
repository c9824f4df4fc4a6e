"""``rangeless-wins-tie``: a runtime for every size that is selected before the one made for this size."""

from __future__ import annotations

from collections.abc import Iterator

from omec.finding import Related, Rule, Severity
from omec.lint.context import Context, Fault
from omec.lint.rules.selection.rivals import groups

RULE = Rule(
    "OME341",
    "rangeless-wins-tie",
    Severity.WARNING,
    "A runtime without a modelSizeRange is selected before one with a range, on equal score",
    why=(
        "OME breaks a tie by the distance of the range from the model's size, and a runtime without a range has the "
        "distance 0. The one that was made for the size is never selected."
    ),
    fix="Give the runtime with the range a higher `priority`.",
    source="OME docs: reference/matching/runtime-selection-scoring",
    bad="""\
apiVersion: ome.io/v1beta1
kind: ClusterServingRuntime
metadata: {name: any-size}
spec:
  supportedModelFormats:
  - modelFormat: {name: safetensors}
    modelFramework: {name: transformers}
    modelArchitecture: LlamaForCausalLM
    autoSelect: true
---
apiVersion: ome.io/v1beta1
kind: ClusterServingRuntime
metadata: {name: small}
spec:
  modelSizeRange: {min: 2B, max: 4B}
  supportedModelFormats:
  - modelFormat: {name: safetensors}
    modelFramework: {name: transformers}
    modelArchitecture: LlamaForCausalLM
    autoSelect: true
""",
    good="""\
apiVersion: ome.io/v1beta1
kind: ClusterServingRuntime
metadata: {name: any-size}
spec:
  supportedModelFormats:
  - modelFormat: {name: safetensors}
    modelFramework: {name: transformers}
    modelArchitecture: LlamaForCausalLM
    autoSelect: true
---
apiVersion: ome.io/v1beta1
kind: ClusterServingRuntime
metadata: {name: small}
spec:
  modelSizeRange: {min: 2B, max: 4B}
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
        rangeless = [rival for rival in group if rival.matcher.size_range is None]
        for rival in group if rangeless else ():
            if rival.matcher.size_range is None or not rival.width > 0:
                continue
            winner = next((other for other in rangeless if other.score == rival.score and other.covers(rival)), None)
            if winner is not None:
                message = (
                    f"{winner.name}, which has no size range, is selected before {rival.name} for every size in "
                    f"{rival.matcher.size_range.label}: both have score {rival.score} for {rival.models}"
                )
                where = winner.matcher.resource.locate(("spec", "supportedModelFormats", winner.entry.index))
                related = (Related(where, f"{winner.name} declares the same models"),)
                yield Fault(rival.matcher.resource, ("spec", "modelSizeRange"), message, related=related, key=True)
