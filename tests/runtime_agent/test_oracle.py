"""Every answer of OME's code about labels, entries, eligibility and URIs is omec's answer."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.oracle.run import judge_rows, read_rows

FILES = ("node-labels", "configmap-entries", "eligibility")


@pytest.mark.parametrize("name", FILES)
def test_answers_agree(testdata: Path, name: str) -> None:
    report = judge_rows(read_rows(testdata / "oracle" / f"{name}.jsonl"), testdata)
    assert report.rows > 30
    assert not report.disagreements, "\n".join(map(str, report.disagreements[:3]))
