"""Findings as JSON lines: one finding, one line."""

from __future__ import annotations

import json
from collections.abc import Iterable

from omec.finding import Finding


def render(findings: Iterable[Finding]) -> str:
    return "".join(json.dumps(finding.to_dict(), ensure_ascii=False) + "\n" for finding in findings)
