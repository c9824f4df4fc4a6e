"""``inheritance.jsonl`` as a whole: every chain, effective spec, hash and error of OME's own code."""

from __future__ import annotations

from pathlib import Path

from tests.oracle.run import judge_rows, read_rows


def test_every_row_agrees(testdata: Path) -> None:
    report = judge_rows(read_rows(testdata / "oracle" / "inheritance.jsonl"), testdata)
    assert not report.disagreements, "\n".join(map(str, report.disagreements))
    judged = {answer: tally.judged for (_, answer), tally in report.tallies.items()}
    assert judged["hash"] >= 330
    assert judged["spec"] >= 233
    assert judged["error"] >= 67
