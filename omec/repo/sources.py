"""From what a user names to the files to read: folders and files on disk or in a Git revision, stdin, a build."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import BinaryIO

import msgspec

from omec.errors import OmecError
from omec.repo import source_rules
from omec.repo.ignore import IgnoreList, IgnoreRules
from omec.repo.tree import DiskTree, EntryKind, FileTooLargeError, Tree, contains, join
from omec.repo.walk import CHART_FILE, TEMPLATES, SourceFile, Start, Walk

STDIN = "-"
_STDIN_SHOWN = "<stdin>"

PathLike = str | Path


class Selection(msgspec.Struct):
    """What to leave out: ``exclude`` globs relative to ``root``, and the paths ``skip``."""

    exclude: Sequence[str] = ()
    skip: Sequence[Path] = ()
    root: Path = msgspec.field(default_factory=Path.cwd)

    def walk(self, tree: Tree, top: str = "") -> Walk:
        """A walk of ``tree``, whose paths are absolute or relative to ``top``."""
        skipped = (os.path.realpath(path) for path in self.skip)
        return Walk(tree, IgnoreList(self.exclude), [_inside(path, top) for path in skipped if contains(top, path)])

    def start(self, walk: Walk, path: PathLike, location: str, tree: Tree, top: str, on_disk: str = "") -> None:
        """Add to ``walk`` what is at ``location``; ``top`` is the root of its repository, ``path`` the user's name.

        ``on_disk`` is the absolute path that locations are relative to, if they are.
        """
        is_folder = tree.kind(location) is EntryKind.FOLDER if location else True
        folder = location if is_folder else _parent(location)
        absolute = join(on_disk, location) if on_disk and location else on_disk or location
        root = os.path.realpath(self.root)
        start = Start(
            location=location,
            shown=shown_path(path),
            source=_from(root, absolute),
            excluded_at=_inside(absolute, root) if contains(root, absolute) else "",
            top=top,
            rules=_rules_above(walk, top, location) if is_folder else IgnoreRules(),
            in_templates=_in_templates(tree, folder),
        )
        (walk.folder if is_folder else walk.file)(start)


def stdin_file(stdin: BinaryIO | None) -> SourceFile:
    """The stream ``stdin`` as a file."""
    if stdin is None:
        raise OmecError(
            "there is no stdin to read from",
            hint="give a file or folder instead of -",
            code=source_rules.MISSING.code,
        )
    return SourceFile(_STDIN_SHOWN, _STDIN_SHOWN, lambda limit: _limited(stdin.read(limit + 1), limit))


def built_file(overlay: str, root: Path) -> SourceFile:
    """The build of a kustomize overlay as a file that bears the overlay's name."""
    from omec.repo.kustomize import build  # noqa: PLC0415  (few runs need it)

    data = build(overlay)
    return SourceFile(
        shown_path(overlay) or ".",
        _from(os.path.realpath(root), os.path.realpath(overlay)),
        lambda limit: _limited(data, limit),
    )


def walk_disk(paths: Sequence[PathLike], selection: Selection) -> Walk:
    """The files at and below ``paths`` on disk; raises :class:`OmecError` for a path that does not exist."""
    tree = DiskTree()
    walk = selection.walk(tree)
    for path in paths:
        location = _existing(tree, path)
        folder = location if tree.kind(location) is EntryKind.FOLDER else _parent(location)
        selection.start(walk, path, location, tree, find_repository(folder) or folder)
    walk.links()
    return walk


def in_order(walks: Iterable[Walk]) -> list[SourceFile]:
    """The files that ``walks`` have found, by their paths."""
    return sorted((file for walk in walks for file in walk.files.values()), key=lambda file: file.path)


