"""Git revisions: the same reading as from disk, from the object database, without touching the work tree."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from omec.errors import OmecError
from omec.repo.read import Reading, read
from tests.conftest import ROOT
from tests.repo.conftest import MakeTree, manifest

Git = Callable[..., str]


@pytest.fixture
def git(tree: MakeTree, monkeypatch: pytest.MonkeyPatch) -> Git:
    """Runs git in the current folder, which is a new repository."""
    root = tree({})
    for name, value in {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_SYSTEM": os.devnull}.items():
        monkeypatch.setenv(name, value)

    def run(*arguments: str) -> str:
        identity = ["-c", "user.name=A", "-c", "user.email=a@example.com"]
        return subprocess.run(
            ["git", "-C", root, *identity, *arguments], check=True, capture_output=True, text=True
        ).stdout.strip()

    run("init", "-q", "-b", "main")
    return run


def commit(git: Git) -> str:
    git("add", "-A", "-f")
    git("commit", "-q", "-m", "change")
    return git("rev-parse", "HEAD")


def paths(reading: Reading) -> list[str]:
    return [document.path for document in reading.documents]


def test_a_revision_reads_as_the_disk_did(git: Git, tree: MakeTree) -> None:
    root = tree(
        {
            ".gitignore": "*.local.yaml\n",
            "a.yaml": manifest("a") + "data: {x: 1, x: 2}\n",
            "models/b.yaml": manifest("b"),
            "models/c.local.yaml": "[",
            "models/.gitignore": "drafts/\n",
            "models/drafts/d.yaml": "[",
            "chart/Chart.yaml": "name: x\n",
            "chart/templates/t.yaml": "{{ x }}\n",
            "bad.yaml": "a: 'x\n",
            "latin.yaml": b"a: \xe9\n",
        }
    )
    (root / "link.yaml").symlink_to("models/b.yaml")
    (root / "linked").symlink_to("models")
    (root / "broken.yaml").symlink_to("gone.yaml")
    (root / "outside.yaml").symlink_to("/etc/hostname")
    (root / "models/loop").symlink_to("..")
    (root / "models/me").symlink_to("me")
    first = commit(git)
    on_disk, at_revision = read(["."]), read(["."], rev=first)
    assert [(d.path, d.source, d.index, d.value) for d in at_revision.documents] == [
        (d.path, d.source, d.index, d.value) for d in on_disk.documents
    ]
    assert paths(at_revision) == ["a.yaml", "models/b.yaml"]
    assert [(f.position, f.rule) for f in at_revision.findings] == [(f.position, f.rule) for f in on_disk.findings]
    assert len(at_revision.findings) == 7
    assert (at_revision.notes, at_revision.files) == (on_disk.notes, on_disk.files)
    (outside,) = [f for f in at_revision.findings if f.position.path == "outside.yaml"]
    assert outside.message == "symbolic link leads out of the repository"


def test_the_work_tree_does_not_matter(git: Git, tree: MakeTree) -> None:
    tree({"a.yaml": manifest("one"), "gone/b.yaml": manifest("b")})
    commit(git)
    root = tree({"a.yaml": manifest("two"), "new.yaml": manifest("new")})
    (root / "gone/b.yaml").unlink()
    (root / "gone").rmdir()
    reading = read(["."], rev="HEAD")
    assert [document.value["metadata"]["name"] for document in reading.documents] == ["one", "b"]
    assert paths(read(["gone"], rev="HEAD")) == ["gone/b.yaml"]
    assert git("status", "--porcelain") == "M a.yaml\n D gone/b.yaml\n?? new.yaml"


@pytest.mark.parametrize("revision", ["HEAD~1", "main^", "v1", "{first}", "@{{1}}", ":/first"])
def test_any_name_of_a_revision(git: Git, tree: MakeTree, revision: str) -> None:
    tree({"a.yaml": manifest("one")})
    git("add", "-A")
    git("commit", "-q", "-m", "first")
    git("tag", "-a", "v1", "-m", "v1")
    first = git("rev-parse", "--short", "HEAD")
    tree({"a.yaml": manifest("two")})
    commit(git)
    (document,) = read(["a.yaml"], rev=revision.format(first=first)).documents
    assert document.value["metadata"]["name"] == "one"


def test_from_a_folder_of_the_repository(git: Git, tree: MakeTree, monkeypatch: pytest.MonkeyPatch) -> None:
    root = tree({"models/deep/a.yaml": manifest("a"), "b.yaml": manifest("b")})
    commit(git)
    monkeypatch.chdir(root / "models")
    assert paths(read(["."], rev="HEAD")) == ["deep/a.yaml"]
    assert paths(read([".."], rev="HEAD")) == ["../b.yaml", "../models/deep/a.yaml"]
    assert [document.source for document in read(["deep"], rev="HEAD", root=root).documents] == ["models/deep/a.yaml"]


def test_exclude_and_skip(git: Git, tree: MakeTree) -> None:
    tree({"a.yaml": manifest("a"), "out/b.yaml": manifest("b"), "drafts/c.yaml": manifest("c")})
    commit(git)
    assert paths(read(["."], rev="HEAD", exclude=["drafts/"], skip=[Path("out")])) == ["a.yaml"]


def test_positions(git: Git, tree: MakeTree) -> None:
    tree({"a.yaml": manifest("a")})
    commit(git)
    (document,) = read(["."], rev="HEAD").documents
    assert str(document.locate(("metadata", "name"))) == "a.yaml:4:9"


def test_large_files(git: Git, tree: MakeTree) -> None:
    tree({"a.yaml": manifest("a")})
    commit(git)
    assert [f.rule.slug for f in read(["."], rev="HEAD", max_file_bytes=10).findings] == ["file-too-large"]


@pytest.mark.parametrize("revision", ["nope", "", "HEAD~7", "--help", "HEAD:a.yaml", "0123456789" * 4])
def test_an_unknown_revision(git: Git, tree: MakeTree, revision: str) -> None:
    tree({"a.yaml": manifest("a")})
    commit(git)
    with pytest.raises(OmecError, match="Git has no revision") as caught:
        read(["."], rev=revision)
    assert "--unshallow" in caught.value.hint
    assert caught.value.code == "OME062"


def test_a_repository_of_another_user(git: Git, tree: MakeTree, monkeypatch: pytest.MonkeyPatch) -> None:
    root = tree({"a.yaml": manifest("a")})
    commit(git)
    monkeypatch.setenv("GIT_TEST_ASSUME_DIFFERENT_OWNER", "1")
    with pytest.raises(OmecError) as caught:
        read(["."], rev="HEAD")
    assert caught.value.code == "OME061"
    assert caught.value.hint == f"run git config --global --add safe.directory {os.path.realpath(root)}"


def test_a_repository_without_commits(git: Git) -> None:
    with pytest.raises(OmecError, match="Git has no revision HEAD"):
        read(["."], rev="HEAD")


def test_a_path_that_the_revision_lacks(git: Git, tree: MakeTree) -> None:
    tree({"a.yaml": manifest("a")})
    commit(git)
    tree({"b.yaml": manifest("b")})
    with pytest.raises(OmecError, match=r"revision HEAD has no b\.yaml") as caught:
        read(["b.yaml"], rev="HEAD")
    assert caught.value.code == "OME063"


def test_a_missing_object_is_a_finding(git: Git, tree: MakeTree) -> None:
    root = tree({"a.yaml": manifest("a"), "b.yaml": manifest("b"), "x/c.yaml": manifest("c")})
    commit(git)
    for name in ("HEAD:b.yaml", "HEAD:x"):
        digest = git("rev-parse", name)
        (root / ".git/objects" / digest[:2] / digest[2:]).unlink()
    reading = read(["."], rev="HEAD")
    assert paths(reading) == ["a.yaml"]
    assert [str(f.position) for f in reading.findings] == ["b.yaml", "x"]
    assert all("missing or damaged" in f.message for f in reading.findings)


def test_no_repository(tree: MakeTree) -> None:
    tree({"a.yaml": manifest("a")})
    with pytest.raises(OmecError, match="is not in a Git repository") as caught:
        read(["a.yaml"], rev="HEAD")
    assert caught.value.code == "OME061"


def test_a_broken_repository(tree: MakeTree) -> None:
    tree({".git/HEAD": "", "a.yaml": manifest("a")})
    with pytest.raises(OmecError):
        read(["a.yaml"], rev="HEAD")


def test_reading_from_disk_does_not_load_what_only_others_need() -> None:
    lazy = ("git", "subprocess", "json", "omec.repo.yaml.outline", "pathspec")
    code = f"""if True:
        import io, sys
        from omec.repo.read import read
        read(["-"], stdin=io.BytesIO(b"apiVersion: v1"))
        print([name for name in {lazy} if name in sys.modules])
    """
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT)
    assert result.stdout.strip() == "[]"
