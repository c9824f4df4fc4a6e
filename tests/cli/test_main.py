"""The entry: versions, usage errors, and how errors become exit codes."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from omec.cli.application import COMMANDS
from omec.version import __version__
from tests.cli.conftest import Omec
from tests.conftest import ROOT

SELECTION = ROOT / "examples" / "selection"


def test_version(omec: Omec) -> None:
    assert omec("--version").out == f"omec {__version__}\n"


def test_help_lists_every_command(omec: Omec) -> None:
    outcome = omec("--help")
    assert outcome.code == 0
    for name in COMMANDS:
        assert f"\n  {name} " in outcome.out


@pytest.mark.parametrize("command", sorted(COMMANDS))
def test_every_command_has_help(omec: Omec, command: str) -> None:
    outcome = omec(command, "--help")
    assert outcome.code == 0
    assert outcome.out.startswith(f"Usage: omec {command} ")


def test_an_unknown_command_is_told_with_the_one_that_was_meant(omec: Omec) -> None:
    outcome = omec("complie")
    assert outcome.code == 2
    assert "No such command 'complie'. Did you mean compile?" in outcome.err


def test_a_bug_is_one_paragraph_and_exit_code_2(omec: Omec, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    def broken(*_: object, **__: object) -> None:
        raise ValueError("that went wrong")

    monkeypatch.setattr("omec.session.open_with", broken)
    outcome = omec("lint", tmp_path)
    assert outcome.code == 2
    assert outcome.err.splitlines() == [
        "omec: internal error: ValueError: that went wrong [OME000]",
        "  help: this is a bug of omec, not of your manifests; run again with --debug and report what it prints",
    ]


def test_an_interrupt_is_exit_code_130(omec: Omec, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    def interrupted(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("omec.session.open_with", interrupted)
    outcome = omec("lint", tmp_path)
    assert (outcome.code, outcome.err.lstrip()) == (130, "omec: interrupted\n")


@pytest.mark.parametrize("command", [f"explain --all {SELECTION}", "rules", "schema all"])
def test_a_closed_pipe_ends_quietly(command: str) -> None:
    """Whoever meets it first: click while it prints, or the flush at the end."""
    pipe = f"set -o pipefail; {sys.executable} -m omec {command} | head -c 1 >/dev/null"
    result = subprocess.run(["bash", "-c", pipe], capture_output=True, text=True, timeout=60, check=False)
    assert (result.returncode, result.stderr) == (0, "")


def test_start_up_imports_nothing_heavy() -> None:
    """Cluster, Git, hub and validation libraries load only where they are used."""
    heavy = (
        "click",
        "git",
        "huggingface_hub",
        "jsonschema",
        "jsonschema_rs",
        "kubernetes",
        "pydantic",
        "ruamel",
        "yaml",
    )
    code = f"import sys, omec, omec.cli.main; print([name for name in {heavy!r} if name in sys.modules])"
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=True)
    assert result.stdout == "[]\n"


@pytest.mark.parametrize("command", ["lint", "compile", "explain"])
def test_commands_import_no_library_that_they_do_not_use(command: str) -> None:
    heavy = ("git", "huggingface_hub", "jsonschema", "kubernetes", "pydantic", "ruamel", "rich")
    args = {
        "lint": ["lint", "-q"],
        "compile": ["compile", "-q", "-o", "-"],
        "explain": ["explain", "--isvc", "llama-demo/chat"],
    }[command]
    code = (
        "import contextlib, io, sys; from omec.cli.main import run\n"
        f"with contextlib.redirect_stdout(io.StringIO()): code = run([*{args!r}, {str(SELECTION)!r}])\n"
        f"print(code, [name for name in {heavy!r} if name in sys.modules])"
    )
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=True)
    assert result.stdout == "0 []\n"


TOKEN = "hf_" + "abcdefghijklmnopqrstuvwxyz"


@pytest.mark.parametrize(
    "args", [["lint"], ["lint", "--format", "json"], ["compile", "--check"], ["effective", "--runtime", "team-llama"]]
)
def test_tokens_are_redacted(omec: Omec, example: Callable[[str], Path], args: list[str]) -> None:
    folder = example("selection")
    runtime = folder / "runtimes" / "team-llama.yaml"
    env = f"      env:\n        - name: HF_TOKEN\n          value: {TOKEN}\n"
    if "lint" in args:
        env += f"          {TOKEN}: a finding quotes the names of unknown fields\n"
    runtime.write_text(runtime.read_text().replace("      ports:\n", f"{env}      ports:\n"))
    outcome = omec(*args, folder)
    assert "[redacted]" in outcome.out + outcome.err
    assert TOKEN not in outcome.out + outcome.err


def test_manifests_keep_their_tokens(omec: Omec, example: Callable[[str], Path]) -> None:
    folder = example("selection")
    runtime = folder / "runtimes" / "team-llama.yaml"
    env = f"      env:\n        - name: HF_TOKEN\n          value: {TOKEN}\n"
    runtime.write_text(runtime.read_text().replace("      ports:\n", f"{env}      ports:\n"))
    assert TOKEN in omec("compile", folder, "-o", "-").out


@pytest.mark.parametrize(
    ("redirection", "code", "told"),
    [
        ("lint - <&-", 2, "there is no stdin to read from"),
        ("--version >&-", 2, "standard output is closed [OME003]"),
        ("--version >/dev/full", 2, "cannot write to standard output: no space left on device"),
        (f"lint {SELECTION} >&-", 2, "standard output is closed"),
        (f"explain --all {SELECTION} >/dev/full", 2, "cannot write to standard output: no space left on device"),
        (f"lint {SELECTION} 2>&-", 0, ""),
        (f"lint {SELECTION} 2>/dev/full", 0, ""),
        ("lint /no/such/folder 2>/dev/full", 2, ""),
    ],
)
def test_closed_and_full_streams(redirection: str, code: int, told: str) -> None:
    command = f"{sys.executable} -m omec {redirection}"
    result = subprocess.run(["bash", "-c", command], capture_output=True, text=True, timeout=60, check=False)
    assert result.returncode == code
    assert told in result.stderr
    assert "Traceback" not in result.stderr
    assert "bug of omec" not in result.stderr


def test_output_is_utf8_whatever_the_locale(tmp_path: Path) -> None:
    (tmp_path / "a.yaml").write_text(
        "apiVersion: ome.io/v1beta1\nkind: BaseModel\nmetadata: {name: Ähre, namespace: n}\n"
    )
    environment = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0", "PYTHONIOENCODING": "ascii"}
    result = subprocess.run(
        [sys.executable, "-m", "omec", "lint", str(tmp_path)],
        capture_output=True,
        env={**os.environ, **environment},
        timeout=60,
        check=False,
    )
    assert result.returncode == 1
    assert "Ähre" in result.stdout.decode()


@pytest.mark.parametrize(
    "args", [["explain", "--isvc", "llama-demo/chat"], ["effective", "--runtime", "team-llama"], ["tree", "team-llama"]]
)
def test_answers_say_what_they_leave_out(omec: Omec, example: Callable[[str], Path], args: list[str]) -> None:
    folder = example("selection")
    (folder / "broken.yaml").write_text("x: {\n")
    outcome = omec(*args, folder)
    assert outcome.code == 0
    assert "warning: selection/broken.yaml cannot be read, and is left out of the answer" in outcome.err
