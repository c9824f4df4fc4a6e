"""``required-annotation-missing``: an object without an annotation that the policy asks for."""

from __future__ import annotations

from collections.abc import Iterator

from omec.finding import Rule, Severity
from omec.lint.context import Context, Fault
from omec.lint.rules.policies.required import missing
from omec.lint.rules.policies.stated import policy_of

RULE = Rule(
    "OME933",
    "required-annotation-missing",
    Severity.ERROR,
    "An object lacks an annotation that the policy asks for",
    why="Cost reports, alerts and network policies go by annotations; what lacks them belongs to nobody.",
    fix="Write the annotation below metadata.annotations.",
    source="docs/linting.md#team-policies",
    bad="""\
metadata: {name: chat}
""",
    good="""\
metadata:
  name: chat
  annotations: {example.com/owner: search}
""",
)


def check(context: Context) -> Iterator[Fault]:
    return missing(context, "annotations", policy_of(context).required_annotations)
