"""``empty-text``: an empty text where the field was meant to be unset."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from omec.catalog import Resource
from omec.finding import FieldPath, Rule, Severity
from omec.lint.context import Context, Fault, spec_of

RULE = Rule(
    "OME346",
    "empty-text",
    Severity.WARNING,
    "A fact that runtimes are matched by is the empty text, which is not the same as none",
    why=(
        'OME compares an empty text like any other: a runtime with `quantization: ""` serves no model without a '
        "quantization, and OME does not fill a model's fact in that is set to the empty text."
    ),
    fix="Remove the field.",
    source="OME docs: reference/matching/model-version-matching",
    bad="""\
supportedModelFormats:
- modelFormat: {name: safetensors}
  modelFramework: {name: transformers}
  modelArchitecture: LlamaForCausalLM
  quantization: ""
""",
    good="""\
supportedModelFormats:
- modelFormat: {name: safetensors}
  modelFramework: {name: transformers}
  modelArchitecture: LlamaForCausalLM
""",
    fixable=True,
)

_FACTS = ("modelArchitecture", "quantization", "modelParameterSize")


def check(context: Context) -> Iterator[Fault]:
    for runtime, index, entry in context.entries:
        yield from _judge(runtime, ("spec", "supportedModelFormats", index), entry)
        bounds = spec_of(runtime).get("modelSizeRange") or {}
        for bound, size in bounds.items():
            if size == "":
                yield _fault(runtime, ("spec", "modelSizeRange", bound))
    for model in context.models:
        yield from _judge(model, ("spec",), spec_of(model))


def _judge(resource: Resource, path: FieldPath, facts: Mapping[str, Any]) -> Iterator[Fault]:
    for field in _FACTS:
        if facts.get(field) == "":
            yield _fault(resource, (*path, field))
    for part in ("modelFormat", "modelFramework"):
        if isinstance(facts.get(part), dict) and facts[part].get("version") == "":
            yield _fault(resource, (*path, part, "version"))


def _fault(resource: Resource, path: FieldPath) -> Fault:
    return Fault(resource, path, f'{path[-1]} is the empty text, which OME compares as a value, not as "unset"')
