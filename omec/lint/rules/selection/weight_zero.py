"""``weight-zero``: a weight that does not switch off what it stands at."""

from __future__ import annotations

from collections.abc import Iterator

from omec.finding import Rule, Severity
from omec.lint.context import Context, Fault
from omec.resolve.entry import FORMAT_WEIGHT, FRAMEWORK_WEIGHT

RULE = Rule(
    "OME334",
    "weight-zero",
    Severity.WARNING,
    "A weight of 0 in a runtime's entry raises the score instead of lowering it",
    why=(
        "OME's score takes a weight of 0 as unset: as 10 for a format and 5 for a framework, while a weight that is "
        "not written counts 1. So `weight: 0` puts the runtime before others."
    ),
    fix="Lower `priority`, use a negative weight, or set `autoSelect: false`.",
    source="OME docs: reference/matching/runtime-selection-scoring",
    bad="""\
supportedModelFormats:
- modelFormat: {name: safetensors, weight: 0}
  modelFramework: {name: transformers}
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

_COUNTED = {"modelFormat": FORMAT_WEIGHT, "modelFramework": FRAMEWORK_WEIGHT}


def check(context: Context) -> Iterator[Fault]:
    for runtime, index, entry in context.entries:
        for part, weight in _COUNTED.items():
            declared = entry.get(part)
            if isinstance(declared, dict) and declared.get("weight") == 0:
                path = ("spec", "supportedModelFormats", index, part, "weight")
                yield Fault(runtime, path, f"OME's score counts this weight of 0 as {weight}")
