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
            click.option("--port", default=8080, show_default=True, help="Answer probes and scrapers at this port."),
            click.option(
                "--log-level", type=_LEVELS, default="info", show_default=True, envvar="LOG_LEVEL", help="What is told."
            ),
            click.option("--debug", is_flag=True, hidden=True),
        )
    ):
        command = decorate(command)
    return command
