"""The lock files of a repository: its own, and those of the catalogs that it uses."""

from __future__ import annotations

import os
from pathlib import Path

from omec.errors import OmecError
from omec.facts.lock import LOCK_NAME, Lock, parse_lock
from omec.facts.lock_file import LARGEST, read_lock
from omec.facts.rules import LOCK_UNREADABLE
from omec.repo.config import Config
from omec.repo.sources import find_repository, shown_path
from omec.repo.tree import FileTooLargeError


def lock_path(config: Config) -> Path:
    """The repository's own lock: beside the configuration, or in the folder of the source where there is none."""
    return config.root / LOCK_NAME


def read_locks(config: Config, rev: str | None = None) -> tuple[Lock, ...]:
    """The repository's own lock (an empty one where there is no file), then those of its ``[[sources]]``.

    With ``rev``, its own is that of the Git revision. Raises :class:`OmecError` where one is damaged.
    """
    own = lock_path(config)
    paths = [(path if path.is_dir() else path.parent) / LOCK_NAME for path in config.catalog_paths]
    others = [
        path for path in dict.fromkeys(paths) if path.exists() and os.path.realpath(path) != os.path.realpath(own)
    ]
    first = read_lock(own, shown_path(own)) if rev is None else _lock_at(own, rev)
    return first, *(read_lock(path, shown_path(path)) for path in others)


def _lock_at(path: Path, rev: str) -> Lock:
    """The lock as it was in a Git revision."""
    from omec.repo.revision import not_a_repository, open_revision  # noqa: PLC0415 - imports GitPython

    real = os.path.realpath(path.parent)
    top = find_repository(real)
    if top is None:
        raise not_a_repository(path.parent)
    name = shown_path(path)
    tree = open_revision(top, rev)
    try:
        data = tree.read(tree.resolve(os.path.relpath(Path(real, LOCK_NAME), top)), LARGEST)
    except FileNotFoundError:
        return Lock(path=name)
    except (OSError, FileTooLargeError) as error:
        raise OmecError(
            f"{name} of revision {rev} cannot be read: {error}", hint=LOCK_UNREADABLE.remedy, code=LOCK_UNREADABLE.code
        ) from None
    finally:
        tree.close()
    return parse_lock(data.decode("utf-8-sig", "replace"), name)
