"""The environments of a repository together: lint and compile them all, and say once what they have in common."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec
from msgspec.structs import replace

from omec.finding import Finding
from omec.lint.result import LintResult
from omec.repo.config import Config
from omec.repo.read import Reading, read
from omec.repo.request import Paths
from omec.repo.walk import MAX_FILE_BYTES
from omec.repository import Repo
from omec.session import open_with

if TYPE_CHECKING:
    from omec.compile.output import OutputPlan
    from omec.compile.result import Compilation
    from omec.repo.settings_lint import LintConfig


class Environments(msgspec.Struct, frozen=True):
    """The repository as each of the chosen environments sees it, by their names in alphabetical order.

    ``config`` holds what all environments share; ``is_complete`` says that no environment was left out.
    """

    config: Config
    repos: Mapping[str, Repo]
    is_complete: bool

    def hidden(self) -> set[str]:
        """What stands in the manifests in plain text and should not be shown."""
        return set[str]().union(*(repo.hidden() for repo in self.repos.values()))

    def files_with_secrets(self) -> set[str]:
        """The files that these stand in."""
        return set[str]().union(*(repo.files_with_secrets() for repo in self.repos.values()))

    def lint(self, settings: LintConfig | None = None) -> LintResult:
        """Everything that is wrong in any environment; what is wrong in all of them is told once.

        ``settings`` are those of :meth:`omec.repository.Repo.lint`.
        """
        results = {name: repo.lint(settings) for name, repo in self.repos.items()}
        sources = {path: source for result in results.values() for path, source in result.sources.items()}
        files = {path for repo in self.repos.values() for path in repo.reading.sources.keys() - repo.reading.origins}
        return LintResult(
            tuple(self._merged({name: result.findings for name, result in results.items()})),
            _each_once(result.notes for result in results.values()),
            len(files),
            sources,
            {path: text for result in results.values() for path, text in result.texts.items()},
        )

    def _merged(self, by_environment: Mapping[str, Iterable[Finding]]) -> Iterator[Finding]:
        """The merged findings; an exception that nothing needs is one only where no environment needs it."""
        from omec.lint.control_rules import STALE_BASELINE, UNUSED_SUPPRESSION  # noqa: PLC0415

        for finding in merged_findings(by_environment):
            is_unused = finding.rule in (STALE_BASELINE, UNUSED_SUPPRESSION)
            if not is_unused or len(finding.environments) == len(self.config.environments):
                yield finding

    def compile(
        self, *, only: str | None = None, progress: Callable[[str], None] | None = None
    ) -> CompiledEnvironments:
        """Render the InferenceServices for every environment; nothing is written.

        With ``only`` the service ``NS/NAME`` of the environments that have it; raises :class:`OmecError` where none
        has.
        """
        tell = progress or (lambda _: None)
        repos = self.repos if only is None else self._having(only)
        compiled = {
            name: repo.compile(only=only, progress=lambda text, name=name: tell(f"{name}: {text}"))  # type: ignore[misc]
            for name, repo in repos.items()
        }
        return CompiledEnvironments(compiled, is_complete=self.is_complete and only is None)

    def _having(self, service: str) -> dict[str, Repo]:
        namespace, _, name = service.rpartition("/")
        having = {
            environment: repo
            for environment, repo in self.repos.items()
            if repo.catalog.get("InferenceService", name, namespace) is not None
        }
        return having or dict(self.repos)  # compile says what is missing


class CompiledEnvironments(msgspec.Struct, frozen=True):
    """The outcome of every environment; ``is_complete`` says that none is missing and nothing was left out."""

    by_name: Mapping[str, Compilation]
    is_complete: bool

    @property
    def parts(self) -> tuple[tuple[str, Compilation], ...]:
        """Each compilation with the name of its environment."""
        return tuple(self.by_name.items())

    @property
    def failed(self) -> bool:
        return any(compilation.failed for compilation in self.by_name.values())

    @property
    def findings(self) -> tuple[Finding, ...]:
        return merged_findings({name: compilation.findings for name, compilation in self.parts})

    @property
    def notes(self) -> tuple[str, ...]:
        return _each_once(compilation.notes for compilation in self.by_name.values())

    def to_dict(self) -> dict[str, Any]:
        return {
            "environments": {name: {"objects": list(compilation.objects)} for name, compilation in self.parts},
            "findings": [finding.to_dict() for finding in self.findings],
        }

    def output_plan(self, out: Path) -> OutputPlan:
        """What writing every environment to its folder below ``out`` would change, in one transaction.

        Where all environments are here, what earlier runs wrote for other environments, or for none, is deleted.
        """
        from omec.compile.output import OutputPlan  # noqa: PLC0415

        parts = [compilation.output_part(name) for name, compilation in self.parts]
        return OutputPlan.of_parts(out, parts, prune=self.is_complete)


def open_environments(
    settings: Config,
    paths: Paths,
    *,
    envs: Sequence[str] = (),
    overrides: Mapping[str, Any] | None = None,
    rev: str | None = None,
    exclude: Sequence[str] = (),
    kustomize: str | None = None,
    models_root: Path | None = None,
    reader: Callable[..., Reading] = read,
) -> Environments:
    """Read the manifests for the environments ``envs`` of ``settings`` (default: all that are declared).

    The other arguments are those of :func:`omec.session.open_repo`. Sources that environments share are read once.
    """
    shared = _SharedReader(reader)
    repos = {
        name: open_with(
            settings.of_environment(name).with_overrides(**(overrides or {})),
            paths,
            rev=rev,
            exclude=exclude,
            kustomize=kustomize,
            models_root=models_root,
            reader=shared,
        )
        for name in sorted(set(envs) or settings.environments)
    }
    return Environments(settings.with_overrides(**(overrides or {})), repos, is_complete=not envs)


class _SharedReader:
    """Reads like :func:`omec.repo.read.read`, the same sources once, and standard input as often as it is asked for."""

    def __init__(self, reader: Callable[..., Reading]) -> None:
        self._reader = reader
        self._readings: dict[str, Reading] = {}
        self._stdin: bytes | None = None

    def __call__(self, paths: Sequence[str | Path], **options: Any) -> Reading:
        stdin = options.pop("stdin", None)
        key = repr(([str(path) for path in paths], sorted(options.items())))
        if key not in self._readings:
            if stdin is not None:
                self._stdin = stdin.read(MAX_FILE_BYTES + 1) if self._stdin is None else self._stdin
                stdin = BytesIO(self._stdin)
            self._readings[key] = self._reader(paths, **options, stdin=stdin)
        return self._readings[key]


def merged_findings(by_environment: Mapping[str, Iterable[Finding]]) -> tuple[Finding, ...]:
    """Each finding once; one that is not found in every environment says in which it is."""
    found: dict[Finding, list[str]] = {}
    for name, findings in by_environment.items():
        for finding in findings:
            found.setdefault(finding, []).append(name)
    merged = (_told(finding, names, len(by_environment)) for finding, names in found.items())
    return tuple(sorted(merged, key=lambda finding: finding.sort_key))


def _told(finding: Finding, names: Sequence[str], total: int) -> Finding:
    names = tuple(dict.fromkeys(names))
    if len(names) == total:
        return replace(finding, environments=names)
    first, *rest = finding.message.split("\n")
    where = f"{first} (environment{'s' if len(names) > 1 else ''} {', '.join(names)})"
    return replace(finding, message="\n".join((where, *rest)), environments=names)


def _each_once(texts: Iterable[Iterable[str]]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(text for group in texts for text in group))
