"""``version-operator-is-upper-limit``: an operator that limits the model's version from above."""

from __future__ import annotations

from collections.abc import Iterator

from omec.api.version import try_parse_version
from omec.finding import Rule, Severity
from omec.lint.context import Context, Fault

RULE = Rule(
    "OME330",
    "version-operator-is-upper-limit",
    Severity.WARNING,
    "A runtime's entry asks for GreaterThan or GreaterThanOrEqual, which limits the model's version from above",
    why=(
        "OME reads the operator as a relation of the entry's version to the model's: `4.36.0` with "
        "`GreaterThanOrEqual` takes models up to 4.36.0 and refuses 4.37.0, the opposite of a minimum version."
    ),
    fix="Use `Equal`, or raise the entry's version to the newest one that the runtime serves.",
    source="OME docs: reference/matching/model-version-matching",
    bad="""\
supportedModelFormats:
- modelFormat: {name: safetensors}
  modelFramework: {name: transformers, version: "4.36.0", operator: GreaterThanOrEqual}
  modelArchitecture: LlamaForCausalLM
""",
    good="""\
supportedModelFormats:
- modelFormat: {name: safetensors}
  modelFramework: {name: transformers, version: "4.36.0", operator: Equal}
  modelArchitecture: LlamaForCausalLM
""",
)

_OPERATORS = {"GreaterThan": "below", "GreaterThanOrEqual": "up to"}


def check(context: Context) -> Iterator[Fault]:
    for runtime in context.runtimes:
        for index, entry in enumerate(runtime.spec.get("supportedModelFormats") or ()):
            for part in ("modelFormat", "modelFramework"):
                declared = entry.get(part) or {}
                bound = _OPERATORS.get(declared.get("operator", ""))
                version = try_parse_version(declared.get("version"))
                if bound and version is not None and not version.unofficial:  # others are compared for equality only
                    yield Fault(
                        runtime,
                        ("spec", "supportedModelFormats", index, part, "operator"),
                        f"{declared['operator']} {declared['version']} takes models {bound} {declared['version']} only",
                    )
