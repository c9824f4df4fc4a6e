"""The configuration: ``omec.toml``, or ``[tool.omec]`` of ``pyproject.toml`` (documented in docs/configuration.md)."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec
from msgspec.structs import replace

from omec.errors import OmecError
from omec.finding import FieldPath
from omec.repo import settings, settings_file, settings_lint, settings_nodes, settings_tables
from omec.repo.config_rules import CONFIG_OTHER_VERSION
from omec.repo.settings import Check, Place
from omec.repo.settings_lint import LintConfig
from omec.repo.settings_nodes import NodeGroup
from omec.repo.settings_tables import CatalogSource
from omec.version import __version__

if TYPE_CHECKING:
    from omec.repo.settings_policy import Policy


def _operator(value: Any, place: Place) -> Any:
    from omec.repo.settings_operator import operator  # noqa: PLC0415 - few repositories set it

    return operator(value, place)


def _policy(value: Any, place: Place) -> Any:
    from omec.repo.settings_policy import policy  # noqa: PLC0415 - few repositories have one

    return policy(value, place)


def _environments(value: Any, place: Place) -> Any:
    from omec.repo.settings_environments import environments  # noqa: PLC0415 - few repositories have them

    return environments(value, place, KEYS)


KEYS: dict[str, Check] = {
    "source": settings.text_or_texts,
    "kustomize": settings.text,
    "output": settings.text,
    "emit": settings.one_of(*settings.EMIT),
    "required-version": settings.text,
    "ome-version": settings.one_of(*settings.OME_VERSIONS),
    "platform": settings.one_of(*settings.PLATFORMS),
    "kubernetes-version": settings.text,
    "default-namespace": settings.namespace,
    "exclude": settings.texts,
    "sources": settings_tables.catalog_sources,
    "external-runtimes": settings.texts,
    "metadata": settings.flag,
    "provenance": settings.flag,
    "capabilities": settings.texts,
    "model-config": settings.flag,
    "fail-on": settings.one_of(*settings.FAIL_ON),
    "include": settings.texts,
    "allow-unpinned": settings.flag,
    "operator": _operator,
    "nodes": settings_nodes.nodes,
    "schema-dir": settings.text,
    "quota": settings_tables.quota,
    "benchmark": settings_tables.benchmark,
    "lint": settings_lint.lint,
    "policy": _policy,
    "cache": settings.flag,
    "environments": _environments,
}
"""Every key, and the check that its value must pass."""


class Config(msgspec.Struct, frozen=True):
    """The settings of one run; attributes are the keys of ``omec.toml`` with ``_`` for ``-``.

    ``root`` is the folder that relative paths are meant from: the configuration file's (``path``), or the folder where
    the search for one began. ``operator`` is never modified. ``environments`` holds the settings of each environment
    under the keys of ``omec.toml``; ``environment`` is the one whose settings these are, ``None`` where they are those
    that all environments share.
    """

    root: Path
    path: Path | None = None
    source: tuple[str, ...] = ()
    kustomize: str | None = None
    output: str | None = None
    emit: str = "objects"
    required_version: str | None = None
    ome_version: str = "1.3"
    platform: str = "ome"
    kubernetes_version: str | None = None
    default_namespace: str | None = None
    exclude: tuple[str, ...] = ()
    sources: tuple[CatalogSource, ...] = ()
    external_runtimes: tuple[str, ...] = ()
    metadata: bool = True
    provenance: bool = False
    capabilities: tuple[str, ...] | None = None
    model_config: bool = False
    fail_on: str = "error"
    include: tuple[str, ...] = ()
    allow_unpinned: bool = False
    operator: Mapping[str, Any] = msgspec.field(default_factory=dict)
    nodes: tuple[NodeGroup, ...] | None = None
    schema_dir: str | None = None
    quota: Mapping[str, Any] = msgspec.field(default_factory=dict)
    benchmark: Mapping[str, Any] | None = None
    lint: LintConfig = msgspec.field(default_factory=LintConfig)
    policy: Policy | None = None
    cache: bool = True
    environments: Mapping[str, Mapping[str, Any]] = msgspec.field(default_factory=dict)
    environment: str | None = None

    @classmethod
    def load(cls, start: Path | None = None, explicit: Path | None = None, *, rev: str | None = None) -> Config:
        """The configuration for the source ``start`` (default: the current folder), or of the file ``explicit``.

        With ``rev`` it is the one in that Git revision, so that old manifests are read as they were meant then.
        Without a configuration file everything has its default. Raises :class:`OmecError` with the file, line and
        column of what is wrong.
        """
        if explicit is not None:
            return cls._of_file(settings_file.read(explicit))
        folder = _absolute(start or Path())
        if folder.is_file():
            folder = folder.parent
        if rev is None:
            found = settings_file.find(folder)
        else:
            from omec.repo.revision import texts_of_revision  # noqa: PLC0415 - few runs need Git

            with texts_of_revision(folder, rev) as text_of:
                found = settings_file.find(folder, text_of)
        return cls(root=folder) if found is None else cls._of_file(found)

    @classmethod
    def _of_file(cls, file: settings_file.SettingsFile) -> Config:
        return cls(root=_absolute(file.path).parent, path=file.path, **_checked(file.settings, file.where))

    @classmethod
    def from_dict(cls, data: Mapping[str, Any], root: Path | None = None) -> Config:
        """The configuration that ``data`` holds, under the keys of ``omec.toml``; ``root`` as in the class."""
        return cls(root=_absolute(root or Path()), **_checked(data, lambda _: "config: "))

    def with_overrides(self, **overrides: Any) -> Config:
        """A copy with some keys set anew, checked like those of a file; ``None`` means: as it was.

        Keys are those of ``omec.toml``; ``_`` may stand for ``-``. Paths are meant from the current folder.
        """
        given = {name.replace("_", "-"): value for name, value in overrides.items() if value is not None}
        values = _checked(given, lambda _: "--")
        if "source" in values:
            values["source"] = tuple(self._from_root(path) for path in values["source"])
        for key in ("schema_dir", "output", "kustomize"):
            if key in values:
                values[key] = self._from_root(values[key])
        return replace(self, **values)

    def of_environment(self, name: str) -> Config:
        """The settings of the environment ``name``: its own over those at the top of the file.

        Tables are merged key by key, everything else is replaced. Raises :class:`OmecError` where no such environment
        is declared.
        """
        from omec.repo import settings_environments  # noqa: PLC0415 - few repositories have them

        if name not in self.environments:
            raise settings_environments.unknown_environment(name, self.environments)
        own = {_attribute(key): value for key, value in self.environments[name].items()}
        values = {key: settings_environments.merged(getattr(self, key), value) for key, value in own.items()}
        return replace(self, **values, environment=name)

    def for_selection(self, **overrides: Any) -> Config:
        """The settings for a question about objects and the runtimes that they get, where no environment is named.

        Those of the only environment, or of the first where all agree on what such a question depends on; then
        ``environment`` stays ``None``. ``overrides`` are those of :meth:`with_overrides`. Raises :class:`OmecError`
        where they do not agree.
        """
        from omec.repo import settings_environments  # noqa: PLC0415

        first, *others = (self.of_environment(name).with_overrides(**overrides) for name in self.environments)
        differing = [
            key
            for key in settings_environments.SELECTION_KEYS
            if any(getattr(other, _attribute(key)) != getattr(first, _attribute(key)) for other in others)
        ]
        if differing:
            raise settings_environments.open_environment(self.environments, differing)
        return replace(first, environment=None) if others else first

    def require_environment(self) -> None:
        """Refuse a question that depends on every setting, where environments are declared and none was named."""
        if self.environments and self.environment is None:
            from omec.repo.settings_environments import open_environment  # noqa: PLC0415

            raise open_environment(self.environments)

    @property
    def source_paths(self) -> tuple[Path, ...]:
        """The files and folders of ``source``."""
        return tuple(self.root / path for path in self.source)

    @property
    def kustomize_path(self) -> Path | None:
        """The folder of ``kustomize``."""
        return None if self.kustomize is None else self.root / self.kustomize

    @property
    def output_path(self) -> Path | None:
        """The folder of ``output``."""
        return None if self.output is None else self.root / self.output

    @property
    def catalog_paths(self) -> tuple[Path, ...]:
        """The folders of ``[[sources]]``."""
        return tuple(self.root / entry.path for entry in self.sources)

    @property
    def schema_path(self) -> Path | None:
        """The folder of ``schema-dir``."""
        return None if self.schema_dir is None else self.root / self.schema_dir

    def to_dict(self) -> dict[str, Any]:
        """The settings that are not the default, under the keys of ``omec.toml``."""
        default = Config(self.root)
        values = {key: (getattr(self, _attribute(key)), getattr(default, _attribute(key))) for key in KEYS}
        told = {"platform"} if self.environments else set()  # which have no default there
        return {key: _plain(value) for key, (value, usual) in values.items() if value != usual or key in told}

    def _from_root(self, path: str) -> str:
        absolute = _absolute(path)
        return str(absolute.relative_to(self.root) if absolute.is_relative_to(self.root) else absolute)


def _absolute(path: Path | str) -> Path:
    """``path`` from the root of the file system; symbolic links stay, because users know their folders by them."""
    return Path(os.path.abspath(path))  # noqa: PTH100


def _attribute(key: str) -> str:
    return key.replace("-", "_")


def _plain(value: Any) -> Any:
    if hasattr(value, "to_dict"):
        return value.to_dict()
    if isinstance(value, CatalogSource):
        return {"path": value.path}
    if isinstance(value, tuple):
        return [_plain(item) for item in value]
    return {key: _plain(item) for key, item in value.items()} if isinstance(value, Mapping) else value


def _checked(data: Any, where: Callable[[FieldPath], str]) -> dict[str, Any]:
    """The values of ``data`` by attribute name.

    ``required-version`` comes first: a file for another omec may have keys that this one does not know.
    """
    root = Place((), where)
    values = settings.table(data, root)
    if "required-version" in values:
        _require(settings.text(values["required-version"], root.child("required-version")), root)
    checked = {}
    for key, value in values.items():
        if key not in KEYS:
            raise root.unknown(key, KEYS)
        checked[_attribute(key)] = KEYS[key](value, root.child(key))
    if "environments" in checked and "platform" not in checked:
        from omec.repo.settings_environments import require_platforms  # noqa: PLC0415

        require_platforms(checked["environments"], root.child("environments"))
    return checked


def _require(requirement: str, root: Place) -> None:
    """Refuse to run as another version than the repository asks for: it may render differently."""
    from packaging.specifiers import InvalidSpecifier, SpecifierSet  # noqa: PLC0415 - costs 15 ms

    place = root.child("required-version")
    exact = requirement.strip()[:1].isdigit()
    try:
        specifiers = SpecifierSet(f"=={requirement.strip()}" if exact else requirement)
    except InvalidSpecifier:
        raise place.error(
            f"is {requirement!r}, which is no version specifier",
            hint="write 0.1.0, or >=0.1,<0.2",
        ) from None
    if not specifiers.contains(__version__, prereleases=True):
        raise OmecError(
            f"{place.where(place.path)}this repository requires omec {specifiers}, and this is omec {__version__}",
            hint=f"install it: pip install 'omec{specifiers}'",
            code=CONFIG_OTHER_VERSION.code,
        )
