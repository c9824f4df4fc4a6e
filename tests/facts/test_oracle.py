"""The goldens computed by OME's own code."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.oracle.run import judge_rows, read_rows


@pytest.mark.parametrize(
    ("file", "rows"),
    [("facts.jsonl", 500), ("size-text.jsonl", 200), ("tensor-count.jsonl", 100), ("quant-algo.jsonl", 40)],
)
def test_agreement(testdata: Path, file: str, rows: int) -> None:
    report = judge_rows(read_rows(testdata / "oracle" / file), testdata)
    assert [str(each) for each in report.disagreements] == []
    assert report.rows >= rows
    assert report.skipped == {}
