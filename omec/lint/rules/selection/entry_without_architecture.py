"""``entry-without-architecture``: an entry that matches only models of which no architecture is known."""

from __future__ import annotations

from collections.abc import Iterator

from omec.finding import Rule, Severity
from omec.lint.context import Context, Fault

RULE = Rule(
    "OME336",
    "entry-without-architecture",
    Severity.WARNING,
    "An entry of a runtime names no modelArchitecture",
    why=(
        "A value on one side only is a mismatch. OME writes the architecture that it reads from the weights into every "
        "model, so an entry without one matches none of them."
    ),
    fix="Set `modelArchitecture`, one entry for each architecture.",
    source="OME docs: reference/matching/model-version-matching",
    bad="""\
supportedModelFormats:
- modelFormat: {name: safetensors}
  modelFramework: {name: transformers}
""",
    good="""\
supportedModelFormats:
- modelFormat: {name: safetensors}
  modelFramework: {name: transformers}
  modelArchitecture: LlamaForCausalLM
""",
)


def check(context: Context) -> Iterator[Fault]:
    for runtime, index, entry in context.entries:
        if entry.get("modelArchitecture") is None and isinstance(entry.get("modelFormat"), dict):
            message = "the entry names no modelArchitecture, so it matches no model whose architecture is known"
            yield Fault(runtime, ("spec", "supportedModelFormats", index), message)
