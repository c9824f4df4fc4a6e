"""``omec facts update``: bring omec.lock up to date."""

from __future__ import annotations

import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING

import click
import msgspec

from omec.cli.console import Progress, err, out
from omec.cli.options import ENV, open_source
from omec.errors import EXIT_CLEAN, EXIT_FINDINGS, OmecError

if TYPE_CHECKING:
    from omec.catalog import Resource
    from omec.facts.lock import Lock
    from omec.facts.locked import LockedModel
    from omec.facts.sources import Sources
    from omec.facts.update import Outcome
    from omec.repository import Repo

_SAVE_SECONDS = 2.0
_BAR = 24
_LISTED = 5


@click.command(name="update", short_help="Read the facts of models into omec.lock.")
@click.argument("models", nargs=-1, metavar="[MODEL]...")
@click.option("--source", "src", multiple=True, metavar="SRC", help="Read these manifests (repeatable).")
@click.option("--config", type=click.Path(path_type=Path), metavar="FILE", help="Use this file instead of omec.toml.")
@ENV
@click.option("--default-namespace", metavar="NS", help="The namespace of objects that name none.")
@click.option(
    "--models-root",
    type=click.Path(path_type=Path, exists=True, file_okay=False),
    metavar="DIR",
    help="Directory with copies of local:// and pvc:// models.",
)
@click.option("--all", "all_", is_flag=True, help="Also the models whose manifests give every fact.")
@click.option("--force", is_flag=True, help="Read the files again, even of a revision that was read before.")
@click.option("--prune", is_flag=True, help="Remove the blocks of models that no manifest defines.")
@click.option("--write-manifests", is_flag=True, help="Write the facts into the manifests instead of omec.lock.")
@click.option("--jobs", type=click.IntRange(1, 64), default=16, show_default=True, help="Models to read at a time.")
@click.option("-q", "--quiet", is_flag=True, help="No summary, and no list of what was read.")
@click.option("--debug", is_flag=True, help="Show a traceback if omec itself fails.")
def update(
    models: tuple[str, ...],
    src: tuple[str, ...],
    config: Path | None,
    env: str | None,
    default_namespace: str | None,
    models_root: Path | None,
    all_: bool,
    force: bool,
    prune: bool,
    write_manifests: bool,
    jobs: int,
    quiet: bool,
    debug: bool,  # noqa: ARG001 - read from the arguments by the entry point
) -> int:
    """Read the facts of every MODEL of the source into omec.lock.

    Default: every model whose manifest leaves facts to its files, and every model that is in the lock. A revision that
    was read before is not read again. If a model fails, its block stays as it was, and the others are kept.
    """
    from omec.facts.sources import Sources  # noqa: PLC0415
    from omec.resolve.locks import lock_path, read_locks  # noqa: PLC0415

    _refuse_folders(models)
    repo = open_source(src, config=config, env=env, default_namespace=default_namespace)
    if prune and repo.config.environment is not None and len(repo.config.environments) > 1:
        raise OmecError(
            "--prune with --env would remove the models that only other environments have",
            hint="leave out one of the two, or remove the blocks from omec.lock by hand",
            code="OME002",
        )
    lock, *others = read_locks(repo.config)
    with ThreadPoolExecutor(jobs) as models_pool, ThreadPoolExecutor(jobs) as files_pool:
        sources = Sources(models_root, files_pool)
        chosen = _chosen(repo, models, lock, others, sources, all_=all_)
        run = _Run(repo, lock_path(repo.config), lock, len(chosen), writes_lock=not write_manifests, quiet=quiet)
        try:
            run.over(chosen, sources, models_pool, force=force)
        finally:  # also where the user interrupts it
            models_pool.shutdown(wait=False, cancel_futures=True)
            sources.stop()
            run.finish(prune=_orphans(repo, lock) if prune and not models else ())
    if write_manifests:
        run.write_manifests(chosen)
    if not models:
        _tell_of_others(repo, chosen)
    run.summarise()
    return EXIT_FINDINGS if run.failed else EXIT_CLEAN


def _refuse_folders(models: tuple[str, ...]) -> None:
    for name in models:
        if Path(name).exists() and ("/" in name or name in (".", "..") or Path(name).suffix):
            raise OmecError(
                f"{name} is a path, and omec facts update takes the names of models",
                hint=f"write --source {name} to update all models of its manifests",
                code="OME002",
            )


def _chosen(
    repo: Repo, names: tuple[str, ...], lock: Lock, others: list[Lock], sources: Sources, *, all_: bool
) -> list[Resource]:
    """The models to bring up to date."""
    from omec.facts.lock import key_of  # noqa: PLC0415
    from omec.resolve.facts_lock import find_models, models_of, to_lock  # noqa: PLC0415
    from omec.resolve.known_facts import source_of  # noqa: PLC0415

    if names:
        return find_models(repo.catalog, names)
    wanted = {key_of(model.ref) for model in to_lock(repo.catalog, sources)} | lock.models.keys()
    chosen = [model for model in models_of(repo.catalog) if all_ or key_of(model.ref) in wanted]
    return [
        model
        for model in chosen
        if key_of(model.ref) in lock.models
        or not any((other := each.get(model.ref)) is not None and other.uri == source_of(model).uri for each in others)
    ]


