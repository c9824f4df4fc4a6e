"""``omec compile``: render the InferenceServices of a repository into Kubernetes objects."""

from __future__ import annotations

import sys
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from omec.cli.console import Progress, err, out, out_manifests, paint, wants_color
from omec.cli.options import FAIL_ON, open_source, source_options, split_service, threshold
from omec.errors import EXIT_CLEAN, EXIT_FINDINGS, OmecError
from omec.finding import Severity

if TYPE_CHECKING:
    from omec.compile.output import OutputPlan
    from omec.compile.repository import CompiledService
    from omec.compile.result import Compilation
    from omec.session import Repo

_STDOUT = "-"
_LISTED = 25
"""Up to so many services are listed in the summary; with more, ``--verbose`` lists them."""


@click.command(name="compile", short_help="Render the InferenceServices of a repository into Kubernetes objects.")
@source_options
@click.option("-o", "--output", metavar="OUT", help="The folder to write, or - for standard output.")
@click.option("--check", is_flag=True, help="Write nothing; fail and show the difference when OUT is stale.")
@click.option("--only", metavar="NS/NAME", help="Only this InferenceService; everything else stays as it is.")
@click.option("--keep-going", is_flag=True, help="Write the services without an error; the others keep their files.")
@click.option("--platform", type=click.Choice(["ome", "kubernetes"]), help="Whether OME's manager runs in the cluster.")
@click.option("--kubernetes-version", metavar="VERSION", help="The version whose schemas the objects must satisfy.")
@click.option("--include", metavar="KINDS", help="Further kinds to copy (plural, comma-separated), such as namespaces.")
@click.option("--metadata/--no-metadata", default=None, help="omec's own label on the objects (default: on).")
@click.option("--allow-unpinned", is_flag=True, default=None, help="Render the live runtime of a pinned service.")
@click.option("--format", "format_", type=click.Choice(["text", "json"]), default="text", show_default=True)
@click.option("--fail-on", type=FAIL_ON, help="The lowest severity that fails the run (default: error).")
@click.option("-v", "--verbose", is_flag=True, help="List every service, and every file that changed.")
@click.option("-q", "--quiet", is_flag=True, help="No summary and no notes.")
def command(
    src: tuple[str, ...],
    output: str | None,
    check: bool,
    only: str | None,
    keep_going: bool,
    include: str | None,
    format_: str,
    verbose: bool,
    quiet: bool,
    **options: Any,
) -> int:
    """Read SRC, choose a runtime for every InferenceService as OME does, and write what OME would create into OUT.

    If one service has an error, nothing is written, because an Argo CD that prunes would delete what is missing.
    """
    options.pop("debug")
    target = None if output in (None, _STDOUT) else output
    repo = open_source(src, **options, output=target, include=include.split(",") if include else None)
    if output != _STDOUT and repo.config.output_path is None:
        raise OmecError(
            "no output folder", hint="name it with -o (-o - prints), or set output in omec.toml", code="OME002"
        )
    progress = Progress()
    compilation = repo.compile(
        only=None if only is None else "/".join(split_service(only, None)), progress=progress.step
    )
    progress.done()
    _report(compilation, format_, quiet=quiet, verbose=verbose)
    blocked = compilation.failed and not keep_going
    stale = False
    if output == _STDOUT:
        if not blocked:
            _print_objects(compilation, format_)
    elif blocked:
        err("nothing was written: correct the errors, or use --keep-going for the other services")
    else:
        stale = _write(repo, compilation, check=check, quiet=quiet, verbose=verbose)
    limit = threshold(repo.config.fail_on)
    failed = limit is not None and any(finding.severity >= limit for finding in compilation.findings)
    return EXIT_FINDINGS if failed or stale or compilation.failed else EXIT_CLEAN


def _report(compilation: Compilation, format_: str, *, quiet: bool, verbose: bool) -> None:
    """Findings go to stderr, because stdout may be the objects."""
    if format_ == "text":
        from omec.lint.formats.text import render  # noqa: PLC0415

        color = wants_color(sys.stderr)
        if compilation.findings:
            err(render(compilation.findings, lambda text, name: paint(text, name, on=color)).rstrip("\n"))
    if quiet:
        return
    services = compilation.services
    if verbose or len(services) <= _LISTED:
        for line in _service_lines(services):
            err(line)


def _service_lines(services: tuple[CompiledService, ...]) -> list[str]:
    """One line a service: what it gets, and why."""
    names = [f"{compiled.service.namespace}/{compiled.service.name}" for compiled in services]
    width = max(map(len, names), default=0)
    return [f"{name:<{width}}  {_outcome(compiled)}" for name, compiled in zip(names, services, strict=True)]


def _outcome(compiled: CompiledService) -> str:
    decision = compiled.decision
    if compiled.failed or decision.selected is None:
        return "refused"
    chain = compiled.chain
    if decision.named is not None:
        why = "named by the service"
    else:
        assert decision.selection is not None
        others = len(decision.selection.ranking) - 1
        why = f"selected before {others} other{'s' if others != 1 else ''}" if others else "the only one that matches"
    inherited = f", inherits from {' < '.join(ref.name for ref in reversed(chain[:-1]))}" if len(chain) > 1 else ""
    count = len(compiled.objects)
    return f"{decision.selected.ref} ({why}{inherited}): {count} object{'s' if count != 1 else ''}"


def _print_objects(compilation: Compilation, format_: str) -> None:
    if format_ == "json":
        from omec.lint.formats.json import dumps  # noqa: PLC0415

        out_manifests(dumps(compilation.to_dict()))
        return
    from omec.compile.layout import stream  # noqa: PLC0415

    out_manifests(stream(compilation.outputs))


def _write(repo: Repo, compilation: Compilation, *, check: bool, quiet: bool, verbose: bool) -> bool:
    """Write the output, or with ``check`` only compare; whether it is stale."""
    folder = repo.config.output_path
    assert folder is not None
    plan = compilation.output_plan(_shown(folder))
    if check:
        if plan.is_stale:
            out(plan.diff())
        if not quiet:
            err(f"{plan.out} is {'stale: run omec compile and commit the result' if plan.is_stale else 'up to date'}")
        return plan.is_stale
    plan.apply()
    if not quiet:
        _summarise(plan, compilation, verbose=verbose)
    return False


def _shown(folder: Path) -> Path:
    """``folder`` from the current one where it lies below it: how people name it."""
    return folder.relative_to(Path.cwd()) if folder.is_relative_to(Path.cwd()) else folder


def _summarise(plan: OutputPlan, compilation: Compilation, *, verbose: bool) -> None:
    if verbose:
        for change in plan.changes:
            if change.action.value != "unchanged":
                err(f"{change.action.value}: {plan.out}/{change.path}")
    counts = Counter(change.action.value for change in plan.changes)
    states = ", ".join(f"{counts[state]} {state}" for state in ("created", "updated", "deleted", "unchanged"))
    done = sum(not compiled.failed for compiled in compilation.services)
    errors = sum(finding.severity is Severity.ERROR for finding in compilation.findings)
    failures = f", {errors} error{'s' if errors != 1 else ''}" if errors else ""
    err(f"{plan.out}: {done} of {len(compilation.services)} services; files: {states}{failures}")
