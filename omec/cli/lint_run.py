"""What ``omec lint`` asks: the cache, else the repository, which is opened only then."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from omec.cli.console import hide, is_clean
from omec.cli.options import open_all
from omec.lint.result import LintResult
from omec.repo.config import Config
from omec.repo.request import Request, catalogs_of, load_settings, manifests_of

if TYPE_CHECKING:
    from omec.by_environment import Environments
    from omec.lint.cache.entry import Entry
    from omec.lint.cache.folder import CacheFolder
    from omec.lint.judge import Judgement
    from omec.repo.read import Reading
    from omec.repo.settings_lint import LintConfig
    from omec.repository import Repo

FEWEST_DOCUMENTS = 1000
"""In smaller repositories everything is judged about as fast as a part of it."""


class LintRun:
    """The manifests at ``src``, linted as often as somebody asks; ``options`` are those of :func:`open_all`.

    ``cache`` says whether the cache may be used. Raises :class:`OmecError` for a wrong configuration.
    """

    def __init__(self, src: tuple[str, ...], *, cache: bool = True, **options: Any) -> None:
        self._src = src
        self._options = options
        names = ("env", "config", "rev", "exclude", "kustomize", "models_root")
        self._overrides = {name: value for name, value in options.items() if name not in names}
        self._settings = load_settings(src, config_file=options["config"], rev=options["rev"])
        self.config = self._settings.with_overrides(**self._overrides)
        # What the files of a models root tell is not looked at for the key.
        self._may_cache = cache and self.config.cache and options["models_root"] is None

    def lint(self, settings: LintConfig) -> LintResult:
        """Everything that is wrong with the manifests, as ``settings`` want it."""
        folder = self._folder()
        if folder is None:
            return self._opened().lint(settings)
        configs = [replace(config, lint=settings) for config in self._configs()]
        requests = [manifests_of(config, self._src, **self._reading()) for config in configs]
        catalogs = [request for config in configs if (request := catalogs_of(config)) is not None]
        if not all(request.is_of_files for request in requests):
            return self._opened().lint(settings)
        return _Cached(folder, configs, requests, catalogs).lint(self._opened, settings)

    def _folder(self) -> CacheFolder | None:
        if not self._may_cache:
            return None
        from omec.lint.cache.folder import CacheFolder, default_folder  # noqa: PLC0415

        path = default_folder()
        return None if path is None else CacheFolder(path)

    def _configs(self) -> Iterator[Config]:
        """The configuration of each environment, of the only one where none is declared."""
        chosen = set(self._options["env"]) or self._settings.environments
        if not chosen:
            yield self.config
        for name in sorted(chosen):
            yield self._settings.of_environment(name).with_overrides(**self._overrides)

    def _reading(self) -> dict[str, Any]:
        return {name: self._options[name] for name in ("rev", "exclude", "kustomize")}

    def _opened(self, reader: Callable[..., Reading] | None = None) -> Repo | Environments:
        return open_all(self._src, **self._options, reader=reader)


class _Cached:
    """A run whose answer may be in ``folder``; ``requests`` and ``catalogs`` are what the ``configs`` make it read."""

    def __init__(
        self, folder: CacheFolder, configs: list[Config], requests: list[Request], catalogs: list[Request]
    ) -> None:
        from omec.lint.cache.key import beside_of, key_of  # noqa: PLC0415
        from omec.lint.cache.snapshot import Snapshot  # noqa: PLC0415

        self._folder = folder
        self._configs = configs
        self._requests = requests
        self._beside = beside_of(configs)
        self._snapshots = {request: Snapshot(request) for request in dict.fromkeys((*requests, *catalogs))}
        self._key = key_of(configs, self._snapshots.items(), self._beside or "")
        self._is_recordable = len(configs) == 1 and not catalogs and configs[0].environment is None

    def lint(self, opened: Callable[[Callable[..., Reading]], Repo | Environments], settings: LintConfig) -> LintResult:
        from omec.lint.cache.entry import decoded  # noqa: PLC0415

        content = self._folder.get(self._key)
        entry = None if content is None else decoded(content)
        if entry is not None:
            return self._restored(entry)
        again = self._again()
        if again is not None:
            result, with_secrets = again
            self._keep(result, with_secrets)
            return result
        from omec.session import Repo  # noqa: PLC0415

        repo = opened(self._read)
        if self._record_key is None or not isinstance(repo, Repo):
            result = repo.lint(settings)
            self._keep(result, repo.files_with_secrets())
            return result
        seen: list[Judgement] = []
        result = repo.lint(settings, seen.append)
        if self._keep(result, repo.files_with_secrets()):
            self._remember(self._record_key, repo, *seen)
        return result

    @cached_property
    def _record_key(self) -> str | None:
        from omec.lint.cache.key import record_key_of  # noqa: PLC0415

        return record_key_of(self._configs[0], self._requests[0], self._beside or "") if self._is_recordable else None

    def _again(self) -> tuple[LintResult, Collection[str]] | None:
        """What the record of an earlier run helps to find, with the files that hold secrets; ``None`` for no help."""
        data = None if self._record_key is None else self._folder.get(self._record_key)
        if data is None:
            return None
        from omec.lint.cache.again import linted_again  # noqa: PLC0415

        try:
            result, with_secrets = linted_again(data, self._snapshots[self._requests[0]], self._configs[0])
        except Exception:  # a record saves time and nothing else: whatever is wrong with it, everything is judged
            return None
        self._hide(with_secrets)
        return result, with_secrets

    def _remember(self, key: str, repo: Repo, judgement: Judgement) -> None:
        """Keep what a run over other contents of the files can do with."""
        # A lock may fill in what an edit leaves out.
        if len(repo.reading.documents) < FEWEST_DOCUMENTS or repo.known is not None:
            return
        from omec.lint.cache.again import recorded  # noqa: PLC0415 - most repositories are smaller
        from omec.lint.cache.entry import texts_in  # noqa: PLC0415

        # Findings that settings silence are on record, too.
        if not is_clean("\n\n".join(texts_in(LintResult(tuple(judgement.raw))))):
            return
        snapshot = self._snapshots[self._requests[0]]
        secret = repo.private_files()
        data = recorded(judgement, repo.reading, snapshot, self._configs[0], secret)
        if data is not None:
            self._folder.put(key, data)

    def _restored(self, entry: Entry) -> LintResult:
        from omec.lint.cache.snapshot import Texts  # noqa: PLC0415

        self._hide(entry.with_secrets)
        sources: dict[str, str] = {}
        contents: dict[str, bytes] = {}
        for snapshot in map(self._snapshots.__getitem__, self._requests):
            sources |= snapshot.sources
            contents |= snapshot.contents
        return entry.result(sources, Texts(contents))

    def _hide(self, with_secrets: Collection[str]) -> None:
        """Redact the secrets in these files."""
        if with_secrets:
            from omec.repo.secrets import values_in  # noqa: PLC0415

            files = [file for snapshot in self._snapshots.values() for file in snapshot.files]
            hide(lambda: values_in(file for file in files if file.path in with_secrets))

    def _read(self, paths: tuple[str | Path, ...], **options: Any) -> Reading:
        """As :func:`omec.repo.read.read`, but the files as the key has them."""
        from omec.repo.read import read_files  # noqa: PLC0415

        options.pop("stdin", None)
        snapshot = self._snapshots[Request(paths, **options)]
        return read_files(snapshot.files, [snapshot.walk])

    def _keep(self, result: LintResult, with_secrets: Collection[str]) -> bool:
        """Keep ``result``, unless it is not complete, shows a secret, or a file was changed in the meantime."""
        from omec.lint.cache.entry import encoded, texts_in  # noqa: PLC0415
        from omec.lint.cache.key import beside_of  # noqa: PLC0415

        if result.incomplete or self._beside is None or not is_clean("\n\n".join(texts_in(result))):
            return False
        try:
            content = encoded(result, sorted(with_secrets))
        except ValueError:  # a name that is no text
            return False
        if beside_of(self._configs) != self._beside:
            return False
        self._folder.put(self._key, content)
        return True
