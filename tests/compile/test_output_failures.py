"""What a failure in the middle leaves behind, and that the next run puts it right."""

from __future__ import annotations

import errno
import os
from pathlib import Path
from typing import Any

import pytest

from omec.compile import transaction
from omec.compile.index import INDEX_NAME
from omec.compile.output import OutputPlan
from omec.errors import OmecError
from tests.compile.output_helpers import compile_to, files_of, tree

BEFORE = {
    "_cluster": {"model-a.yaml": "a\n", "model-old.yaml": "o\n"},
    "llm/chat": {"deployment-x.yaml": "1\n", "service-x.yaml": "1\n"},
    "llm/old": {"service-old.yaml": "1\n"},
}
AFTER = {
    "_cluster": {"model-a.yaml": "a2\n", "model-b.yaml": "b\n"},
    "llm/chat": {"deployment-x.yaml": "2\n", "role-x.yaml": "2\n"},
    "llm/new": {"service-new.yaml": "2\n"},
}


@pytest.fixture
def out(tmp_path: Path) -> Path:
    compile_to(tmp_path / "out", BEFORE)
    return tmp_path / "out"


@pytest.fixture
def complete(tmp_path: Path) -> dict[str, str]:
    compile_to(tmp_path / "reference", AFTER)
    return tree(tmp_path / "reference")


def failing_after(calls: int, function: Any, error: BaseException) -> Any:
    """``function``, which fails from its call number ``calls`` on."""
    count = 0

    def wrapper(*args: Any, **kwargs: Any) -> Any:
        nonlocal count
        count += 1
        if count > calls:
            raise error
        return function(*args, **kwargs)

    return wrapper


FULL = OSError(errno.ENOSPC, "No space left on device")


def temporary_files(out: Path) -> list[Path]:
    return [path for path in out.rglob("*") if transaction.is_temporary(path.name)]


@pytest.mark.parametrize("calls", range(7))
def test_a_full_disk_while_writing_changes_nothing(out: Path, monkeypatch: pytest.MonkeyPatch, calls: int) -> None:
    before = tree(out)
    folders = {path for path in out.rglob("*") if path.is_dir()}
    plan = OutputPlan.build(out, files_of(AFTER))
    monkeypatch.setattr(Path, "open", failing_after(calls, Path.open, FULL))
    with pytest.raises(OmecError) as caught:
        plan.apply()
    monkeypatch.undo()
    assert caught.value.code == "OME050"
    assert "No space left on device; the output is as it was" in caught.value.message
    assert tree(out) == before
    assert {path for path in out.rglob("*") if path.is_dir()} == folders


@pytest.mark.parametrize("error", [FULL, KeyboardInterrupt()])
@pytest.mark.parametrize("calls", range(10))
def test_a_failure_while_replacing_is_completed_by_the_next_run(
    out: Path, complete: dict[str, str], monkeypatch: pytest.MonkeyPatch, calls: int, error: BaseException
) -> None:
    monkeypatch.setattr(os, "replace", failing_after(calls, os.replace, error))
    with pytest.raises((OmecError, KeyboardInterrupt)) as caught:
        compile_to(out, AFTER)
    monkeypatch.undo()
    if isinstance(caught.value, OmecError):
        assert "compile again, which completes the output" in caught.value.hint
    assert not temporary_files(out)
    compile_to(out, AFTER)
    assert tree(out) == complete


@pytest.mark.parametrize("calls", range(10))
def test_after_a_failure_another_source_can_be_compiled(
    out: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, calls: int
) -> None:
    """Files that the failed run made are not foreign, even when the next one would write something else."""
    monkeypatch.setattr(os, "replace", failing_after(calls, os.replace, FULL))
    with pytest.raises(OmecError):
        compile_to(out, AFTER)
    monkeypatch.undo()
    third = {folder: {name: f"3{text}" for name, text in files.items()} for folder, files in AFTER.items()}
    compile_to(out, third)
    compile_to(tmp_path / "reference", third)
    assert tree(out) == tree(tmp_path / "reference")


@pytest.mark.parametrize("calls", range(3))
def test_a_failure_while_deleting_is_completed_by_the_next_run(
    out: Path, complete: dict[str, str], monkeypatch: pytest.MonkeyPatch, calls: int
) -> None:
    plan = OutputPlan.build(out, files_of(AFTER))
    unlink = Path.unlink
    deleted = {"model-old.yaml", "service-x.yaml", "service-old.yaml"}
    count = 0

    def failing(path: Path, missing_ok: bool = False) -> None:
        nonlocal count
        if path.name in deleted:
            count += 1
            if count > calls:
                raise PermissionError(errno.EACCES, "Permission denied")
        unlink(path, missing_ok)

    monkeypatch.setattr(Path, "unlink", failing)
    with pytest.raises(OmecError, match=r"stopped at .*: Permission denied"):
        plan.apply()
    monkeypatch.undo()
    compile_to(out, AFTER)
    assert tree(out) == complete


def test_what_a_killed_run_left_is_cleaned_up(out: Path, complete: dict[str, str]) -> None:
    for number in range(12):
        (out / "llm" / "chat" / f".deployment-x.yaml.{number}.omec-tmp").write_text("half")
    compile_to(out, AFTER)
    assert tree(out) == complete


def test_leftovers_do_not_make_the_output_stale(out: Path) -> None:
    leftover = out / "llm" / "chat" / ".x.yaml.1.omec-tmp"
    leftover.write_text("half")
    plan = compile_to(out, BEFORE)
    assert not plan.is_stale
    assert not leftover.exists()


def test_a_planted_link_is_not_written_through(out: Path, tmp_path: Path) -> None:
    (tmp_path / "victim").write_text("precious")
    for number in range(12):
        (out / "llm" / "chat" / f".deployment-x.yaml.{number}.omec-tmp").symlink_to(tmp_path / "victim")
    compile_to(out, AFTER)
    assert (tmp_path / "victim").read_text() == "precious"
    assert (out / "llm" / "chat" / "deployment-x.yaml").read_text() == "2\n"


def test_no_temporary_name_is_a_manifest(out: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[str] = []
    replace = os.replace

    def spy(source: Path, target: Path) -> None:
        seen.append(source.name)
        replace(source, target)

    monkeypatch.setattr(os, "replace", spy)
    compile_to(out, AFTER)
    assert seen
    assert not [name for name in seen if name.endswith((".yaml", ".yml", ".json", ".jsonnet"))]


def test_new_files_are_in_the_index_before_they_appear(out: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    replace = os.replace

    def check(source: Path, target: Path) -> None:
        replace(source, target)
        if target.suffix == ".yaml":
            assert f"{target.name} sha256 " in (target.parent / INDEX_NAME).read_text()

    monkeypatch.setattr(os, "replace", check)
    compile_to(out, AFTER)
