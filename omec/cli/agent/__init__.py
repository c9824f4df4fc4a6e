"""``omec agent``: the roles of the in-cluster agent, each loaded when it runs."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

import click

from omec.cli.application import LazyGroup

ROLES: dict[str, str] = {
    "cleanup": "Remove what the agent added to the cluster.",
    "fetch": "Do one task of a pod: fetch weights before they are served, or read a model on a claim.",
    "node": "Bring models onto a node, and label it with what is ready (a DaemonSet).",
    "manifests": "Print the objects that install the agent in a cluster.",
    "status": "Keep the status of models, runtimes and InferenceServices (a Deployment).",
}


class _Roles(LazyGroup):
    package = "omec.cli.agent"
    commands_by_name: ClassVar[Mapping[str, str]] = ROLES


@click.group(name="agent", cls=_Roles)
def command() -> None:
    """Run a role of the agent, which takes the place of OME's model agent and of the status part of its manager.

    The roles run in a cluster, under the manifests that docs/agent.md describes.
    """
