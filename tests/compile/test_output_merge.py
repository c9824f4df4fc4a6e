"""Two branches, each compiled, merge without conflict and the result is what compiling the merged source gives."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from omec.compile.output import ATTRIBUTES_NAME, OutputPlan
from tests.compile.output_helpers import compile_to, files_of, tree

Folders = dict[str, dict[str, str]]

BASE: Folders = {
    "_cluster": {"model-k.yaml": "k\n", "model-q.yaml": "q\n"},
    "llm/chat": {"deployment-engine.yaml": "1\n", "deployment-router.yaml": "1\n", "service-chat.yaml": "1\n"},
}


def changed(*changes: tuple[str, str, str | None], base: Folders = BASE) -> Folders:
    folders = {folder: dict(files) for folder, files in base.items()}
    for folder, name, text in changes:
        if text is None:
            del folders[folder][name]
        else:
            folders.setdefault(folder, {})[name] = text
    return folders


class Repository:
    """A Git repository with an output folder ``out``."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.out = path / "out"
        self.git("init", "-q", "-b", "main")

    def git(self, *args: str) -> subprocess.CompletedProcess[str]:
        environment = {
            "PATH": os.environ["PATH"],
            "HOME": str(self.path),
            "GIT_CONFIG_NOSYSTEM": "1",
            "GIT_AUTHOR_NAME": "a",
            "GIT_AUTHOR_EMAIL": "a@example.com",
            "GIT_COMMITTER_NAME": "a",
            "GIT_COMMITTER_EMAIL": "a@example.com",
        }
        return subprocess.run(
            ["git", *args], cwd=self.path, env=environment, check=False, capture_output=True, text=True
        )

    def commit(self, folders: Folders) -> None:
        compile_to(self.out, folders)
        self.git("add", "-A")
        assert self.git("commit", "-q", "-m", "x").returncode == 0

    def merge(self, base: Folders, ours: Folders, theirs: Folders, *, attributes: bool = True) -> str:
        """Commit both branches from ``base`` and merge them; the output of Git, empty when it was clean."""
        compile_to(self.out, base)
        if not attributes:
            (self.out / ATTRIBUTES_NAME).unlink()
        self.commit(base)
        self.git("checkout", "-q", "-b", "theirs")
        self.commit(theirs)
        self.git("checkout", "-q", "main")
        self.commit(ours)
        result = self.git("merge", "-q", "--no-edit", "theirs")
        return "" if result.returncode == 0 else result.stdout + result.stderr


@pytest.fixture
def repository(tmp_path: Path) -> Repository:
    (tmp_path / "repo").mkdir()
    return Repository(tmp_path / "repo")


ADD_SERVICES = (changed(("llm/a", "service-a.yaml", "a\n")), changed(("llm/b", "service-b.yaml", "b\n")))
CHANGE_NEIGHBOURS = (
    changed(("llm/chat", "deployment-engine.yaml", "2\n")),
    changed(("llm/chat", "deployment-router.yaml", "2\n")),
)
CHANGE_AND_ADD = (
    changed(("llm/chat", "deployment-router.yaml", "2\n")),
    changed(("llm/chat", "deployment-more.yaml", "2\n")),
)
ADD_AND_CHANGE_BEFORE = (
    changed(("_cluster", "model-q.yaml", "q2\n")),
    changed(("_cluster", "model-p.yaml", "p\n")),
)
DELETE_AND_CHANGE = (
    changed(("llm/chat", "deployment-engine.yaml", None)),
    changed(("llm/chat", "service-chat.yaml", "2\n")),
)
ADD_APART = (changed(("_cluster", "model-a.yaml", "a\n")), changed(("_cluster", "model-z.yaml", "z\n")))
ADD_NEIGHBOURS = (changed(("_cluster", "model-m.yaml", "m\n")), changed(("_cluster", "model-n.yaml", "n\n")))


def merged(ours: Folders, theirs: Folders) -> Folders:
    """What compiling the merged source gives: of each file the side that has changed it."""
    result: Folders = {}
    for folder in {*ours, *theirs}:
        base, left, right = (side.get(folder, {}) for side in (BASE, ours, theirs))
        texts = {n: right.get(n) if left.get(n) == base.get(n) else left.get(n) for n in {*left, *right}}
        result[folder] = {name: text for name, text in texts.items() if text is not None}
    return result


@pytest.mark.parametrize("attributes", [True, False])
@pytest.mark.parametrize(
    ("ours", "theirs"),
    [ADD_SERVICES, CHANGE_NEIGHBOURS, CHANGE_AND_ADD, ADD_AND_CHANGE_BEFORE, DELETE_AND_CHANGE, ADD_APART],
    ids=["services", "neighbours", "change-add", "add-before", "delete-change", "apart"],
)
def test_branches_merge_and_the_result_is_up_to_date(
    repository: Repository, ours: Folders, theirs: Folders, attributes: bool
) -> None:
    assert repository.merge(BASE, ours, theirs, attributes=attributes) == ""
    assert OutputPlan.build(repository.out, files_of(merged(ours, theirs))).diff() == ""


def test_neighbouring_additions_need_the_attributes(repository: Repository) -> None:
    ours, theirs = ADD_NEIGHBOURS
    assert repository.merge(BASE, ours, theirs) == ""
    assert OutputPlan.build(repository.out, files_of(merged(ours, theirs))).diff() == ""


def test_the_remedy_for_a_conflict(repository: Repository, tmp_path: Path) -> None:
    """Without the attributes there is one; to keep both sides and to compile again is all it takes."""
    ours, theirs = ADD_NEIGHBOURS
    assert "CONFLICT" in repository.merge(BASE, ours, theirs, attributes=False)
    index = repository.out / "_cluster" / ".omec-index"
    markers = ("<<<<<<<", "=======", ">>>>>>>")
    lines = [line for line in index.read_text().splitlines(keepends=True) if not line.startswith(markers)]
    index.write_text("".join(lines))
    both = merged(ours, theirs)
    compile_to(repository.out, both)
    compile_to(tmp_path / "reference", both)
    (tmp_path / "reference" / ATTRIBUTES_NAME).unlink()
    assert tree(repository.out) == tree(tmp_path / "reference")
