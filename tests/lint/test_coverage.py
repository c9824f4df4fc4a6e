"""docs/lint-coverage.md names a rule, or a reason, for every check that the reference asks for."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from omec.lint.catalogue import all_rules
from tests.conftest import ROOT
from tests.test_fidelity import rows

PAGE = (ROOT / "docs" / "lint-coverage.md").read_text(encoding="utf-8")
RULES = {rule.code: rule for rule in all_rules()}
SECTIONS = dict(re.findall(r"^## (.+?)\n(.*?)(?=^## |\Z)", PAGE, re.MULTILINE | re.DOTALL))
ADMISSION, CANDIDATES, OTHERS = (rows(text) for text in SECTIONS.values())
SUGGESTING = {"02": ("02-inheritance.md", "10"), "03": ("03-accelerators.md", "10"), "07": ("07-model-agent.md", "17")}
"""The references that list checks by name, and in which chapter."""


@pytest.mark.parametrize("row", [*CANDIDATES, *OTHERS], ids=lambda row: " ".join(row[:2]))
def test_a_row_names_rules_or_a_reason(row: list[str]) -> None:
    codes = re.findall(r"OME\d{3}", row[2])
    assert codes or len(row[-1]) > len("- (a)")
    for code in codes:
        assert RULES[code].bad, f"nothing proves {code}"


def test_remarks_say_which_rules_are_off() -> None:
    for _, name, codes, remark in CANDIDATES:
        first = RULES.get(codes.partition(",")[0])
        assert remark.startswith("off by default") == (first is not None and not first.default), name


def test_a_candidate_that_has_its_own_rule_names_it() -> None:
    by_name = {rule.slug: rule.code for rule in RULES.values()}
    for _, name, codes, _ in CANDIDATES:
        assert by_name.get(name, codes) in codes, name


def test_rules_of_admission_exist() -> None:
    codes = {code for row in ADMISSION for code in re.findall(r"OME\d{3}", row[1])}
    assert codes <= RULES.keys()
    assert len(codes) > 60


def test_every_candidate_of_the_reference_has_a_row(testdata: Path) -> None:
    text = (testdata / "spec" / "09-admission-and-status.md").read_text(encoding="utf-8")
    asked = re.findall(r"^\| (\d+) \| `([a-z0-9-]+)` \| (?:error|warning|info) \|", text, re.MULTILINE)
    assert [(number, name) for number, name, *_ in CANDIDATES] == asked
    assert [number for number, _ in asked] == [str(number) for number in range(1, 146)]


def test_every_section_of_admission_has_a_row(testdata: Path) -> None:
    """A1 and A8 say where there are webhooks, A3 what is filled in, A6.2 what nobody checks; A11 is explained."""
    text = (testdata / "spec" / "09-admission-and-status.md").read_text(encoding="utf-8")
    found = set(re.findall(r"^##+ (A\d+(?:\.\d+)?)\.? ", text, re.MULTILINE))
    covered = {row[0].split()[0] for row in ADMISSION}
    assert found - covered == {"A1", "A3", "A6", "A6.2", "A8", "A11"}


@pytest.mark.parametrize("document", SUGGESTING)
def test_every_check_that_a_reference_suggests_has_a_row(document: str, testdata: Path) -> None:
    file, chapter = SUGGESTING[document]
    text = (testdata / "spec" / file).read_text(encoding="utf-8")
    body = re.search(rf"^## {chapter}\. .*?(?=^## |\Z)", text, re.MULTILINE | re.DOTALL)
    assert body is not None
    asked = re.findall(r"^\| ([a-z][a-z /,-]+?) \| (?:error|warning|info)", body[0], re.MULTILINE)
    assert len(asked) > 15
    assert [row[1] for row in OTHERS if row[0].startswith(document)] == asked