def _tell_of_others(repo: Repo, chosen: list[Resource]) -> None:
    """Say which models nothing was read of although their manifests leave facts open."""
    from omec.resolve.facts_lock import models_of  # noqa: PLC0415
    from omec.resolve.known_facts import needs_facts  # noqa: PLC0415

    known = {model.ref for model in chosen}
    others = [model for model in models_of(repo.catalog) if needs_facts(model) and model.ref not in known]
    others = [model for model in others if not model.context]
    if others:
        names = ", ".join(str(model.ref) for model in others[:_LISTED])
        more = f" and {len(others) - _LISTED} more" if len(others) > _LISTED else ""
        err(
            f"note: omec cannot read {names}{more}: name a directory with copies by --models-root, "
            "or write the facts into the manifests"
        )


def _orphans(repo: Repo, lock: Lock) -> tuple[str, ...]:
    from omec.facts.lock import key_of  # noqa: PLC0415
    from omec.resolve.facts_lock import models_of  # noqa: PLC0415

    known = {key_of(model.ref) for model in models_of(repo.catalog)} | {key_of(ref) for ref in repo.catalog.ambiguous}
    return tuple(key for key in lock.models if key not in known)


class _Run(msgspec.Struct):
    """One run: what was read, what failed, and what of it is on disk already."""

    repo: Repo
    path: Path
    lock: Lock
    total: int
    writes_lock: bool
    quiet: bool
    done: int = 0
    read: dict[str, LockedModel] = msgspec.field(default_factory=dict)
    known: dict[str, LockedModel] = msgspec.field(default_factory=dict)
    failed: int = 0
    unsaved: dict[str, LockedModel] = msgspec.field(default_factory=dict)
    saved_at: float = msgspec.field(default_factory=time.monotonic)
    progress: Progress = msgspec.field(default_factory=Progress)

    def over(self, models: list[Resource], sources: Sources, pool: ThreadPoolExecutor, *, force: bool) -> None:
        from omec.facts.update import update as bring_up_to_date  # noqa: PLC0415
        from omec.resolve.facts_lock import jobs_for  # noqa: PLC0415

        self._show()
        for outcome in bring_up_to_date(jobs_for(models), self.lock, sources, pool, force=force):
            self._take(outcome)

    def finish(self, prune: tuple[str, ...]) -> None:
        """Write what is not written yet, also where the run was interrupted."""
        self.progress.done()
        self._save(prune)

    def summarise(self) -> None:
        if not self.quiet:
            current = self.total - len(self.read) - self.failed
            target = self.lock.path if self.writes_lock else "manifests"
            err(f"{target}: {len(self.read)} read, {current} current, {self.failed} failed")

    def write_manifests(self, models: list[Resource]) -> None:
        from omec.cli.facts_manifests import write  # noqa: PLC0415

        self.failed += write(models, self.known, quiet=self.quiet)

    def _take(self, outcome: Outcome) -> None:
        from omec.facts.update import FAILED, READ  # noqa: PLC0415

        self.done += 1
        key = outcome.job.key
        self.progress.done()
        for warning in outcome.warnings:
            err(f"warning: {key}: {warning}")
        if outcome.status == FAILED and outcome.error is not None:
            self.failed += 1
            err(f"error: {key}: {outcome.error.message} [{outcome.error.code}]\n  help: {outcome.error.hint}")
        elif outcome.locked is not None:
            self.known[key] = outcome.locked
            if outcome.status == READ:
                self.read[key] = self.unsaved[key] = outcome.locked
                if not self.quiet:
                    out(f"{key}  {_told(outcome.locked)}\n")
        self._show()
        if time.monotonic() - self.saved_at > _SAVE_SECONDS:
            self._save()

    def _save(self, prune: tuple[str, ...] = ()) -> None:
        from omec.facts.lock_file import change_lock  # noqa: PLC0415

        if self.writes_lock and (self.unsaved or prune):
            unsaved = self.unsaved
            change_lock(self.path, lambda lock: lock.with_models(unsaved, without=prune), self.lock.path)
            self.unsaved = {}
        self.saved_at = time.monotonic()

    def _show(self) -> None:
        filled = _BAR * self.done // self.total if self.total else _BAR
        failed = f", {self.failed} failed" if self.failed else ""
        self.progress.step(f"[{'#' * filled}{'-' * (_BAR - filled)}] {self.done} of {self.total} models{failed}")


def _told(locked: LockedModel) -> str:
    """A block in a line: what the model is, and which revision was read."""
    facts = locked.facts
    model_format = facts.get("modelFormat", {}).get("name", "")
    parts = (facts.get("modelArchitecture"), facts.get("modelParameterSize"), model_format, facts.get("quantization"))
    what = " ".join(part for part in parts if part)
    return f"{what}  {locked.uri}{f' ({locked.revision[:19]})' if locked.revision else ''}"
