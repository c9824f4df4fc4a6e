"""The report of GitLab's Code Quality (reference 11 §9)."""

from __future__ import annotations

from typing import Any

from omec.finding import Finding, Severity
from omec.lint.formats.json import dumps
from omec.lint.formats.paths import from_here
from omec.lint.result import LintResult

_SEVERITIES = {Severity.ERROR: "major", Severity.WARNING: "minor", Severity.INFO: "info"}


def render(result: LintResult) -> str:
    """A JSON array with one item a finding; the fingerprint is how GitLab knows it again."""
    marks = result.fingerprints()
    return dumps([_item(finding, mark) for finding, mark in zip(result.findings, marks, strict=True)])


def _item(finding: Finding, mark: str) -> dict[str, Any]:
    position = finding.position
    begin = {"line": max(position.line, 1), "column": max(position.column, 1)}
    end = {"line": position.end_line or begin["line"], "column": position.end_column or begin["column"]}
    return {
        "description": f"{finding.rule.code}: {finding.message}",
        "check_name": finding.rule.code,
        "fingerprint": mark,
        "severity": _severity(finding),
        "location": {"path": from_here(position.path), "positions": {"begin": begin, "end": end}},
    }


def _severity(finding: Finding) -> str:
    if finding.severity is Severity.ERROR and finding.rule.code.startswith("OME8"):
        return "critical"
    return _SEVERITIES[finding.severity]
