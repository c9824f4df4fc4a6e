"""The output folder: what compile would change in it, and the change itself (docs/output.md)."""

from __future__ import annotations

import os
import re
from collections.abc import Collection, Container, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from omec.compile.check import unified_diff
from omec.compile.index import INDEX_NAME
from omec.compile.layout import CLUSTER_FOLDER, SHARED_FOLDER, OutputFile
from omec.compile.output_folder import Action, Change, FolderPlan, plan_folder
from omec.compile.output_rules import FOREIGN_FILE, OUTPUT_IS_SOURCE, OUTPUT_NOT_A_FOLDER, OUTPUT_UNWRITABLE
from omec.compile.transaction import Transaction, remove_empty
from omec.errors import OmecError

ATTRIBUTES_NAME = ".gitattributes"
ATTRIBUTES = f"{INDEX_NAME} merge=union linguist-generated\n".encode()
"""Written with the first compile, never again: two branches may add neighbouring entries to one index."""

_FOLDER_NAME = re.compile(r"[a-z0-9][a-z0-9.-]*")
_SHOWN = 3


@dataclass(frozen=True, slots=True)
class OutputPlan:
    """What compile would do to the output folder ``out``; nothing is done before :meth:`apply`."""

    out: Path
    folders: tuple[FolderPlan, ...]
    is_first: bool

    @classmethod
    def build(
        cls,
        out: Path,
        folders: Mapping[str, Sequence[OutputFile]],
        *,
        keep: Collection[str] = (),
        only: Collection[str] | None = None,
        kept_sources: Container[str] = (),
    ) -> OutputPlan:
        """Compare ``folders`` (by path below ``out``) with what is there.

        Folders of ``keep`` stay as they are, and with ``only`` all folders but those. Files that an index says were
        made from a manifest of ``kept_sources`` are not deleted: what could not be read is not gone. Raises
        :class:`OmecError` when a file of somebody else stands in the way, or an index is not what omec wrote.
        """
        try:
            _require_folder(out)
            indexed = set(_indexed_folders(out))
            touched = sorted({*indexed, *folders} - set(keep))
            plans = tuple(
                plan_folder(out, name, folders.get(name, ()), kept_sources)
                for name in touched
                if only is None or name in only
            )
        except OSError as error:
            raise OmecError(
                f"cannot read the output {error.filename or out}: {error.strerror or error}",
                hint="check its permissions, or compile to another folder",
                code=OUTPUT_UNWRITABLE.code,
            ) from error
        _refuse_foreign([f"{out}/{path}" for plan in plans for path in plan.foreign])
        return cls(out, plans, is_first=not indexed)

    @property
    def changes(self) -> tuple[Change, ...]:
        """The file of every object, changed or not, in the order of paths."""
        return tuple(change for plan in self.folders for change in plan.objects)

    @property
    def strangers(self) -> tuple[str, ...]:
        """Manifests in omec's folders that are not omec's: nothing reads them, but Argo CD applies them."""
        return tuple(path for plan in self.folders for path in plan.strangers)

    @property
    def is_stale(self) -> bool:
        """Whether :meth:`apply` would change an object or an index."""
        return any(change.action is not Action.UNCHANGED for change in self._all_changes())

    def diff(self) -> str:
        """What :meth:`apply` would change, as a unified diff; empty when the output is up to date."""
        return "".join(
            unified_diff(f"{self.out}/{change.path}", change.before, change.after) for change in self._all_changes()
        )

    def apply(self) -> None:
        """Bring the output up to date; raises :class:`OmecError` where the file system refuses.

        At every moment the indexes name all files that omec has written: entries come before their files and go after
        them. So whatever stops a run, the next one completes it.
        """
        transaction = Transaction()
        for path in (path for plan in self.folders for path in plan.leftovers):
            transaction.discard(self.out / path)
        if self.is_first and self.is_stale and not os.path.lexists(self.out / ATTRIBUTES_NAME):
            transaction.write(self.out / ATTRIBUTES_NAME, ATTRIBUTES)
        for plan in self.folders:
            if plan.interim_index is not None:
                transaction.write(self.out / plan.index.path, plan.interim_index)
        self._add(transaction, self.changes)
        for plan in self.folders:
            if plan.interim_index is None or plan.interim_index != plan.index.after:
                self._add(transaction, [plan.index])
        transaction.run()
        self._remove_empty_folders()

    def _all_changes(self) -> Iterable[Change]:
        for plan in self.folders:
            yield from plan.objects
            yield plan.index

    def _add(self, transaction: Transaction, changes: Iterable[Change]) -> None:
        for change in changes:
            if change.action is Action.UNCHANGED:
                continue
            if change.after is None:
                transaction.delete(self.out / change.path)
            else:
                transaction.write(self.out / change.path, change.after)

    def _remove_empty_folders(self) -> None:
        for plan in self.folders:
            if plan.index.after is None:
                folder = self.out / plan.name
                remove_empty([folder] if plan.name == CLUSTER_FOLDER else [folder, folder.parent])


def require_separate(out: Path, source_roots: Iterable[Path]) -> None:
    """Refuse an output folder that is the root of the source, by whatever name; it may lie inside."""
    for root in source_roots:
        if os.path.realpath(root) == os.path.realpath(out):
            raise OmecError(
                f"the output {out} is the source itself",
                hint="compile to a folder of its own, for example 'rendered' below it",
                code=OUTPUT_IS_SOURCE.code,
            )


def _indexed_folders(out: Path) -> Iterable[str]:
    """The folders that omec has written: ``_cluster``, ``NAMESPACE/_shared`` and ``NAMESPACE/SERVICE`` with an index.

    Nothing deeper: an output of its own may lie inside this one.
    """
    for namespace in _folders(out):
        if namespace == CLUSTER_FOLDER:
            candidates = [namespace]
        elif _FOLDER_NAME.fullmatch(namespace):
            candidates = [
                f"{namespace}/{folder}"
                for folder in _folders(out / namespace)
                if folder == SHARED_FOLDER or _FOLDER_NAME.fullmatch(folder)
            ]
        else:
            continue
        yield from (folder for folder in candidates if os.path.lexists(out / folder / INDEX_NAME))


def _folders(path: Path) -> list[str]:
    try:
        with os.scandir(path) as entries:
            return sorted(entry.name for entry in entries if entry.is_dir(follow_symlinks=False))
    except FileNotFoundError:
        return []


def _require_folder(out: Path) -> None:
    path = out
    while not os.path.lexists(path) and path != path.parent:
        path = path.parent
    if not path.is_dir():
        raise OmecError(f"{path} is not a folder", hint="name a folder for the output", code=OUTPUT_NOT_A_FOLDER.code)


def _refuse_foreign(paths: list[str]) -> None:
    if not paths:
        return
    more = f" and {len(paths) - _SHOWN} more" if len(paths) > _SHOWN else ""
    stand = "stands" if len(paths) == 1 else "stand"
    raise OmecError(
        f"{', '.join(paths[:_SHOWN])}{more} {stand} where omec would write, and omec did not write it before",
        hint="move or delete what stands there, or compile to another folder",
        code=FOREIGN_FILE.code,
    )
