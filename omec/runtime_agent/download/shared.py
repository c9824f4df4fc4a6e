"""Snapshots of the hub that several models share: one copy, and a relative link for each model (reference 07 §8)."""

from __future__ import annotations

import os
from pathlib import Path

from omec.runtime_agent.download.errors import DownloadError, Kind
from omec.runtime_agent.download.job import Job
from omec.runtime_agent.download.paths import PRIVATE
from omec.runtime_agent.download.stage import beside, make_all

ARTIFACTS = "_artifacts"
_LINK_PREFIX = f"{PRIVATE}-link-"


def shared_directory(job: Job, repository: str, commit: str) -> Path | None:
    """Where the copy of a snapshot is for ``job``; ``None`` where the model has to have its own.

    Raises :class:`DownloadError` where the model's path cannot be a link.
    """
    if not job.shared_root:
        return None
    root, path = Path(job.shared_root), job.target
    if not path.is_absolute() or ".." in path.parts:
        raise DownloadError(Kind.PATH, f"invalid shared Hugging Face artifact child path {job.path}")
    if root not in path.parents:
        raise DownloadError(Kind.PATH, f"child path {job.path} is outside cluster model root {root}")
    if ARTIFACTS in path.parts:
        message = f"direct HF child path cannot be inside the shared artifact directory: {job.path}"
        raise DownloadError(Kind.PATH, message)
    if path.exists() and not path.is_symlink():
        return None  # a directory of its own stays one
    return root / ARTIFACTS / repository / commit


def link(path: Path, directory: Path) -> bool:
    """Make ``path`` a relative link to ``directory``, in one step; whether anything changed."""
    wanted = os.path.relpath(directory, path.parent)
    if path.is_symlink():
        present = path.readlink()
        if str(present) == wanted:
            return False
        if ARTIFACTS not in present.parts:
            raise DownloadError(Kind.PATH, f"{path} is a link that the agent did not make")
    make_all(path.parent)
    temporary = beside(_LINK_PREFIX, path)
    temporary.unlink(missing_ok=True)
    temporary.symlink_to(wanted)
    temporary.replace(path)
    return True


def links_to(root: Path, directory: Path) -> bool:
    """Whether any link below ``root`` leads to ``directory``."""
    wanted = os.path.realpath(directory)
    for folder, names, files in os.walk(root):
        if Path(folder).name == ARTIFACTS:
            names.clear()
            continue
        if any(
            Path(folder, name).is_symlink() and os.path.realpath(Path(folder, name)) == wanted
            for name in (*names, *files)
        ):
            return True
    return False
