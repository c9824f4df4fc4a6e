"""``omec agent fetch``: the tasks of init containers and Jobs, each loaded when it runs."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

import click

from omec.cli.application import LazyGroup

TASKS: dict[str, str] = {
    "enigma": "See that a model without encryption is there (init container model-init).",
    "fine-tuned-adapter": "Fetch fine-tuned weights into the pod that serves them (init container).",
    "model": "Download a model into a directory, say, of a claim.",
    "model-metadata": "Read the files of a model on a claim, and tell the cluster (Job).",
}


class _Tasks(LazyGroup):
    package = "omec.cli.agent.fetch"
    commands_by_name: ClassVar[Mapping[str, str]] = TASKS


@click.group(
    name="fetch",
    cls=_Tasks,
    epilog="Exit codes: 0 done, 1 may pass by itself, 2 wrong settings, 3 the source refuses, 4 damaged or unsafe, "
    "5 no space, 143 stopped by SIGTERM.",
)
def command() -> None:
    """Do one task in a pod and end, as OME's ome-agent does.

    The arguments, variables and mounts are those that docs/weights-container.md describes.
    """
