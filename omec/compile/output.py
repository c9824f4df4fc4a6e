"""The output folder: what compile would change in it, and the change itself (docs/output.md)."""

from __future__ import annotations

import os
from collections.abc import Collection, Container, Iterable, Mapping, Sequence
from pathlib import Path

import msgspec

from omec.compile.check import unified_diff
from omec.compile.index import INDEX_NAME
from omec.compile.layout import OutputFile
from omec.compile.output_folder import Action, Change, FolderPlan
from omec.compile.output_part import OutputPart, PartPlan, marked_environments
from omec.compile.output_rules import FOREIGN_FILE, OUTPUT_IS_SOURCE, OUTPUT_NOT_A_FOLDER, OUTPUT_UNWRITABLE
from omec.compile.transaction import Transaction, remove_empty
from omec.errors import OmecError

ATTRIBUTES_NAME = ".gitattributes"
ATTRIBUTES = f"{INDEX_NAME} merge=union linguist-generated\n".encode()
"""Written with the first compile, never again: two branches may add neighbouring entries to one index."""

_SHOWN = 3


class OutputPlan(msgspec.Struct, frozen=True):
    """What compile would do to the output folder ``out``; nothing is done before :meth:`apply`.

    ``marks`` are the files that say which folders are environments; ``removed`` are the environments that are deleted.
    """

    out: Path
    folders: tuple[FolderPlan, ...]
    is_first: bool
    marks: tuple[Change, ...] = ()
    removed: tuple[str, ...] = ()

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
        """Compare an output without environments with what is there; the arguments are those of :class:`OutputPart`."""
        part = OutputPart(folders, keep=keep, only=only, kept_sources=kept_sources)
        return cls.of_parts(out, [part], prune=only is None)

    @classmethod
    def of_parts(cls, out: Path, parts: Sequence[OutputPart], *, prune: bool) -> OutputPlan:
        """Compare ``parts`` with what is there; with ``prune``, everything else that omec wrote there is deleted.

        Raises :class:`OmecError` when a file of somebody else stands in the way, or an index is not what omec wrote.
        """
        names = [part.name for part in parts]
        try:
            _require_folder(out)
            removed = [name for name in marked_environments(out) if name not in names] if prune else []
            old = [*removed, *([""] if prune and "" not in names else [])]
            plans = [part.plan(out) for part in (*parts, *(OutputPart(name=name) for name in old))]
        except OSError as error:
            raise OmecError(
                f"cannot read the output {error.filename or out}: {error.strerror or error}",
                hint="check its permissions, or compile to another folder",
                code=OUTPUT_UNWRITABLE.code,
            ) from error
        _refuse_foreign([f"{out}/{path}" for plan in plans for path in plan.foreign])
        return cls._of_plans(out, plans, removed)

    @classmethod
    def _of_plans(cls, out: Path, plans: Sequence[PartPlan], removed: Sequence[str]) -> OutputPlan:
        return cls(
            out,
            tuple(folder for plan in plans for folder in plan.folders),
            is_first=all(plan.is_first for plan in plans),
            marks=tuple(plan.mark for plan in plans if plan.mark is not None),
            removed=tuple(removed),
        )

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
        self._add(transaction, (mark for mark in self.marks if mark.after is not None))
        for plan in self.folders:
            if plan.interim_index is not None:
                transaction.write(self.out / plan.index.path, plan.interim_index)
        self._add(transaction, self.changes)
        self._add(transaction, (plan.provenance for plan in self.folders))
        for plan in self.folders:
            if plan.interim_index is None or plan.interim_index != plan.index.after:
                self._add(transaction, [plan.index])
        self._add(transaction, (mark for mark in self.marks if mark.after is None))
        transaction.run()
        self._remove_empty_folders()

    def _all_changes(self) -> Iterable[Change]:
        for plan in self.folders:
            yield from plan.objects
            yield plan.provenance
            yield plan.index
        yield from self.marks

    def _add(self, transaction: Transaction, changes: Iterable[Change]) -> None:
        for change in changes:
            if change.action is Action.UNCHANGED:
                continue
            if change.after is None:
                transaction.delete(self.out / change.path)
            else:
                transaction.write(self.out / change.path, change.after)

    def _remove_empty_folders(self) -> None:
        for plan in reversed(self.folders):
            if plan.index.after is None:
                folder = self.out / plan.name
                remove_empty(path for path in (folder, *folder.parents) if self.out in path.parents)


def require_separate(out: Path, source_roots: Iterable[Path]) -> None:
    """Refuse an output folder that is the root of the source, by whatever name; it may lie inside."""
    for root in source_roots:
        if os.path.realpath(root) == os.path.realpath(out):
            raise OmecError(
                f"the output {out} is the source itself",
                hint="compile to a folder of its own, for example 'rendered' below it",
                code=OUTPUT_IS_SOURCE.code,
            )


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
