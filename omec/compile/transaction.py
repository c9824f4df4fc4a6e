"""Change files so that a failure leaves either the old state or one that the next run completes."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterable
from pathlib import Path

from omec.compile.output_rules import OUTPUT_UNWRITABLE
from omec.errors import OmecError

TEMPORARY_SUFFIX = ".omec-tmp"
"""Not a manifest's suffix: Argo CD reads every .yaml, and a killed run may leave one behind."""


def is_temporary(name: str) -> bool:
    """Whether a file of this name was left behind by a run that was killed."""
    return name.startswith(".") and name.endswith(TEMPORARY_SUFFIX)


class Transaction:
    """Writes and deletions, carried out in the order in which they were added.

    :meth:`run` first writes every new content to a temporary file beside its target. A full disk or a missing
    permission shows here, and then nothing has changed. Only then are the files replaced, each in one step, and
    deleted. There is no fsync: the output can be compiled again, and Git finds what a power failure may spoil.
    """

    def __init__(self) -> None:
        self._steps: list[tuple[Path, bytes | None]] = []
        self._folders: list[Path] = []
        self._present: set[Path] = set()
        self._temporary: dict[int, Path] = {}
        self._discarded: list[Path] = []

    def discard(self, path: Path) -> None:
        """Remove the temporary file of an earlier run, before anything else and if possible."""
        self._discarded.append(path)

    def write(self, path: Path, content: bytes) -> None:
        self._steps.append((path, content))

    def delete(self, path: Path) -> None:
        self._steps.append((path, None))

    def run(self) -> None:
        """Carry out all steps; raises :class:`OmecError` where the file system refuses."""
        try:
            _remove(self._discarded)
            self._stage()
            self._commit()
        finally:
            self._clean_up()

    def _stage(self) -> None:
        for number, (path, content) in enumerate(self._steps):
            if content is None:
                continue
            try:
                self._make_folder(path.parent)
                temporary = path.with_name(f".{path.name}.{number}{TEMPORARY_SUFFIX}")
                self._temporary[number] = temporary
                _create(temporary, content)
            except OSError as error:
                raise OmecError(
                    f"cannot write {path}: {error.strerror or error}; the output is as it was",
                    hint="correct that and compile again",
                    code=OUTPUT_UNWRITABLE.code,
                ) from error

    def _commit(self) -> None:
        for number, (path, content) in enumerate(self._steps):
            try:
                if content is None:
                    path.unlink(missing_ok=True)
                else:
                    os.replace(self._temporary[number], path)  # noqa: PTH105 - one atomic step
                    del self._temporary[number]
            except OSError as error:
                raise OmecError(
                    f"stopped at {path}: {error.strerror or error}; files before it are new, the others as they were",
                    hint="correct that and compile again, which completes the output",
                    code=OUTPUT_UNWRITABLE.code,
                ) from error

    def _make_folder(self, folder: Path) -> None:
        if folder in self._present:
            return
        self._present.add(folder)
        missing = []
        while not folder.is_dir():
            missing.append(folder)
            folder = folder.parent
        for path in reversed(missing):
            path.mkdir()
            self._folders.append(path)

    def _clean_up(self) -> None:
        _remove(self._temporary.values())
        remove_empty(reversed(self._folders))


def _create(path: Path, content: bytes) -> None:
    """Write a new file; whatever had the name goes, so that nothing is written through a symbolic link."""
    try:
        with path.open("xb") as file:
            file.write(content)
    except FileExistsError:
        path.unlink()
        _create(path, content)


def remove_empty(folders: Iterable[Path]) -> None:
    """Remove those of the folders that hold nothing."""
    for folder in folders:
        with contextlib.suppress(OSError):
            folder.rmdir()


def _remove(paths: Iterable[Path]) -> None:
    for path in paths:
        with contextlib.suppress(OSError):
            path.unlink()
