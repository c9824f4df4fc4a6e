"""The walk through a tree: which files are manifests, in a stable order, each real file once."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import NamedTuple

from omec.finding import Finding, Position
from omec.repo import rules
from omec.repo.ignore import IgnoreList, IgnoreRules
from omec.repo.note import Note
from omec.repo.tree import EntryKind, LinkLoopError, OutsideError, Tree, contains, join

SUFFIXES = (".yaml", ".yml", ".json")
CHART_FILE = "Chart.yaml"
TEMPLATES = "templates"
MAX_FILE_BYTES = 10 * 1024 * 1024
"""The default limit of a file; etcd accepts no object above 1.5 MiB."""

OUTPUT_MARK = ".omec-index"
"""The file that compile leaves in every folder it writes: such a folder is read only where it is named itself."""

_OUTPUT_LIST = "kustomization.yaml"
_IGNORE_FILE = ".gitignore"
_IGNORE_FILE_LIMIT = 1 << 20
_DEPENDENCIES = "node_modules"


class SourceFile(NamedTuple):
    """A file to read: its path as shown to the user, its path from the configuration's folder, and how to read it.

    ``read`` takes the limit in bytes; it raises ``OSError``, beyond the limit
    :class:`omec.repo.tree.FileTooLargeError`.
    """

    path: str
    source: str
    read: Callable[[int], bytes]
    is_chart_template: bool = False


class Start(NamedTuple):
    """Where a walk begins.

    ``location`` is the real path in the tree, ``shown`` the path as shown to the user (``""`` for the current
    folder), ``source`` the path from the configuration's folder, ``excluded_at`` the path that ``exclude`` globs see;
    ``top`` is the root of its repository, or the folder itself where it lies in none; ``in_templates`` says whether it
    is, or lies in, the ``templates`` folder of a Helm chart.
    """

    location: str
    shown: str
    source: str
    excluded_at: str
    top: str
    rules: IgnoreRules
    in_templates: bool = False

    @property
    def place(self) -> _Place:
        return _Place(self.location, "", self.rules, self.in_templates)


class _Place(NamedTuple):
    """A folder or link on the walk: ``below`` is its path from the start, through links."""

    location: str
    below: str
    rules: IgnoreRules
    in_templates: bool = False


class Walk:
    """Collects the files of one tree below any number of starts.

    Hidden folders, ``node_modules``, what omec itself has written, ignored and excluded paths and the ``skip``
    locations are left out. Links to files and folders are followed once everything that is no link has been found;
    what was found before is not read a second time. No link is followed out of its repository, unless it leads to
    another start or below it.
    """

    def __init__(self, tree: Tree, exclude: IgnoreList, skip: Iterable[str] = ()) -> None:
        self.files: dict[str, SourceFile] = {}
        self.findings: list[Finding] = []
        self.notes: list[Note] = []
        self._tree = tree
        self._exclude = exclude
        self._skip = frozenset(skip)
        self._folders: set[str] = set()
        self._starts: list[str] = []
        self._links: list[tuple[Start, _Place]] = []

    def file(self, start: Start) -> None:
        """Add the file at ``start``, whatever its name."""
        self._starts.append(start.location)
        self._add(start, start.place, self._tree.kind(start.location))

    def folder(self, start: Start) -> None:
        """Add the files in the folder at ``start`` and below it, but for links: see :meth:`links`."""
        self._starts.append(start.location)
        self._walk(start, start.place)

    def links(self) -> None:
        """Follow the links that were met."""
        for start, place in self._links:  # following a link may append more
            self._follow(start, place)

    def _walk(self, start: Start, top: _Place) -> None:
        pending = [top]
        while pending:
            place = pending.pop()
            if place.location in self._folders or place.location in self._skip:
                continue
            self._folders.add(place.location)
            try:
                pending.extend(reversed(self._scan(start, place)))
            except OSError as error:
                self._unreadable(_shown(start, place), f"folder cannot be read: {_reason(error)}")

    def _scan(self, start: Start, folder: _Place) -> list[_Place]:
        """Add the files of one folder; the folders in it."""
        entries = self._tree.entries(folder.location)
        files = {entry.name for entry in entries if entry.kind is EntryKind.FILE}
        if OUTPUT_MARK in files:
            if folder.below:
                return []
            entries = [entry for entry in entries if entry.name != _OUTPUT_LIST]
        active = folder.rules
        if _IGNORE_FILE in files:
            active = active.inside(folder.location, self.ignore_list(folder.location))
        folders: list[_Place] = []
        for entry in entries:
            kind = entry.kind
            if kind is not EntryKind.FOLDER and kind is not EntryKind.LINK and not is_manifest(entry.name):
                continue
            in_templates = folder.in_templates or (entry.name == TEMPLATES and CHART_FILE in files)
            place = _Place(join(folder.location, entry.name), join(folder.below, entry.name), active, in_templates)
            if place.location in self._skip or self._left_out(start, place, kind):
                continue
            if kind is EntryKind.FOLDER:
                if not entry.name.startswith(".") and entry.name != _DEPENDENCIES:
                    folders.append(place)
            elif kind is EntryKind.LINK:
                self._links.append((start, place))
            else:
                self._add(start, place, kind)
        return folders

    def ignore_list(self, folder: str) -> IgnoreList:
        data = self._tree.read(join(folder, _IGNORE_FILE), _IGNORE_FILE_LIMIT)
        return IgnoreList(data.decode("utf-8", "replace").splitlines())

    def _left_out(self, start: Start, place: _Place, kind: EntryKind) -> bool:
        path = join(start.excluded_at, place.below)
        is_folder = kind is EntryKind.FOLDER
        excluded = self._exclude.decide(path, folder=is_folder) or (
            kind is EntryKind.LINK and self._exclude.decide(path, folder=True)
        )
        return bool(excluded) or place.rules.ignores(place.location, folder=is_folder)

    def _add(self, start: Start, place: _Place, kind: EntryKind = EntryKind.FILE) -> None:
        shown = _shown(start, place)
        if kind is EntryKind.OTHER:
            self._unreadable(shown, "not a regular file but a pipe, socket, device or submodule: not read")
            return
        tree, location = self._tree, place.location
        source = _printable(join(start.source, place.below) if place.below else start.source)
        file = SourceFile(shown, source, lambda limit: tree.read(location, limit), place.in_templates)
        self.files.setdefault(location, file)

    def _follow(self, start: Start, link: _Place) -> None:
        shown = _shown(start, link)
        try:
            real = self._tree.resolve(link.location)
            if not any(contains(top, real) for top in (start.top, *self._starts)):
                raise OutsideError
            kind = self._tree.kind(real)
        except LinkLoopError:
            self._loop(shown, "symbolic links lead in a circle")
            return
        except OutsideError:
            self._outside(shown)
            return
        except OSError as error:
            if is_manifest(link.location):
                self._unreadable(shown, f"symbolic link cannot be followed: {_reason(error)}")
            else:
                self.notes.append(Note(shown, f"symbolic link leads nowhere ({_reason(error)}): skipped"))
            return
        if any(contains(skipped, real) for skipped in self._skip):
            return
        if kind is EntryKind.FOLDER:
            self._follow_folder(start, link, real)
        elif is_manifest(link.location) and real in self.files:
            self.notes.append(Note(shown, f"symbolic link to {self.files[real].path}, which is read itself: skipped"))
        elif is_manifest(link.location):
            self._add(start, _Place(real, link.below, link.rules), kind)

    def _follow_folder(self, start: Start, link: _Place, real: str) -> None:
        parent = link.location.rpartition("/")[0]
        if contains(real, parent):
            self._loop(_shown(start, link), "symbolic link leads back to a folder above it")
        else:
            self._walk(start, _Place(real, link.below, IgnoreRules()))

    def _unreadable(self, shown: str, message: str) -> None:
        self.findings.append(
            Finding(rules.UNREADABLE, message, Position(shown), help="repair or remove it, or exclude it from reading")
        )

    def _outside(self, shown: str) -> None:
        message = "symbolic link leads out of the repository"
        if is_manifest(shown):
            finding = Finding(rules.LINK_OUTSIDE, message, Position(shown), help=rules.LINK_OUTSIDE.remedy)
            self.findings.append(finding)
        else:
            self.notes.append(Note(shown, f"{message}: skipped"))

    def _loop(self, shown: str, message: str) -> None:
        self.findings.append(
            Finding(rules.LINK_LOOP, message, Position(shown), help="remove the link, or exclude it from reading")
        )


def is_manifest(name: str) -> bool:
    """Whether a file of that name may hold manifests."""
    return name.lower().endswith(SUFFIXES)


def _shown(start: Start, place: _Place) -> str:
    return _printable(join(start.shown, place.below) if place.below else start.shown) or "."


def _printable(path: str) -> str:
    """``path`` with U+FFFD for bytes of a file name that are not UTF-8, which no stream could print."""
    return path if path.isascii() else path.encode("utf-8", "surrogateescape").decode("utf-8", "replace")


def _reason(error: OSError) -> str:
    return (error.strerror or str(error)).lower()
