"""Options that several commands share, and what they mean."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from omec.cli.console import err, hide
from omec.errors import OmecError
from omec.finding import Severity

if TYPE_CHECKING:
    from omec.by_environment import Environments
    from omec.repo.read import Reading
    from omec.repository import Repo

Command = TypeVar("Command", bound=Callable[..., Any])

FAIL_ON = click.Choice(["error", "warning", "info", "never"])


MODELS_ROOT = click.option(
    "--models-root",
    type=click.Path(path_type=Path, exists=True, file_okay=False),
    metavar="DIR",
    help="Directory with copies of local:// and pvc:// models.",
)


ENV = click.option("--env", metavar="NAME", help="The environment of omec.toml to answer for.")
_ENVS = click.option(
    "--env", multiple=True, metavar="NAME", help="Only this environment of omec.toml (repeatable; default: all)."
)


def source_options(command: Command) -> Command:
    """``[SRC]…`` and where and how to read it: ``--rev``, ``--exclude``, ``--kustomize``, ``--config``, ``--env``."""
    return _decorated(command, ENV)


def all_source_options(command: Command) -> Command:
    """As :func:`source_options`, for commands that work on several environments at a time."""
    return _decorated(command, _ENVS)


def _decorated(command: Command, env: Callable[[Command], Command]) -> Command:
    for decorate in reversed(
        (
            click.argument("src", nargs=-1, metavar="[SRC]..."),
            click.option("--rev", metavar="REV", help="Read this Git revision instead of the working tree."),
            click.option("--exclude", multiple=True, metavar="GLOB", help="Leave out matching files (repeatable)."),
            click.option("--kustomize", metavar="OVERLAY", help="Read what this kustomize overlay builds."),
            click.option(
                "--config", type=click.Path(path_type=Path), metavar="FILE", help="Use this file instead of omec.toml."
            ),
            env,
            click.option("--ome-version", metavar="VERSION", help="The OME release to follow: 1.3 (default) or 1.2."),
            click.option("--default-namespace", metavar="NS", help="The namespace of objects that name none."),
            click.option("--debug", is_flag=True, help="Show a traceback if omec itself fails."),
        )
    ):
        command = decorate(command)
    return command


def open_source(
    src: tuple[str, ...],
    *,
    rev: str | None = None,
    exclude: tuple[str, ...] = (),
    kustomize: str | None = None,
    config: Path | None,
    env: str | None = None,
    models_root: Path | None = None,
    **overrides: Any,
) -> Repo:
    """The repository that the shared options name; ``overrides`` are settings of the configuration, ``_`` for ``-``."""
    from omec.session import open_repo  # noqa: PLC0415

    repo = open_repo(
        list(src),
        env=env,
        rev=rev,
        config_file=config,
        exclude=exclude,
        kustomize=kustomize,
        models_root=models_root,
        overrides=overrides,
    )
    hide(repo.hidden)
    return repo


def open_all(
    src: tuple[str, ...],
    *,
    env: tuple[str, ...],
    config: Path | None,
    rev: str | None,
    exclude: tuple[str, ...],
    kustomize: str | None,
    models_root: Path | None = None,
    reader: Callable[..., Reading] | None = None,
    **overrides: Any,
) -> Repo | Environments:
    """As :func:`open_source`, but of every environment, or of those that ``env`` names.

    ``reader`` takes the place of :func:`omec.repo.read.read`.
    """
    from omec.repo.request import load_settings  # noqa: PLC0415
    from omec.session import open_with  # noqa: PLC0415

    settings = load_settings(src, config_file=config, rev=rev)
    reading: dict[str, Any] = {"rev": rev, "exclude": exclude, "kustomize": kustomize, "models_root": models_root}
    if reader is not None:
        reading["reader"] = reader
    if not settings.environments and not env:
        repo = open_with(settings.with_overrides(**overrides), src, **reading)
        hide(repo.hidden)
        return repo
    from omec.by_environment import open_environments  # noqa: PLC0415 - few repositories have them

    every = open_environments(settings, src, envs=env, overrides=overrides, **reading)
    hide(every.hidden)
    return every


def warn_of_lost(repo: Repo) -> None:
    """Say what could not be read, for commands that answer all the same."""
    for path in dict.fromkeys(lost.position.path for lost in repo.reading.lost):
        err(f"warning: {path} cannot be read, and is left out of the answer (omec lint says why)")


def threshold(fail_on: str) -> Severity | None:
    """The lowest severity that makes a command exit with 1; ``None`` for ``never``."""
    return None if fail_on == "never" else Severity.parse(fail_on)


def split_service(text: str, namespace: str | None = None, *, namespace_option: bool = False) -> tuple[str, str]:
    """``NS/NAME``, or ``NAME`` with ``-n NS`` where there is that option; raises :class:`OmecError` otherwise."""
    left, slash, right = text.rpartition("/")
    if slash and left and right and "/" not in left:
        if namespace is not None and namespace != left:
            raise OmecError(f"{text} is not in namespace {namespace}", hint="leave out -n", code="OME002")
        return left, right
    if not slash and right and namespace:
        return namespace, right
    hint = "write NAMESPACE/NAME, or NAME with -n" if namespace_option else "write NAMESPACE/NAME"
    raise OmecError(f"{text!r} does not name an InferenceService", hint=hint, code="OME002")
