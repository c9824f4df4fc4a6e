"""``version-suffix-with-operator``: an ordering operator that orders nothing."""

from __future__ import annotations

from collections.abc import Iterator

from omec.finding import Rule, Severity
from omec.lint.context import Context, Fault

RULE = Rule(
    "OME345",
    "version-suffix-with-operator",
    Severity.WARNING,
    "An entry compares a version with a suffix by order, and OME compares such versions for equality only",
    why=(
        "OME orders official versions alone. `4.45.0.dev0` with `GreaterThanOrEqual` matches 4.45.0.dev0 and nothing "
        "else."
    ),
    fix="Write the operator `Equal`, or a version without a suffix.",
    source="OME docs: reference/matching/model-version-matching",
    bad="""\
supportedModelFormats:
- modelFormat: {name: safetensors}
  modelFramework: {name: transformers, version: "4.45.0.dev0", operator: GreaterThanOrEqual}
  modelArchitecture: LlamaForCausalLM
""",
    good="""\
supportedModelFormats:
- modelFormat: {name: safetensors}
  modelFramework: {name: transformers, version: "4.45.0.dev0", operator: Equal}
  modelArchitecture: LlamaForCausalLM
""",
)


def check(context: Context) -> Iterator[Fault]:
    for matcher in context.matchers:
        for entry in matcher.entries:
            for part, required in (("modelFormat", entry.format), ("modelFramework", entry.framework)):
                if required is None or required.parsed is None or required.operator in (None, "Equal"):
                    continue
                if required.parsed.unofficial:
                    path = ("spec", "supportedModelFormats", entry.index, part, "operator")
                    message = f"{required.operator} {required.version} matches {required.version} only"
                    yield Fault(matcher.resource, path, message)
