"""``omec agent fetch fine-tuned-adapter``: the init container of pods that serve fine-tuned weights."""

from __future__ import annotations

import os
from pathlib import Path

import click

from omec.cli.agent.fetch.running import run_task, task_options


@click.command(name="fine-tuned-adapter")
@task_options
def command(config: Path | None, debug: bool) -> int:
    """Fetch the zip file that the variables OME_AGENT_… name from Oracle object storage, and unpack it.

    Weights that are complete are left as they are; what has arrived before is gone on from.
    """

    def task() -> str:
        from omec.runtime_agent.fetch.tasks import fine_tuned_weights  # noqa: PLC0415
        from omec.runtime_agent.fetch.variables import Variables  # noqa: PLC0415

        return fine_tuned_weights(Variables.read(os.environ, config))

    return run_task(task, debug=debug)
