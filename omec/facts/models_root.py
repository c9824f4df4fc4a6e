"""Models that are on this machine: which directory below ``--models-root`` is the one that a manifest means.

What nodes and pods see as ``/mnt/data/models/llama`` or as a claim is somewhere else here. So the longest end of the
path that names a directory below the root counts: of ``local:///mnt/data/models/llama`` first
``ROOT/mnt/data/models/llama``, then ``ROOT/data/models/llama``, …, last ``ROOT/llama``.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

from omec.api.storage_uri import HuggingFaceUri, LocalUri, PvcUri, StorageUri


def find_directory(root: Path, uri: StorageUri, storage_path: str, namespace: str) -> Path | None:
    """The directory below ``root`` that holds the model, ``None`` where there is none.

    ``storage_path`` is ``spec.storage.path``, where OME puts or expects the files on a node; ``namespace`` that of the
    model. Symbolic links that lead out of ``root`` are not followed.
    """
    real_root = Path(os.path.realpath(root))
    for path in _paths(uri, storage_path, namespace):
        if (inside := Path(path)).is_absolute() and _is_directory(inside, real_root):
            return inside
        parts = [part for part in path.split("/") if part not in ("", ".")]
        if ".." in parts:
            continue
        for first in range(len(parts)):
            directory = root.joinpath(*parts[first:])
            if _is_directory(directory, real_root):
                return directory
    return None


def _paths(uri: StorageUri, storage_path: str, namespace: str) -> Iterator[str]:
    """The paths under which the model may be known, the most telling first.

    The node's path of a ``local://`` model is ``storage.path``, else that of the URI (reference 07 §5).
    """
    if isinstance(uri, PvcUri):
        yield f"{uri.namespace or namespace}/{uri.pvc_name}/{uri.sub_path}"
        return
    if storage_path:
        yield storage_path
    if isinstance(uri, LocalUri):
        yield uri.path
    if isinstance(uri, HuggingFaceUri):
        yield uri.model_id


def _is_directory(path: Path, real_root: Path) -> bool:
    try:
        real = Path(os.path.realpath(path))
        return real != real_root and real.is_relative_to(real_root) and real.is_dir()
    except (OSError, ValueError):
        return False
