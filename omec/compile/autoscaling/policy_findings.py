"""AutoscalerPolicies that OME's webhook refuses, as findings on their own manifests."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from omec.catalog import Resource
from omec.compile.autoscaling.policy_checks import policy_issues
from omec.compile.autoscaling.rules import POLICY_INVALID
from omec.finding import Finding, field_text


def policy_findings(policies: Iterable[Resource]) -> Iterator[Finding]:
    """One finding for each fault of ``policies``, whose structure has been found to be in order."""
    for policy in policies:
        for issue in policy_issues(policy.spec):
            path = ("spec", *issue.path)
            yield Finding(
                POLICY_INVALID,
                str(issue),
                policy.locate(path),
                object=policy.ref,
                field=field_text(path),
                help=POLICY_INVALID.remedy,
            )
