"""Ignore rules against Git itself: what ``git ls-files --others --exclude-standard`` leaves out, omec leaves out."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from omec.repo.ignore import IgnoreList, IgnoreRules
from omec.repo.read import read

FILES = [
    *("a.yaml", "b.yaml", "ab.yaml", "a\\b.yaml", "a/a.yaml", "a/b/a.yaml", "a/b/b.yaml", "b/a.yaml"),
    *("b/a/a.yaml", "ab/b.yaml", "b/ab/x.yaml", "]/a.yaml", "a/#.yaml"),
]
COMPONENTS = r"""
a b * ? ** a* *b [ab] [!a] [^a] []] [a-b].yaml *.yaml a.yaml b.* \a \* a\ [ *** x** a\\b.yaml #.yaml [\]] [a [!] [a-]
"""
COMPONENT = st.sampled_from([*COMPONENTS.split(), "a ", "a\\ "])
PATTERN = st.builds(
    lambda negated, anchored, parts, folder: negated + anchored + "/".join(parts) + folder,
    st.sampled_from(["", "", "!"]),
    st.sampled_from(["", "", "/"]),
    st.lists(COMPONENT, min_size=1, max_size=3),
    st.sampled_from(["", "", "/"]),
)


@pytest.fixture(scope="module")
def repository(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("repository")
    for file in FILES:
        (root / file).parent.mkdir(parents=True, exist_ok=True)
        (root / file).write_text("a: 1\n")
    subprocess.run(["git", "init", "-q", root], check=True)
    return root


def listed_by_git(root: Path) -> set[str]:
    command = ["git", "-C", root, "-c", "core.excludesFile=", "ls-files", "-z", "--others", "--exclude-standard"]
    output = subprocess.run(command, check=True, capture_output=True).stdout.decode()
    return {path for path in output.split("\0") if path.endswith(".yaml")}


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(outer=st.lists(PATTERN, max_size=4), inner=st.lists(PATTERN, max_size=2))
def test_the_same_files_as_git(repository: Path, outer: list[str], inner: list[str]) -> None:
    (repository / ".gitignore").write_text("\n".join(outer))
    (repository / "a/.gitignore").write_text("\n".join(inner))
    reading = read([repository])
    assert {note.path.removeprefix(f"{repository}/") for note in reading.notes} == listed_by_git(repository)


@pytest.mark.parametrize(
    ("pattern", "path", "ignored"),
    [
        ("# a", "# a", None),
        ("\\# a", "# a", True),
        ("\\!a", "!a", True),
        ("a  ", "a", True),
        ("a\\ ", "a ", True),
        ("", "a", None),
        ("/", "a", None),
        ("a/", "a", None),
        ("a/**/b", "a/b", True),
        ("a/**/b", "a/x/y/b", True),
        ("a/**", "a/x/y", True),
        ("a/**", "a", None),
        ("**/b", "b", True),
        ("a*c", "a/c", None),
        ("!a", "a", False),
    ],
)
def test_patterns(pattern: str, path: str, ignored: bool | None) -> None:
    assert IgnoreList([pattern]).decide(path, folder=False) is ignored


def test_the_innermost_list_decides() -> None:
    rules = IgnoreRules().inside("", IgnoreList(["*.yaml"])).inside("a", IgnoreList(["!b.yaml"]))
    assert rules.ignores("b.yaml", folder=False)
    assert not rules.ignores("a/b.yaml", folder=False)
    assert rules.ignores("a/c.yaml", folder=False)
