"""``omec agent status``: the role that gathers what nodes and workloads say into the status of ome.io objects."""

from __future__ import annotations

from pathlib import Path

import click

from omec.cli.cluster import checked_namespace, cluster_options, role_options
from omec.errors import EXIT_CLEAN, EXIT_FINDINGS


@click.command(name="status")
@click.option(
    "--namespace",
    callback=checked_namespace,
    default="ome",
    show_default=True,
    envvar="POD_NAMESPACE",
    metavar="NS",
    help="Where nodes report, and where the lease is.",
)
@click.option("--identity", envvar="POD_NAME", metavar="NAME", help="The name of this process (default: the host's).")
@click.option(
    "--metadata-image", default="", metavar="IMAGE", help="The agent's image, for Jobs that read pvc:// models."
)
@click.option("--takeover", is_flag=True, help="Write even while OME's manager or model agent runs.")
@role_options
@cluster_options
def command(
    namespace: str,
    identity: str | None,
    metadata_image: str,
    takeover: bool,
    port: int,
    log_level: str,
    debug: bool,  # noqa: ARG001 - for the exit code of main
    kubeconfig: Path | None,
    context: str | None,
    acting_as: str,
) -> int:
    """Keep the status of models, runtimes and InferenceServices at what the cluster is like.

    Nodes report into ConfigMaps; models get nodesReady, nodesFailed and state. Runtimes get their inheritanceChain.
    InferenceServices get the state of their workloads, or are listed on the page /status where no such object exists.
    While OME's manager or model agent runs, nothing is written, and the role is not ready.
    """
    import socket  # noqa: PLC0415

    from omec.runtime_agent.cluster.connect import connect  # noqa: PLC0415
    from omec.runtime_agent.process.lifecycle import stop_on_signals  # noqa: PLC0415
    from omec.runtime_agent.process.logs import configure_logs  # noqa: PLC0415
    from omec.runtime_agent.status.role import Settings, StatusRole  # noqa: PLC0415

    configure_logs(log_level)
    cluster = connect(kubeconfig, context, acting_as=acting_as, field_manager="omec-agent-status")
    settings = Settings(namespace, identity or socket.gethostname(), port, takeover, metadata_image=metadata_image)
    role = StatusRole(cluster, settings)
    return EXIT_CLEAN if role.run(stop_on_signals()) else EXIT_FINDINGS
