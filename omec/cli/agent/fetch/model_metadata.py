"""``omec agent fetch model-metadata``: the Job that reads a model on a claim."""

from __future__ import annotations

from pathlib import Path

import click

from omec.cli.agent.fetch.running import run_task, task_options
from omec.cli.cluster import checked_namespace, cluster_options


@click.command(name="model-metadata")
@click.option(
    "--model-path", type=click.Path(path_type=Path), default=Path("/model"), metavar="DIR", help="Where the model is."
)
@click.option("--basemodel-name", required=True, metavar="NAME", help="The model's name.")
@click.option("--basemodel-namespace", default="", metavar="NS", help="The namespace of a BaseModel.")
@click.option("--cluster-scoped", is_flag=True, help="It is a ClusterBaseModel.")
@click.option("--storage-uri", default="", metavar="URI", help="Where the model is from, to be noted with the result.")
@click.option(
    "--namespace",
    callback=checked_namespace,
    envvar="POD_NAMESPACE",
    default="ome",
    show_default=True,
    metavar="NS",
    help="Where the result goes.",
)
@task_options
@cluster_options
def command(
    model_path: Path,
    basemodel_name: str,
    basemodel_namespace: str,
    cluster_scoped: bool,
    storage_uri: str,
    namespace: str,
    config: Path | None,  # noqa: ARG001 - part of the contract; nothing in it is about this task
    debug: bool,
    kubeconfig: Path | None,
    context: str | None,
    acting_as: str,
) -> int:
    """Read the configuration files of the model in a directory, and write what they say into its ConfigMap.

    A model that cannot be read is written as Failed, with the reason, and the exit code is 3 or 4.
    """
    if cluster_scoped == bool(basemodel_namespace):
        raise click.UsageError("name either --basemodel-namespace or --cluster-scoped")

    def task() -> str:
        from omec.runtime_agent.cluster.connect import connect  # noqa: PLC0415
        from omec.runtime_agent.contract.names import ModelKey  # noqa: PLC0415
        from omec.runtime_agent.fetch.metadata import MetadataTask, extract  # noqa: PLC0415

        key = ModelKey(basemodel_namespace or None, basemodel_name)
        cluster = connect(kubeconfig, context, acting_as=acting_as, field_manager="omec-agent-metadata")
        return extract(cluster, MetadataTask(key, model_path, namespace, storage_uri))

    return run_task(task, debug=debug)
