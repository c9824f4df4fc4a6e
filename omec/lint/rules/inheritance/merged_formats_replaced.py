"""``merged-formats-replaced``: a child that serves other models than its parent."""

from __future__ import annotations

from collections.abc import Iterator

from omec.finding import Related, Rule, Severity
from omec.lint.context import Context, Fault

RULE = Rule(
    "OME223",
    "merged-formats-replaced",
    Severity.INFO,
    "A runtime replaces the supportedModelFormats that it inherits",
    why="The list is not merged: the child serves only what it lists itself, none of what its parent does.",
    fix="Repeat the parent's entries, where the child is to serve those models too.",
    source="OME docs: concepts/runtimes/runtime-inheritance; reference 02 §10",
    bad="""\
spec:
  disabled: false
  supportedModelFormats:
  - {modelFormat: {name: safetensors}, modelFramework: {name: transformers}, modelArchitecture: Qwen3ForCausalLM}
""",
    good="""\
spec:
  disabled: false
""",
    default=False,
)


def check(context: Context) -> Iterator[Fault]:
    for runtime in context.runtimes:
        chain = context.chains.chain(runtime)
        if not runtime.spec.get("supportedModelFormats") or not context.is_sound(chain):
            continue
        parent = next((r for r in reversed(chain.runtimes[:-1]) if r.spec.get("supportedModelFormats")), None)
        if parent is not None:
            related = Related(parent.locate(("spec", "supportedModelFormats"), key=True), "the parent's entries")
            number = len(parent.spec["supportedModelFormats"])
            message = f"supportedModelFormats replaces {number} inherited from {parent.ref}"
            yield Fault(runtime, ("spec", "supportedModelFormats"), message, related=(related,), key=True)
