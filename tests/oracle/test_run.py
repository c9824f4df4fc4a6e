"""The judging itself: it sees differences, skips what it must, and its command answers with the exit code."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.oracle.__main__ import main
from tests.oracle.interface import same
from tests.oracle.run import judge_rows, judges

GOOD = {"id": "v1", "parse": "latest", "expected": {"error": 'invalid character(s) in major number "latest"'}}
BAD = {"id": "v2", "parse": "1.0", "expected": {"error": "Version string empty"}}


@pytest.mark.parametrize(
    ("expected", "actual", "equal"),
    [
        (1, 1.0, True),
        (1, True, False),
        (0, False, False),
        (None, False, False),
        ({"a": [1, {"b": 2}]}, {"a": [1, {"b": 2.0}]}, True),
        ({"a": 1}, {"a": 1, "b": None}, False),
        ([1, 2], [2, 1], False),
        ("1", 1, False),
    ],
)
def test_same(expected: Any, actual: Any, equal: bool) -> None:
    assert same(expected, actual) is equal


def test_every_judge_has_a_kind_of_its_own() -> None:
    kinds = [judge.KIND for judge in judges()]
    assert len(kinds) == len(set(kinds))
    assert {"modelver", "sizes", "selection"} <= set(kinds)


def test_disagreement_is_counted_and_shown() -> None:
    report = judge_rows([GOOD, BAD], None)
    tally = report.tallies["modelver", "parse"]
    assert (tally.agreed, tally.judged) == (1, 2)
    assert "Version string empty" in str(report.disagreements[0])


def test_a_judge_that_fails_is_a_wrong_answer() -> None:
    report = judge_rows([{"id": "x", "compare": ["1.0"], "expected": {"result": 0}}], None)
    assert [found.answer for found in report.disagreements] == ["answered"]


def test_unknown_and_marked_rows_are_not_judged() -> None:
    report = judge_rows([{"id": "x", "expected": {}}, {**BAD, "crdInvalid": True}], None)
    assert report.rows == 0
    assert sum(report.skipped.values()) == 2


@pytest.mark.parametrize(("rows", "code"), [([GOOD], 0), ([GOOD, BAD], 1), ([], 1)])
def test_command(tmp_path: Path, capsys: pytest.CaptureFixture[str], rows: list[dict[str, Any]], code: int) -> None:
    file = tmp_path / "rows.jsonl"
    file.write_text("".join(f"{json.dumps(row)}\n" for row in rows), encoding="utf-8")
    assert main([str(file), "--show", "1"]) == code
    printed = capsys.readouterr().out
    assert f"parse                {len(rows) and 1}/{len(rows)}" in printed or not rows
    assert ("v2 parse" in printed) is (BAD in rows)
