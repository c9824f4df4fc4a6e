"""Rules about linting itself: suppressions, the baseline, and rules that fail."""

from __future__ import annotations

from omec.finding import Rule, Severity

RULE_FAILED = Rule(
    code="OME071",
    slug="rule-failed",
    severity=Severity.ERROR,
    summary="A rule of omec itself failed, so that what it would have found is not known",
    why=(
        "This is a bug of omec, and no fault of the manifests. The other rules have run; the exit code is 2, so that "
        "nobody takes the answer for a complete one."
    ),
    fix="Report the message, with the manifests if they may be shown; `--ignore` cannot silence it.",
    source="omec",
)
