"""Removal and garbage collection: nothing goes that somebody may still want."""

from __future__ import annotations

import os
import time
from pathlib import Path
from typing import Any

import pytest

from omec.runtime_agent.download.errors import DownloadError, Kind
from omec.runtime_agent.download.marker import KnownFile, Marker
from omec.runtime_agent.download.shared import link
from omec.runtime_agent.download.stage import Stage, path_lock
from omec.runtime_agent.node.garbage import collect
from omec.runtime_agent.node.model import NodeModel
from omec.runtime_agent.node.removal import TRASH_PREFIX, empty_trash, remove_files


@pytest.fixture
def root(tmp_path: Path) -> Path:
    folder = tmp_path / "models"
    folder.mkdir()
    return folder


def model(name: str, path: Path | str, uri: str = "hf://a/b", **labels: str) -> NodeModel:
    metadata: dict[str, Any] = {"name": name, "labels": labels}
    return NodeModel.of({"metadata": metadata, "spec": {"storage": {"storageUri": uri, "path": str(path)}}})


def filled(folder: Path, name: str = "weights") -> Path:
    folder.mkdir(parents=True)
    (folder / name).write_text("x")
    Marker("hf://a/b", "c", {name: KnownFile.of(folder / name)}).write(folder)
    return folder


def test_files_go_with_their_model(root: Path) -> None:
    folder = filled(root / "a" / "model")
    (folder / "foreign").write_text("x")
    assert remove_files(model("m", folder), [], (str(root),))
    assert not folder.exists()
    assert not [path for path in root.rglob("*") if path.name.startswith(TRASH_PREFIX)]


@pytest.mark.parametrize("uri", ["local:///m", "vendor://a/b/c", "pvc://a/b", "s3://a/b"])
def test_files_that_the_agent_did_not_bring_stay(root: Path, uri: str) -> None:
    folder = filled(root / "model")
    assert not remove_files(model("m", folder, uri), [], (str(root),))
    assert folder.exists()


@pytest.mark.parametrize(("value", "kept"), [("true", True), ("True", True), ("TRUE", True), ("1", False), ("", False)])
def test_reserved_files_stay_and_are_no_garbage(root: Path, value: str, kept: bool) -> None:
    folder = filled(root / "model")
    labels = {"models.ome/reserve-model-artifact": value}
    assert remove_files(model("m", folder, **labels), [], (str(root),)) is not kept
    assert folder.exists() is kept
    assert collect([str(root)], list, grace=0, delete=True) == []


def test_files_of_another_model_stay(root: Path) -> None:
    folder = filled(root / "model")
    own, same = model("m", folder), model("other", folder)
    assert not remove_files(own, [own, same], (str(root),))
    for spelling in (f"{folder}/", f"{root}//model", f"{root}/./model"):
        assert not remove_files(own, [own, model("other", spelling)], (str(root),))
    inside = filled(folder / "inside")
    assert remove_files(own, [own, model("inner", inside)], (str(root),))
    assert not (folder / "weights").exists()
    assert (inside / "weights").exists()


def test_nothing_outside_the_roots_is_removed(root: Path, tmp_path: Path) -> None:
    outside = filled(tmp_path / "outside")
    with pytest.raises(DownloadError):
        remove_files(model("m", outside), [], (str(root),))
    (root / "link").symlink_to(tmp_path)
    with pytest.raises(DownloadError):
        remove_files(model("m", root / "link" / "outside"), [], (str(root),))
    assert (outside / "weights").exists()


def test_the_last_link_takes_the_copy_along(root: Path) -> None:
    shared = filled(root / "_artifacts" / "a" / "b" / "commit")
    for name in ("one", "two"):
        link(root / name, shared)
    remove_files(model("m", root / "one"), [], (str(root),))
    assert (shared / "weights").exists()
    remove_files(model("m", root / "two"), [], (str(root),))
    assert not shared.exists()


def test_a_link_to_somewhere_else_is_only_a_link(root: Path, tmp_path: Path) -> None:
    outside = filled(tmp_path / "outside")
    (root / "model").symlink_to(outside)
    remove_files(model("m", root / "model"), [], (str(root),))
    assert not (root / "model").is_symlink()
    assert (outside / "weights").exists()


def test_what_a_crash_left_is_removed_later(root: Path) -> None:
    trash = filled(root / "a" / f"{TRASH_PREFIX}1")
    empty_trash((str(root),))
    assert not trash.exists()


def test_nothing_but_trash_is_removed_after_a_crash(root: Path) -> None:
    """Not a download that goes on, nor what somebody else put there, nor anything inside a model."""
    kept = [
        filled(root / "model") / f"{TRASH_PREFIX}2",
        root / "model" / "weights.d",
        root / ".omec-stage-0123-model",
        root / "somebody" / "else",
        root / "somebody" / f"x{TRASH_PREFIX}",
    ]
    for folder in kept:
        folder.mkdir(parents=True)
    empty_trash((str(root),))
    assert [folder for folder in kept if not folder.is_dir()] == []
    assert (root / "model" / "weights").is_file()


