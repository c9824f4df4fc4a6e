"""Files that nobody should have to read: each is one finding with place and remedy, and the rest is still read."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from omec.errors import OmecError
from omec.finding import Finding
from omec.repo import tree as tree_module
from omec.repo.read import MAX_FILE_BYTES, read
from tests.repo.conftest import MakeTree, manifest


def the_finding(tree: MakeTree, content: str | bytes) -> Finding:
    """The one finding of a folder with a file of that content, beside a good file."""
    tree({"bad.yaml": content, "good.yaml": manifest("good")})
    reading = read(["."])
    assert [document.value["metadata"]["name"] for document in reading.documents if document.path == "good.yaml"] == [
        "good"
    ]
    (finding,) = reading.findings
    assert finding.help
    assert "\n" not in finding.message + finding.help
    return finding


BOMB = "\n".join(
    ["a0: &a0 [lol,lol,lol,lol,lol,lol,lol,lol,lol]"]
    + [f"a{i}: &a{i} [{','.join([f'*a{i - 1}'] * 9)}]" for i in range(1, 10)]
)


@pytest.mark.parametrize(
    ("content", "place", "slug"),
    [
        (b"name: caf\xe9\n", "bad.yaml:1:10", "yaml-encoding"),
        ("é\n".encode() + b"x: \xff\n", "bad.yaml:2:4", "yaml-encoding"),
        ("a: é\n".encode("utf-16"), "bad.yaml", "yaml-encoding"),
        ("a: é\n".encode("utf-32"), "bad.yaml", "yaml-encoding"),
        (bytes(range(256)) * 8, "bad.yaml", "yaml-encoding"),
        (b"\x7fELF\x02\x01\x01\x00", "bad.yaml", "yaml-encoding"),
        ("metadata:\n\tname: x\n", "bad.yaml:2:1", "yaml-syntax"),
        ('a: "x\nb: 1\n', "bad.yaml:1:4", "yaml-syntax"),
        ("a: 'x\nb: 1\n", "bad.yaml:1:4", "yaml-syntax"),
        ("a: 1\n--- b: 2\n", "bad.yaml:2:1", "yaml-syntax"),
        (BOMB, "bad.yaml:6:10", "yaml-expansion"),
        ("a: " + "[" * 100_000, "bad.yaml:1:103", "yaml-nesting"),
        ("a: " + "[" * 100_000 + "]" * 100_000, "bad.yaml:1:103", "yaml-nesting"),
        ("[\n" * 100_000, "bad.yaml:101:1", "yaml-nesting"),
        ("- " * 100_000, "bad.yaml:1:201", "yaml-nesting"),
        ("{" * 100_000, "bad.yaml:1:2", "yaml-syntax"),
        ("a: &x\n  b: *x\n", "bad.yaml:2:6", "yaml-alias"),
        ("a: *x\n", "bad.yaml:1:4", "yaml-alias"),
        ('a: !!python/object/apply:os.system ["x"]\n', "bad.yaml:1:4", "yaml-code-tag"),
        (manifest("a") + "x: !!python/name:os.system\n", "bad.yaml:5:4", "yaml-code-tag"),
        (manifest("a") + "kind: B\n", "bad.yaml:5:1", "yaml-duplicate-key"),
    ],
)
def test_content(tree: MakeTree, content: str | bytes, place: str, slug: str) -> None:
    finding = the_finding(tree, content)
    assert (str(finding.position), finding.rule.slug) == (place, slug)


def test_a_file_of_50_mib(tree: MakeTree) -> None:
    root = tree({"good.yaml": manifest("good")})
    with (root / "bad.yaml").open("wb") as file:
        file.truncate(50 * 2**20)
    started = time.monotonic()
    reading = read(["."])
    assert time.monotonic() - started < 1
    (finding,) = reading.findings
    assert (str(finding.position), finding.rule.slug) == ("bad.yaml", "file-too-large")
    assert finding.message == "file has 50.0 MiB, more than the limit of 10.0 MiB"
    assert len(reading.documents) == 1


def test_the_limit_is_configurable(tree: MakeTree) -> None:
    tree({"a.yaml": manifest("a"), "b.json": "{" + " " * 100 + "}"})
    reading = read(["."], max_file_bytes=20)
    assert [finding.rule.slug for finding in reading.findings] == ["file-too-large"]
    assert [note.path for note in reading.notes] == ["b.json"]
    assert read(["."], max_file_bytes=1000).findings == ()


def test_stdin_has_the_same_limit() -> None:
    with Path("/dev/zero").open("rb") as zeros:
        (finding,) = read(["-"], stdin=zeros).findings
    assert (str(finding.position), finding.rule.slug) == ("<stdin>", "file-too-large")
    assert MAX_FILE_BYTES == 10 * 2**20


def _broken_link(path: Path) -> None:
    path.symlink_to("nowhere.yaml")


def _circular_link(path: Path) -> None:
    path.symlink_to(path.name)


@pytest.mark.parametrize(
    ("make", "slug"),
    [(_broken_link, "file-unreadable"), (_circular_link, "symlink-loop"), (os.mkfifo, "file-unreadable")],
)
def test_what_is_no_file(tree: MakeTree, make: Callable[[Path], None], slug: str) -> None:
    root = tree({"good.yaml": manifest("good")})
    make(root / "bad.yaml")
    reading = read(["."])
    assert [(str(finding.position), finding.rule.slug) for finding in reading.findings] == [("bad.yaml", slug)]
    assert len(reading.documents) == 1


def test_a_named_pipe_is_not_opened(tree: MakeTree) -> None:
    root = tree({})
    os.mkfifo(root / "bad.yaml")
    (finding,) = read(["bad.yaml"]).findings
    assert finding.rule.slug == "file-unreadable"


def test_a_pipe_that_takes_the_place_of_a_file_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "x")
    with pytest.raises(OSError, match="not a regular file"):
        tree_module.DiskTree().read(str(tmp_path / "x"), 100)


def test_a_folder_with_the_name_of_a_file_is_a_folder(tree: MakeTree) -> None:
    tree({"x.yaml/a.yaml": manifest("a")})
    assert [document.path for document in read(["."]).documents] == ["x.yaml/a.yaml"]


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_without_permission(tree: MakeTree) -> None:
    root = tree({"a.yaml": manifest("a"), "x/b.yaml": manifest("b"), "good.yaml": manifest("good")})
    (root / "a.yaml").chmod(0)
    (root / "x").chmod(0)
    reading = read(["."])
    (root / "x").chmod(0o700)
    assert [(str(finding.position), finding.rule.slug) for finding in reading.findings] == [
        ("a.yaml", "file-unreadable"),
        ("x", "file-unreadable"),
    ]


def test_errors_of_the_file_system_are_findings(tree: MakeTree, monkeypatch: pytest.MonkeyPatch) -> None:
    """What permissions do to other users, whoever runs the test."""
    root = tree({"a.yaml": manifest("a"), "x/b.yaml": manifest("b"), "good.yaml": manifest("good")})
    real_open, real_scan = os.open, os.scandir

    def refuse_open(path: str, *arguments: int) -> int:
        if path == str(root / "a.yaml"):
            raise PermissionError(13, "Permission denied", path)
        return real_open(path, *arguments)

    def refuse_scan(path: str) -> object:
        if path == str(root / "x"):
            raise PermissionError(13, "Permission denied", path)
        return real_scan(path)

    monkeypatch.setattr(tree_module.os, "open", refuse_open)
    monkeypatch.setattr(tree_module.os, "scandir", refuse_scan)
    reading = read(["."])
    assert [(str(finding.position), finding.message) for finding in reading.findings] == [
        ("a.yaml", "file cannot be read: permission denied"),
        ("x", "folder cannot be read: permission denied"),
    ]
    assert len(reading.documents) == 1


def test_a_file_name_that_is_not_utf_8(tree: MakeTree) -> None:
    root = tree({})
    (root / os.fsdecode(b"\xe9\xff.yaml")).write_text(manifest("a"))
    (root / "é.yaml").write_text("a: [")
    reading = read(["."])
    assert [document.path for document in reading.documents] == ["\ufffd\ufffd.yaml"]
    assert [finding.position.path for finding in reading.findings] == ["é.yaml"]


def test_a_huge_ignore_file_is_a_finding(tree: MakeTree) -> None:
    tree({"x/.gitignore": "#" * (2 * 2**20), "x/a.yaml": manifest("a"), "good.yaml": manifest("good")})
    reading = read(["."])
    assert [(str(finding.position), finding.rule.slug) for finding in reading.findings] == [("x", "file-unreadable")]
    assert len(reading.documents) == 1


@pytest.mark.parametrize("target", ["circular", "nowhere"])
def test_a_named_link_that_leads_nowhere(tree: MakeTree, target: str) -> None:
    root = tree({})
    (root / "circular").symlink_to(target)
    with pytest.raises(OmecError, match="circular"):
        read(["circular"])
