"""How a repository is opened: from files, a Git revision, standard input, or objects in memory."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from omec.errors import OmecError
from omec.finding import Severity
from omec.repo.config import Config
from omec.repo.read import Reading, read
from omec.repo.request import Paths, catalogs_of, load_settings, manifests_of
from omec.repo.source_rules import EMPTY_SOURCE
from omec.repo.sources import STDIN
from omec.repository import Repo

if TYPE_CHECKING:
    from omec.resolve.known_facts import KnownFacts

__all__ = ["Repo", "from_objects", "open_repo", "open_with"]


def open_repo(
    paths: Paths = (),
    *,
    env: str | None = None,
    config: Mapping[str, Any] | None = None,
    config_file: Path | None = None,
    overrides: Mapping[str, Any] | None = None,
    rev: str | None = None,
    exclude: Sequence[str] = (),
    kustomize: str | None = None,
    models_root: Path | None = None,
) -> Repo:
    """Read the manifests at ``paths`` (folders, files, ``-`` for standard input; default: ``source`` of omec.toml).

    ``rev`` reads a Git revision instead of the working tree. ``config`` takes what ``omec.toml`` takes; without it,
    the configuration is that of ``config_file``, or of the omec.toml found upwards from the first path;
    ``overrides`` are keys set over it. ``env`` names one of its environments; where there are several and none is
    named, the repository answers only what does not depend on that. Raises :class:`OmecError` when there is nothing to
    read.
    """
    settings = load_settings(paths, config=config, config_file=config_file, rev=rev)
    if env is not None:
        settings = settings.of_environment(env)
    elif settings.environments:
        settings = settings.for_selection(**(overrides or {}))
    settings = settings.with_overrides(**(overrides or {}))
    return open_with(settings, paths, rev=rev, exclude=exclude, kustomize=kustomize, models_root=models_root)


def open_with(
    settings: Config,
    paths: Paths,
    *,
    rev: str | None = None,
    exclude: Sequence[str] = (),
    kustomize: str | None = None,
    models_root: Path | None = None,
    reader: Callable[..., Reading] = read,
) -> Repo:
    """The repository at ``paths`` as ``settings`` want it; ``reader`` is :func:`omec.repo.read.read`."""
    request = manifests_of(settings, paths, rev=rev, exclude=exclude, kustomize=kustomize)
    for output in request.skip:
        from omec.compile.output import require_separate  # noqa: PLC0415

        require_separate(output, request.roots)
    stdin = sys.stdin.buffer if STDIN in request.paths and sys.stdin is not None else None
    reading = reader(request.paths, **request.options, stdin=stdin)
    if not reading.documents and not reading.findings:
        names = ", ".join("standard input" if path == STDIN else str(path) for path in request.paths)
        hint = "name the folder that holds the manifests, or correct source and exclude in omec.toml"
        if reading.notes:
            from omec.repo.note import told  # noqa: PLC0415

            hint += f"; there is only {told(reading.notes)}"
        raise OmecError(f"{names} holds no Kubernetes manifest", hint=hint, code=EMPTY_SOURCE.code)
    known = _known_facts(settings, rev, models_root)
    others = catalogs_of(settings)
    if others is None:
        return Repo(reading, (), settings, request.roots, known)
    catalogs = reader(others.paths, **others.options)
    # Nothing is said about the manifests of other catalogs; what could not be read there is missing here.
    unread = [finding for finding in catalogs.findings if finding.severity is Severity.ERROR]
    reading = replace(reading, findings=(*reading.findings, *unread), lost=(*reading.lost, *catalogs.lost))
    return Repo(reading, catalogs.documents, settings, request.roots, known)


def _known_facts(config: Config, rev: str | None, models_root: Path | None) -> KnownFacts | None:
    """What lock files and a models root tell; ``None``, and nothing imported, where there are none."""
    folders = (config.root, *config.catalog_paths)
    if rev is None and models_root is None and not any((folder / "omec.lock").is_file() for folder in folders):
        return None
    from omec.resolve.known_facts import KnownFacts  # noqa: PLC0415
    from omec.resolve.locks import read_locks  # noqa: PLC0415

    return KnownFacts(read_locks(config, rev), models_root)


def from_objects(objects: Sequence[Mapping[str, Any]], *, config: Mapping[str, Any] | None = None) -> Repo:
    """A repository of objects that are in memory already; findings name them ``objects[0]``, ``objects[1]``, ….

    ``config`` takes what ``omec.toml`` takes. Raises :class:`OmecError` for a value that is none of JSON, as a date.
    """
    from omec.repo.in_memory import documents_of  # noqa: PLC0415 - commands read files

    return Repo(Reading(documents_of(objects), (), (), 0, {}), (), Config.from_dict(config or {}))
