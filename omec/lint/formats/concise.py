"""One line for each finding, and nothing else: for editors, and for grep."""

from __future__ import annotations

from omec.lint.formats.text import Painter, headline, plain
from omec.lint.result import LintResult


def render(result: LintResult, painter: Painter = plain) -> str:
    """``path:line:col: severity[CODE] message``."""
    return "".join(f"{headline(finding, painter)}\n" for finding in result.findings)
