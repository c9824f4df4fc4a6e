"""How often each rule reports."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Any

from omec.finding import Finding, Rule


def statistics(findings: Iterable[Finding]) -> list[dict[str, Any]]:
    """Code, name, severity and count of every rule that reports, the most frequent first."""
    counts: Counter[str] = Counter()
    rules: dict[str, Rule] = {}
    for finding in findings:
        counts[finding.rule.code] += 1
        rules[finding.rule.code] = finding.rule
    ordered = sorted(rules, key=lambda code: (-counts[code], code))
    return [
        {
            "code": code,
            "rule": rules[code].slug,
            "severity": rules[code].severity.label,
            "count": counts[code],
            "fixable": rules[code].fixable,
        }
        for code in ordered
    ]


def table(rows: list[dict[str, Any]]) -> str:
    """The statistics for people: a line a rule."""
    width = max((len(str(row["count"])) for row in rows), default=0)
    return "".join(f"{row['count']:>{width}}  {row['code']}  {row['severity']:<7}  {row['rule']}\n" for row in rows)
