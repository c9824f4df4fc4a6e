"""What a run reads: from what the user names and the configuration to the arguments of a reader."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, TypeAlias

import msgspec

from omec.repo.config import Config
from omec.repo.sources import STDIN, shown_path

Paths: TypeAlias = "str | os.PathLike[str] | Sequence[str | os.PathLike[str]]"


class Request(msgspec.Struct, frozen=True):
    """The arguments of :func:`omec.repo.read.read`, but for the stream behind ``-``."""

    paths: tuple[str | Path, ...]
    skip: tuple[Path, ...]
    root: Path
    rev: str | None = None
    exclude: tuple[str, ...] = ()
    kustomize: str | None = None

    @property
    def roots(self) -> list[Path]:
        """The files and folders on disk."""
        return [Path(path) for path in self.paths if path != STDIN]

    @property
    def is_of_files(self) -> bool:
        """Whether all of it is read from the files on disk."""
        return self.rev is None and self.kustomize is None and STDIN not in self.paths

    @property
    def options(self) -> dict[str, Any]:
        return {
            "rev": self.rev,
            "exclude": self.exclude,
            "skip": self.skip,
            "kustomize": self.kustomize,
            "root": self.root,
        }


def manifests_of(
    settings: Config,
    paths: Paths,
    *,
    rev: str | None = None,
    exclude: Sequence[str] = (),
    kustomize: str | None = None,
) -> Request:
    """The manifests that a run is about: those at ``paths``, else those that the configuration names."""
    sources, overlay = _sources(settings, texts_of(paths), kustomize)
    excluded = (*settings.exclude, *exclude)
    return Request(tuple(sources), _skipped(settings), settings.root, rev, excluded, overlay)


def catalogs_of(settings: Config) -> Request | None:
    """The manifests of other catalogs, ``[[sources]]``; ``None`` where there are none."""
    return Request(settings.catalog_paths, _skipped(settings), settings.root) if settings.catalog_paths else None


def load_settings(
    paths: Paths,
    *,
    config: Mapping[str, Any] | None = None,
    config_file: Path | None = None,
    rev: str | None = None,
) -> Config:
    """The configuration for ``paths``, of no environment yet; the arguments are those of
    :func:`omec.session.open_repo`.
    """
    start = next((Path(text) for text in texts_of(paths) if text != STDIN), Path())
    return Config.from_dict(config, root=start) if config is not None else Config.load(start, config_file, rev=rev)


def texts_of(paths: Paths) -> list[str]:
    """``paths`` one by one, as they were written."""
    given = [paths] if isinstance(paths, str | os.PathLike) else paths
    return [os.fspath(path) for path in given]


def _skipped(settings: Config) -> tuple[Path, ...]:
    return () if settings.output_path is None else (settings.output_path,)


def _sources(settings: Config, texts: list[str], kustomize: str | None) -> tuple[Sequence[str | Path], str | None]:
    """What to read, and the overlay to build: what was named, else what the configuration names.

    The folder of the configuration itself stands for what its environments name: each may have other sources.
    """
    whole = bool(settings.environments) and [*map(os.path.realpath, texts)] == [os.path.realpath(settings.root)]
    if texts and not whole:
        return texts, kustomize
    if kustomize is None and settings.kustomize_path is not None:
        kustomize = shown_path(settings.kustomize_path) or "."
    return settings.source_paths or texts or [Path()], kustomize
