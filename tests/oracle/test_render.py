"""What OME renders: every case whose objects omec renders agrees."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.oracle.interface import Row
from tests.oracle.render import KIND, RENDERED_KINDS
from tests.oracle.run import LOCAL_DATA, Report, judge_rows, read_rows, row_id

FAMILIES = ("merge", "meta", "pod", "model", "placeholder", "router", "replicas", "runtime", "service")
"""The families of ``variations.jsonl`` that use nothing but RawDeployment."""


def assert_complete(report: Report) -> None:
    """Everything that was judged agrees, and nothing was left out because omec does not render it."""
    assert not report.disagreements, "\n".join(map(str, report.disagreements))
    assert not [reason for reason in report.skipped if "not rendered yet" in reason]
    assert {name for _, name in report.tallies} == {"error", *RENDERED_KINDS}
    assert all(kind == KIND for kind, _ in report.tallies)


def is_plain(row: Row) -> bool:
    return row["v13"] == "same" and row_id(row).split("/")[1] in FAMILIES


def test_variations() -> None:
    report = judge_rows(filter(is_plain, read_rows(LOCAL_DATA / "variations.jsonl.gz")), None)
    assert report.rows == 79
    assert_complete(report)


def test_judge_sees_every_difference() -> None:
    """A case with one value changed in the expected Deployment disagrees, and in nothing else."""
    row = next(filter(is_plain, read_rows(LOCAL_DATA / "variations.jsonl.gz")))
    deployment = next(obj for obj in row["expected"]["objects"] if obj["kind"] == "Deployment")
    deployment["spec"]["template"]["spec"]["containers"][0]["terminationMessagePolicy"] = "FallbackToLogsOnError"
    assert [found.answer for found in judge_rows([row], None).disagreements] == ["Deployment"]


def test_other_variations() -> None:
    """What is rendered of the rest agrees too, apart from the check of a template that only routes use."""
    rows = (row for row in read_rows(LOCAL_DATA / "variations.jsonl.gz") if not is_plain(row))
    report = judge_rows(rows, None)
    assert [found.row for found in report.disagreements] == ["var/gateway/template-bad"]


def is_raw_deployment(row: Row) -> bool:
    return row["v13"] != "unknown" and not row_id(row).endswith("+multinode")


@pytest.mark.parametrize(("file", "count"), [("runtimes", 117), ("samples", 49)])
def test_corpus(file: str, count: int, testdata: Path) -> None:
    rows = list(read_rows(testdata / "oracle" / "render" / f"{file}.jsonl"))
    report = judge_rows(filter(is_raw_deployment, rows), testdata)
    assert report.rows == count
    assert_complete(report)


@pytest.mark.parametrize("file", ["runtimes", "samples"])
def test_rest_of_the_corpus_is_answered(file: str, testdata: Path) -> None:
    """Cases without a known answer end in objects or in an error, never in a crash."""
    rows = list(read_rows(testdata / "oracle" / "render" / f"{file}.jsonl"))
    report = judge_rows((row for row in rows if not is_raw_deployment(row)), testdata)
    assert not report.disagreements
