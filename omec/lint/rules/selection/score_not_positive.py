"""``score-not-positive``: an entry that can be selected automatically and never is."""

from __future__ import annotations

from collections.abc import Iterator

from omec.finding import Rule, Severity
from omec.lint.context import Context, Fault
from omec.lint.rules.selection.typical import typical_model

RULE = Rule(
    "OME335",
    "score-not-positive",
    Severity.WARNING,
    "An entry with autoSelect: true has a score that is not above 0",
    why=(
        "The score is (weight of the format + weight of the framework) x priority. OME selects no runtime whose score "
        "is 0 or less, whatever autoSelect says."
    ),
    fix="Make the weights positive together, or drop `autoSelect`.",
    source="OME docs: reference/matching/runtime-selection-scoring",
    bad="""\
supportedModelFormats:
- modelFormat: {name: safetensors, weight: -1}
  modelFramework: {name: transformers, weight: -1}
  modelArchitecture: LlamaForCausalLM
  autoSelect: true
""",
    good="""\
supportedModelFormats:
- modelFormat: {name: safetensors}
  modelFramework: {name: transformers}
  modelArchitecture: LlamaForCausalLM
  autoSelect: true
""",
)


def check(context: Context) -> Iterator[Fault]:
    for matcher in context.matchers:
        for entry in matcher.entries:
            model = typical_model(entry)
            if not entry.auto_select or model is None or matcher.score(model) > 0:
                continue
            weights = " + ".join(str(part.weight) for part in (entry.format, entry.framework) if part is not None)
            message = f"the score ({weights}) x {entry.effective_priority} is not above 0, so the entry is never chosen"
            yield Fault(matcher.resource, ("spec", "supportedModelFormats", entry.index, "autoSelect"), message)
