"""What OME renders: every case whose objects omec renders agrees."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.oracle.interface import Row
from tests.oracle.render import KIND
from tests.oracle.run import LOCAL_DATA, Report, judge_rows, read_rows

KINDS = {
    "ConfigMap",
    "Deployment",
    "HorizontalPodAutoscaler",
    "PodDisruptionBudget",
    "Service",
}
"""What every service has that runs on Deployments, with OME's usual settings."""
ACCESS = {"Role", "RoleBinding", "ServiceAccount"}
"""What a router has beside them."""


def assert_complete(report: Report) -> None:
    """Everything that was judged agrees, and nothing was left out because omec does not render it."""
    assert not report.disagreements, "\n".join(map(str, report.disagreements))
    assert not [reason for reason in report.skipped if "not rendered yet" in reason]
    assert all(kind == KIND for kind, _ in report.tallies)


def kinds(report: Report) -> set[str]:
    return {name for _, name in report.tallies} - {"error", "mutatedPodTemplate"}


def has_answer(row: Row) -> bool:
    return row["v13"] != "unknown"


def test_variations() -> None:
    report = judge_rows(filter(has_answer, read_rows(LOCAL_DATA / "variations.jsonl.gz")), None)
    assert report.rows == 216
    assert kinds(report) == {*KINDS, *ACCESS, "HTTPRoute", "Ingress", "LeaderWorkerSet", "Sidecar"}
    assert not report.disagreements, "\n".join(map(str, report.disagreements))


def test_judge_sees_every_difference() -> None:
    """A case with one value changed in the expected Deployment disagrees, and in nothing else."""
    row = next(row for row in read_rows(LOCAL_DATA / "variations.jsonl.gz") if row["v13"] == "same")
    deployment = next(obj for obj in row["expected"]["objects"] if obj["kind"] == "Deployment")
    deployment["spec"]["template"]["spec"]["containers"][0]["terminationMessagePolicy"] = "FallbackToLogsOnError"
    assert [found.answer for found in judge_rows([row], None).disagreements] == ["Deployment"]


def test_judge_sees_every_difference_of_the_webhook() -> None:
    rows = (row for row in read_rows(LOCAL_DATA / "variations.jsonl.gz") if row["v13"] == "same")
    row = next(row for row in rows if row["expected"].get("mutatedPodTemplate"))
    mutated = next(item for item in row["expected"]["mutatedPodTemplate"] if "template" in item)
    mutated["template"]["metadata"]["annotations"] = {"example.com/none": "x"}
    assert [found.answer for found in judge_rows([row], None).disagreements] == ["mutatedPodTemplate"]


@pytest.mark.parametrize(("file", "count"), [("runtimes", 118), ("samples", 49)])
def test_corpus(file: str, count: int, testdata: Path) -> None:
    rows = list(read_rows(testdata / "oracle" / "render" / f"{file}.jsonl"))
    report = judge_rows(filter(has_answer, rows), testdata)
    assert report.rows == count
    assert kinds(report) >= {*KINDS, *ACCESS}
    assert_complete(report)


@pytest.mark.parametrize("file", ["runtimes", "samples"])
def test_rest_of_the_corpus_is_answered(file: str, testdata: Path) -> None:
    """Cases without a known answer end in objects or in an error, never in a crash."""
    rows = list(read_rows(testdata / "oracle" / "render" / f"{file}.jsonl"))
    report = judge_rows((row for row in rows if not has_answer(row)), testdata)
    assert not report.disagreements
