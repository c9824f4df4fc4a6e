"""Selection, versions and sizes: every row of the oracle agrees."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.oracle.interface import Row
from tests.oracle.run import LOCAL_DATA, Report, judge_rows, read_rows
from tests.oracle.selection import needs_corpus

FILES = {"modelver": 476, "sizes": 247, "selection": 753}
"""The oracle files with their numbers of rows."""

SELECTION_ANSWERS = {
    "acceleratorEntry", "admission", "error", "errorKind", "errorSha256", "errorStart", "event", "excluded",
    "excludedCount", "excludedSha256", "found", "getError", "getErrorKind", "modelLabel", "ranking", "selected",
    "skipped", "validateError", "validateErrorKind", "warnings",
}  # fmt: skip


def assert_agreement(report: Report) -> None:
    assert not report.disagreements, "\n".join(map(str, report.disagreements[:10]))


@pytest.mark.parametrize("name", FILES)
def test_rows_that_need_no_other_data(name: str) -> None:
    report = judge_rows(read_rows(LOCAL_DATA / f"{name}.jsonl.gz"), None, marked=True)
    assert report.rows == (491 if name == "selection" else FILES[name])
    assert not report.skipped
    assert_agreement(report)


@pytest.mark.parametrize(("name", "rows"), FILES.items())
def test_every_row(testdata: Path, name: str, rows: int) -> None:
    report = judge_rows(read_rows(testdata / "oracle" / f"{name}.jsonl"), testdata, marked=True)
    assert report.rows == rows
    assert_agreement(report)
    if name == "selection":
        assert {answer for _, answer in report.tallies} == SELECTION_ANSWERS


@pytest.mark.parametrize("name", FILES)
def test_copies_are_current(testdata: Path, name: str) -> None:
    rows = read_rows(testdata / "oracle" / f"{name}.jsonl")
    assert list(read_rows(LOCAL_DATA / f"{name}.jsonl.gz")) == [row for row in rows if not _elsewhere(row)]


def test_rows_that_need_the_corpus_are_skipped_without_it() -> None:
    row = {"id": "x", "namespace": "demo", "model": "m", "models": [], "runtimes": [{"corpusRuntimes": "all"}]}
    report = judge_rows([{**row, "expected": {}}], None)
    assert not report.tallies
    assert list(report.skipped) == ["selection selected: needs the corpus"]


def _elsewhere(row: Row) -> bool:
    return "runtimes" in row and needs_corpus(row)
