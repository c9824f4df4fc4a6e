"""From what a user names to the files to read: folders and files on disk, or in a Git revision."""

from __future__ import annotations

import os
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from omec.errors import OmecError
from omec.repo.ignore import IgnoreList, IgnoreRules
from omec.repo.tree import DiskTree, EntryKind, Tree, contains, join
from omec.repo.walk import CHART_FILE, TEMPLATES, Start, Walk

MISSING = "OME020"


def walk_disk(paths: Sequence[str | Path], exclude: IgnoreList, skip: Sequence[Path], root: Path) -> Walk:
    """The files at and below ``paths``; raises :class:`OmecError` for a path that does not exist."""
    tree = DiskTree()
    walk = Walk(tree, exclude, [os.path.realpath(path) for path in skip])
    for path in paths:
        location = _existing(tree, path)
        is_folder = tree.kind(location) is EntryKind.FOLDER
        _begin(walk, tree, path, location, repository_root(location), root, is_folder=is_folder)
    walk.links()
    return walk


def _existing(tree: DiskTree, path: str | Path) -> str:
    try:
        return tree.resolve(os.path.abspath(path))  # noqa: PTH100  (links stay as the user wrote them until here)
    except FileNotFoundError:
        raise OmecError(
            f"{path} does not exist", hint="give a file or folder of manifests, or - for stdin", code=MISSING
        ) from None
    except OSError as error:
        raise OmecError(
            f"{path} cannot be read: {(error.strerror or str(error)).lower()}",
            hint="repair the link or the permissions, or give another path",
            code=MISSING,
        ) from None


def _begin(walk: Walk, tree: Tree, path: str | Path, location: str, top: str, root: Path, *, is_folder: bool) -> None:
    folder = location if is_folder else location.rpartition("/")[0] or "/"
    if not contains(top, folder):
        top = folder
    start = Start(
        location=location,
        shown=shown_path(path),
        source=location[len(join(top, "x")) - 1 :] if location != top else "",
        excluded_at=_relative(location, os.path.realpath(root)),
        rules=_rules_above(walk, top, location) if is_folder else IgnoreRules(),
        in_templates=_in_templates(tree, folder, top),
    )
    if is_folder:
        walk.folder(start)
    else:
        walk.file(start)


def _rules_above(walk: Walk, top: str, folder: str) -> IgnoreRules:
    """What the ``.gitignore`` files above ``folder`` say of what is in it.

    Nothing, if they ignore the folder itself: who names an ignored folder wants it read.
    """
    rules = IgnoreRules()
    above = top
    for name in folder[len(top) :].strip("/").split("/") if folder != top else ():
        with suppress(OSError):  # most folders have no .gitignore
            rules = rules.inside(above, walk.ignore_list(above))
        above = join(above, name)
        if rules.ignores(above, folder=True):
            return IgnoreRules()
    return rules


def _in_templates(tree: Tree, folder: str, top: str) -> bool:
    """Whether ``folder`` is, or lies in, the ``templates`` folder of a Helm chart."""
    while folder != top:
        folder, _, name = folder.rpartition("/")
        if name == TEMPLATES and any(entry.name == CHART_FILE for entry in tree.entries(folder or "/")):
            return True
    return False


def _relative(location: str, root: str) -> str:
    """``location`` as ``exclude`` globs see it: relative to ``root``, or a root of its own when it lies elsewhere."""
    return location[len(join(root, "x")) - 1 :] if location != root and contains(root, location) else ""


def shown_path(path: str | Path) -> str:
    """``path`` for the user: relative to the current folder when below it (``""`` for itself), else as given."""
    absolute, current = os.path.abspath(path), os.getcwd()  # noqa: PTH100, PTH109
    if absolute == current:
        return ""
    if contains(current, absolute):
        return absolute[len(join(current, "x")) - 1 :]
    return Path(path).as_posix()


def repository_root(location: str) -> str:
    """The root of the Git work tree that ``location`` (absolute) is in; itself (a file: its folder) without one."""
    folder = location if os.path.isdir(location) else os.path.dirname(location)  # noqa: PTH112, PTH120
    candidate = folder
    while not os.path.exists(os.path.join(candidate, ".git")):  # noqa: PTH110, PTH118
        parent = os.path.dirname(candidate)  # noqa: PTH120
        if parent == candidate:
            return folder
        candidate = parent
    return candidate
