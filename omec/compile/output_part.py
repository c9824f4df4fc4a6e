"""One part of the output: the whole of it, or the folder of one environment."""

from __future__ import annotations

import os
import re
from collections.abc import Collection, Container, Iterable, Iterator, Mapping, Sequence
from pathlib import Path

import msgspec
from msgspec.structs import replace

from omec.compile.certainty import Everything
from omec.compile.index import INDEX_NAME
from omec.compile.layout import CLUSTER_FOLDER, SHARED_FOLDER, OutputFile
from omec.compile.output_folder import Change, FolderPlan, below, indexed_files, plan_folder

MARK_NAME = ".omec-environment"
"""The file that says that a folder is an environment of the output above it."""
MARK = b"# omec environment 1: omec compile wrote this folder for one environment. Do not edit.\n"
_MARK_BEGIN = b"# omec environment "

_FOLDER_NAME = re.compile(r"[a-z0-9][a-z0-9.-]*")


class OutputPart(msgspec.Struct, frozen=True):
    """What one compilation wants to have below the folder ``name`` of the output (``""`` is the output itself).

    Folders of ``keep`` stay as they are. With ``only``, other folders than those lose nothing: they get what is in
    ``folders``. Files that an index says were made from a manifest of ``kept_sources`` are not deleted: what could not
    be read is not gone. ``provenance`` are the indexes of origins by folder.
    """

    folders: Mapping[str, Sequence[OutputFile]] = msgspec.field(default_factory=dict)
    name: str = ""
    keep: Collection[str] = ()
    only: Collection[str] | None = None
    kept_sources: Container[str] = ()
    kustomization: bool = False
    provenance: Mapping[str, bytes] = msgspec.field(default_factory=dict)

    def plan(self, out: Path) -> PartPlan:
        """Compare this part with what is there; raises as :func:`omec.compile.output_folder.plan_folder` does."""
        top = out / self.name
        indexed = list(_indexed_folders(top))
        touched = [
            name
            for name in sorted({*indexed, *self.folders} - set(self.keep))
            if self._is_whole(name) or name in self.folders
        ]
        plans = [self._folder(out, name) for name in touched]
        if self.kustomization:
            plans = [replace(plan, strangers=()) for plan in plans]  # nothing applies what no kustomization lists
        if self.kustomization or os.path.lexists(top / INDEX_NAME):
            others = [below(self.name, name) for name in indexed if name not in touched]
            plans.append(self._top(out, plans, others))
        mark = self._mark(out, plans)
        foreign = [path for plan in plans for path in plan.foreign]
        if mark is not None and _is_in_the_way(out, mark):
            foreign.append(mark.path)
        return PartPlan(tuple(plans), mark, tuple(foreign), is_first=not indexed)

    def _is_whole(self, name: str) -> bool:
        """Whether this part knows all that is to be in the folder ``name``."""
        return self.only is None or name in self.only

    def _folder(self, out: Path, name: str) -> FolderPlan:
        files, folder = self.folders.get(name, ()), below(self.name, name)
        if self._is_whole(name):
            return plan_folder(out, folder, files, self.kept_sources, self.provenance.get(name))
        plan = plan_folder(out, folder, files, Everything())
        return replace(plan, provenance=replace(plan.provenance, after=plan.provenance.before))

    def _top(self, out: Path, plans: Iterable[FolderPlan], others: Iterable[str]) -> FolderPlan:
        """The folder of the part itself, which holds the list of all files: of ``plans``, and of the ``others``."""
        from omec.compile.kustomization import OTHER_NAMES, kustomization  # noqa: PLC0415 - few ask for it

        files = []
        if self.kustomization:
            paths = [path for plan in plans for path in plan.files]
            paths += (path for name in others for path in indexed_files(out, name))
            files = kustomization(path.removeprefix(f"{self.name}/") for path in paths)
        plan = plan_folder(out, self.name, files, ())
        in_the_way = [below(self.name, name) for name in OTHER_NAMES if os.path.lexists(out / self.name / name)]
        return replace(plan, strangers=(), foreign=(*plan.foreign, *(in_the_way if files else ())))

    def _mark(self, out: Path, plans: Iterable[FolderPlan]) -> Change | None:
        """The mark of an environment, which stays as long as there are objects."""
        if not self.name:
            return None
        path = out / self.name / MARK_NAME
        before = path.read_bytes() if _is_file(path) else None
        if any(plan.index.after is not None for plan in plans):
            after: bytes | None = MARK
        else:
            after = before if self.keep or self.only is not None else None
        return Change(below(self.name, MARK_NAME), before, after)


class PartPlan(msgspec.Struct, frozen=True):
    """What becomes of a part: its folders, and its mark where it is an environment.

    ``foreign`` are files of somebody else that stand in the way; ``is_first`` says that omec has written nothing there
    yet.
    """

    folders: tuple[FolderPlan, ...]
    mark: Change | None
    foreign: tuple[str, ...]
    is_first: bool


def marked_environments(out: Path) -> list[str]:
    """The environments that omec has written to the output ``out``."""
    return [name for name in _folders(out) if os.path.lexists(out / name / MARK_NAME)]


def _is_file(path: Path) -> bool:
    """Whether there is a regular file, not a link to one."""
    return path.is_file() and not path.is_symlink()


def _is_in_the_way(out: Path, mark: Change) -> bool:
    """Whether somebody else has put something where ``mark`` is to be written."""
    if mark.after is None or (mark.before is not None and mark.before.startswith(_MARK_BEGIN)):
        return False
    return os.path.lexists(out / mark.path)


def _indexed_folders(top: Path) -> Iterator[str]:
    """The folders that omec has written: ``_cluster``, ``NAMESPACE/_shared`` and ``NAMESPACE/SERVICE`` with an index.

    Nothing deeper: an output of its own may lie inside this one.
    """
    for namespace in _folders(top):
        if namespace == CLUSTER_FOLDER:
            candidates = [namespace]
        elif _FOLDER_NAME.fullmatch(namespace):
            candidates = [
                f"{namespace}/{folder}"
                for folder in _folders(top / namespace)
                if folder == SHARED_FOLDER or _FOLDER_NAME.fullmatch(folder)
            ]
        else:
            continue
        yield from (folder for folder in candidates if os.path.lexists(top / folder / INDEX_NAME))


def _folders(path: Path) -> list[str]:
    try:
        with os.scandir(path) as entries:
            return sorted(entry.name for entry in entries if entry.is_dir(follow_symlinks=False))
    except FileNotFoundError:
        return []
