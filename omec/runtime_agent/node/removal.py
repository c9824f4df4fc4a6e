"""Taking a model's files away, as carefully as they were brought (reference 07 §12.3)."""

from __future__ import annotations

import os
import shutil
import uuid
from collections.abc import Collection
from pathlib import Path

from omec.runtime_agent.download.errors import DownloadError
from omec.runtime_agent.download.marker import Marker, keep_forever, remove_marker
from omec.runtime_agent.download.paths import PRIVATE, check_target, remove_file, resolved_path
from omec.runtime_agent.download.shared import ARTIFACTS, links_to
from omec.runtime_agent.download.stage import Stage, path_lock
from omec.runtime_agent.node.model import NodeModel
from omec.runtime_agent.process.logs import logger

log = logger(__name__)

TRASH_PREFIX = f"{PRIVATE}-trash-"


def remove_files(model: NodeModel, others: Collection[NodeModel], roots: tuple[str, ...]) -> bool:
    """Remove the files of a model that goes; whether they are gone.

    They stay where another of ``others`` names the same path, where the model is reserved, and where the agent did not
    bring them. Raises :class:`DownloadError` or ``OSError`` where they cannot be removed now.
    """
    if not model.owns_files or not model.path:
        return False
    target = check_target(model.path, roots)
    if model.is_reserved:
        keep_forever(target)
        log.info("files are kept: the model is reserved", model=str(model.key), path=model.path)
        return False
    places = [resolved_path(other.place) for other in others if other.key != model.key and other.place]
    if target in places:
        log.info("files are kept: another model has the same path", model=str(model.key), path=model.path)
        return False
    inside = any(target in place.parents for place in places)
    with path_lock(target):
        Stage(target, "", "").discard()
        if target.is_symlink():
            _unlink(target, roots)
        elif inside:
            _remove_known(target)
        elif target.exists():
            discard(target)
    return True


def discard(directory: Path) -> None:
    """Remove a directory: first out of sight, then from the disk."""
    trash = directory.with_name(f"{TRASH_PREFIX}{uuid.uuid4().hex[:12]}")
    directory.rename(trash)
    shutil.rmtree(trash)


def empty_trash(roots: tuple[str, ...]) -> None:
    """Finish what a crash has interrupted."""
    for root in roots:
        for folder, names, _ in os.walk(root):
            for name in [name for name in names if name.startswith(TRASH_PREFIX)]:
                shutil.rmtree(Path(folder, name), ignore_errors=True)
                names.remove(name)
            names[:] = [name for name in names if not Marker.read(Path(folder, name))]


def _unlink(target: Path, roots: tuple[str, ...]) -> None:
    """Remove a link, and the shared copy behind it when it was the last one."""
    shared = Path(os.path.realpath(target))
    target.unlink()
    root = next(
        (Path(os.path.realpath(root)) for root in roots if Path(os.path.realpath(root)) in shared.parents), None
    )
    if root is None or ARTIFACTS not in shared.relative_to(root).parts or not shared.is_dir():
        return
    try:
        with path_lock(shared):  # before looking: who brings the copy for another model links it under the lock
            if not links_to(root, shared):
                discard(shared)
    except DownloadError:
        log.info("shared copy is kept: somebody is using it", path=str(shared))


def _remove_known(target: Path) -> None:
    """Remove what the agent brought, where the directory of another model is inside."""
    marker = Marker.read(target)
    remove_marker(target)
    for name in marker.files if marker else ():
        remove_file(target, name)
