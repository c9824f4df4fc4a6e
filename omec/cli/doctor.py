"""``omec doctor``: whether a cluster is as omec's output and agent need it."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from omec.cli.cluster import cluster_options
from omec.cli.console import err, out, paint, wants_color
from omec.errors import EXIT_CLEAN, EXIT_FINDINGS
from omec.finding import Severity

if TYPE_CHECKING:
    from omec.runtime_agent.doctor.report import Line

_COLORS = {"ok": "green", "error": "red", "warning": "yellow", "info": "cyan", "-": "dim"}


@click.command(name="doctor", short_help="Check that a cluster is as omec's output and agent need it.")
@click.option("-o", "--format", "format_", type=click.Choice(["text", "json"]), default="text", show_default=True)
@click.option("--debug", is_flag=True, hidden=True)
@cluster_options
def command(
    format_: str,
    debug: bool,  # noqa: ARG001 - main's
    kubeconfig: Path | None,
    context: str | None,
    acting_as: str,
) -> int:
    """Examine the cluster: OME's definitions, manager and model agent, omec's agent, and who renders each service.

    Nothing is changed. Exits with 1 where something is wrong.
    """
    from omec.cli.values import print_value  # noqa: PLC0415
    from omec.runtime_agent.cluster.connect import connect  # noqa: PLC0415
    from omec.runtime_agent.cluster.report import cluster_problems_end_the_command  # noqa: PLC0415
    from omec.runtime_agent.doctor.examination import examine  # noqa: PLC0415

    with cluster_problems_end_the_command():
        lines = list(examine(connect(kubeconfig, context, acting_as=acting_as)))
    if format_ == "json":
        print_value({"lines": [line.to_dict() for line in lines]}, "json")
    else:
        _print(lines)
    is_wrong = any(line.rule is not None and line.rule.severity is Severity.ERROR for line in lines)
    return EXIT_FINDINGS if is_wrong else EXIT_CLEAN


def _print(lines: Sequence[Line]) -> None:
    color = wants_color(sys.stdout)
    for line in lines:
        label = paint(f"{line.label:<7}", _COLORS[line.label], on=color)
        code = f" [{line.rule.code}]" if line.rule else ""
        out(f"{label}  {line.text}{code}\n")
        if line.rule:
            out(f"         help: {line.rule.remedy}\n")
    wrong = sum(line.rule is not None for line in lines)
    err(f"{wrong} problem{'' if wrong == 1 else 's'}" if wrong else "no problems")
