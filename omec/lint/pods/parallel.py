"""An engine beside the GPUs that it has: what several rules compare."""

from __future__ import annotations

from typing import NamedTuple

from omec.compile.problems import Steps
from omec.lint.commands import engines
from omec.lint.commands.parallelism import Parallelism, parallelism
from omec.lint.commands.server import PARALLELISM, Server
from omec.lint.pods.amounts import certain_gpus, gpus_of
from omec.lint.pods.view import Container, Pod


class EngineOnGpus(NamedTuple):
    """A server on the GPUs of its replica.

    ``gpus`` are those of all its pods, of which each has ``pod_gpus``; ``resource`` is where their number is written
    below the container. ``asked`` is ``None`` where the server is told no parallelism, or an open one.
    """

    container: Container
    server: Server
    asked: Parallelism | None
    gpus: int
    pod_gpus: int
    pods: int
    resource: Steps

    @property
    def describe(self) -> str:
        """The GPUs with the arithmetic: ``4 GPUs (2 pods x 2)``."""
        text = f"{self.gpus} GPU{'s' if self.gpus > 1 else ''}"
        return f"{text} ({self.pods} pods with {self.pod_gpus} each)" if self.pods > 1 else text


def engine_on_gpus(pod: Pod) -> EngineOnGpus | None:
    """The server of an engine or decoder pod with its GPUs; ``None`` where either is not certain.

    Of several pods one server makes a whole only where it is told so (``--nnodes``, or Ray before it), and where the
    workers' GPUs are known too.
    """
    main = pod.main
    if main is None or not pod.is_engine or not pod.serves:
        return None
    gpus = certain_gpus(pod)
    server = None if gpus is None else main.line.server
    if gpus is None or server is None or server.engine is engines.ROUTER or engines.CONFIG in server.options:
        return None
    pods, total = pod.replica_pods, gpus.number
    if pods > 1:
        workers = _worker_gpus(pod)
        if workers is None or not _is_distributed(server, main, pods):
            return None
        total += workers * (pods - 1)
    return EngineOnGpus(main, server, parallelism(server), total, gpus.number, pods, gpus.steps)


def _is_distributed(server: Server, main: Container, pods: int) -> bool:
    nodes = server.options.get(engines.NODES)
    if nodes is not None:
        return server.number(engines.NODES) in (pods, None)
    return "ray start" in main.line.text or "--distributed-executor-backend" in main.line.text


def _worker_gpus(pod: Pod) -> int | None:
    worker = pod.whole.get("worker") or {}
    runner = worker.get("runner")
    if runner is None:
        return None
    if pod.origin.accelerator.resources:
        found = gpus_of(pod.containers[0])
        return None if found is None else found.number
    found = gpus_of(Container(pod, runner, (("worker", "runner"),)))
    return None if found is None else found.number


def mentions_parallelism(container: Container) -> bool:
    """Whether the container's command line leaves a part of the parallelism to OME or to the pod itself."""
    return PARALLELISM in container.line.text
