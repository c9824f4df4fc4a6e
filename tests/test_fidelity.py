"""docs/fidelity.md is true: its tests exist, its rows are complete, its numbers are those of the oracle.

The tests that docs/agent.md names exist as well.

``pytest tests/test_fidelity.py --update-golden`` writes the present agreement with the oracle into the page.
"""

from __future__ import annotations

import ast
import re
from collections import Counter
from functools import cache
from pathlib import Path

import pytest

from tests.conftest import ROOT
from tests.oracle.run import Report, disputed, judge_rows, read_rows

FILE = ROOT / "docs" / "fidelity.md"
PAGE = FILE.read_text(encoding="utf-8")
STATUSES = ("done", "differs", "later", "n/a", "see [decisions]")

REFERENCES = {
    "01": "01-selection.md",
    "02": "02-inheritance.md",
    "03": "03-accelerators.md",
    "04": "04-render-rawdeployment.md",
    "05": "05-render-omenative.md",
    "07": "07-model-agent.md",
    "10": "10-autoscaling-pdb-ingress.md",
    "15": "15-quota-kueue.md",
    "16": "16-benchmarkjob.md",
}
ORACLE = ("selection", "modelver", "sizes", "inheritance", "storage-uris", "render/runtimes", "render/samples",
          "render/variations", "accelerators", "ir-admission", "ir-names", "ir-projection", "ir-replica-refs",
          "quota-kueue", "benchmark", "node-labels", "configmap-entries", "eligibility", "spec-fill")  # fmt: skip

Row = list[str]


def rows(text: str) -> list[Row]:
    """The rows of all tables in ``text``, without their heads."""
    lines = text.splitlines()
    heads = {index - 1 for index, line in enumerate(lines) if line.startswith("|---")}
    return [
        [cell.strip() for cell in line.strip("|").split(" | ")]
        for index, line in enumerate(lines)
        if line.startswith("|") and not line.startswith("|---") and index not in heads
    ]


RULES = rows(PAGE.partition("\n## Decisions")[0])
DECISIONS = {row[0]: row[1:] for row in rows(PAGE.partition("\n## Decisions")[2]) if re.fullmatch(r"D\d+", row[0])}
FAULTS = (ROOT / "docs" / "agent.md").read_text(encoding="utf-8")
TESTS = sorted(set(re.findall(r"`([\w/]+\.py)(?:::(\w+))?`", PAGE + FAULTS)))


@cache
def functions(path: Path) -> set[str]:
    nodes = ast.walk(ast.parse(path.read_text(encoding="utf-8")))
    return {node.name for node in nodes if isinstance(node, ast.FunctionDef)}


def sections(row: Row, document: str) -> set[str]:
    """The sections of a reference document that a row quotes: ``01 §4, §4.1; 02 §3`` has two of 01."""
    quoted = re.findall(rf"\b{document} ((?:§[\d.]+(?:, )?)+)", row[1])
    return set(re.findall(r"§([\d.]+)", " ".join(quoted)))


@pytest.mark.parametrize(("file", "function"), TESTS, ids=lambda part: part)
def test_tests_exist(file: str, function: str) -> None:
    path = ROOT / "tests" / file
    assert path.is_file()
    assert not function or function in functions(path)


@pytest.mark.parametrize("row", RULES, ids=lambda row: row[0])
def test_every_rule_has_a_test_or_a_reason(row: Row) -> None:
    _, source, tests, status = row
    assert source
    assert status.startswith(STATUSES)
    assert tests != "-" or not status.startswith("done")
    assert status == "done" or " " in status


def test_decisions_are_numbered_and_named() -> None:
    assert list(DECISIONS) == [f"D{number}" for number in range(1, len(DECISIONS) + 1)]
    assert set(re.findall(r"\bD\d+\b", PAGE)) == DECISIONS.keys()


@pytest.mark.parametrize("document", REFERENCES)
def test_every_section_of_the_reference_has_a_row(document: str, testdata: Path) -> None:
    text = (testdata / "spec" / REFERENCES[document]).read_text(encoding="utf-8")
    headings = set(re.findall(r"^##+ (\d+(?:\.\d+)?)\.? ", text, re.MULTILINE))
    assert len(headings) > 8
    covered = {section for row in RULES for section in sections(row, document)}
    assert headings <= covered, sorted(headings - covered)
    assert covered <= headings, sorted(covered - headings)


@pytest.mark.parametrize(("document", "chapter"), [("01", "20"), ("04", "26")])
def test_every_open_point_is_decided(document: str, chapter: str, testdata: Path) -> None:
    text = (testdata / "spec" / REFERENCES[document]).read_text(encoding="utf-8")
    points = re.findall(r"^(\d+)\. ", text.split(f"\n## {chapter}. ")[1], re.MULTILINE)
    decided = {section for row in DECISIONS.values() for section in sections(["", row[0]], document)}
    assert points
    assert {f"{chapter}.{point}" for point in points} <= decided


def test_disputed_rows_have_their_evidence() -> None:
    assert [row for row in disputed() if f"`{row}`" not in PAGE] == []


def test_agreement_with_the_oracle(testdata: Path, request: pytest.FixtureRequest) -> None:
    table = "\n".join(
        [
            "| File | Rows judged | Answers that agree | Not judged |",
            "|---|---|---|---|",
            *(
                agreement(name, judge_rows(read_rows(testdata / "oracle" / f"{name}.jsonl"), testdata))
                for name in ORACLE
            ),
        ]
    )
    current = re.sub(r"(<!-- oracle -->\n).*?(?=\nNot judged)", lambda m: f"{m[1]}\n{table}\n", PAGE, flags=re.DOTALL)
    if request.config.getoption("--update-golden"):
        FILE.write_text(current, encoding="utf-8")
    assert current == PAGE, "run pytest tests/test_fidelity.py --update-golden"


def agreement(name: str, report: Report) -> str:
    judged = sum(tally.judged for tally in report.tallies.values())
    agreed = sum(tally.agreed for tally in report.tallies.values())
    failed = ", ".join(f"`{found.row}`" for found in report.disagreements)
    reasons: Counter[str] = Counter()
    for reason, count in report.skipped.items():
        reasons[reason.split(": ")[-1]] += count
    skipped = "; ".join(f"{count} ({reason})" for reason, count in sorted(reasons.items()))
    return f"| {name} | {report.rows} | {agreed} of {judged}{f' (not {failed})' if failed else ''} | {skipped or '-'} |"
