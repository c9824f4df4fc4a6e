"""``omec agent node``: the role that brings models onto a node and tells the cluster what is there."""

from __future__ import annotations

from pathlib import Path

import click

from omec.cli.cluster import checked_namespace, checked_node_name, cluster_options, role_options
from omec.errors import EXIT_CLEAN, EXIT_FINDINGS, OmecError

_GIBIBYTE = 1 << 30
_MEGABYTE = 1_000_000


@click.command(name="node")
@click.option(
    "--node-name",
    callback=checked_node_name,
    envvar="NODE_NAME",
    metavar="NAME",
    help="The node that this agent is for.",
)
@click.option(
    "--namespace",
    callback=checked_namespace,
    default="ome",
    show_default=True,
    envvar="POD_NAMESPACE",
    metavar="NS",
    help="Where nodes report.",
)
@click.option(
    "--models-root", default="/mnt/data/models", show_default=True, metavar="DIR", help="Where models may be."
)
@click.option(
    "--extra-root", "extra_roots", multiple=True, metavar="DIR", help="Where models may be as well (repeatable)."
)
@click.option("--workers", type=click.IntRange(1, 64), default=2, show_default=True, help="How many models at a time.")
@click.option(
    "--parallel-files", type=click.IntRange(1, 64), default=4, show_default=True, help="Connections for a model."
)
@click.option(
    "--bandwidth", type=click.FloatRange(0), default=0, metavar="MB/S", help="Limit for the node; 0 for none."
)
@click.option(
    "--reserve", type=click.FloatRange(0), default=1, show_default=True, metavar="GIB", help="Disk to leave free."
)
@click.option(
    "--stall-seconds", type=click.FloatRange(1), default=300, show_default=True, help="Silence to end a download."
)
@click.option(
    "--endpoint", envvar="HF_ENDPOINT", default="", metavar="URL", help="The Hugging Face hub or a mirror of it."
)
@click.option("--xet/--no-xet", default=True, help="Whether the hub's content-addressed storage is used.")
@click.option(
    "--garbage",
    type=click.Choice(["off", "dry-run", "delete"]),
    default="dry-run",
    show_default=True,
    help="What becomes of directories that no model names any more.",
)
@click.option(
    "--garbage-grace", type=click.FloatRange(0), default=24, show_default=True, metavar="HOURS", help="Age of garbage."
)
@click.option("--takeover", is_flag=True, help="Write even while OME's manager or model agent runs.")
@role_options
@cluster_options
def command(
    node_name: str | None,
    namespace: str,
    models_root: str,
    extra_roots: tuple[str, ...],
    workers: int,
    parallel_files: int,
    bandwidth: float,
    reserve: float,
    stall_seconds: float,
    endpoint: str,
    xet: bool,
    garbage: str,
    garbage_grace: float,
    takeover: bool,
    port: int,
    log_level: str,
    debug: bool,  # noqa: ARG001 - for the exit code of main
    kubeconfig: Path | None,
    context: str | None,
    acting_as: str,
) -> int:
    """Bring the models that select this node onto its disk, and label the node with what is ready.

    Downloads are verified byte by byte before a model becomes Ready, and go on where they were after a crash. While
    OME's manager or model agent runs, nothing is written, and the role is not ready.
    """
    if not node_name:
        raise OmecError("the node has no name", hint="set NODE_NAME from spec.nodeName, or --node-name", code="OME002")
    from omec.runtime_agent.cluster.connect import connect  # noqa: PLC0415
    from omec.runtime_agent.download.runner import Supervision  # noqa: PLC0415
    from omec.runtime_agent.node.role import NodeRole  # noqa: PLC0415
    from omec.runtime_agent.node.settings import Settings  # noqa: PLC0415
    from omec.runtime_agent.process.lifecycle import stop_on_signals  # noqa: PLC0415
    from omec.runtime_agent.process.logs import configure_logs  # noqa: PLC0415

    configure_logs(log_level)
    cluster = connect(kubeconfig, context, acting_as=acting_as, field_manager="omec-agent-node")
    settings = Settings(
        node=node_name,
        namespace=namespace,
        models_root=models_root,
        extra_roots=extra_roots,
        workers=workers,
        parallel_files=parallel_files,
        bandwidth=int(bandwidth * _MEGABYTE),
        reserve=int(reserve * _GIBIBYTE),
        endpoint=endpoint,
        xet=xet,
        collect=garbage,
        collect_grace=garbage_grace * 3600,
        port=port,
        takeover=takeover,
        supervision=Supervision(stall_seconds=stall_seconds),
    )
    return EXIT_CLEAN if NodeRole(cluster, settings).run(stop_on_signals()) else EXIT_FINDINGS
