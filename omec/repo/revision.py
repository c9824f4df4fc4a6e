"""A Git revision as a tree of files, read from the object database: no checkout, no change to the work tree."""

from __future__ import annotations

import errno
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from omec.errors import OmecError
from omec.repo import source_rules
from omec.repo.tree import Entry, EntryKind, FileTooLargeError, LinkLoopError, OutsideError, join

if TYPE_CHECKING:
    from git import Repo, Tree

INDEX = ":"
"""In place of a revision: what is staged for the next commit. Git writes ``:PATH`` for a file of it."""

_LINK_MODE = 0o120000
_MAX_LINKS = 40  # as Linux has it
_TEXT_LIMIT = 1 << 20


class RevisionTree:
    """The files of one commit, or of the index; paths are relative to the root of the repository, which is ``""``.

    Close it when done: it keeps a ``git cat-file`` process.
    """

    def __init__(self, repository: Repo, root: Tree) -> None:
        self._repository = repository
        self._folders: dict[str, dict[str, Any]] = {"": {item.name: item for item in root}}

    def close(self) -> None:
        self._repository.close()

    def entries(self, folder: str) -> list[Entry]:
        return [Entry(name, _kind(item)) for name, item in sorted(self._folder(folder).items())]

    def read(self, path: str, limit: int) -> bytes:
        blob = self._item(path)
        if blob.type != "blob":
            raise IsADirectoryError(errno.EISDIR, "is a folder", path)
        with _damage_as_os_error():
            if blob.size > limit:
                raise FileTooLargeError(blob.size)
            data: bytes = blob.data_stream.read()
        return data

    def kind(self, path: str) -> EntryKind:
        return _kind(self._item(path)) if path else EntryKind.FOLDER

    def resolve(self, path: str) -> str:
        resolved, pending, links = "", path.split("/")[::-1], 0
        while pending:
            part = pending.pop()
            if part == "..":
                if not resolved:
                    raise _leaves_repository()
                resolved = resolved.rpartition("/")[0]
            elif part not in ("", "."):
                candidate = join(resolved, part)
                item = self._item(candidate)
                if item.mode != _LINK_MODE:
                    resolved = candidate
                    continue
                links += 1
                if links > _MAX_LINKS:
                    raise LinkLoopError(errno.ELOOP, "symbolic links in a circle")
                with _damage_as_os_error():
                    target = item.data_stream.read().decode("utf-8", "surrogateescape")
                if target.startswith("/"):
                    raise _leaves_repository()
                pending.extend(reversed(target.split("/")))
        return resolved

    def _item(self, path: str) -> Any:
        folder, _, name = path.rpartition("/")
        items = self._folder(folder)
        if name not in items:
            raise FileNotFoundError(errno.ENOENT, "no such file in the revision", path)
        return items[name]

    def _folder(self, path: str) -> dict[str, Any]:
        items = self._folders.get(path)
        if items is None:
            tree = self._item(path)
            if tree.type != "tree":
                raise NotADirectoryError(errno.ENOTDIR, "is not a folder", path)
            with _damage_as_os_error():
                items = self._folders[path] = {item.name: item for item in tree}
        return items


def open_revision(top: str, revision: str) -> RevisionTree:
    """The tree of ``revision`` in the repository at ``top``; any name that ``git rev-parse`` knows.

    Raises :class:`OmecError` where Git does not work there or has no such revision.
    """
    try:
        import git  # noqa: PLC0415  (costs more than reading a repository from disk)
    except ImportError as error:
        raise OmecError(
            f"revision {revision} cannot be read: {str(error).splitlines()[0]}",
            hint="install git, or leave out the revision to read the files on disk",
            code=source_rules.NOT_A_REPOSITORY.code,
        ) from error
    try:
        repository = git.Repo(top)
    except git.GitError as error:
        raise not_a_repository(top) from error
    try:
        return RevisionTree(repository, _root(repository, revision))
    except (git.GitError, git.ODBError, ValueError) as error:
        repository.close()
        stderr = getattr(error, "stderr", "")
        raise _foreign(top) if "dubious ownership" in stderr else _unknown_revision(revision, stderr) from error


def _root(repository: Repo, revision: str) -> Tree:
    if revision == INDEX:
        from git import Tree  # noqa: PLC0415  (already loaded by open_revision)

        return Tree(repository, bytes.fromhex(repository.git.write_tree()), Tree.tree_id << 12, "")
    if revision.startswith("-"):
        raise _unknown_revision(revision, "")
    # Git itself resolves the name, because GitPython knows only a part of the grammar of revisions.
    # In two steps, because what follows :/ is a pattern for the message.
    name = repository.git.rev_parse("--verify", "--quiet", revision)
    return repository.commit(repository.git.rev_parse("--verify", "--quiet", f"{name}^{{commit}}")).tree


def _foreign(top: str) -> OmecError:
    """What every job in a container meets where the clone was made outside of it."""
    return OmecError(
        f"Git does not read {top}, because it belongs to another user",
        hint=f"run git config --global --add safe.directory {top}",
        code=source_rules.NOT_A_REPOSITORY.code,
    )


def _unknown_revision(revision: str, stderr: str) -> OmecError:
    detail = stderr.partition("stderr:")[2].strip(" '\n").splitlines()
    if revision == INDEX:
        return OmecError(
            "what is staged cannot be read" + (f": {detail[0]}" if detail else ""),
            hint="resolve the conflicts and stage the result",
            code=source_rules.UNKNOWN_REVISION.code,
        )
    return OmecError(
        f"Git has no revision {revision}" + (f": {detail[0]}" if detail else ""),
        hint=f"check it with git rev-parse {revision}; in a shallow clone run git fetch --unshallow first",
        code=source_rules.UNKNOWN_REVISION.code,
    )


def not_a_repository(path: str | Path) -> OmecError:
    return OmecError(
        f"{path} is not in a Git repository, so it has no revisions",
        hint="run omec inside the clone, or leave out the revision to read the files on disk",
        code=source_rules.NOT_A_REPOSITORY.code,
    )


@contextmanager
def _damage_as_os_error() -> Iterator[None]:
    from git.exc import GitError, ODBError  # noqa: PLC0415  (already loaded by open_revision)

    try:
        yield
    except (GitError, ODBError, ValueError) as error:
        raise OSError(errno.EIO, "its Git object is missing or damaged") from error


def _leaves_repository() -> OutsideError:
    return OutsideError(errno.EXDEV, "the link leads out of the repository")


def _kind(item: Any) -> EntryKind:
    if item.type == "tree":
        return EntryKind.FOLDER
    if item.type != "blob":
        return EntryKind.OTHER
    return EntryKind.LINK if item.mode == _LINK_MODE else EntryKind.FILE


@contextmanager
def texts_of_revision(start: Path, revision: str) -> Iterator[Callable[[Path], str | None]]:
    """A function that gives the text of a file as it was in ``revision``, ``None`` where there was none.

    ``start`` is an absolute path in the repository. Raises :class:`OmecError` as :func:`open_revision` does.
    """
    from omec.repo.sources import find_repository  # noqa: PLC0415 - which imports this module

    top = find_repository(str(start))
    if top is None:
        raise not_a_repository(start)
    tree = open_revision(top, revision)

    def text_of(path: Path) -> str | None:
        if not path.is_relative_to(top):
            return None
        try:
            return tree.read(tree.resolve(str(path.relative_to(top))), _TEXT_LIMIT).decode("utf-8", "replace")
        except (OSError, FileTooLargeError):
            return None

    try:
        yield text_of
    finally:
        tree.close()
