"""``format-name-required``: an entry whose format or framework has an empty name, which OME's webhook refuses."""

from __future__ import annotations

from collections.abc import Iterator

from omec.finding import Rule, Severity
from omec.lint.context import Context, Fault, spec_of

RULE = Rule(
    "OME347",
    "format-name-required",
    Severity.ERROR,
    "The format or framework of a runtime's entry has an empty name",
    why="OME's webhook refuses the runtime, unless it is disabled.",
    fix="Name the format (`safetensors`) and the framework (`transformers`).",
    source="reference 09 §A6.1, row 8",
    bad="""\
supportedModelFormats:
- modelFormat: {name: ""}
  modelFramework: {name: transformers}
  modelArchitecture: LlamaForCausalLM
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
        if spec_of(runtime).get("disabled") is True:
            continue
        for part in ("modelFormat", "modelFramework"):
            if isinstance(entry.get(part), dict) and entry[part].get("name") == "":
                path = ("spec", "supportedModelFormats", index, part, "name")
                yield Fault(runtime, path, f"spec.supportedModelFormats[{index}]: {part}.name is required")
