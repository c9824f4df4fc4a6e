"""The files of a repository as they are at one moment: read once, for the key of the cache and then for the parser."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial

from omec.finding import Finding
from omec.repo.request import Request
from omec.repo.sources import Selection, in_order, walk_disk
from omec.repo.walk import MAX_FILE_BYTES, SourceFile

Content = bytes | OSError
"""What is in a file, or why it cannot be read."""


class Snapshot:
    """What there is to read for a request that :attr:`Request.is_of_files`; raises as :func:`omec.repo.read.read`."""

    def __init__(self, request: Request) -> None:
        self.walk = walk_disk(request.paths, Selection(request.exclude, request.skip, request.root))
        self._contents = [(file, _content(file)) for file in in_order([self.walk])]

    @property
    def files(self) -> list[SourceFile]:
        """The files, which give the content that they had."""
        return [with_content(file, content) for file, content in self._contents]

    @property
    def with_contents(self) -> list[tuple[SourceFile, Content]]:
        """The files in the order in which they are read, each with what is in it."""
        return self._contents

    def found(self) -> Iterator[str]:
        """What a reading depends on besides the contents: which files there are, and what looking for them told."""
        for file, _ in self._contents:
            yield from (file.path, file.source, str(file.is_chart_template))
        yield from map(_told, self.walk.findings)
        yield from map(str, self.walk.notes)

    def parts(self) -> Iterator[bytes | str]:
        """Everything that a reading depends on."""
        for file, content in self._contents:
            yield from (file.path, file.source, str(file.is_chart_template), type(content).__name__)
            yield content if isinstance(content, bytes) else str(content)
        yield from map(_told, self.walk.findings)
        yield from map(str, self.walk.notes)

    @property
    def sources(self) -> dict[str, str]:
        """The path from the configuration's folder of every file, by the path that users are shown."""
        return {file.path: file.source for file, _ in self._contents}

    @property
    def contents(self) -> dict[str, bytes]:
        """The contents of the files that can be read, by that path, too."""
        return {file.path: content for file, content in self._contents if isinstance(content, bytes)}


class Texts(Mapping[str, str]):
    """The texts of files by their paths; a file is decoded when somebody asks for it."""

    def __init__(self, contents: Mapping[str, bytes]) -> None:
        self._contents = contents

    def __getitem__(self, path: str) -> str:
        from omec.repo.encoding import decode  # noqa: PLC0415 - a run without findings needs no text
        from omec.repo.yaml.problem import ProblemError  # noqa: PLC0415

        try:
            return decode(self._contents[path])
        except ProblemError:
            raise KeyError(path) from None

    def __iter__(self) -> Iterator[str]:
        return (path for path in self._contents if path in self)

    def __len__(self) -> int:
        return sum(1 for _ in self)


def _content(file: SourceFile) -> Content:
    try:
        return file.read(MAX_FILE_BYTES)
    except OSError as error:
        return error


def with_content(file: SourceFile, content: Content) -> SourceFile:
    """``file`` with that in it."""
    return file._replace(read=partial(_given, content))


def _given(content: Content, _limit: int) -> bytes:
    if isinstance(content, OSError):
        raise content
    return content


def _told(finding: Finding) -> str:
    return f"{finding.position} {finding.message}"
