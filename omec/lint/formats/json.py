"""Findings for programs: the shape is an interface, to which keys may be added and none renamed."""

from __future__ import annotations

import json
from collections.abc import Iterable

from omec.finding import Finding


def render(findings: Iterable[Finding]) -> str:
    """``{"findings": [{code, rule, severity, message, path, line, …}]}``, indented by two spaces."""
    return dumps({"findings": [finding.to_dict() for finding in findings]})


def dumps(value: object) -> str:
    """JSON as every command of omec prints it."""
    return json.dumps(value, indent=2, ensure_ascii=False) + "\n"
