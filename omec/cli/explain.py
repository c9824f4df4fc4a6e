"""``omec explain``: which runtimes serve a model, and why the others do not."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING, Any

import click

from omec.cli.console import err, out
from omec.cli.options import MODELS_ROOT, open_source, source_options, split_service, warn_of_lost
from omec.cli.values import print_value
from omec.errors import EXIT_CLEAN, EXIT_FINDINGS, OmecError

if TYPE_CHECKING:
    from omec.repository import Repo
    from omec.resolve.explain import Explanation


@click.command(name="explain", short_help="Show which runtimes serve a model, and why the others do not.")
@source_options
@MODELS_ROOT
@click.option(
    "--model", metavar="NAME", help="A BaseModel in the namespace, else a ClusterBaseModel; or a URI (hf://…)."
)
@click.option("--isvc", metavar="NS/NAME", help="An InferenceService: its model, accelerator classes and modes.")
@click.option("--all", "all_", is_flag=True, help="Every model and every InferenceService, one answer a line.")
@click.option("-n", "--namespace", metavar="NS", help="The namespace to select runtimes for.")
@click.option(
    "-o",
    "--format",
    "format_",
    type=click.Choice(["table", "json", "yaml", "jsonl"]),
    help="Default: table; jsonl with --all.",
)
def command(
    src: tuple[str, ...],
    model: str | None,
    isvc: str | None,
    all_: bool,
    namespace: str | None,
    format_: str | None,
    **source: Any,
) -> int:
    """Rank the serving runtimes for a model or an InferenceService of SRC, as OME would.

    The table is that of `kubectl ome runtime explain`; what would have to change for a runtime to match, and which
    fields the manifests leave open, stand below it. Exits with 1 where OME would find no runtime.
    """
    source.pop("debug")
    if sum((model is not None, isvc is not None, all_)) != 1:
        raise OmecError("exactly one of --model or --isvc is required", hint="or --all for every one", code="OME002")
    repo = open_source(src, **source)
    warn_of_lost(repo)
    if all_:
        return _explain_all(repo, format_)
    if isvc is not None:
        explanation = repo.explain(isvc="/".join(split_service(isvc, namespace, namespace_option=True)))
    else:
        explanation = repo.explain(model=model, namespace=namespace)
    if format_ is None or format_ == "table":
        _print_table(explanation)
    else:
        print_value(explanation.to_dict(), format_)
    return EXIT_FINDINGS if explanation.error else EXIT_CLEAN


def _explain_all(repo: Repo, format_: str | None) -> int:
    if format_ not in (None, "jsonl"):
        raise OmecError("--all prints JSON lines", hint="use --format jsonl", code="OME002")
    failed = False
    for explanation in repo.explain_all():
        print_value(explanation.to_dict(), "jsonl")
        failed = failed or explanation.error is not None
    return EXIT_FINDINGS if failed else EXIT_CLEAN


def _print_table(explanation: Explanation) -> None:
    from omec.resolve.explain import nearest_misses, no_table_reason, render_table, unknown_notes  # noqa: PLC0415

    reason = no_table_reason(explanation)
    if explanation.named is not None:
        err("Note: spec.runtime is explicit; automatic selection below is hypothetical.")
    if reason is not None:
        err(reason)
    else:
        out(render_table(explanation, _width()))
    for heading, lines in (
        ("Not given in the manifests:", unknown_notes(explanation)),
        ("Nearest misses:", nearest_misses(explanation)),
    ):
        if lines:
            out(f"\n{heading}\n" + "".join(f"  {line}\n" for line in lines))
    if explanation.error and explanation.error != reason:
        err(f"error: {explanation.error}")
    if explanation.advisory:
        err(f"warning: {explanation.advisory}")


def _width() -> int:
    """80 columns or the terminal's, if it is narrower, as kubectl ome has it."""
    return min(80, shutil.get_terminal_size().columns)
