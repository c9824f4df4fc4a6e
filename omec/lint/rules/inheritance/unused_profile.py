"""``unused-profile``: a profile that nothing inherits from."""

from __future__ import annotations

from collections.abc import Iterator

from omec.finding import Rule, Severity
from omec.lint.context import Context, Fault
from omec.resolve.inherit import RUNTIME_PROFILE

RULE = Rule(
    "OME219",
    "unused-profile",
    Severity.INFO,
    "No runtime inherits from a profile",
    why="A profile is never used by itself.",
    fix="Delete the profile, or let a runtime inherit from it.",
    source="OME docs: concepts/runtimes/runtime-inheritance",
    bad="""\
metadata: {name: sglang-profile, annotations: {ome.io/runtime-profile: "true"}}
spec: {disabled: true}
""",
    good="""\
metadata: {name: sglang}
spec: {disabled: true}
""",
    default=False,
)


def check(context: Context) -> Iterator[Fault]:
    for runtime in context.runtimes:
        if runtime.annotations.get(RUNTIME_PROFILE) == "true" and not context.chains.children(runtime):
            yield Fault(runtime, ("metadata", "name"), f"nothing inherits from {runtime.ref}")
