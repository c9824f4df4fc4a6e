"""What has been edited since a run that is on record, and whether the edits are such that few objects notice."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate
from typing import Any, NamedTuple

from omec.catalog import Resource
from omec.catalog.build import Placed, place
from omec.lint.cache.joins import is_local
from omec.lint.cache.record import Record, digest_of_content
from omec.lint.cache.snapshot import Content, with_content
from omec.repo.read import Reading, read_files
from omec.repo.secrets import Found, secrets_of, suspects
from omec.repo.walk import SourceFile

MOST_CHANGED = 8
"""Files: more changes than that are another branch, which is judged as a whole."""


class NotLocalError(Exception):
    """Everything has to be judged again; the text says why."""


class View(NamedTuple):
    """A file with certain contents: what it holds, and what objects these are."""

    reading: Reading
    placed: Placed

    @classmethod
    def of(cls, file: SourceFile, content: Content, default_namespace: str | None) -> View:
        reading = read_files([with_content(file, content)], [])
        return cls(reading, place(reading.documents, default_namespace))

    @property
    def secrets(self) -> Found:
        return secrets_of(self.reading, suspects(self.reading))

    @property
    def identities(self) -> list[Any]:
        """What each document is: an object with an identity, one that nothing can refer to, or one that OME ignores."""
        known: dict[int, Any] = {id(resource.document): resource.ref for resource in self.placed.resources}
        known |= {id(document): document.value for document in self.placed.others}
        return [known.get(id(document)) for document in self.reading.documents]


class Edit(NamedTuple):
    """A file as it was and as it is. Its objects are the same, perhaps with other values.

    ``objects`` are those of which more has changed than the place.
    """

    before: View
    after: View
    objects: tuple[tuple[Resource, Resource], ...]


def edits(
    record: Record, texts: bytes, files: Sequence[tuple[SourceFile, Content]], default_namespace: str | None
) -> dict[str, Edit]:
    """The edits by path; raises :class:`NotLocalError` where one of them is out of the ordinary.

    ``texts`` are the contents of the record's files, one after the other, ``files`` are what these are now.
    """
    found: dict[str, Edit] = {}
    ends = accumulate(file.length for file in record.files)
    for recorded, end, (file, content) in zip(record.files, ends, files, strict=True):
        if not isinstance(content, bytes):
            raise NotLocalError("a file cannot be read")
        if recorded.digest:
            if recorded.digest != digest_of_content(content):
                raise NotLocalError("a file has secrets")
        elif (before := texts[end - recorded.length : end]) != content:
            if len(found) == MOST_CHANGED:
                raise NotLocalError("many files have changed")
            found[file.path] = _edit(file, before, content, default_namespace)
    return found


def _edit(file: SourceFile, before: bytes, after: bytes, default_namespace: str | None) -> Edit:
    old, new = (View.of(file, content, default_namespace) for content in (before, after))
    if old.reading.lost or new.reading.lost or old.reading.notes != new.reading.notes:
        raise NotLocalError("a file cannot be read as a whole")
    if old.secrets or new.secrets:
        raise NotLocalError("a file has secrets")
    if old.identities != new.identities:
        raise NotLocalError("a file has other objects")
    pairs = zip(old.placed.resources, new.placed.resources, strict=True)
    changed = tuple((earlier, later) for earlier, later in pairs if earlier.body != later.body)
    for earlier, later in changed:
        if not is_local(earlier, later):
            raise NotLocalError("an object is compared with others that it does not name")
    return Edit(old, new, changed)
