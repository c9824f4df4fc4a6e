"""``quota-kueue.jsonl`` and ``benchmark.jsonl`` as a whole: every row agrees."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.oracle.run import judge_rows, read_rows


@pytest.mark.parametrize(
    ("file", "rows", "judged"),
    [
        ("quota-kueue", 351, {"violations": 206, "objects": 206, "admission": 26, "accepted": 44, "projections": 34}),
        ("benchmark", 156, {"admission": 156, "job": 117, "jobRejected": 101}),
    ],
)
def test_every_row_agrees(testdata: Path, file: str, rows: int, judged: dict[str, int]) -> None:
    report = judge_rows(read_rows(testdata / "oracle" / f"{file}.jsonl"), testdata)
    assert not report.disagreements, "\n".join(map(str, report.disagreements))
    assert report.rows == rows
    found = {answer: tally.judged for (_, answer), tally in report.tallies.items()}
    assert judged.items() <= found.items()


@pytest.mark.parametrize("file", ["quota-kueue", "benchmark"])
def test_the_judges_see_a_difference(testdata: Path, file: str) -> None:
    """A row with a changed answer disagrees."""
    row = next(iter(read_rows(testdata / "oracle" / f"{file}.jsonl")))
    if file == "benchmark":
        row["expected"]["job"]["spec"]["backoffLimit"] = 1
        wrong = ["job"]
    else:
        row["expected"]["objects"][-1]["spec"]["clusterQueue"] = "other"
        wrong = ["objects"]
    assert [found.answer for found in judge_rows([row], testdata).disagreements] == wrong
