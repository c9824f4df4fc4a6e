"""Suppressions: comments, annotations, their own faults, and the baseline."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

import omec
from omec.errors import OmecError
from omec.finding import Finding
from omec.lint.baseline import written
from omec.lint.suppress.directive import directive
from omec.lint.suppress.write import add_ignores
from omec.repo.yaml.comments import comments

MODEL = """\
apiVersion: ome.io/v1beta1
kind: ClusterBaseModel
metadata:
  name: llama
spec:
  vendr: meta
  storage: {storageUri: "hf://meta-llama/Llama-3.2-1B", path: /raid/models/llama}
"""


def lint(folder: Path, text: str = MODEL, **settings: Any) -> list[Finding]:
    (folder / "model.yaml").write_text(text, encoding="utf-8")
    return list(omec.open(folder, config={"lint": settings}).lint().findings)


def told(findings: list[Finding]) -> list[tuple[str, int]]:
    return [(finding.rule.code, finding.position.line) for finding in findings]


# --- Comments ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("a: b # x\n", ["# x"]),
        ("a: b#x\n", []),
        ("a: 'b # x' # y\n", ["# y"]),
        ('a: "b # x\n  # no"\n', []),
        ("a: | # x\n  # no\n  text\n# y\n", ["# x", "# y"]),
        ("a: >-\n  text # no\n\nb: c\n", []),
        ("a: [1, # x\n  2] # y\n", ["# x", "# y"]),
        ("# x\n---\n# y\na: b\n--- # separators are no place for one\nc: !!str &d e # z\n", ["# x", "# y", "# z"]),
        ("a: b\r\n# x\r\nc: d # y\r\n", ["# x", "# y"]),
        ("\ufeff# x\na: b\n", ["# x"]),
        ("a: b # x\nc: @\n# not reached\n", ["# x"]),
        ("", []),
    ],
)
def test_comments_are_found_exactly(text: str, found: list[str]) -> None:
    assert [comment.text for comment in comments(text)] == found


@pytest.mark.parametrize(
    ("comment", "names", "reason"),
    [
        ("# omec: ignore[OME120] our own tool", ["OME120"], "our own tool"),
        ("#omec:ignore[OME120,unknown-field]: why", ["OME120", "unknown-field"], "why"),
        ("# see above # omec: ignore[ OME1 ]", ["OME1"], ""),
    ],
)
def test_a_directive(comment: str, names: list[str], reason: str) -> None:
    found = directive(comment)
    assert found is not None
    assert [name for name, _ in found.names] == names
    assert found.reason == reason


@pytest.mark.parametrize("comment", ["# omec is great", "# omec: see docs", "# omec.io/ignore", "# ignore[OME120]"])
def test_an_ordinary_comment(comment: str) -> None:
    assert directive(comment) is None


@pytest.mark.parametrize(
    "text",
    [
        MODEL.replace("vendr: meta", "vendr: meta # omec: ignore[OME120] why"),
        MODEL.replace("vendr: meta", "vendr: meta # omec: ignore[unknown-field] why"),
        MODEL.replace("vendr: meta", "vendr: meta # omec: ignore[OME12] why"),
        MODEL.replace("  vendr: meta", "  # omec: ignore[OME120] why\n\n  # more\n  vendr: meta"),
        "# omec: ignore-file[OME120] why\n" + MODEL,
        MODEL.replace("name: llama", 'name: llama\n  annotations: {omec.io/ignore: "OME120, unused-suppression"}'),
    ],
)
def test_a_suppressed_finding_is_not_reported(tmp_path: Path, text: str) -> None:
    assert [code for code, _ in told(lint(tmp_path, text)) if code == "OME120"] == []


@pytest.mark.parametrize("character", ["\u2028", "\u0085"])
def test_a_comment_above_counts_lines_as_editors_do(tmp_path: Path, character: str) -> None:
    text = MODEL.replace("spec:", f'spec:\n  displayName: "a{character} b"').replace(
        "  vendr", "  # omec: ignore[OME120]\n\n  # more\n  vendr"
    )
    assert told(lint(tmp_path, text)) == []


@pytest.mark.parametrize(
    ("text", "found"),
    [
        (MODEL.replace("vendr: meta", "vendr: 'meta # omec: ignore[OME120]'"), [("OME120", 6)]),
        (
            MODEL.replace("spec:", "spec: # omec: ignore[OME120] the line of the key only"),
            [("OME072", 5), ("OME120", 6)],
        ),
        (MODEL.replace("vendr: meta", "vendr: meta # omec: ignore[OME121] other rule"), [("OME072", 6), ("OME120", 6)]),
        (MODEL.replace("vendr: meta", "vendr: meta # omec: ignore[OME999] x"), [("OME073", 6), ("OME120", 6)]),
        (MODEL.replace("vendr: meta", "vendr: meta # omec: ignore"), [("OME074", 6), ("OME120", 6)]),
        (MODEL.replace("vendr: meta", "vendr: meta # omec: ignroe[OME120]"), [("OME074", 6), ("OME120", 6)]),
        (MODEL.replace("vendr: meta", "vendr: meta # omec: ignore[ALL]"), [("OME074", 6), ("OME120", 6)]),
        (
            MODEL.replace("llama\nspec", 'llama\n  annotations: {omec.io/ignore: ""}\nspec'),
            [("OME074", 5), ("OME120", 7)],
        ),
    ],
)
def test_what_suppresses_nothing_is_told(tmp_path: Path, text: str, found: list[tuple[str, int]]) -> None:
    assert sorted(told(lint(tmp_path, text))) == sorted(found)


def test_a_misspelt_name_is_told_with_the_one_that_was_meant(tmp_path: Path) -> None:
    text = MODEL.replace("vendr: meta", "vendr: meta # omec: ignore[unknwon-field] x")
    (finding,) = [finding for finding in lint(tmp_path, text) if finding.rule.code == "OME073"]
    assert finding.help == "did you mean unknown-field?"
    assert finding.position.column == text.splitlines()[5].index("unknwon") + 1


def test_the_use_of_a_suppression_is_not_judged_where_its_rule_is_off(tmp_path: Path) -> None:
    text = MODEL.replace("vendr", "vendor").replace("meta\n", "meta # omec: ignore[OME120] x\n")
    assert told(lint(tmp_path, text, ignore=["OME120"])) == []
    assert told(lint(tmp_path, text)) == [("OME072", 6)]


# --- Writing them ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("vendr: meta", "vendr: meta  # omec: ignore[OME120] R"),
        ("vendr: meta\r\n", "vendr: meta  # omec: ignore[OME120] R\r\n"),
        ("vendr: meta # why", "vendr: meta # why  # omec: ignore[OME120] R"),
        ("vendr: |\n    # text", "vendr: |  # omec: ignore[OME120] R\n    # text"),
        ("vendr: 'a\n    b'", "# omec: ignore[OME120] R\n  vendr: 'a\n    b'"),
        ("vendr: a\n    b", "# omec: ignore[OME120] R\n  vendr: a\n    b"),
        ("vendr: é # omec: ignore[OME121] x", "vendr: é # omec: ignore[OME121, OME120] x"),
    ],
)
def test_adding_a_comment_changes_nothing_else(tmp_path: Path, old: str, new: str) -> None:
    path = tmp_path / "model.yaml"
    path.write_bytes(MODEL.replace("vendr: meta", old).encode())
    result = omec.open(path, config={"lint": {"select": ["OME120"]}}).lint()
    done = add_ignores(result.findings, result.texts, "R")
    assert (done.comments, done.files, done.left) == (1, 1, [])
    assert path.read_bytes() == MODEL.replace("vendr: meta", new).encode()
    assert not omec.open(path, config={"lint": {"select": ["OME120"]}}).lint().findings


@pytest.mark.parametrize(
    "text",
    [
        MODEL.replace("spec:\n", "spec: {vendr: 'a\n").replace("  vendr: meta\n", "  b',\n").rstrip() + "}\n",
        json.dumps({"apiVersion": "ome.io/v1beta1", "kind": "ClusterBaseModel", "metadata": {"name": "m"}, "spek": {}}),
    ],
)
def test_what_cannot_take_a_comment_is_left_alone(tmp_path: Path, text: str) -> None:
    path = tmp_path / ("model.json" if text.startswith("{") else "model.yaml")
    path.write_text(text, encoding="utf-8")
    result = omec.open(path, config={}).lint()
    done = add_ignores(result.findings, result.texts)
    assert path.read_text(encoding="utf-8") == text or done.comments
    assert len(done.left) + done.comments >= 1
    assert [document.value for document in omec.open(path, config={}).reading.documents]


def test_comments_in_several_documents(tmp_path: Path) -> None:
    """Also beside a document that cannot be read; a finding about none of the lines is left."""
    path = tmp_path / "model.yaml"
    other = MODEL.replace("name: llama", "name: other").replace("/raid/models/llama", "/raid/models/other")
    text = f"# first\n---\n{MODEL}---\n- : [\n---  # third\n{other}"
    path.write_text(text, encoding="utf-8")
    result = omec.open(path, config={"lint": {"select": ["OME120"]}}).lint()
    done = add_ignores(result.findings, result.texts)
    assert (done.comments, done.left) == (2, [])
    assert path.read_text(encoding="utf-8") == text.replace("vendr: meta", "vendr: meta  # omec: ignore[OME120]")


def test_what_could_not_be_read_is_not_opened(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A pipe, or a link to a device, would never end."""
    pipe = tmp_path / "pipe.yaml"
    os.mkfifo(pipe)
    result = omec.open(tmp_path, config={}).lint()
    opened: list[Path] = []
    monkeypatch.setattr(Path, "read_bytes", lambda path: opened.append(path) or b"")
    done = add_ignores(result.findings, result.texts)
    assert (done.comments, [finding.position.path for finding in done.left]) == (0, [str(pipe)])
    assert opened == []