def walk_revision(paths: Sequence[PathLike], revision: str, selection: Selection, stack: ExitStack) -> list[Walk]:
    """The files at and below ``paths`` in a Git revision, a walk for each repository.

    ``stack`` closes the repositories. Raises :class:`OmecError` for a path in no repository, an unknown revision, and
    a path that the revision does not have.
    """
    from omec.repo.revision import RevisionTree, not_a_repository, open_revision  # noqa: PLC0415  (few runs need it)

    walks: dict[str, tuple[RevisionTree, Walk]] = {}
    for path in paths:
        absolute, top = _in_repository(path)
        if top is None:
            raise not_a_repository(path)
        real_top = os.path.realpath(top)
        if real_top not in walks:
            tree = open_revision(top, revision)
            stack.callback(tree.close)
            walks[real_top] = tree, selection.walk(tree, real_top)
        tree, walk = walks[real_top]
        try:
            location = tree.resolve(_inside(absolute, top))
            selection.start(walk, path, location, tree, "", on_disk=real_top)
        except OSError as error:
            raise OmecError(
                f"revision {revision} has no {path}",
                hint=f"check the path with git ls-tree {revision}",
                code=source_rules.NOT_IN_REVISION.code,
            ) from error
    for _, walk in walks.values():
        walk.links()
    return [walk for _, walk in walks.values()]


def shown_path(path: PathLike) -> str:
    """``path`` for the user: relative to the current folder when below it (``""`` for itself), else as given."""
    absolute, current = os.path.abspath(path), os.getcwd()  # noqa: PTH100, PTH109  (links stay as the user wrote them)
    return _inside(absolute, current) if contains(current, absolute) else Path(path).as_posix()


def _from(root: str, path: str) -> str:
    """``path`` as a relative path from ``root``, ``""`` for the root itself."""
    relative = os.path.relpath(path, root)
    return "" if relative == os.curdir else relative


def find_repository(location: str) -> str | None:
    """The root of the Git work tree that the absolute path ``location`` lies in, existing or not."""
    while not os.path.exists(join(location, ".git")):  # noqa: PTH110
        if location == "/":
            return None
        location = _parent(location)
    return location


def _in_repository(path: PathLike) -> tuple[str, str | None]:
    """``path`` as an absolute path, and the root of its repository.

    Links stay as they are where possible: inside the repository, those of the revision count, not those on disk.
    """
    absolute = os.path.abspath(path)  # noqa: PTH100
    if top := find_repository(absolute):
        return absolute, top
    real = os.path.realpath(path)
    return real, find_repository(real)


def _existing(tree: DiskTree, path: PathLike) -> str:
    try:
        return tree.resolve(os.path.abspath(path))  # noqa: PTH100
    except FileNotFoundError:
        raise OmecError(
            f"{path} does not exist",
            hint="give a file or folder of manifests, or - for stdin",
            code=source_rules.MISSING.code,
        ) from None
    except (OSError, ValueError) as error:  # a NUL character is a ValueError
        raise OmecError(
            f"{path} cannot be read: {(getattr(error, 'strerror', None) or str(error)).lower()}",
            hint="repair the link or the permissions, or give another path",
            code=source_rules.MISSING.code,
        ) from None


def _rules_above(walk: Walk, top: str, folder: str) -> IgnoreRules:
    """What the ``.gitignore`` files above ``folder`` say of what is in it.

    Nothing, if they ignore the folder itself: who names an ignored folder wants it read.
    """
    rules, above = IgnoreRules(), top
    for name in _inside(folder, top).split("/") if folder != top else ():
        with suppress(OSError):  # most folders have no .gitignore
            rules = rules.inside(above, walk.ignore_list(above))
        above = join(above, name)
        if rules.ignores(above, folder=True):
            return IgnoreRules()
    return rules


def _in_templates(tree: Tree, folder: str) -> bool:
    """Whether ``folder`` is, or lies in, the ``templates`` folder of a Helm chart."""
    while folder not in ("", "/"):
        parent, name = _parent(folder), folder.rpartition("/")[2]
        if name == TEMPLATES and any(entry.name == CHART_FILE for entry in tree.entries(parent)):
            return True
        folder = parent
    return False


def _inside(path: str, folder: str) -> str:
    """``path``, which ``folder`` contains, relative to it; ``""`` for the folder itself."""
    return path[len(folder) :].lstrip("/") if folder else path


def _parent(path: str) -> str:
    return path.rpartition("/")[0] or ("/" if path.startswith("/") else "")


def _limited(data: bytes, limit: int) -> bytes:
    if len(data) > limit:
        raise FileTooLargeError(len(data))
    return data
