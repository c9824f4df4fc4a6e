"""An entry gives back the findings that went in."""

from __future__ import annotations

from pathlib import Path

import pytest

import omec
from omec.finding import Finding, ObjectRef, Position, Related, Rule, Severity
from omec.lint.cache import program
from omec.lint.cache.entry import Packed, decoded, encoded
from omec.lint.result import LintResult
from tests.conftest import ROOT

RULE = Rule("OME999", "some-rule", Severity.ERROR, "Something", preview=True)
FULL = Finding(
    RULE,
    "two\nlines “quoted”",
    Position("a b.yaml", 1, 2, 3, 4),
    object=ObjectRef("BaseModel", None, "m"),
    field="spec.x",
    help="do it",
    related=(Related(Position("c.yaml"), "here"),),
    severity_override=Severity.INFO,
    environments=("a", "b"),
)
SPARSE = Finding(Rule("OME998", "other", Severity.INFO, "Other"), "", Position(""))


def test_round_trip() -> None:
    result = LintResult((FULL, SPARSE, FULL), ("a note",), 7, {"a": "b"}, {"a": "text"})
    entry = decoded(encoded(result, ["leaky.yaml"]))
    assert entry is not None
    assert entry.result(result.sources, result.texts) == result
    assert entry.with_secrets == ("leaky.yaml",)
    assert [rule.code for rule in entry.rules] == ["OME999", "OME998"]


def test_round_trip_of_real_findings(testdata: Path) -> None:
    result = omec.open(testdata / "corpus" / "ome-v0.1.5" / "config" / "runtimes").lint()
    assert result.findings
    entry = decoded(encoded(result, []))
    assert entry is not None
    assert entry.result(result.sources, result.texts) == result


def test_a_text_that_json_cannot_hold_is_told() -> None:
    with pytest.raises(ValueError, match="surrogate"):
        encoded(LintResult((), ("\udcff",)), [])


@pytest.mark.parametrize(
    "content",
    [
        b"{}",
        b'{"rules":[],"findings":[],"notes":[],"files":"7","with_secrets":[]}',
        b'{"rules":[],"findings":[[0,"m",{"path":"p"},null,null,"",[],null,[]]],"notes":[],"files":7,"with_secrets":[]}',
    ],
)
def test_what_is_no_entry_is_none(content: bytes) -> None:
    assert decoded(content) is None


def test_every_field_of_a_finding_goes_in() -> None:
    """``encoded`` packs the fields of a finding by their order."""
    renamed = {"severity_override": "severity"}
    assert tuple(renamed.get(name, name) for name in Finding.__struct_fields__) == Packed.__struct_fields__


def test_program_changes_with_the_code(monkeypatch: pytest.MonkeyPatch) -> None:
    before = program.program()
    assert program.program() == before
    assert any(str(ROOT / "omec" / "session.py") in part for part in before), "a source tree: the state of each file"
    monkeypatch.setattr(program, "__version__", "9.9.9")
    assert program.program() != before
