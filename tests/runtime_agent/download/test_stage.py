"""Publishing: a target appears whole or not at all, whatever happens beside it and whatever it is called."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from omec.runtime_agent.download.fetch import fetch
from omec.runtime_agent.download.job import Job
from omec.runtime_agent.download.marker import Marker
from omec.runtime_agent.download.stage import Stage, path_lock, stage_of
from omec.runtime_agent.download.tally import Tally
from tests.facts.hub_server import HubServer
from tests.runtime_agent.download.conftest import content_of, expected

MakeJob = Callable[..., Job]


def assert_whole(hub: HubServer, folder: Path) -> None:
    marker = Marker.read(folder)
    assert marker is not None
    assert marker.is_intact(folder)
    assert content_of(folder) == expected(hub)
    assert sorted(marker.files) == sorted(expected(hub))
    assert not stage_of(folder).exists()


@pytest.mark.parametrize("crash", ["before the rename", "after the rename"])
def test_a_crash_while_a_target_appears(
    hub: HubServer, job: MakeJob, root: Path, monkeypatch: pytest.MonkeyPatch, crash: str
) -> None:
    """The marker is in the stage already, and must not be taken for a file of the model by the next attempt."""
    rename = Path.rename

    def crashing(self: Path, target: Path) -> Any:
        if crash == "after the rename":
            rename(self, target)
        raise KeyboardInterrupt

    monkeypatch.setattr(Path, "rename", crashing)
    with pytest.raises(KeyboardInterrupt):
        fetch(job(), Tally())
    monkeypatch.setattr(Path, "rename", rename)
    hub.asked.clear()
    fetch(job(), Tally())
    assert_whole(hub, root / "model")
    assert not [path for path in hub.paths() if "/resolve/" in path]


def test_a_model_inside_appears_at_the_same_moment(
    hub: HubServer, job: MakeJob, root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its directories are made between the look at the target and the rename."""
    write = Marker.write

    def beside(self: Marker, directory: Path) -> None:
        write(self, directory)
        if directory == stage_of(root / "model") / "files":
            with path_lock(root / "model" / "inside"):
                (root / "model" / "inside").mkdir()
                (root / "model" / "inside" / "theirs").write_text("theirs")

    monkeypatch.setattr(Marker, "write", beside)
    fetch(job(), Tally())
    assert (root / "model" / "inside" / "theirs").read_text() == "theirs"
    for path in (root / "model" / "inside" / "theirs", *(root / "model").glob(".omec-lock-*")):
        path.unlink()
    assert_whole(hub, root / "model")


@pytest.mark.parametrize(
    "name", ["größe", "模型" * 40, "\U0001f999" * 63, "x" * 255, "a b\nc", "-rf", "%41"], ids=lambda name: name[:3]
)
@pytest.mark.parametrize("shared", [False, True])
def test_directories_of_any_name(hub: HubServer, job: MakeJob, root: Path, name: str, shared: bool) -> None:
    more = {"shared_root": str(root)} if shared else {}
    result = fetch(job(path=str(root / name), **more), Tally())
    assert_whole(hub, Path(result.directory))
    assert (root / name).is_symlink() is shared
    assert content_of(root / name) == expected(hub)
    assert fetch(job(path=str(root / name), **more), Tally()).changed is False


def test_long_names_with_one_beginning_have_stages_of_their_own(root: Path) -> None:
    first, second = (stage_of(root / f"{'ü' * 100}{letter}") for letter in "ab")
    assert first != second
    assert max(len(each.name.encode()) for each in (first, second)) < 256


def test_a_root_that_is_a_link_locks_the_same_model(root: Path) -> None:
    """Garbage is looked for below the roots as they were given, downloads go where they lead."""
    (root.parent / "link").symlink_to(root)
    with (
        path_lock(root / "model"),
        pytest.raises(Exception, match="another process"),
        path_lock(root.parent / "link" / "model"),
    ):
        pass


def test_a_stage_of_a_changed_revision_begins_anew(root: Path) -> None:
    stage = Stage(root / "model", "hf://a/b", "one")
    stage.prepare()
    (stage.files / "x").write_text("x")
    Stage(root / "model", "hf://a/b", "one").prepare()
    assert (stage.files / "x").exists()
    Stage(root / "model", "hf://a/b", "two").prepare()
    assert not (stage.files / "x").exists()
