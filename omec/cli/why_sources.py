"""The sources of a rendered file, where nobody names them.

The output names its manifests from the folder of their configuration and says nothing about where that folder is. So
the configurations at hand are tried: the one that makes the very file is it.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from omec.cli.options import open_source
from omec.errors import OmecError

if TYPE_CHECKING:
    from omec.repository import Repo

_CONFIG = "omec.toml"
_SKIPPED = {"node_modules", "__pycache__", "venv"}
_DEEPEST = 4
_PLATFORMS = ("ome", "kubernetes")


def repository(name: str, src: tuple[str, ...], **options: Any) -> Repo:
    """The repository that the object ``name`` (a file or not) is rendered from.

    Raises :class:`OmecError` where that is not clear.
    """
    from omec.compile.provenance.why import identity_in, is_file_name, rendered  # noqa: PLC0415

    if src or options.get("config") is not None or options.get("rev") is not None or not is_file_name(name):
        return open_source(src, **options)
    file = Path(name)
    wanted = identity_in(file)
    same: list[Repo] = []
    for config in _configurations(file):
        if (owner := _owner(config, file, options)) is not None:
            return owner
        for repo in _variants(config, options):
            content = rendered(repo.asker, wanted)
            if content == file.read_bytes():
                return repo
            if content is not None:
                same.append(repo)
    folders = list(dict.fromkeys(str(repo.config.root) for repo in same))
    if len(folders) == 1:
        return same[0]
    raise _unclear(file, folders)


def _owner(config: Path, file: Path, options: dict[str, Any]) -> Repo | None:
    """The repository of ``config`` where its output is the folder that ``file`` lies in."""
    if not file.absolute().is_relative_to(config.parent):
        return None
    for env in _environments(config, options):
        repo = _opened(config, {**options, "env": env})
        out = None if repo is None else repo.config.output_path
        if out is not None and file.absolute().is_relative_to(out / (env or "")):
            return repo
    return None


def _variants(config: Path, options: dict[str, Any]) -> Iterator[Repo]:
    """The repository of ``config`` for each of its environments, as configured and for either platform."""
    for env in _environments(config, options):
        for platform in (options.get("platform"), *(() if options.get("platform") else _PLATFORMS)):
            repo = _opened(config, {**options, "env": env, "platform": platform})
            if repo is not None:
                yield repo


def _environments(config: Path, options: dict[str, Any]) -> Sequence[str | None]:
    """The environments to try: the one that is named, else all that ``config`` declares; ``None`` where it has none."""
    from omec.repo.config import Config  # noqa: PLC0415

    if options.get("env") is not None:
        return (options["env"],)
    try:
        return tuple(Config.load(explicit=config).environments) or (None,)
    except OmecError:
        return ()


def _configurations(file: Path) -> Iterator[Path]:
    """The configuration files above ``file`` and above the current folder, then those below the latter."""
    seen: set[Path] = set()
    here = Path.cwd()
    above = [*file.absolute().parents, here, *here.parents]
    for folder in (*above, *_below(here)):
        path = folder / _CONFIG
        if path not in seen and path.is_file():
            seen.add(path)
            yield path


def _below(folder: Path) -> Iterator[Path]:
    for path, names, _ in os.walk(folder):
        depth = len(Path(path).relative_to(folder).parts)
        names[:] = sorted(n for n in names if not n.startswith(".") and n not in _SKIPPED) if depth < _DEEPEST else []
        yield Path(path)


def _opened(config: Path, options: dict[str, Any]) -> Repo | None:
    """The repository of a configuration file, ``None`` where it cannot be read: it is only tried."""
    try:
        repo = open_source((), **{**options, "config": config})
        if not repo.config.source:
            repo = open_source((str(config.parent),), **{**options, "config": config})
    except OmecError:
        return None
    return repo


def _unclear(file: Path, folders: list[str]) -> OmecError:
    from omec.compile.provenance.rules import SOURCES_UNKNOWN  # noqa: PLC0415

    if folders:
        which = " and ".join(os.path.relpath(folder) for folder in folders)
        message = f"{file} is not what any configuration renders now; {which} render an object of its name"
    else:
        message = f"no {_CONFIG} at or below the current folder renders the object in {file}"
    return OmecError(message, hint=f"name the sources: omec why {file} FIELD SRC", code=SOURCES_UNKNOWN.code)
