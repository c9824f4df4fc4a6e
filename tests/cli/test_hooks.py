"""omec as hooks of another repository: what is staged decides what is reported, and the whole repository is read."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from tests.cli.conftest import Omec
from tests.conftest import ROOT

BASE = """\
apiVersion: ome.io/v1beta1
kind: ClusterServingRuntime
metadata: {name: base}
spec: {disabled: true}
"""
CHILD = """\
apiVersion: ome.io/v1beta1
kind: ClusterServingRuntime
metadata: {name: child, annotations: {ome.io/inherit-from: base}}
spec:
  disabled: false
  modelSizeRange: {max: 4b}
"""
OTHER = """\
apiVersion: ome.io/v1beta1
kind: ClusterServingRuntime
metadata: {name: other}
spec: {modelSizeRange: {max: 5b}}
"""

MODEL = """\
apiVersion: ome.io/v1beta1
kind: ClusterBaseModel
metadata: {name: llama}
spec: {storage: {storageUri: "hf://org/a", path: /data/a}}
"""


def git(*args: str) -> str:
    identity = ["-c", "user.name=t", "-c", "user.email=t@example.com", "-c", "commit.gpgsign=false"]
    return subprocess.run(["git", *identity, *args], check=True, capture_output=True, text=True).stdout


@pytest.fixture(autouse=True)
def repo(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A repository with a commit; nothing is staged."""
    for name in [name for name in os.environ if name.startswith("GIT_")]:
        monkeypatch.delenv(name)
    monkeypatch.chdir(tmp_path)
    for name, text in (("base.yaml", BASE), ("child.yaml", CHILD), ("other.yaml", OTHER)):
        Path(name).write_text(text, encoding="utf-8")
    git("init", "-q")
    git("add", "-A")
    git("commit", "-qm", "first")


def codes(out: str) -> list[tuple[str, str]]:
    return [
        (line.partition(":")[0], line.partition("[")[2][:6])
        for line in out.splitlines()
        if "[OME" in line and not line.startswith(" ")
    ]


def test_only_named_files_are_reported(omec: Omec) -> None:
    assert codes(omec("lint", "--files", "other.yaml").out) == [("other.yaml", "OME331")]
    assert omec("lint", "--files", "base.yaml").out == ""
    assert codes(omec("lint", "--files").out) == []


def test_a_finding_elsewhere_that_a_named_file_causes(omec: Omec) -> None:
    """The parent is gone under its name, so the child is broken: lint of the child's file alone is not needed."""
    Path("base.yaml").write_text(BASE.replace("ome.io/v1beta1", "ome.io/v1beta1") + OTHER.replace("ap", "---\nap", 1))
    found = codes(omec("lint", "--files", "base.yaml").out)
    assert ("base.yaml", "OME331") in found or ("base.yaml", "OME180") in found
    assert {path for path, _ in found} <= {"base.yaml", "other.yaml"}


def test_a_change_of_the_configuration_concerns_all(omec: Omec) -> None:
    Path("omec.toml").write_text('source = "."\n')
    assert {path for path, _ in codes(omec("lint", "--files", "omec.toml").out)} == {"child.yaml", "other.yaml"}


def test_staged(omec: Omec) -> None:
    """The index is read: neither what is not staged yet nor what was committed."""
    Path("child.yaml").write_text(CHILD.replace("4b", "4B"))
    git("add", "child.yaml")
    Path("child.yaml").write_text(CHILD.replace("4b", "44b"))
    assert codes(omec("lint", "--staged").out) == [("other.yaml", "OME331")]
    assert {path for path, _ in codes(omec("lint").out)} == {"child.yaml", "other.yaml"}
    assert git("status", "--short") == "MM child.yaml\n"
    outcome = omec("lint", "--staged", "--rev", "HEAD")
    assert outcome.code == 2
    assert "--staged and --rev name two sources [OME002]" in outcome.err


def test_a_conflict_cannot_be_read(omec: Omec) -> None:
    git("checkout", "-qb", "side")
    Path("other.yaml").write_text(OTHER.replace("5b", "6B"))
    git("commit", "-qam", "side")
    git("checkout", "-q", "-")
    Path("other.yaml").write_text(OTHER.replace("5b", "7B"))
    git("commit", "-qam", "main")
    assert subprocess.run(["git", "merge", "-q", "side"], capture_output=True, check=False).returncode == 1
    outcome = omec("lint", "--staged")
    assert outcome.code == 2
    assert "what is staged cannot be read" in outcome.err
    assert "help: resolve the conflicts and stage the result" in outcome.err


# --- With pre-commit itself ----------------------------------------------------------------------------------------


def hooks() -> list[dict[str, object]]:
    """The hooks as omec offers them, run by this Python (an installation for each test would take a minute)."""
    offered: list[dict[str, object]] = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text(encoding="utf-8"))
    assert [hook["id"] for hook in offered] == ["omec-lint", "omec-fix", "omec-compile-check"]
    for hook in offered:
        assert hook["language"] == "python"
        hook["entry"] = str(hook["entry"]).replace("omec", f"{sys.executable} -m omec", 1)
        hook["language"] = "system"
    return offered


def pre_commit(hook: str, *args: str) -> subprocess.CompletedProcess[str]:
    Path(".pre-commit-config.yaml").write_text(yaml.safe_dump({"repos": [{"repo": "local", "hooks": hooks()}]}))
    git("add", ".pre-commit-config.yaml")
    command = [sys.executable, "-m", "pre_commit", "run", hook, "--color", "never", *args]
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "PRE_COMMIT_HOME": str(Path(".cache").absolute())}
    return subprocess.run(command, capture_output=True, text=True, check=False, env=environment)


def test_pre_commit_reports_what_is_staged() -> None:
    Path("base.yaml").write_text(BASE + "# touched\n")
    git("add", "base.yaml")
    assert pre_commit("omec-lint").returncode == 0
    Path("other.yaml").write_text(OTHER + "# touched\n")
    git("add", "other.yaml")
    run = pre_commit("omec-lint")
    assert run.returncode == 1
    assert "error[OME331]" in run.stdout
    assert "child.yaml" not in run.stdout


def test_pre_commit_fixes() -> None:
    run = pre_commit("omec-fix", "--all-files")
    assert run.returncode == 1
    assert "files were modified by this hook" in run.stdout
    assert Path("child.yaml").read_text() == CHILD.replace("4b", "4B")
    assert pre_commit("omec-fix", "--all-files").returncode == 0


def test_pre_commit_checks_the_output(omec: Omec) -> None:
    Path("omec.toml").write_text('source = "."\noutput = "rendered"\n')
    Path("child.yaml").write_text(CHILD.replace("4b", "4B"))
    Path("other.yaml").write_text(MODEL)
    assert omec("compile", "-q").code == 0
    git("add", "-A")
    assert pre_commit("omec-compile-check").returncode == 0
    Path("other.yaml").write_text(MODEL.replace("/data/a", "/data/b"))
    git("add", "-A")
    run = pre_commit("omec-compile-check")
    assert run.returncode == 1
    assert "+    path: /data/b" in run.stdout
