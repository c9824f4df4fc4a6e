"""What docs/architecture.md says is so: its paths and names exist, its layers are the ones that are enforced."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest

from tests.conftest import ROOT

PAGE = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
MODULES = sorted((ROOT / "omec").rglob("*.py"))
EDGES = {"omec.__init__", "omec.__main__", "omec.version", "omec.runtime_agent", "omec.data"}
"""What stands beside the layers: the public names, the version, the agent (which has contracts of its own), data."""


def named(pattern: str) -> list[str]:
    names = sorted(set(re.findall(pattern, PAGE)))
    assert names
    return names


def enforced_layers() -> list[list[str]]:
    """The layers from the top; each is one module or several that do not know each other."""
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["importlinter"]
    (layers,) = (contract["layers"] for contract in contracts["contracts"] if contract["type"] == "layers")
    return [layer.split(" | ") for layer in layers]


@pytest.mark.parametrize("path", named(r"`((?:omec|schemas|tests|docs)/[\w./]+)`"))
def test_paths_exist(path: str) -> None:
    assert (ROOT / path).exists()


@pytest.mark.parametrize("module", named(r"python -m ([\w.]+)"))
def test_commands_exist(module: str) -> None:
    path = ROOT / module.replace(".", "/")
    assert path.with_suffix(".py").is_file() or (path / "__main__.py").is_file()


@pytest.mark.parametrize(
    "name", ["Decision", "ServiceInputs", "Repo", "Place", "Rule", "Finding", "OmecError", "Document"]
)
def test_names_are_defined(name: str) -> None:
    assert name in PAGE
    assert any(re.search(rf"^class {name}\b", path.read_text(encoding="utf-8"), re.MULTILINE) for path in MODULES)


def test_layers_are_the_enforced_ones() -> None:
    rows = re.findall(r"^\| ((?:`omec\.\w+`(?:, )?)+) \|", PAGE, re.MULTILINE)
    assert [module for row in rows for module in re.findall(r"omec\.\w+", row)] == [
        module for layer in enforced_layers() for module in layer
    ]


def test_every_package_has_a_layer() -> None:
    parts = {f"omec.{path.stem}" for path in (ROOT / "omec").iterdir() if path.suffix in ("", ".py")} - EDGES
    assert parts - {"omec.__pycache__"} == {module for layer in enforced_layers() for module in layer}


def test_it_can_be_read_in_one_sitting() -> None:
    assert PAGE.count("\n") <= 200


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(ROOT)))
def test_modules_are_small(path: Path) -> None:
    assert path.read_text(encoding="utf-8").count("\n") < 400
