"""``omec agent fetch enigma``: the init container ``model-init``, for models that are not encrypted."""

from __future__ import annotations

import os
from pathlib import Path

import click

from omec.cli.agent.fetch.running import run_task, task_options


@click.command(name="enigma")
@task_options
def command(config: Path | None, debug: bool) -> int:
    """See that the model at OME_AGENT_LOCAL_PATH is there.

    Decrypting one is left to OME's own image: the task fails unless OME_AGENT_DISABLE_MODEL_DECRYPTION is true.
    """

    def task() -> str:
        from omec.runtime_agent.fetch.tasks import unencrypted_model  # noqa: PLC0415
        from omec.runtime_agent.fetch.variables import Variables  # noqa: PLC0415

        return unencrypted_model(Variables.read(os.environ, config))

    return run_task(task, debug=debug)
