"""``version-wildcard``: a text that is no version, and so matches nothing.

The reference's table also names ``v1`` where models say ``1.0.0``; OME compares the two as equal, so that is none here.
"""

from __future__ import annotations

from collections.abc import Iterator

from omec.api.version import try_parse_version
from omec.catalog import Resource
from omec.finding import FieldPath, Rule, Severity
from omec.lint.context import Context, Fault, spec_of

RULE = Rule(
    "OME333",
    "version-wildcard",
    Severity.ERROR,
    "A version of a format or framework is none that OME can read",
    why=(
        "OME knows no wildcards and no ranges: a version that it cannot read matches no version at all, not even the "
        "same text. The entry never matches a model that has a version, or the model no entry that asks for one."
    ),
    fix="Write the version in numbers (`4.45.0`), or leave `version` out on both sides.",
    source="OME docs: reference/matching/model-version-matching",
    bad="""\
supportedModelFormats:
- modelFormat: {name: safetensors, version: "*"}
  modelFramework: {name: transformers, version: "4.45.0"}
  modelArchitecture: LlamaForCausalLM
""",
    good="""\
supportedModelFormats:
- modelFormat: {name: safetensors, version: "1.0.0"}
  modelFramework: {name: transformers, version: "4.45.0"}
  modelArchitecture: LlamaForCausalLM
""",
)


def check(context: Context) -> Iterator[Fault]:
    for runtime, index, entry in context.entries:
        for part in ("modelFormat", "modelFramework"):
            yield from _judge(runtime, ("spec", "supportedModelFormats", index, part, "version"), entry.get(part))
    for model in context.models:
        for part in ("modelFormat", "modelFramework"):
            yield from _judge(model, ("spec", part, "version"), spec_of(model).get(part))


def _judge(resource: Resource, path: FieldPath, declared: object) -> Iterator[Fault]:
    version = declared.get("version") if isinstance(declared, dict) else None
    if isinstance(version, str) and version and try_parse_version(version) is None:
        yield Fault(resource, path, f'"{version}" is no version to OME, so it matches no other')
