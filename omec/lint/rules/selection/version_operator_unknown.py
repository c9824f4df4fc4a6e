"""``version-operator-unknown``: an operator that OME takes for Equal."""

from __future__ import annotations

from collections.abc import Iterator

from omec.api.redact import quoted
from omec.finding import Rule, Severity
from omec.lint.context import Context, Fault

RULE = Rule(
    "OME350",
    "version-operator-unknown",
    Severity.WARNING,
    "A runtime's entry compares versions by an operator that OME does not know",
    why="The API server takes any text, and OME compares for equality where it knows none: other versions are refused.",
    fix="Write `Equal`, `GreaterThan` or `GreaterThanOrEqual`; the latter two limit the model's version from above.",
    source="reference 01 §5.5 and §19",
    bad="""\
supportedModelFormats:
- modelFormat: {name: safetensors}
  modelFramework: {name: transformers, version: "4.36.0", operator: equal}
  modelArchitecture: LlamaForCausalLM
""",
    good="""\
supportedModelFormats:
- modelFormat: {name: safetensors}
  modelFramework: {name: transformers, version: "4.36.0", operator: Equal}
  modelArchitecture: LlamaForCausalLM
""",
    fixable=True,
)

_OPERATORS = {each.lower(): each for each in ("Equal", "GreaterThan", "GreaterThanOrEqual")}


def check(context: Context) -> Iterator[Fault]:
    for runtime, index, entry in context.entries:
        for part in ("modelFormat", "modelFramework"):
            declared = entry.get(part)
            operator = declared.get("operator") if isinstance(declared, dict) else None
            if isinstance(operator, str) and operator and operator not in _OPERATORS.values():
                meant = _OPERATORS.get(operator.strip().lower())
                message = f"OME knows no operator {quoted(operator)} and compares for equality"
                help_ = f"did you mean {meant}?" if meant else ""
                yield Fault(runtime, ("spec", "supportedModelFormats", index, part, "operator"), message, help_)
