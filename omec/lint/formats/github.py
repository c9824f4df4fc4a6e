"""Annotations of GitHub Actions: workflow commands that it shows beside the changed lines (reference 11 §9)."""

from __future__ import annotations

from omec.api.visible import visible
from omec.finding import Finding, Severity
from omec.lint.formats.paths import from_here
from omec.lint.result import LintResult

_COMMANDS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.INFO: "notice"}


def render(result: LintResult) -> str:
    """One command a finding, the worst first: GitHub shows only ten errors and ten warnings of a step."""
    ordered = sorted(result.findings, key=lambda finding: -finding.severity)
    return "".join(f"{_annotation(finding)}\n" for finding in ordered)


def _annotation(finding: Finding) -> str:
    position = finding.position
    properties = {"title": f"omec ({finding.rule.code})", "file": from_here(position.path)}
    if position.line:
        properties["line"] = str(position.line)
        if position.end_line == position.line:
            properties |= {"col": str(position.column), "endColumn": str(position.end_column)}
        if position.end_line:
            properties["endLine"] = str(position.end_line)
    given = ",".join(f"{name}={_property(value)}" for name, value in properties.items())
    message = f"{position}: {finding.rule.code} {finding.message}"
    if finding.help:
        message += f"\nhelp: {finding.help}"
    return f"::{_COMMANDS[finding.severity]} {given}::{_message(message)}"


def _message(text: str) -> str:
    return _data("\n".join(map(visible, text.split("\n"))))


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
