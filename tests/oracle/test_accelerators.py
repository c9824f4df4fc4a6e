"""Accelerator classes: every row of the oracle agrees, and the judge notices when one does not."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tests.oracle.interface import Row
from tests.oracle.run import LOCAL_DATA, judge_rows, read_rows

ANSWERS = {
    "args", "affinity", "candidates", "container", "decoder", "engine", "nodeSelector", "parallelismFromClass",
    "runtimeFilter",
}  # fmt: skip


def rows(group: str | None = None) -> list[Row]:
    found = read_rows(LOCAL_DATA / "accelerators.jsonl.gz")
    return [row for row in found if group is None or row["group"] == group]


def test_every_row() -> None:
    report = judge_rows(rows(), None, marked=True)
    assert report.rows == 287
    assert not report.skipped
    assert not report.disagreements, "\n".join(map(str, report.disagreements[:10]))
    assert {answer for _, answer in report.tallies} == ANSWERS


def _other_class(expected: dict[str, Any]) -> None:
    expected["engine"]["class"] = "another"


def _other_score(expected: dict[str, Any]) -> None:
    expected["candidates"][0]["bestFit"] += 1e-9


def _other_reason(expected: dict[str, Any]) -> None:
    expected["candidates"][0]["reason"] += "."


def _other_arguments(expected: dict[str, Any]) -> None:
    expected["args"] = [*expected["args"], "--x"]


def _other_selector(expected: dict[str, Any]) -> None:
    expected["nodeSelector"] = {"another": "node"}


@pytest.mark.parametrize(
    ("group", "change", "answer"),
    [
        ("pick", _other_class, "engine"),
        ("policies", _other_score, "candidates"),
        ("constraints", _other_reason, "candidates"),
        ("args", _other_arguments, "args"),
        ("effects", _other_selector, "nodeSelector"),
    ],
)
def test_judge_sees_differences(group: str, change: Callable[[dict[str, Any]], None], answer: str) -> None:
    row = rows(group)[0]
    change(row["expected"])
    assert [found.answer for found in judge_rows([row], None).disagreements] == [answer]
