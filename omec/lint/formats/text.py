"""Findings for people: one line each that editors and terminals can jump to, then how to fix it."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from omec.api.visible import visible
from omec.finding import Finding

Painter = Callable[[str, str], str]
"""Colours a text: ``painter(text, color)``."""

_SEVERITY_COLORS = {"error": "red", "warning": "yellow", "info": "cyan"}


def plain(text: str, _color: str) -> str:
    """The painter that paints nothing."""
    return text


def render(findings: Iterable[Finding], painter: Painter = plain) -> str:
    """``path:line:col: severity[CODE] message`` for each finding, with its related places and help below.

    Each is one line, whatever names and paths of the manifests hold.
    """
    return "".join(_render_one(finding, painter) for finding in findings)


def _render_one(finding: Finding, painter: Painter) -> str:
    severity = finding.severity.label
    tag = painter(f"{severity}[{finding.rule.code}]", _SEVERITY_COLORS[severity])
    place = painter(visible(str(finding.position)), "bold")
    lines = [f"{place}: {tag} {visible(finding.message)}"]
    lines += [visible(f"  {related.position}: {related.message}") for related in finding.related]
    if finding.help:
        lines.append(visible(f"  help: {finding.help}"))
    return "\n".join(lines) + "\n"
