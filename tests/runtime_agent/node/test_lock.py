"""Two agents on one node, and a models' directory in which none can work."""

from __future__ import annotations

from pathlib import Path

from omec.runtime_agent.node.lock import NodeLock


def test_one_of_two_holds_the_directory(tmp_path: Path) -> None:
    first, second = NodeLock(str(tmp_path / "models")), NodeLock(str(tmp_path / "models"))
    assert first.problem != ""
    assert first.take()
    assert first.take()
    assert not second.take()
    assert (first.problem, second.problem) == ("", "another agent works on this node's models")
    first.release()
    assert second.take()
    assert second.problem == ""


def test_a_directory_that_cannot_be_used(tmp_path: Path) -> None:
    """It is tried again, and taken as soon as the obstacle is gone."""
    obstacle = tmp_path / "models"
    obstacle.write_text("a file")
    lock = NodeLock(str(obstacle))
    assert not lock.take()
    assert "cannot be used" in lock.problem
    assert str(obstacle) in lock.problem
    obstacle.unlink()
    assert lock.take()


def test_a_link_in_the_place_of_the_lock_is_not_followed(tmp_path: Path) -> None:
    (tmp_path / ".omec-agent.lock").symlink_to(tmp_path / "elsewhere")
    assert not NodeLock(str(tmp_path)).take()
    assert not (tmp_path / "elsewhere").exists()