def test_garbage_is_found_and_removed(root: Path) -> None:
    used, unused = filled(root / "used"), filled(root / "deep" / "unused")
    stage = root / ".omec-stage-0123-gone"
    (stage / "parts").mkdir(parents=True)
    (stage / "parts" / "x").write_text("12345")
    foreign = root / "foreign"
    foreign.mkdir()
    found = collect([str(root)], lambda: [str(used)], grace=0, delete=False)
    assert {each.path: each.size for each in found} == {stage: 5, unused: 1}
    assert unused.exists()
    assert collect([str(root)], lambda: [str(used)], grace=3600, delete=True) == []
    collect([str(root)], lambda: [str(used)], grace=0, delete=True)
    assert sorted(path.name for path in root.iterdir() if "lock" not in path.name) == ["deep", "foreign", "used"]


def test_a_shared_copy_with_a_link_is_no_garbage(root: Path) -> None:
    shared = filled(root / "_artifacts" / "a" / "b" / "commit")
    link(root / "model", shared)
    assert collect([str(root)], list, grace=0, delete=True) == []
    (root / "model").unlink()
    assert [each.path for each in collect([str(root)], list, grace=0, delete=True)] == [shared]


def test_a_directory_that_holds_a_used_one_is_no_garbage(root: Path) -> None:
    outer = filled(root / "outer")
    inner = filled(outer / "inner")
    assert collect([str(root)], lambda: [str(inner)], grace=0, delete=True) == []


def staged(target: Path) -> Path:
    target.parent.mkdir(parents=True, exist_ok=True)
    stage = Stage(target, "hf://a/b", "c")
    stage.prepare()
    return stage.root


@pytest.mark.parametrize("name", ["model", "m" * 255, "größe" * 36, "\U0001f999" * 63], ids=len)
def test_downloads_that_wait_for_another_attempt_are_no_garbage(root: Path, name: str) -> None:
    """However long they wait, and wherever the clock jumps."""
    used, unused = staged(root / name), staged(root / "unused")
    found = collect([str(root)], lambda: [str(root / name)], grace=-1e9, delete=True)
    assert [each.path for each in found] == [unused]
    assert used.exists()
    assert not unused.exists()


def test_a_download_that_goes_on_is_no_garbage(root: Path) -> None:
    """A shared copy grows in a place that no model names."""
    stage = staged(root / "_artifacts" / "a" / "b")
    with path_lock(root / "_artifacts" / "a" / "b"):
        collect([str(root)], list, grace=0, delete=True)
        assert stage.exists()
    collect([str(root)], list, grace=0, delete=True)
    assert not stage.exists()


def test_a_download_is_as_old_as_its_last_byte(root: Path) -> None:
    stage = staged(root / "model")
    part = stage / "parts" / "x"
    part.write_bytes(b"x")
    for path, hours in ((part, 2), (stage / "journal", 5), (stage / "parts", 5), (stage / "files", 5), (stage, 5)):
        os.utime(path, (time.time() - hours * 3600,) * 2)
    assert collect([str(root)], list, grace=3 * 3600, delete=False) == []
    assert [each.path for each in collect([str(root)], list, grace=3600, delete=False)] == [stage]


def test_a_model_that_appears_while_garbage_is_removed_keeps_its_files(root: Path) -> None:
    first, second = filled(root / "first"), filled(root / "second")
    asked = iter([[], [], [str(second)]])  # for looking, and before each removal
    collect([str(root)], lambda: next(asked), grace=0, delete=True)
    assert (first.exists(), second.exists()) == (False, True)


@pytest.mark.parametrize(
    "path", ["/a\0b", "", "/", "//", ".", "x" * 5000, "/" + "x/" * 3000, "/" + "x" * 300, "\U0001f999"]
)
def test_a_path_that_cannot_be_disturbs_nobody(root: Path, path: str) -> None:
    folder = filled(root / "model")
    assert [each.path for each in collect([str(root)], lambda: [path], grace=0, delete=False)] == [folder]
    assert remove_files(model("m", folder), [model("other", path)], (str(root),))


@pytest.mark.parametrize("name", ["a\0b", "x" * 256, "x/" * 3000 + "x", "größe" * 50])
def test_a_model_whose_path_cannot_be_has_no_files(root: Path, name: str) -> None:
    with pytest.raises(DownloadError) as raised:
        remove_files(model("m", f"{root}/{name}"), [], (str(root),))
    assert raised.value.kind is Kind.PATH