# --- The baseline ------------------------------------------------------------------------------------------------


def baseline(folder: Path, text: str = MODEL) -> None:
    findings = lint(folder, text)
    (folder / "base.json").write_text(written(findings, {str(folder / "model.yaml"): "model.yaml"}), encoding="utf-8")


def accepted(folder: Path, text: str) -> list[Finding]:
    (folder / "model.yaml").write_text(text, encoding="utf-8")
    (folder / "omec.toml").write_text('[lint]\nbaseline = "base.json"\n', encoding="utf-8")
    return list(omec.open(folder).lint().findings)


def test_accepted_findings_stay_accepted_when_lines_move(tmp_path: Path) -> None:
    baseline(tmp_path)
    assert accepted(tmp_path, "# moved\n\n" + MODEL) == []


def test_new_findings_are_reported(tmp_path: Path) -> None:
    baseline(tmp_path)
    (finding,) = accepted(tmp_path, MODEL.replace("spec:", "spek: {}\nspec:"))
    assert finding.field == "spek"


def test_a_fingerprint_is_accepted_as_often_as_it_was_found(tmp_path: Path) -> None:
    (finding,) = lint(tmp_path, MODEL)
    text = written([finding, finding], {str(tmp_path / "model.yaml"): "model.yaml"})
    entry = json.loads(text)["findings"][0]
    assert len(entry.pop("fingerprint")) == 16
    assert entry == {
        "count": 2,
        "code": "OME120",
        "path": "model.yaml",
        "object": str(finding.object),
        "field": finding.field,
        "message": finding.message,
    }
    assert text.startswith('{\n  "version": 1,\n  "findings": [\n    {\n      "fingerprint": ')


