"""Options of the commands that talk to a cluster, and of the roles that run in one."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import click

Command = TypeVar("Command", bound=Callable[..., Any])

_LEVELS = click.Choice(["debug", "info", "warning", "error"])


def cluster_options(command: Command) -> Command:
    """``--kubeconfig``, ``--context`` and ``--as``, in the words of kubectl; passed as the arguments of ``connect``."""
    for decorate in reversed(
        (
            click.option(
                "--kubeconfig",
                type=click.Path(path_type=Path, dir_okay=False),
                metavar="FILE",
                help="Talk to the cluster of this file (default: KUBECONFIG, this pod's cluster, ~/.kube/config).",
            ),
            click.option("--context", metavar="NAME", help="Use this context of the kubeconfig."),
            click.option("--as", "acting_as", default="", metavar="USER", help="Act as this user (impersonation)."),
        )
    ):
        command = decorate(command)
    return command


def role_options(command: Command) -> Command:
    """What every role takes beside the cluster: ``--port`` of the probes and metrics, ``--log-level``."""
    for decorate in reversed(
        (
            click.option(
                "--port",
                type=click.IntRange(0, 65535),
                default=8080,
                show_default=True,
                help="Answer probes and scrapers at this port.",
            ),
            click.option(
                "--log-level", type=_LEVELS, default="info", show_default=True, envvar="LOG_LEVEL", help="What is told."
            ),
            click.option("--debug", is_flag=True, hidden=True),
        )
    ):
        command = decorate(command)
    return command


def checked_namespace(ctx: click.Context, param: click.Parameter, value: str) -> str:  # noqa: ARG001 - click's interface
    """``value``, if a namespace can be called so; an empty one would mean all namespaces to the API server."""
    from omec.api.names import dns_label_problem  # noqa: PLC0415

    wrong = dns_label_problem(value)
    if wrong:
        raise click.BadParameter(f"{value!r} {wrong}")
    return value


def checked_node_name(ctx: click.Context, param: click.Parameter, value: str | None) -> str | None:  # noqa: ARG001
    """``value``, if a node can be called so."""
    from omec.api.names import dns_subdomain_problem  # noqa: PLC0415

    wrong = dns_subdomain_problem(value) if value else None
    if wrong:
        raise click.BadParameter(f"{value!r} {wrong}")
    return value
