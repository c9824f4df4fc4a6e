"""``omec agent cleanup``: remove what the agent added to the cluster."""

from __future__ import annotations

from pathlib import Path

import click

from omec.cli.cluster import checked_namespace, cluster_options
from omec.cli.console import err, out
from omec.errors import EXIT_CLEAN, OmecError


@click.command(name="cleanup")
@click.option(
    "--namespace",
    callback=checked_namespace,
    default="ome",
    show_default=True,
    metavar="NS",
    help="Where the agent is installed.",
)
@click.option("--dry-run", is_flag=True, help="Say what would be removed, and change nothing.")
@click.option("--debug", is_flag=True, hidden=True)
@cluster_options
def command(
    namespace: str,
    dry_run: bool,
    debug: bool,  # noqa: ARG001 - main's
    kubeconfig: Path | None,
    context: str | None,
    acting_as: str,
) -> int:
    """Remove what the agent added: labels of nodes, finalizers of models, ConfigMaps of nodes, the lease.

    Files on nodes and statuses stay, and what OME's own agent wrote is not touched. Pods that run go on; new ones find
    no node with their model until an agent sets the labels again. Stop the agent before.
    """
    from omec.runtime_agent.cleanup import removals, running_agents  # noqa: PLC0415
    from omec.runtime_agent.cleanup_rules import AGENT_RUNS  # noqa: PLC0415
    from omec.runtime_agent.cluster.connect import connect  # noqa: PLC0415
    from omec.runtime_agent.cluster.report import cluster_problems_end_the_command  # noqa: PLC0415

    count = 0
    with cluster_problems_end_the_command():
        cluster = connect(kubeconfig, context, acting_as=acting_as)
        running = running_agents(cluster, namespace)
        if running and not dry_run:
            names = " and ".join(running)
            raise OmecError(f"the agent still runs: {names}", hint=AGENT_RUNS.remedy, code=AGENT_RUNS.code)
        for count, removal in enumerate(removals(cluster, namespace), 1):  # noqa: B007 - counted to the end
            if not dry_run:
                removal.remove()
            out(f"{'would remove' if dry_run else 'removed'} {removal.text}\n")
    err(f"{count} {'thing' if count == 1 else 'things'} {'to remove' if dry_run else 'removed'}")
    return EXIT_CLEAN