def test_a_finding_about_no_object_has_none_in_the_baseline(tmp_path: Path) -> None:
    (finding,) = lint(tmp_path, "a: [\n")
    assert json.loads(written([finding], {}))["findings"][0]["object"] is None


def test_an_entry_without_a_finding_is_stale(tmp_path: Path) -> None:
    baseline(tmp_path)
    (finding,) = accepted(tmp_path, MODEL.replace("vendr", "vendor"))
    assert finding.rule.code == "OME075"
    assert finding.position.line == 5
    assert "OME120 is accepted in model.yaml, but not found" in finding.message


def test_an_entry_about_a_file_that_was_not_read_is_left_alone(tmp_path: Path) -> None:
    baseline(tmp_path)
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "m.yaml").write_text(MODEL.replace("vendr", "vendor"), encoding="utf-8")
    (tmp_path / "omec.toml").write_text('[lint]\nbaseline = "base.json"\n', encoding="utf-8")
    assert omec.open(tmp_path / "other").lint().findings == ()


@pytest.mark.parametrize("text", ["", "[]", '{"version": 2, "findings": []}', '{"version": 1, "findings": [{}]}'])
def test_what_is_no_baseline_ends_the_command(tmp_path: Path, text: str) -> None:
    (tmp_path / "base.json").write_text(text, encoding="utf-8")
    with pytest.raises(OmecError, match=r"base\.json cannot be read") as caught:
        accepted(tmp_path, MODEL)
    assert caught.value.code == "OME077"
