"""``omec lint`` as a person types it: choice of rules, formats, files, baselines, suppressions, exit codes."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from omec.cli.lint import FORMATS
from tests.cli.conftest import Omec

BROKEN = """\
apiVersion: ome.io/v1beta1
kind: ClusterBaseModel
metadata: {name: llama}
spec:
  vendr: meta
  storage: {storageUri: "hf://meta-llama/Llama-3.2-1B", path: /raid/models/llama}
"""


@pytest.fixture
def broken(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    Path("m.yaml").write_text(BROKEN, encoding="utf-8")
    return Path("m.yaml")


@pytest.mark.parametrize(
    ("args", "code"),
    [
        ([], 1),
        (["--exit-zero"], 0),
        (["--fail-on", "never"], 0),
        (["--select", "OME2,OME3"], 0),
        (["--select", "unknown-field"], 1),
        (["--select", "ALL"], 1),
        (["--ignore", "OME1"], 0),
        (["--ignore", "unknown-field", "--ignore", "OME3"], 0),
        (["--skip-kind", "ClusterBaseModel"], 0),
        (["--select", "OME999"], 2),
        (["--ignore", "unknwon-field"], 2),
        (["--skip-kind", "ClusterBaseModle"], 2),
        (["--format", "nonsense"], 2),
        (["--write-baseline"], 2),
        (["--baseline", "missing.json"], 2),
        (["--statistics", "--format", "sarif"], 2),
    ],
)
def test_exit_codes(omec: Omec, broken: Path, args: list[str], code: int) -> None:
    assert omec("lint", broken, *args).code == code


@pytest.mark.parametrize(
    ("args", "hint"),
    [
        (["--ignore", "unknwon-field"], "did you mean unknown-field?"),
        (["--select", "OME99"], "omec rules lists all of them"),
        (["--skip-kind", "clusterbasemodel"], "did you mean ClusterBaseModel?"),
    ],
)
def test_a_misspelt_choice_is_told(omec: Omec, broken: Path, args: list[str], hint: str) -> None:
    assert hint in omec("lint", broken, *args).err


@pytest.mark.parametrize("format_", FORMATS)
def test_every_format_goes_to_a_file_as_well(omec: Omec, broken: Path, format_: str) -> None:
    printed = omec("lint", broken, "--format", format_)
    assert "vendr" in printed.out
    written = omec("lint", broken, "--format", format_, "--output", "report.out")
    assert (written.out, written.code) == ("", 1)
    assert Path("report.out").read_text(encoding="utf-8") == printed.out


def test_a_report_that_cannot_be_written_is_told(omec: Omec, broken: Path) -> None:
    outcome = omec("lint", broken, "--output", "no/such/folder.txt")
    assert outcome.code == 2
    assert "cannot write no/such/folder.txt: no such file or directory" in outcome.err


def test_statistics(omec: Omec, broken: Path) -> None:
    assert "1  OME120  error    unknown-field" in omec("lint", broken, "--statistics").out
    told = json.loads(omec("lint", broken, "--statistics", "--format", "json").out)
    assert told["statistics"][0]["count"] == 1


def test_a_baseline_accepts_what_was_there(omec: Omec, broken: Path) -> None:
    assert (
        omec("lint", broken, "--baseline", "base.json", "--write-baseline").err == "1 finding accepted in base.json\n"
    )
    assert omec("lint", broken, "--baseline", "base.json").code == 0
    broken.write_text(BROKEN.replace("spec:", "spek: {}\nspec:"), encoding="utf-8")
    assert omec("lint", broken, "--baseline", "base.json", "-q").out.count("error[") == 1
    broken.write_text(BROKEN.replace("vendr", "vendor"), encoding="utf-8")
    outcome = omec("lint", broken, "--baseline", "base.json")
    assert "base.json:5:1: warning[OME075] OME120 is accepted in m.yaml, but not found" in outcome.out
    assert outcome.code == 0


def test_comments_suppress_what_is_there(omec: Omec, broken: Path) -> None:
    outcome = omec("lint", broken, "--add-ignore", "--reason", "our own tool reads it")
    assert (outcome.code, outcome.err) == (0, "1 comment added in 1 file\n")
    assert "vendr: meta  # omec: ignore[OME120] our own tool reads it\n" in broken.read_text(encoding="utf-8")
    assert omec("lint", broken).code == 0


def test_what_no_comment_can_suppress_is_told(omec: Omec, broken: Path) -> None:
    Path("j.json").write_text(
        '{"apiVersion": "ome.io/v1beta1", "kind": "BaseModel", "metadata": {"name": "m", "namespace": "n"}, "spek": 1}',
        encoding="utf-8",
    )
    assert "note: no comment can suppress OME120 at j.json:1:" in omec("lint", "j.json", "--add-ignore").err


def test_per_file_ignores_are_meant_from_the_configuration(omec: Omec, broken: Path) -> None:
    Path("omec.toml").write_text('[lint.per-file-ignores]\n"legacy/" = ["OME1"]\n', encoding="utf-8")
    Path("legacy").mkdir()
    broken.rename("legacy/m.yaml")
    assert omec("lint", ".").code == 0
    Path("legacy/m.yaml").rename("m.yaml")
    assert omec("lint", ".").code == 1


def test_rules_tell_all_about_themselves(omec: Omec) -> None:
    told = {rule["code"]: rule for rule in json.loads(omec("rules", "-o", "json").out)["rules"]}
    assert told["OME076"] == {
        "code": "OME076",
        "rule": "suppression-without-reason",
        "family": "Internal, configuration, output",
        "severity": "warning",
        "default": False,
        "preview": False,
        "fixable": False,
        "summary": "A suppression does not say why the finding is accepted",
    }
    assert omec("rule", "suppression-without-reason").out == omec("rule", "ome076").out
