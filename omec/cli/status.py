"""``omec status``: models by nodes, InferenceServices, and what waits for what, from the cluster."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from omec.cli.cluster import cluster_options
from omec.cli.console import err, out
from omec.errors import EXIT_CLEAN, OmecError

if TYPE_CHECKING:
    from omec.runtime_agent.overview.models import ModelRow
    from omec.runtime_agent.overview.services import ServiceRow
    from omec.runtime_agent.overview.snapshot import Snapshot

_UNBROKEN = 100_000
"""What is no terminal gets every row on one line, for ``grep`` and ``awk``."""


@click.command(name="status", short_help="Show models, InferenceServices and what waits for what, from the cluster.")
@click.option("-n", "--namespace", metavar="NS", help="Only this namespace (and models of the whole cluster).")
@click.option("--agent-namespace", default="ome", show_default=True, metavar="NS", help="Where nodes report.")
@click.option("-o", "--format", "format_", type=click.Choice(["text", "json"]), default="text", show_default=True)
@click.option("--debug", is_flag=True, hidden=True)
@cluster_options
def command(
    namespace: str | None,
    agent_namespace: str,
    format_: str,
    debug: bool,  # noqa: ARG001 - main's
    kubeconfig: Path | None,
    context: str | None,
    acting_as: str,
) -> int:
    """Show every model with the nodes that have it, every InferenceService, and what each of them waits for.

    It reads what the cluster says, whoever wrote it: omec's agent or OME's.
    """
    from omec.cli.values import print_value  # noqa: PLC0415
    from omec.runtime_agent.cluster.connect import connect  # noqa: PLC0415
    from omec.runtime_agent.cluster.report import cluster_problems_end_the_command  # noqa: PLC0415
    from omec.runtime_agent.overview.models import model_rows  # noqa: PLC0415
    from omec.runtime_agent.overview.services import service_rows  # noqa: PLC0415
    from omec.runtime_agent.overview.snapshot import take_snapshot  # noqa: PLC0415

    with cluster_problems_end_the_command():
        snapshot = take_snapshot(connect(kubeconfig, context, acting_as=acting_as), agent_namespace, namespace)
    _check(snapshot)
    models = model_rows(snapshot)
    services = service_rows(snapshot, models)
    if format_ == "json":
        rows = {"models": [row.to_dict() for row in models], "inferenceServices": [row.to_dict() for row in services]}
        print_value({**rows, "notAllowed": sorted(snapshot.unread)}, "json")
        return EXIT_CLEAN
    _print_tables(models, services)
    return EXIT_CLEAN


def _check(snapshot: Snapshot) -> None:
    from omec.runtime_agent.cluster.rules import CLUSTER_REFUSES  # noqa: PLC0415
    from omec.runtime_agent.overview.rules import NOTHING_TO_SEE  # noqa: PLC0415

    if not snapshot.knows_models:
        raise OmecError(
            "the cluster does not know the kinds of ome.io", hint=NOTHING_TO_SEE.remedy, code=NOTHING_TO_SEE.code
        )
    if {"clusterbasemodels", "inferenceservices"} <= snapshot.unread.keys():
        refusal = snapshot.unread["clusterbasemodels"]
        hint = "ask for the right to list the kinds of ome.io, or name a namespace with -n"
        raise OmecError(f"the API server refuses: {refusal}", hint=hint, code=CLUSTER_REFUSES.code)
    for plural in sorted(snapshot.unread):
        err(f"warning: not allowed to list {plural}; what hangs on them is left out")


def _print_tables(models: Sequence[ModelRow], services: Sequence[ServiceRow]) -> None:
    from omec.runtime_agent.overview.tables import model_table, service_table  # noqa: PLC0415

    width = shutil.get_terminal_size().columns if sys.stdout.isatty() else _UNBROKEN
    out(model_table(models, width) if models else "No models.\n")
    out("\n")
    out(service_table(services, width) if services else "No InferenceServices.\n")
