"""At least 95 of 100 mutants are found by the rule meant, and each that is not is listed with the reason.

A run takes one mutant of each fault, the same every time; ``python -m tests.mutants`` takes the full set.
"""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from omec.lint.catalogue import all_rules
from tests.conftest import require_external_data
from tests.mutants.faults import all_faults
from tests.mutants.judge import Verdict, judged
from tests.mutants.world import worlds

LISTED = dict(
    line.split(": ", 1)
    for line in (Path(__file__).with_name("misses.txt")).read_text(encoding="utf-8").splitlines()
    if line and not line.startswith("#")
)
BAR = 0.95


@pytest.fixture(scope="module")
def verdicts() -> list[Verdict]:
    require_external_data()
    return list(judged(all_faults(), worlds(), seed=0, limit=1))


def test_nothing_is_missed_but_what_is_listed(verdicts: list[Verdict]) -> None:
    missed = [f"{v.mutant.name}: {sorted(v.reported)}" for v in verdicts if not v.found]
    assert [miss for miss in missed if miss.split()[0] not in LISTED] == []


def test_what_is_listed_is_missed(verdicts: list[Verdict]) -> None:
    missed = {v.mutant.fault.name for v in verdicts if not v.found}
    assert missed == LISTED.keys()


def test_recall(verdicts: list[Verdict]) -> None:
    assert sum(v.found for v in verdicts) >= BAR * len(verdicts)


def test_every_fault_is_made(verdicts: list[Verdict]) -> None:
    made = Counter(v.mutant.fault.name for v in verdicts)
    assert [fault.name for fault in all_faults() if not made[fault.name]] == []


def test_faults_name_rules() -> None:
    codes = {rule.code for rule in all_rules()}
    assert {rule for fault in all_faults() for rule in fault.rules} <= codes
