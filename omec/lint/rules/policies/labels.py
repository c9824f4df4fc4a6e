"""``required-label-missing``: an object without a label that the policy asks for."""

from __future__ import annotations

from collections.abc import Iterator

from omec.finding import Rule, Severity
from omec.lint.context import Context, Fault
from omec.lint.rules.policies.required import missing
from omec.lint.rules.policies.stated import policy_of

RULE = Rule(
    "OME932",
    "required-label-missing",
    Severity.ERROR,
    "An object lacks a label that the policy asks for",
    why="Cost reports, alerts and network policies go by labels; what lacks them belongs to nobody.",
    fix="Write the label below metadata.labels.",
    source="docs/linting.md#team-policies",
    bad="""\
metadata: {name: chat}
""",
    good="""\
metadata:
  name: chat
  labels: {team: search}
""",
)


def check(context: Context) -> Iterator[Fault]:
    return missing(context, "labels", policy_of(context).required_labels)
