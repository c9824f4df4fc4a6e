"""omec refuses what the API server refuses, in its words; ``tests/cluster/test_admission.py`` asks a real one."""

from __future__ import annotations

import pytest

from omec.compile.validate import Validator
from omec.finding import field_text
from tests.compile.admission_cases import CASES, Case, same_place


@pytest.mark.parametrize("case", CASES, ids=[case.name for case in CASES])
def test_refused(case: Case) -> None:
    errors = Validator().errors(case.refused)
    assert {error.keyword for error in errors} == {"admission"}, errors
    [found] = [error for error in errors if case.text in error.message]
    assert same_place(field_text(found.path), case.field)


@pytest.mark.parametrize("case", CASES, ids=[case.name for case in CASES])
def test_accepted_when_corrected(case: Case) -> None:
    assert Validator().errors(case.accepted) == []


def test_case_names_are_unique() -> None:
    assert len({case.name for case in CASES}) == len(CASES)
