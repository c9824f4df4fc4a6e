"""Findings for people at a terminal: each with the lines that it is about, and a mark below the very place."""

from __future__ import annotations

from functools import partial

from omec.lint.excerpt import excerpt
from omec.lint.formats.text import SEVERITY_COLORS, Painter, headline, plain, remarks
from omec.lint.result import LintResult


def render(result: LintResult, painter: Painter = plain) -> str:
    """As the text format, with an excerpt of the file behind the first line, and an empty line after each finding."""
    parts: list[str] = []
    for finding in result.findings:
        paint = partial(_painted, painter, SEVERITY_COLORS[finding.severity.label])
        shown = excerpt(finding.position, result.texts.get(finding.position.path, ""), paint)
        parts += [headline(finding, painter), *shown, *remarks(finding), ""]
    return "".join(f"{part}\n" for part in parts)


def _painted(painter: Painter, color: str, text: str) -> str:
    return painter(text, color)
