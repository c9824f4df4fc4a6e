"""No command shows a secret of the manifests, but for the manifests themselves."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from omec.cli.lint import FORMATS
from tests.cli.conftest import Omec

TOKEN = "hf_" + "aB3" * 8
PASSWORD = 't0p-5tack\\"9'


@pytest.fixture
def leaky(example: Callable[[str], Path]) -> Path:
    """An example whose runtime has a token and a password in its variables, and a fault in the same place."""
    folder = example("selection")
    path = folder / "runtimes" / "team-llama.yaml"
    text = path.read_text(encoding="utf-8")
    assert "name: ome-container\n" in text
    indentation = text[: text.index("name: ome-container")].rsplit("\n", 1)[1].replace("-", " ")
    variables = [
        "env:",
        f"- {{name: HF_TOKEN, value: {TOKEN}}}",
        f"- {{name: DB_PASSWORD, value: '{PASSWORD}', valu: '{PASSWORD}'}}",
    ]
    added = "".join(f"{indentation}{line}\n" for line in variables)
    path.write_text(text.replace("name: ome-container\n", f"name: ome-container\n{added}", 1), encoding="utf-8")
    return folder


@pytest.mark.parametrize(
    "args",
    [
        *(["lint", "--format", format_] for format_ in FORMATS),
        ["lint", "--format", "json", "--output", "report"],
        ["lint", "--baseline", "report", "--write-baseline"],
        ["explain", "--isvc", "llama-demo/chat"],
        ["explain", "--isvc", "llama-demo/chat", "-o", "json"],
        ["effective", "--runtime", "team-llama"],
        ["effective", "--runtime", "team-llama", "-o", "json"],
        ["tree", "team-llama"],
        ["why", "deploy/llama-demo/chat-engine", "spec"],
        ["why", "deploy/llama-demo/chat-engine", "spec", "-o", "json"],
        ["compile", "--check", "-o", "scratch", "--keep-going"],
        ["compile", "--format", "json", "-o", "scratch", "--keep-going"],
    ],
    ids=" ".join,
)
def test_no_answer_shows_a_secret(omec: Omec, leaky: Path, args: list[str]) -> None:
    outcome = omec(*args, leaky)
    told = outcome.out + outcome.err + (Path("report").read_text(encoding="utf-8") if "report" in args else "")
    for secret in (TOKEN, PASSWORD, PASSWORD.replace("\\", "\\\\").replace('"', '\\"')):
        assert secret not in told


def test_lint_finds_them_without_showing_them(omec: Omec, leaky: Path) -> None:
    told = omec("lint", leaky, "--select", "OME8").out
    assert "OME800] this is a Hugging Face token in plain text" in told
    assert "OME801] variable DB_PASSWORD has its value in plain text" in told
    assert "valueFrom.secretKeyRef" in told


def test_secrets_are_hidden_in_every_environment(omec: Omec, leaky: Path) -> None:
    settings = leaky / "omec.toml"
    environments = '[environments.a]\nplatform = "ome"\n[environments.b]\nplatform = "kubernetes"\n'
    settings.write_text(f"{settings.read_text(encoding='utf-8')}\n{environments}", encoding="utf-8")
    told = omec("lint", leaky)
    assert "OME801" in told.out
    assert PASSWORD not in told.out + told.err


@pytest.mark.parametrize("environments", ["", '[environments.a]\nplatform = "ome"\n'])
def test_a_difference_hides_secrets(omec: Omec, leaky: Path, environments: str) -> None:
    runtime, settings = leaky / "runtimes" / "team-llama.yaml", leaky / "omec.toml"
    runtime.write_text(re.sub(r", valu: '[^']*'", "", runtime.read_text(encoding="utf-8")), encoding="utf-8")
    settings.write_text(f"{settings.read_text(encoding='utf-8')}\n{environments}", encoding="utf-8")
    told = omec("compile", leaky, "--check").out
    assert told.count("[redacted]") >= 2
    assert "DB_PASSWORD" in told
    assert PASSWORD not in told
    assert TOKEN not in told
