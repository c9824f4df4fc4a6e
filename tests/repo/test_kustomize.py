"""Overlays, built by whatever tool is on the PATH: here a script that stands for it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from omec.errors import OmecError
from omec.repo.read import read
from tests.repo.conftest import MakeTree, manifest

Install = Callable[[str, str], None]


@pytest.fixture
def install(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Install:
    """Puts a shell script of a name on the PATH, on which there is nothing else."""
    folder = tmp_path_factory.mktemp("bin")
    monkeypatch.setenv("PATH", str(folder))

    def write(name: str, body: str) -> None:
        script = folder / name
        script.write_text(f"#!/bin/sh\n{body}\n")
        script.chmod(0o755)

    return write


def echo(text: str) -> str:
    return f"/bin/cat <<'END'\n{text}END"


@pytest.mark.parametrize(("tool", "verb"), [("kustomize", "build"), ("kubectl", "kustomize")])
def test_a_build_replaces_the_paths_that_hold_the_overlay(
    tree: MakeTree, install: Install, tool: str, verb: str
) -> None:
    root = tree({"base/a.yaml": manifest("a"), "overlays/prod/kustomization.yaml": "", "other/b.yaml": manifest("b")})
    install(tool, f'[ "$1 $2" = "{verb} {root}/overlays/prod" ] || exit 1\n{echo(manifest("built"))}')
    reading = read([".", "other"], kustomize="overlays/prod")
    assert [(d.path, d.value["metadata"]["name"]) for d in reading.documents] == [
        ("overlays/prod", "built"),
        ("other/b.yaml", "b"),
    ]
    assert str(reading.documents[0].locate(("kind",))) == "overlays/prod:2:7"


def test_kustomize_comes_before_kubectl(tree: MakeTree, install: Install) -> None:
    tree({"o/kustomization.yaml": ""})
    install("kubectl", "exit 1")
    install("kustomize", echo(manifest("built")))
    assert len(read([], kustomize="o").documents) == 1


def test_no_tool(tree: MakeTree, install: Install) -> None:
    tree({"o/kustomization.yaml": ""})
    with pytest.raises(OmecError, match="neither is on the PATH") as caught:
        read(["."], kustomize="o")
    assert caught.value.code == "OME064"
    assert "install one of them" in caught.value.hint


def test_a_failing_build(tree: MakeTree, install: Install) -> None:
    tree({"o/kustomization.yaml": ""})
    install("kustomize", "echo 'Error: accumulating resources: no such file' >&2; exit 1")
    with pytest.raises(OmecError, match="overlay o cannot be built: accumulating resources: no such file") as caught:
        read(["."], kustomize="o")
    assert caught.value.code == "OME065"


def test_a_failing_build_of_kubectl(tree: MakeTree, install: Install) -> None:
    """Its log line has the time of day, and the number of its process."""
    tree({"o/kustomization.yaml": ""})
    line = 'E1201 00:58:52.883881   15187 run.go:72] "command failed" err="no such file"'
    install("kubectl", f"echo '{line}' >&2; exit 1")
    with pytest.raises(OmecError, match=r'overlay o cannot be built: "no such file"'):
        read(["."], kustomize="o")


@pytest.mark.parametrize("overlay", ["nowhere", "o/kustomization.yaml", "-x"])
def test_an_overlay_that_is_no_folder(tree: MakeTree, install: Install, overlay: str) -> None:
    tree({"o/kustomization.yaml": ""})
    with pytest.raises(OmecError, match="is not a folder"):
        read(["."], kustomize=overlay)


def test_not_of_a_revision(tree: MakeTree) -> None:
    tree({"o/kustomization.yaml": ""})
    with pytest.raises(OmecError, match="from a revision"):
        read(["."], kustomize="o", rev="HEAD")
    assert Path("o").is_dir()
