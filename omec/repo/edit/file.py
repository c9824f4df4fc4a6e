"""Edit the text of a file, and prove that nothing else has changed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any

from omec.repo.document import Document
from omec.repo.edit.model import Change
from omec.repo.edit.rewrite import CannotRewriteError, rewritten
from omec.repo.edit.splice import NoPlaceError, dropped, spliced
from omec.repo.objects import read_text
from omec.repo.walk import SourceFile
from omec.repo.yaml.comments import comments


class CannotEditError(Exception):
    """A file that cannot be changed without touching what else it says; the text says why."""


def edited(path: str, text: str, changes: Sequence[Change], *, anew: bool = True) -> str:
    """``text``, the content of the file ``path``, with ``changes`` to its documents.

    Spans of the text are replaced where that is possible, else ruamel.yaml writes the file ``anew``. Whatever the way,
    the new text is read again and must have the values that the edits ask for and all others as before, and every
    comment.
    Raises :class:`CannotEditError`.
    """
    try:
        expected = _expected(path, text, changes)
    except (LookupError, TypeError) as error:
        raise CannotEditError("it is not what it was when it was read") from error
    ways: tuple[Callable[[str, Sequence[Change]], str], ...] = (spliced, rewritten) if anew else (spliced,)
    for way in ways:
        try:
            new = way(text, changes)
        except (NoPlaceError, CannotRewriteError):
            continue
        if _values(path, new) == expected and _keeps_comments(text, new, changes):
            return new
    raise CannotEditError("its YAML is written in a way that leaves no place for the change")


def _expected(path: str, text: str, changes: Sequence[Change]) -> list[Any]:
    changed = {change.document.index: change.applied() for change in changes}
    return [changed.get(document.index, document.value) for document in _documents(path, text)]


def _values(path: str, text: str) -> list[Any]:
    return [document.value for document in _documents(path, text)]


def _documents(path: str, text: str) -> list[Document]:
    return read_text(SourceFile(path, path, lambda _: text.encode("utf-8")), text.removeprefix("\ufeff")).documents


def _keeps_comments(before: str, after: str, changes: Sequence[Change]) -> bool:
    """Whether no comment comes, and none is lost but those of fields that go: inside of them, on their last line."""
    written = [*comments(before)]
    ours, new = (Counter(comment.text for comment in some) for some in (written, comments(after)))
    if not new <= ours:
        return False
    if new == ours:
        return True
    gone = dropped(before, changes)
    inside = [comment.text for comment in written if any(start <= comment.start <= end for start, end in gone)]
    return ours - new <= Counter(inside)
