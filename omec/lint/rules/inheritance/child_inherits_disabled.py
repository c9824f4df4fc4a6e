"""``child-inherits-disabled``: a child that nobody can use, because its parent is disabled."""

from __future__ import annotations

from collections.abc import Iterator

from omec.finding import Related, Rule, Severity
from omec.lint.context import Context, Fault
from omec.resolve.inherit import INHERIT_FROM, RUNTIME_PROFILE

RULE = Rule(
    "OME210",
    "child-inherits-disabled",
    Severity.WARNING,
    "A runtime inherits from a disabled one and does not enable itself",
    why=(
        "`disabled: true` is inherited like every other field. A child of a profile that leaves it out can be neither "
        "selected nor named by an InferenceService."
    ),
    fix="Write `disabled: false` in the child.",
    source="OME docs: concepts/runtimes/runtime-inheritance; reference 02 §10",
    bad="""\
spec:
  modelSizeRange: {min: 7B, max: 9B}
""",
    good="""\
spec:
  disabled: false
  modelSizeRange: {min: 7B, max: 9B}
""",
    fixable=True,
)


def check(context: Context) -> Iterator[Fault]:
    for runtime in context.runtimes:
        chain = context.chains.chain(runtime)
        if len(chain.runtimes) < 2 or not context.is_sound(chain) or not chain.disabled:
            continue
        is_base = runtime.annotations.get(RUNTIME_PROFILE) == "true" or context.chains.children(runtime)
        if "disabled" in runtime.spec or is_base:
            continue
        above = next(parent for parent in reversed(chain.runtimes[:-1]) if parent.spec.get("disabled") is True)
        message = f"{runtime.ref} is disabled, because {above.ref} is and it does not say otherwise"
        related = Related(above.locate(("spec", "disabled")), "disabled here")
        yield Fault(runtime, ("metadata", "annotations", INHERIT_FROM), message, related=(related,))
