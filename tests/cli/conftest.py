"""Running the command line in this process, as a person would type it."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from omec.cli.main import run
from tests.conftest import ROOT


@dataclass(frozen=True)
class Outcome:
    """What a command did: its exit code, and what it wrote to stdout and stderr."""

    code: int
    out: str
    err: str


Omec = Callable[..., Outcome]


@pytest.fixture
def omec(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Omec:
    """``omec(*args)`` runs a command and gives its :class:`Outcome`; never coloured."""
    monkeypatch.setenv("NO_COLOR", "1")
    monkeypatch.setenv("COLUMNS", "80")

    def call(*args: str | Path) -> Outcome:
        capsys.readouterr()
        code = run([str(arg) for arg in args])
        written = capsys.readouterr()
        assert "Traceback" not in written.err
        return Outcome(code, written.out, written.err)

    return call


@pytest.fixture
def example(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], Path]:
    """``example(NAME)`` is a copy of an example repository, with the current folder beside it."""

    def copy(name: str) -> Path:
        shutil.copytree(ROOT / "examples" / name, tmp_path / name)
        monkeypatch.chdir(tmp_path)
        return Path(name)

    return copy
