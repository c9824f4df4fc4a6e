"""``entry-priority-conflict``: entries of one name with different priorities, which OME's webhook refuses."""

from __future__ import annotations

from collections.abc import Iterator

from omec.finding import Related, Rule, Severity
from omec.lint.context import Context, Fault, spec_of

RULE = Rule(
    "OME337",
    "entry-priority-conflict",
    Severity.ERROR,
    "Two entries of a runtime with autoSelect and one name have different priorities",
    why=(
        'OME\'s webhook refuses the runtime. An entry that names itself nothing counts as named "", and the first '
        "entry with a name decides the priority."
    ),
    fix="Give both entries one `priority`, or different `name`s.",
    source="reference 09 §A6.1, row 9",
    bad="""\
supportedModelFormats:
- modelFormat: {name: safetensors}
  modelFramework: {name: transformers}
  modelArchitecture: A
  autoSelect: true
  priority: 1
- modelFormat: {name: safetensors}
  modelFramework: {name: transformers}
  modelArchitecture: B
  autoSelect: true
  priority: 2
""",
    good="""\
supportedModelFormats:
- modelFormat: {name: safetensors}
  modelFramework: {name: transformers}
  modelArchitecture: A
  autoSelect: true
  priority: 1
- modelFormat: {name: safetensors}
  modelFramework: {name: transformers}
  modelArchitecture: B
  autoSelect: true
  priority: 1
""",
)


def check(context: Context) -> Iterator[Fault]:
    """OME keeps the priority of the first entry of each name; one without a priority contradicts nothing."""
    for runtime in context.runtimes:
        if spec_of(runtime).get("disabled") is True:
            continue
        first: dict[str, tuple[int, int | None]] = {}
        entries = spec_of(runtime).get("supportedModelFormats") or ()
        for index, entry in enumerate(entries):
            if entry.get("autoSelect") is not True:
                continue
            name, priority = entry.get("name") or "", entry.get("priority")
            at, known = first.setdefault(name, (index, priority))
            if known is None or priority is None or known == priority:
                continue
            message = f"different priorities assigned for the model format {name} under the {runtime.kind.lower()} "
            other = runtime.locate(("spec", "supportedModelFormats", at, "priority"))
            yield Fault(
                runtime,
                ("spec", "supportedModelFormats", index, "priority"),
                message + runtime.name,
                related=(Related(other, f"the first entry of that name has priority {known}"),),
            )
