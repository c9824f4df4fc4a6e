"""Findings for people: one line each that editors and terminals can jump to, then how to fix it."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from omec.api.visible import visible
from omec.finding import Finding

Painter = Callable[[str, str], str]
"""Colours a text: ``painter(text, color)``."""

SEVERITY_COLORS = {"error": "red", "warning": "yellow", "info": "cyan"}


def plain(text: str, _color: str) -> str:
    """The painter that paints nothing."""
    return text


def render(findings: Iterable[Finding], painter: Painter = plain) -> str:
    """``path:line:col: severity[CODE] message`` for each finding, with its related places and help below.

    Each is one line, whatever names and paths of the manifests hold.
    """
    return "".join("\n".join([headline(finding, painter), *remarks(finding)]) + "\n" for finding in findings)


def headline(finding: Finding, painter: Painter) -> str:
    """``path:line:col: severity[CODE] message``."""
    severity = finding.severity.label
    tag = painter(f"{severity}[{finding.rule.code}]", SEVERITY_COLORS[severity])
    place = painter(visible(str(finding.position)), "bold")
    return f"{place}: {tag} {visible(finding.message)}"


def remarks(finding: Finding) -> list[str]:
    """The lines below: related places, and the help."""
    lines = [visible(f"  {related.position}: {related.message}") for related in finding.related]
    return [*lines, visible(f"  help: {finding.help}")] if finding.help else lines
