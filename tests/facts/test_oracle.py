"""The goldens computed by OME's own code."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.oracle.run import judge_rows, read_rows


@pytest.mark.parametrize(
    ("file", "rows", "not_judged"),
    [
        ("facts.jsonl", 500, 0),
        ("size-text.jsonl", 200, 0),
        ("tensor-count.jsonl", 100, 0),
        ("quant-algo.jsonl", 40, 0),
        ("storage-uris.jsonl", 200, 0),
        ("spec-fill.jsonl", 30, 2),
    ],
)
def test_agreement(testdata: Path, file: str, rows: int, not_judged: int) -> None:
    report = judge_rows(read_rows(testdata / "oracle" / file), testdata)
    assert [str(each) for each in report.disagreements] == []
    assert report.rows >= rows
    assert sum(report.skipped.values()) == not_judged
