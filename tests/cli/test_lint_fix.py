"""``omec lint --fix`` and ``--diff`` at the command line."""

from __future__ import annotations

import io
from pathlib import Path

import pytest

from tests.cli.conftest import Omec

TYPO = """\
apiVersion: ome.io/v1beta1
kind: ClusterServingRuntime
metadata: {name: sglang}
spec:
  modelSizeRange: {min: 4b, max: 70B}  # sizes
---
apiVersion: ome.io/v1beta1
kind: ClusterServingRuntime
metadata: {name: vllm}
spec:
  engineConfig:
    minReplica: 1
    runner: {name: ome-container, image: "example.com/vllm:v1"}
"""


@pytest.fixture(autouse=True)
def repo(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("a.yaml").write_text(TYPO, encoding="utf-8")


def test_diff_writes_nothing(omec: Omec) -> None:
    outcome = omec("lint", "--diff")
    assert outcome.code == 1
    assert "-  modelSizeRange: {min: 4b, max: 70B}  # sizes\n+  modelSizeRange: {min: 4B, max: 70B}" in outcome.out
    assert outcome.err == "1 finding can be fixed (1 more with --unsafe-fixes)\n"
    assert Path("a.yaml").read_text() == TYPO
    assert "+    minReplicas: 1\n" in omec("lint", "--diff", "--unsafe-fixes", "-q").out


def test_fix_reports_what_is_left(omec: Omec) -> None:
    outcome = omec("lint", "--fix", "--select", "OME120,OME331")
    assert outcome.code == 1
    assert Path("a.yaml").read_text() == TYPO.replace("4b", "4B")
    assert "OME120" in outcome.out
    assert "OME331" not in outcome.out
    assert "1 finding fixed (1 more with --unsafe-fixes)\n" in outcome.err
    outcome = omec("lint", "--fix", "--unsafe-fixes", "--select", "OME120,OME331")
    assert outcome.code == 0
    assert Path("a.yaml").read_text() == TYPO.replace("4b", "4B").replace("minReplica:", "minReplicas:")
    assert omec("lint", "--diff").code == 0


@pytest.mark.parametrize("option", ["--fix", "--add-ignore"])
def test_a_file_that_cannot_be_written(omec: Omec, option: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(path: Path, content: bytes) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr("omec.facts.atomic.replace_file", refuse)
    outcome = omec("lint", option)
    assert outcome.code == 2
    assert "error: cannot write a.yaml: permission denied [OME001]" in outcome.err
    assert Path("a.yaml").read_text() == TYPO


def test_what_is_suppressed_is_not_fixed(omec: Omec) -> None:
    text = TYPO.replace("# sizes", "# omec: ignore[OME331] as it is")
    Path("a.yaml").write_text(text, encoding="utf-8")
    omec("lint", "--fix")
    assert Path("a.yaml").read_text() == text


def test_standard_input_is_not_fixed(omec: Omec, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(TYPO.encode())))
    outcome = omec("lint", "--fix", "-")
    assert "0 findings fixed" in outcome.err
    assert outcome.code == 1


@pytest.mark.parametrize(
    "options",
    [
        "--fix --write-baseline --baseline b.json",
        "--diff --write-baseline --baseline b.json",
        "--diff --add-ignore",
        "--add-ignore --write-baseline",
        "--fix --rev HEAD",
        "--diff --staged",
        "--unsafe-fixes --staged",
        "--add-ignore --rev HEAD",
    ],
)
def test_options_of_which_one_would_do_nothing(omec: Omec, options: str) -> None:
    outcome = omec("lint", *options.split())
    assert outcome.code == 2
    assert "[OME002]" in outcome.err
    assert Path("a.yaml").read_text() == TYPO
    assert not Path("b.json").exists()
