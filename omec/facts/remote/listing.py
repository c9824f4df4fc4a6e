"""A tree of files of which only the names are at hand."""

from __future__ import annotations

from collections.abc import Iterable

from omec.facts.tree import Entry, UnreadableError

NO_SUCH_FILE = "no such file or directory"
IS_A_FOLDER = "is a directory"


class Listing:
    """Files by path, and the folders that follow from them. Paths that could lead anywhere else are left out."""

    def __init__(self, paths: Iterable[str]) -> None:
        self._folders: dict[str, dict[str, bool]] = {"": {}}
        self._files: set[str] = set()
        for path in paths:
            if _is_plain(path):
                self._add(path)

    def is_file(self, path: str) -> bool:
        return path in self._files

    def exists(self, path: str) -> bool:
        return path in self._files or path in self._folders

    def entries(self, folder: str) -> list[Entry]:
        """What ``folder`` holds, ordered by the bytes of the names; raises :class:`UnreadableError`."""
        if folder not in self._folders:
            raise UnreadableError(folder, NO_SUCH_FILE)
        names = self._folders[folder]
        return [Entry(name, names[name]) for name in sorted(names, key=str.encode)]

    def require_file(self, path: str) -> None:
        """Raise :class:`UnreadableError` unless there is a file ``path``."""
        if path not in self._files:
            raise UnreadableError(path, IS_A_FOLDER if path in self._folders else NO_SUCH_FILE)

    def _add(self, path: str) -> None:
        folder, _, name = path.rpartition("/")
        self._files.add(path)
        self._folders.setdefault(folder, {})[name] = False
        while folder:
            parent, _, name = folder.rpartition("/")
            siblings = self._folders.setdefault(parent, {})
            if siblings.get(name):
                return
            siblings[name] = True
            folder = parent


def _is_plain(path: str) -> bool:
    parts = path.split("/")
    return path.isprintable() and not any(part in ("", ".", "..") for part in parts)
