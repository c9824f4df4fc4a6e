"""A repository in memory, linted as a whole and from the record of an earlier run."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from omec.lint.cache import again
from omec.lint.cache.snapshot import Content, with_content
from omec.lint.judge import Judgement
from omec.lint.result import LintResult
from omec.repo.config import Config
from omec.repo.read import read_files
from omec.repo.walk import SourceFile
from omec.session import Repo

Files = Mapping[str, bytes]
"""The contents by path."""


class MemorySnapshot:
    """What :class:`omec.lint.cache.snapshot.Snapshot` gives, of files that are on no disk."""

    def __init__(self, files: Files) -> None:
        self.contents = dict(sorted(files.items()))
        self.with_contents: list[tuple[SourceFile, Content]] = [
            (with_content(SourceFile(path, path, lambda _: b""), content), content)
            for path, content in self.contents.items()
        ]

    def found(self) -> Iterator[str]:
        yield from self.contents

    @property
    def sources(self) -> dict[str, str]:
        return {path: path for path in self.contents}


def config_of(settings: Mapping[str, Any]) -> Config:
    return Config.from_dict(settings, root=Path("/nowhere"))


def linted(files: Files, config: Config) -> tuple[LintResult, bytes | None]:
    """What a run over all files finds, and its record."""
    snapshot: Any = MemorySnapshot(files)
    repo = Repo(read_files([file for file, _ in snapshot.with_contents], []), (), config)
    seen: list[Judgement] = []
    result = repo.lint(None, seen.append)
    secret = repo.private_files()
    return result, again.recorded(seen[0], repo.reading, snapshot, config, secret)


def linted_again(record: bytes, files: Files, config: Config) -> LintResult:
    """What the ``record`` helps to find in ``files``; raises :class:`NotLocalError`."""
    snapshot: Any = MemorySnapshot(files)
    return again.linted_again(record, snapshot, config)[0]


def told(result: LintResult) -> dict[str, Any]:
    """Everything that a user may see."""
    return {**result.to_dict(), "notes": result.notes, "texts": dict(result.texts), "sources": dict(result.sources)}
