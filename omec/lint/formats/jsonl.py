"""Findings as JSON lines: one finding, one line."""

from __future__ import annotations

import json

from omec.lint.result import LintResult


def render(result: LintResult) -> str:
    """Each line is what the JSON format has under ``findings``."""
    findings = result.to_dict()["findings"]
    return "".join(json.dumps(finding, ensure_ascii=False) + "\n" for finding in findings)
