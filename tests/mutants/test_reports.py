"""What users have reported, each as a repository in which lint finds the cause, and nothing else."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

import omec
from omec.finding import Severity

REPORTS = sorted((Path(__file__).parent / "reports").glob("*.yaml"))
_MARK = re.compile(r"# <- (OME\d{3}(?:, OME\d{3})*)$", re.MULTILINE)
_SOURCE = re.compile(r"# source: [\w.-]+/[\w.-]+#\d+\n# \S")
_CONFIG = re.compile(r"^# config: (.*)$", re.MULTILINE)


def expected(text: str) -> list[tuple[int, str]]:
    """Line and code of every finding that the text marks."""
    return sorted(
        (text.count("\n", 0, mark.start()) + 1, code) for mark in _MARK.finditer(text) for code in mark[1].split(", ")
    )


@pytest.mark.parametrize("report", REPORTS, ids=lambda report: report.stem)
def test_lint_finds_the_cause(report: Path) -> None:
    text = report.read_text(encoding="utf-8")
    config = _CONFIG.search(text)
    findings = omec.open(report, config=json.loads(config[1]) if config else {}).lint().findings
    told = [(f.position.line, f.rule.code) for f in findings if f.severity is not Severity.INFO]
    assert sorted(told) == expected(text)
    assert expected(text)


def test_reports_name_their_source_and_symptom() -> None:
    assert len(REPORTS) >= 25
    assert [report.name for report in REPORTS if not _SOURCE.match(report.read_text(encoding="utf-8"))] == []
