"""What a lint run found, and what is needed to show it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from omec.finding import Finding, Severity


class LintResult(msgspec.Struct, frozen=True):
    """Findings in the order of their positions, notes about what was skipped, and the number of files read.

    ``sources`` gives the path from the configuration's folder of every file, ``texts`` its content.
    """

    findings: tuple[Finding, ...]
    notes: tuple[str, ...] = ()
    files: int = 0
    sources: Mapping[str, str] = msgspec.field(default_factory=dict)
    texts: Mapping[str, str] = msgspec.field(default_factory=dict)

    @property
    def incomplete(self) -> bool:
        """Whether a rule of omec failed, so that there may be more to find."""
        return any(finding.rule.slug == "rule-failed" for finding in self.findings)

    @property
    def counts(self) -> dict[Severity, int]:
        """How many findings there are of each severity, the worst first."""
        return {
            severity: sum(finding.severity is severity for finding in self.findings)
            for severity in sorted(Severity, reverse=True)
        }

    def fingerprints(self) -> list[str]:
        """What stays the same about each finding when lines move; each is unique in this result."""
        from omec.lint.fingerprint import unique_fingerprints  # noqa: PLC0415

        return list(unique_fingerprints(self.findings, self.sources))

    def to_dict(self) -> dict[str, Any]:
        """The shape of the JSON format: an interface, to which keys may be added and none renamed."""
        return {
            "findings": [
                {**finding.to_dict(), "fingerprint": mark}
                for finding, mark in zip(self.findings, self.fingerprints(), strict=True)
            ],
            "summary": {"files": self.files, **{severity.label: n for severity, n in self.counts.items()}},
        }
