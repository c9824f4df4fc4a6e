"""JUnit XML: a suite for each file with findings, a failed case for each finding (reference 11 §9)."""

from __future__ import annotations

from itertools import groupby
from pathlib import PurePosixPath
from xml.sax.saxutils import escape, quoteattr

from omec.api.visible import visible
from omec.finding import Finding, Severity
from omec.lint.formats.paths import from_here
from omec.lint.result import LintResult


def render(result: LintResult) -> str:
    """Findings of severity info are output and no failure; a run without findings is one passing case."""
    failed = sum(finding.severity is not Severity.INFO for finding in result.findings)
    tests = len(result.findings) or 1
    suites = [
        _suite(path, list(found)) for path, found in groupby(result.findings, key=lambda finding: finding.position.path)
    ] or [
        '<testsuite name="omec" tests="1" failures="0" errors="0"><testcase name="omec" classname="omec"/></testsuite>'
    ]
    head = f'<testsuites name="omec" tests="{tests}" failures="{failed}" errors="0">'
    return "\n".join(['<?xml version="1.0" encoding="UTF-8"?>', head, *suites, "</testsuites>"]) + "\n"


def _suite(path: str, findings: list[Finding]) -> str:
    shown = from_here(path)
    failed = sum(finding.severity is not Severity.INFO for finding in findings)
    head = f'<testsuite name={_attribute(shown)} tests="{len(findings)}" failures="{failed}" errors="0" package="omec">'
    return "\n".join([head, *(_case(finding, shown) for finding in findings), "</testsuite>"])


def _case(finding: Finding, path: str) -> str:
    position = finding.position
    classname = str(PurePosixPath(path).with_suffix(""))
    place = f' line="{position.line}" column="{position.column}"' if position.line else ""
    text = "\n".join(filter(None, (f"{position}: {finding.message}", finding.help and f"help: {finding.help}")))
    if finding.severity is Severity.INFO:
        outcome = f"<system-out>{_text(text)}</system-out>"
    else:
        attributes = f'type="{finding.severity.label}" message={_attribute(finding.message)}'
        outcome = f"<failure {attributes}>{_text(text)}</failure>"
    name = f"omec.{finding.rule.code}"
    return f'<testcase name="{name}" classname={_attribute(classname)}{place}>{outcome}</testcase>'


def _attribute(text: str) -> str:
    return quoteattr(visible(text))


def _text(text: str) -> str:
    return escape("\n".join(map(visible, text.split("\n"))))
