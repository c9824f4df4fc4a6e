"""``autoselect-on-disabled``: automatic selection of a runtime that is disabled."""

from __future__ import annotations

from collections.abc import Iterator

from omec.finding import Rule, Severity
from omec.lint.context import Context, Fault

RULE = Rule(
    "OME339",
    "autoselect-on-disabled",
    Severity.INFO,
    "A disabled runtime has an entry with autoSelect: true",
    why="OME passes over disabled runtimes, so the entry chooses nothing until somebody enables the runtime.",
    fix="Drop `autoSelect`, or enable the runtime.",
    source="OME docs: concepts/runtimes/serving-runtimes",
    bad="""\
disabled: true
supportedModelFormats:
- modelFormat: {name: safetensors}
  modelFramework: {name: transformers}
  modelArchitecture: A
  autoSelect: true
""",
    good="""\
disabled: true
supportedModelFormats:
- modelFormat: {name: safetensors}
  modelFramework: {name: transformers}
  modelArchitecture: A
""",
    fixable=True,
)


def check(context: Context) -> Iterator[Fault]:
    for matcher in context.matchers:
        selectable = next((entry for entry in matcher.entries if entry.auto_select), None)
        if matcher.disabled and selectable is not None:
            path = ("spec", "supportedModelFormats", selectable.index, "autoSelect")
            yield Fault(
                matcher.resource, path, f"{matcher.resource.ref} is disabled, so autoSelect: true selects nothing"
            )
