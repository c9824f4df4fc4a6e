"""``shadowed-runtime``: a runtime that automatic selection can never pick, because another always comes first.

The reference counts a ServingRuntime of a namespace as the shadow of a ClusterServingRuntime, too; that one still wins
in every other namespace, so it is not said to be shadowed here.
"""

from __future__ import annotations

from collections.abc import Iterator

from omec.finding import ObjectRef, Related, Rule, Severity
from omec.lint.context import Context, Fault
from omec.lint.rules.selection.rivals import Rival, groups
from omec.resolve.match import RuntimeMatcher

RULE = Rule(
    "OME342",
    "shadowed-runtime",
    Severity.WARNING,
    "For every model that a runtime can be selected for, another runtime comes first",
    why=(
        "The other one has a higher score and serves at least the same sizes and accelerator classes, so automatic "
        "selection never picks this one. Only an InferenceService that names it gets it."
    ),
    fix="Raise its `priority`, or drop `autoSelect`.",
    source="OME docs: reference/matching/runtime-selection-scoring",
    bad="""\
apiVersion: ome.io/v1beta1
kind: ClusterServingRuntime
metadata: {name: new}
spec:
  supportedModelFormats:
  - modelFormat: {name: safetensors}
    modelFramework: {name: transformers}
    modelArchitecture: LlamaForCausalLM
    autoSelect: true
    priority: 3
---
apiVersion: ome.io/v1beta1
kind: ClusterServingRuntime
metadata: {name: old}
spec:
  supportedModelFormats:
  - modelFormat: {name: safetensors}
    modelFramework: {name: transformers}
    modelArchitecture: LlamaForCausalLM
    autoSelect: true
""",
    good="""\
apiVersion: ome.io/v1beta1
kind: ClusterServingRuntime
metadata: {name: new}
spec:
  supportedModelFormats:
  - modelFormat: {name: safetensors}
    modelFramework: {name: transformers}
    modelArchitecture: LlamaForCausalLM
    autoSelect: true
    priority: 3
---
apiVersion: ome.io/v1beta1
kind: ClusterServingRuntime
metadata: {name: old}
spec:
  supportedModelFormats:
  - modelFormat: {name: safetensors}
    modelFramework: {name: transformers}
    modelArchitecture: LlamaForCausalLM
""",
)


def check(context: Context) -> Iterator[Fault]:
    shadows: dict[ObjectRef, dict[int, tuple[Rival, Rival]]] = {}
    for group in groups(context.matchers):
        best: list[Rival] = []
        for rival in sorted(group, key=lambda rival: -rival.score):
            shadow = next((other for other in best if other.score > rival.score and other.covers(rival)), None)
            if shadow is None:
                best.append(rival)
            else:
                shadows.setdefault(rival.matcher.resource.ref, {})[rival.entry.index] = (rival, shadow)
    for matcher in context.matchers:
        found = shadows.get(matcher.resource.ref, {})
        if found and _selectable_entries(matcher) <= found.keys():
            yield _fault(*next(iter(found.values())), sorted({shadow.name for _, shadow in found.values()}))


def _selectable_entries(matcher: RuntimeMatcher) -> set[int]:
    """The entries for whose models the runtime might be selected; of entries with one demand the first counts."""
    first = {entry.demand: entry.index for entry in reversed(matcher.entries)}
    return set(first.values())


def _fault(rival: Rival, shadow: Rival, names: list[str]) -> Fault:
    runtime, other = rival.matcher.resource, shadow.matcher.resource
    message = (
        f"automatic selection never picks {rival.name}: {' and '.join(names)} always comes first, with score "
        f"{shadow.score} against {rival.score} for {rival.models}"
    )
    where = other.locate(("spec", "supportedModelFormats", shadow.entry.index))
    related = (Related(where, f"{shadow.name} declares the same models"),)
    return Fault(runtime, ("spec", "supportedModelFormats", rival.entry.index), message, related=related)
