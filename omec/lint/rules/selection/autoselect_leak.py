"""``autoselect-leak``: an entry that opts out of automatic selection and is selected all the same."""

from __future__ import annotations

from collections.abc import Iterator

from omec.finding import Related, Rule, Severity
from omec.lint.context import Context, Fault
from omec.lint.rules.selection.typical import typical_model

RULE = Rule(
    "OME338",
    "autoselect-leak",
    Severity.WARNING,
    "A model that only an entry with autoSelect: false matches can get the runtime automatically",
    why=(
        "OME asks whether some entry of the runtime matches, whether some entry is automatic, and what the best score "
        "is; each may be another entry. The score looks at format and framework only, so an automatic entry of the "
        "same format opens the runtime for the architectures of all the others."
    ),
    fix="Move the entry into a runtime of its own.",
    source="OME docs: reference/matching/runtime-selection-scoring",
    bad="""\
supportedModelFormats:
- modelFormat: {name: safetensors}
  modelFramework: {name: transformers}
  modelArchitecture: LlamaForCausalLM
  autoSelect: true
- modelFormat: {name: safetensors}
  modelFramework: {name: transformers}
  modelArchitecture: Qwen2ForCausalLM
  autoSelect: false
""",
    good="""\
supportedModelFormats:
- modelFormat: {name: safetensors}
  modelFramework: {name: transformers}
  modelArchitecture: LlamaForCausalLM
  autoSelect: true
""",
)


def check(context: Context) -> Iterator[Fault]:
    for matcher in context.matchers:
        if not matcher.auto_select or matcher.disabled:
            continue
        for entry in matcher.entries:
            model = typical_model(entry) if entry.auto_select is False else None
            if model is None or any(other.auto_select and other.matches(model) for other in matcher.entries):
                continue
            scoring = next(
                (o for o in matcher.entries if o.auto_select and o.score(model, o.effective_priority) > 0), None
            )
            if scoring is None:
                continue
            runtime = matcher.resource
            where = runtime.locate(("spec", "supportedModelFormats", scoring.index, "autoSelect"))
            models = f"models of {entry.architecture}" if entry.architecture else "models without an architecture"
            message = f"autoSelect: false keeps nothing out: {models} get the runtime all the same"
            related = Related(where, f"this entry gives them the score {matcher.score(model)}")
            yield Fault(
                runtime, ("spec", "supportedModelFormats", entry.index, "autoSelect"), message, related=(related,)
            )
