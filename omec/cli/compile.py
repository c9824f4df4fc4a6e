"""``omec compile``: render the InferenceServices of a repository into Kubernetes objects."""

from __future__ import annotations

import contextlib
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from omec.cli.compile_report import Report
from omec.cli.console import Progress
from omec.cli.options import FAIL_ON, MODELS_ROOT, all_source_options, open_all, split_service, threshold
from omec.errors import EXIT_CLEAN, EXIT_FINDINGS, OmecError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from omec.compile.result import Compilation
    from omec.repo.config import Config

_STDOUT = "-"


@click.command(name="compile", short_help="Render the InferenceServices of a repository into Kubernetes objects.")
@all_source_options
@MODELS_ROOT
@click.option("-o", "--output", metavar="OUT", help="The folder to write, or - for standard output.")
@click.option("--emit", type=click.Choice(["objects", "kustomization"]), help="Also write a kustomization.yaml.")
@click.option("--check", is_flag=True, help="Write nothing; fail and show the difference when OUT is stale.")
@click.option("--only", metavar="NS/NAME", help="Only this InferenceService; everything else stays as it is.")
@click.option("--keep-going", is_flag=True, help="Write the services without an error; the others keep their files.")
@click.option("--platform", type=click.Choice(["ome", "kubernetes"]), help="Whether OME's manager runs in the cluster.")
@click.option("--kubernetes-version", metavar="VERSION", help="The version whose schemas the objects must satisfy.")
@click.option("--include", metavar="KINDS", help="Further kinds to copy (plural, comma-separated), such as namespaces.")
@click.option("--capabilities", metavar="APIS", help="The cluster's optional APIs (comma-separated), such as keda.sh.")
@click.option("--schema-dir", metavar="DIR", help="A folder of CustomResourceDefinitions that objects must satisfy.")
@click.option("--metadata/--no-metadata", default=None, help="omec's own label on the objects (default: on).")
@click.option("--provenance/--no-provenance", default=None, help="Also write where each field comes from (slower).")
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
    capabilities: str | None,
    format_: str,
    verbose: bool,
    quiet: bool,
    **options: Any,
) -> int:
    """Read SRC, choose a runtime for every InferenceService as OME does, and write what OME would create into OUT.

    If one service has an error, nothing is written, because an Argo CD that prunes would delete what is missing.
    """
    options.pop("debug")
    to_stdout = output == _STDOUT
    if to_stdout and check:
        raise OmecError("--check compares with a folder", hint="name it with -o", code="OME002")
    if to_stdout:
        options["provenance"] = False
    repo = open_all(
        src,
        **options,
        output=None if to_stdout else output,
        include=include.split(",") if include else None,
        capabilities=None if capabilities is None else [name for name in capabilities.split(",") if name],
    )
    if not to_stdout and repo.config.output_path is None:
        raise OmecError(
            "no output folder", hint="name it with -o (-o - prints), or set output in omec.toml", code="OME002"
        )
    progress = Progress()
    compiled = repo.compile(only=None if only is None else "/".join(split_service(only)), progress=progress.step)
    progress.done()
    report = Report(compiled, json=format_ == "json", quiet=quiet, verbose=verbose)
    blocked = compiled.failed and not keep_going
    if to_stdout:
        _require_one(compiled.parts, json=format_ == "json")
        report.findings(to_stderr=True)
        report.print_objects(blocked=blocked)
        stale = False
    else:
        stale = _write(repo.config, report, check=check, blocked=blocked)
    limit = threshold(repo.config.fail_on)
    failed = limit is not None and any(finding.severity >= limit for finding in compiled.findings)
    return EXIT_FINDINGS if failed or stale or compiled.failed else EXIT_CLEAN


def _require_one(parts: Sequence[tuple[str, Compilation]], *, json: bool) -> None:
    """Refuse to print the objects of several clusters as one stream, which somebody would apply to one."""
    if len(parts) > 1 and not json:
        raise OmecError(
            f"standard output would mix the objects of {', '.join(name for name, _ in parts)}",
            hint="name one environment with --env, or use --format json, which keeps them apart",
            code="OME002",
        )


def _write(config: Config, report: Report, *, check: bool, blocked: bool) -> bool:
    """Write the output, or with ``check`` only compare; whether it is stale."""
    folder = config.output_path
    assert folder is not None
    if blocked:
        report.blocked()
        return False
    from omec.compile.output_lock import locked  # noqa: PLC0415

    with contextlib.nullcontext() if check else locked(folder):
        plan = report.compiled.output_plan(_shown(folder))
        if not check:
            plan.apply()
    report.written(plan, check=check)
    return check and plan.is_stale


def _shown(folder: Path) -> Path:
    """``folder`` from the current one where it lies below it: how people name it."""
    return folder.relative_to(Path.cwd()) if folder.is_relative_to(Path.cwd()) else folder
