"""Symbolic links: followed, but never into a circle, and nothing is read twice."""

from __future__ import annotations

from pathlib import Path

import pytest

from omec.repo.read import Reading, read
from tests.repo.conftest import MakeTree, manifest


def paths(reading: Reading) -> list[str]:
    return [document.path for document in reading.documents]


def places(reading: Reading) -> list[tuple[str, str]]:
    return [(str(finding.position), finding.rule.slug) for finding in reading.findings]


def test_a_link_to_a_folder_above_is_a_finding(tree: MakeTree) -> None:
    root = tree({"a/b/x.yaml": manifest("x")})
    (root / "a/self").symlink_to(".")
    (root / "a/b/up").symlink_to("..")
    (root / "a/b/root").symlink_to(root)
    reading = read(["."])
    assert paths(reading) == ["a/b/x.yaml"]
    assert places(reading) == [("a/b/root", "symlink-loop"), ("a/b/up", "symlink-loop"), ("a/self", "symlink-loop")]


def test_folders_that_link_to_each_other(tree: MakeTree) -> None:
    root = tree({".git/HEAD": "", "a/x.yaml": manifest("x"), "b/y.yaml": manifest("y1")})
    (root / "a/b").symlink_to("../b")
    (root / "b/a").symlink_to("../a")
    reading = read(["."])
    assert (paths(reading), places(reading)) == (["a/x.yaml", "b/y.yaml"], [])
    assert paths(read(["a"])) == ["a/b/y.yaml", "a/x.yaml"]


@pytest.fixture
def linked(tree: MakeTree) -> Path:
    """A folder ``in`` with links into a folder ``out`` beside it."""
    root = tree({"in/a.yaml": manifest("a"), "out/b.yaml": manifest("b"), "out/deep/c.yaml": manifest("c")})
    (root / "in/file.yaml").symlink_to("../out/b.yaml")
    (root / "in/folder").symlink_to("../out/deep")
    return root


def test_a_link_out_of_the_folder_is_followed_in_the_repository(linked: Path) -> None:
    (linked / ".git").mkdir()
    assert paths(read(["in"])) == ["in/a.yaml", "in/file.yaml", "in/folder/c.yaml"]


@pytest.mark.parametrize("repository", ["in/.git", ""], ids=["a repository", "no repository"])
def test_a_link_out_of_the_repository_is_not_followed(linked: Path, repository: str) -> None:
    """Without a repository, the folder that is read is the limit."""
    if repository:
        (linked / repository).mkdir()
    reading = read(["in"])
    assert paths(reading) == ["in/a.yaml"]
    assert places(reading) == [("in/file.yaml", "symlink-outside")]
    assert [str(note) for note in reading.notes] == ["in/folder: symbolic link leads out of the repository: skipped"]
    assert [lost.position.path for lost in reading.lost] == ["in/file.yaml"]


def test_a_link_into_another_source_is_followed(linked: Path) -> None:
    reading = read(["in", "out/deep"])
    assert (paths(reading), places(reading)) == (
        ["in/a.yaml", "out/deep/c.yaml"],
        [("in/file.yaml", "symlink-outside")],
    )
    assert paths(read(["in", "out/b.yaml"])) == ["in/a.yaml", "out/b.yaml"]


def test_a_link_to_a_file_that_is_read_anyway_is_a_note(tree: MakeTree) -> None:
    root = tree({"b.yaml": manifest("b")})
    (root / "a.yaml").symlink_to("b.yaml")
    reading = read(["."])
    assert paths(reading) == ["b.yaml"]
    assert [str(note) for note in reading.notes] == ["a.yaml: symbolic link to b.yaml, which is read itself: skipped"]


def test_a_link_without_the_suffix_of_a_manifest_is_only_followed_to_folders(tree: MakeTree) -> None:
    root = tree({".git/HEAD": "", "x/a.yaml": manifest("a"), "y/b.yaml": manifest("b")})
    (root / "x/b").symlink_to("../y/b.yaml")
    (root / "x/gone").symlink_to("nowhere")
    reading = read(["x"])
    assert (paths(reading), places(reading)) == (["x/a.yaml"], [])
    assert [note.path for note in reading.notes] == ["x/gone"]


def test_ignored_and_excluded_links_are_not_followed(tree: MakeTree) -> None:
    root = tree({".git/HEAD": "", ".gitignore": "ignored\n", "a.yaml": manifest("a")})
    (root / "ignored").symlink_to(".")
    (root / "excluded").symlink_to(".")
    reading = read(["."], exclude=["excluded/"])
    assert (paths(reading), places(reading)) == (["a.yaml"], [])


def test_the_source_may_itself_be_a_link(tree: MakeTree) -> None:
    root = tree({"real/a.yaml": manifest("a")})
    (root / "link").symlink_to("real")
    reading = read(["link"])
    assert paths(reading) == ["link/a.yaml"]
    assert [document.source for document in reading.documents] == ["real/a.yaml"]


def test_a_skipped_folder_is_not_read_through_a_link(tree: MakeTree) -> None:
    root = tree({"a.yaml": manifest("a"), "out/b.yaml": manifest("b")})
    (root / "latest").symlink_to("out")
    (root / "b.yaml").symlink_to("out/b.yaml")
    assert paths(read(["."], skip=[Path("out")])) == ["a.yaml"]
