"""One folder of the output: what is there, what shall be there, and whose it is."""

from __future__ import annotations

import os
import stat
from collections.abc import Container, Iterator, Mapping, Sequence
from enum import Enum
from pathlib import Path

import msgspec

from omec.compile import index
from omec.compile.index import INDEX_NAME, Entry, Index
from omec.compile.layout import OutputFile
from omec.compile.output_rules import OUTPUT_NOT_A_FOLDER
from omec.compile.transaction import is_temporary
from omec.errors import OmecError

MANIFEST_SUFFIXES = (".yaml", ".yml", ".json", ".jsonnet")
"""What Argo CD reads in a folder (Argo CD: user-guide/directory)."""

PROVENANCE_NAME = ".omec-provenance"
PROVENANCE_HEADER = "# omec provenance 1: where each field of the files here comes from. Do not edit."


class Action(Enum):
    CREATED = "created"
    UPDATED = "updated"
    DELETED = "deleted"
    UNCHANGED = "unchanged"


class Change(msgspec.Struct, frozen=True):
    """One file of the output; ``path`` is relative to it, ``None`` stands for no file."""

    path: str
    before: bytes | None
    after: bytes | None

    @property
    def action(self) -> Action:
        if self.before == self.after:
            return Action.UNCHANGED
        if self.before is None:
            return Action.CREATED
        return Action.DELETED if self.after is None else Action.UPDATED


class FolderPlan(msgspec.Struct, frozen=True):
    """What becomes of the folder ``name``.

    ``interim_index`` is to be written before any object appears: it names the old files and the new ones. It is
    ``None`` where the index on disk already does. ``foreign`` are files of somebody else that stand in the way,
    ``leftovers`` temporary files of a run that was killed, ``strangers`` other files that Argo CD would apply;
    ``files`` are the objects that will be there, ``provenance`` is the index of their origins, if any. All paths are
    relative to the output.
    """

    name: str
    files: tuple[str, ...]
    objects: tuple[Change, ...]
    index: Change
    provenance: Change
    interim_index: bytes | None
    foreign: tuple[str, ...]
    leftovers: tuple[str, ...]
    strangers: tuple[str, ...]


def plan_folder(
    out: Path, name: str, files: Sequence[OutputFile], kept_sources: Container[str], provenance: bytes | None = None
) -> FolderPlan:
    """Compare ``files``, and the index ``provenance`` of their origins, with the folder ``name`` of the output.

    Raises :class:`OmecError` when the folder is none, or its index is damaged.
    """
    present = _Folder(out, name)
    before = present.read(INDEX_NAME)
    owned = _owned(before, out, name)
    new = {file.name: file.entry for file in files}
    gone = owned.entries.keys() - new.keys()
    kept = {file: owned.entries[file] for file in gone if owned.entries[file].source in kept_sources}
    written = {file.name: Change(below(name, file.name), present.read(file.name), file.content) for file in files}
    deleted = [Change(below(name, file), present.read(file), None) for file in gone - kept.keys()]
    objects = [*written.values(), *(change for change in deleted if change.before is not None)]
    after = Index.of({**new, **kept})
    return FolderPlan(
        name,
        files=tuple(below(name, file) for file in sorted(after.entries) if file in new or present.has(file)),
        objects=tuple(sorted(objects, key=lambda change: change.path)),
        index=Change(below(name, INDEX_NAME), before, before if _same(owned, after) else _bytes(after)),
        provenance=Change(below(name, PROVENANCE_NAME), present.read(PROVENANCE_NAME), provenance),
        interim_index=_interim_index(owned, new, written),
        foreign=tuple(below(name, file) for file in _foreign(present, owned, written)),
        leftovers=tuple(below(name, file) for file in present.names if is_temporary(file)),
        strangers=tuple(
            below(name, file)
            for file in present.names
            if file.endswith(MANIFEST_SUFFIXES) and file not in after.entries and file not in owned.entries
        ),
    )


def indexed_files(out: Path, name: str) -> list[str]:
    """The objects that omec has written to the folder ``name`` and that are still there, by path below ``out``."""
    present = _Folder(out, name)
    owned = _owned(present.read(INDEX_NAME), out, name)
    return [below(name, file) for file in sorted(owned.entries) if present.has(file)]


def below(folder: str, name: str) -> str:
    """The path of ``name`` in ``folder``; ``""`` is the output itself."""
    return f"{folder}/{name}" if folder else name


def _owned(content: bytes | None, out: Path, name: str) -> Index:
    return index.EMPTY if content is None else index.parse(_text(content), f"{out}/{below(name, INDEX_NAME)}")


def _interim_index(owned: Index, new: Mapping[str, Entry], written: Mapping[str, Change]) -> bytes | None:
    """The index with which new files may appear while old ones are still there."""
    interim = Index.of({**owned.entries, **new})
    appears = any(change.action is Action.CREATED for change in written.values())
    return _bytes(interim) if appears and not _same(owned, interim) else None


def _foreign(present: _Folder, owned: Index, written: Mapping[str, Change]) -> Iterator[str]:
    """What stands in the way: files that omec did not write, unless it would write the same, and all but files."""
    for name, change in written.items():
        if present.is_special(name) or (change.action is Action.UPDATED and name not in owned.entries):
            yield name
    if present.is_special(INDEX_NAME):
        yield INDEX_NAME
    origins = present.read(PROVENANCE_NAME)
    if present.is_special(PROVENANCE_NAME) or (origins and not origins.startswith(PROVENANCE_HEADER.encode())):
        yield PROVENANCE_NAME


def _same(present: Index, wanted: Index) -> bool:
    """Whether the index on disk will do: a union merge may have left its lines in another order."""
    return bool(wanted.lines) and present.lines == wanted.lines


class _Folder:
    """The files of a folder that may be missing; symbolic links are not followed."""

    def __init__(self, out: Path, name: str) -> None:
        self._path = out / name
        self._entries: dict[str, os.DirEntry[str]] = {}
        if _require_folders(out, name):
            with os.scandir(self._path) as entries:
                self._entries = {entry.name: entry for entry in entries}

    @property
    def names(self) -> list[str]:
        return sorted(self._entries)

    def has(self, name: str) -> bool:
        """Whether there is a regular file of this name."""
        return name in self._entries and not self.is_special(name)

    def is_special(self, name: str) -> bool:
        """Whether something stands under this name that is no regular file: a link, a folder, a pipe."""
        return name in self._entries and not self._entries[name].is_file(follow_symlinks=False)

    def read(self, name: str) -> bytes | None:
        """The content of a regular file, ``None`` for anything else."""
        return (self._path / name).read_bytes() if self.has(name) else None


def _require_folders(out: Path, name: str) -> bool:
    """Whether the folder exists; raises :class:`OmecError` when a link or a file stands in its place or above it."""
    path = out
    if not name:
        return out.is_dir()
    for step in name.split("/"):
        path = path / step
        try:
            mode = path.lstat().st_mode
        except FileNotFoundError:
            return False
        if not stat.S_ISDIR(mode):
            what = "a symbolic link" if stat.S_ISLNK(mode) else "a file"
            raise OmecError(
                f"{path} is {what}, but the output needs a folder there",
                hint="remove it, or compile to another folder",
                code=OUTPUT_NOT_A_FOLDER.code,
            )
    return True


def _text(content: bytes) -> str:
    """The bytes as text; what is no UTF-8 becomes something that is no line of an index either."""
    return content.decode("utf-8", "surrogateescape")


def _bytes(content: Index) -> bytes | None:
    return content.text().encode() or None
