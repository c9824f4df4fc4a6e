"""``omec effective``: a runtime with everything that it inherits."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from omec.cli.console import err, out
from omec.cli.options import open_source, source_options, split_service, warn_of_lost
from omec.cli.values import print_value
from omec.errors import EXIT_CLEAN, EXIT_FINDINGS, OmecError
from omec.finding import ObjectRef

if TYPE_CHECKING:
    from omec.resolve.effective import Effective


@click.command(name="effective", short_help="Show a runtime with everything that it inherits.")
@source_options
@click.option("--runtime", metavar="NAME", help="A ServingRuntime of the namespace, else a ClusterServingRuntime.")
@click.option("--isvc", metavar="NS/NAME", help="The runtime that this InferenceService gets.")
@click.option("-n", "--namespace", metavar="NS", help="The namespace of the runtime or the InferenceService.")
@click.option(
    "-o", "--format", "format_", type=click.Choice(["yaml", "json", "text"]), default="text", show_default=True
)
def command(
    src: tuple[str, ...], runtime: str | None, isvc: str | None, namespace: str | None, format_: str, **source: Any
) -> int:
    """Merge a runtime of SRC with its parents, as OME does for an InferenceService that names it.

    The text format prints the chain and the hash as comments above the merged spec, so the whole is valid YAML.
    """
    source.pop("debug")
    if (runtime is None) == (isvc is None):
        raise OmecError("exactly one of --runtime or --isvc is required", code="OME002")
    repo = open_source(src, **source)
    warn_of_lost(repo)
    if isvc is not None:
        answer = repo.effective(isvc="/".join(split_service(isvc, namespace, namespace_option=True)))
    else:
        answer = repo.effective(runtime=runtime, namespace=namespace)
    if format_ == "text":
        _print_text(answer)
    else:
        print_value(answer.to_dict(), format_)
    if answer.error:
        err(f"error: {answer.error}")
        return EXIT_FINDINGS
    return EXIT_CLEAN


def _print_text(answer: Effective) -> None:
    from omec.repo.yaml import dump  # noqa: PLC0415

    out(f"# {answer.runtime}\n")
    out(f"# chain: {' > '.join(short_name(ref) for ref in answer.chain)}\n")
    if answer.hash:
        out(f"# hash: {answer.hash[:8]}\n")
    if answer.spec is not None:
        out(dump(answer.spec))


def short_name(ref: ObjectRef) -> str:
    """``CSR/<name>`` or ``SR/<namespace>/<name>``, as kubectl ome writes runtimes."""
    return f"SR/{ref.namespace}/{ref.name}" if ref.namespace else f"CSR/{ref.name}"
