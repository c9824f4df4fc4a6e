"""``omec agent fetch model``: a model into a directory, in a Job or an init container."""

from __future__ import annotations

import os
from pathlib import Path

import click

from omec.cli.agent.fetch.running import run_task

_MEGABYTE = 1_000_000


@click.command(name="model")
@click.argument("uri")
@click.argument("directory")
@click.option("--bandwidth", type=click.FloatRange(0), default=0, metavar="MB/S", help="A limit; 0 for none.")
@click.option(
    "--endpoint", envvar="HF_ENDPOINT", default="", metavar="URL", help="The Hugging Face hub or a mirror of it."
)
@click.option("--debug", is_flag=True, help="Log more.")
def command(uri: str, directory: str, bandwidth: float, endpoint: str, debug: bool) -> int:
    """Download the model at URI (hf://, oci://, modelpack://) into DIRECTORY, whole and verified.

    DIRECTORY appears when all of it is there. Its parent must be writable: name a directory of a mounted volume, not
    the mount itself. The token for the hub is that of HF_TOKEN; for oci://, OME_AGENT_AUTH_TYPE and OME_AGENT_REGION
    say who to act as. Run again, it goes on where it was.
    """

    if not directory:
        raise click.BadParameter("it is empty", param_hint="'DIRECTORY'")

    def task() -> str:
        from omec.runtime_agent.fetch.tasks import model  # noqa: PLC0415
        from omec.runtime_agent.fetch.variables import Variables  # noqa: PLC0415

        limit, token = int(bandwidth * _MEGABYTE), os.environ.get("HF_TOKEN", "").strip()
        return model(uri, Path(directory), Variables(os.environ), token=token, bandwidth=limit, endpoint=endpoint)

    return run_task(task, debug=debug)
