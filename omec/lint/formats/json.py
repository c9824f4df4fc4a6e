"""Findings for programs: the shape is an interface, to which keys may be added and none renamed."""

from __future__ import annotations

import json

from omec.lint.result import LintResult


def render(result: LintResult) -> str:
    """``{"findings": [{code, rule, severity, message, path, line, …}], "summary": {…}}``, indented by two spaces."""
    return dumps(result.to_dict())


def dumps(value: object) -> str:
    """JSON as every command of omec prints it."""
    return json.dumps(value, indent=2, ensure_ascii=False) + "\n"
