"""``runtime-unreachable``: a runtime that nobody uses and nothing can select."""

from __future__ import annotations

from collections.abc import Iterator

from omec.finding import Rule, Severity
from omec.lint.context import Context, Fault

RULE = Rule(
    "OME343",
    "runtime-unreachable",
    Severity.INFO,
    "No InferenceService names a runtime, none inherits from it, and automatic selection passes over it",
    why="It does nothing in this repository: services of other repositories aside, it can be deleted.",
    fix="Name it in an InferenceService, set `autoSelect: true`, or delete it.",
    source="OME docs: reference/matching/runtime-selection-scoring",
    bad="""\
supportedModelFormats:
- modelFormat: {name: safetensors}
  modelFramework: {name: transformers}
  modelArchitecture: LlamaForCausalLM
""",
    good="""\
supportedModelFormats:
- modelFormat: {name: safetensors}
  modelFramework: {name: transformers}
  modelArchitecture: LlamaForCausalLM
  autoSelect: true
""",
    default=False,
)


def check(context: Context) -> Iterator[Fault]:
    decisions = context.decider.services()
    used = {decision.named.resource.ref for decision in decisions if decision.named and decision.named.resource}
    for runtime in (*context.catalog.of_kind("ServingRuntime"), *context.catalog.of_kind("ClusterServingRuntime")):
        if context.chains.parent_name(runtime):
            used.update(parent.ref for parent in context.chains.chain(runtime).runtimes if parent is not runtime)
    for matcher in context.matchers:
        if not matcher.auto_select and matcher.resource.ref not in used:
            message = f"no InferenceService names {matcher.resource.name}, and no entry has autoSelect: true"
            yield Fault(matcher.resource, ("metadata", "name"), message)
