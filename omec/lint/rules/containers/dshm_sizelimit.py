"""``dshm-sizelimit``: shared memory with a small limit."""

from __future__ import annotations

from collections.abc import Iterator

from omec.finding import Rule, Severity
from omec.lint.context import Context, Fault, judged
from omec.lint.pods.amounts import quantity
from omec.lint.pods.mounts import shared_memory
from omec.lint.pods.view import Pod

RULE = Rule(
    "OME432",
    "dshm-sizelimit",
    Severity.INFO,
    "The volume at /dev/shm has a limit below 1Gi",
    why="NCCL and the engines' worker processes share buffers there; a small limit ends them under load.",
    fix="Raise `sizeLimit`, or remove it: the container's memory limit holds for the volume as well.",
    source="Kubernetes docs: concepts/storage/volumes#emptydir; reference 09 C3",
    bad="""\
volumes: [{name: dshm, emptyDir: {medium: Memory, sizeLimit: 64Mi}}]
runner:
  volumeMounts: [{name: dshm, mountPath: /dev/shm}]
""",
    good="""\
volumes: [{name: dshm, emptyDir: {medium: Memory, sizeLimit: 16Gi}}]
runner:
  volumeMounts: [{name: dshm, mountPath: /dev/shm}]
""",
)

_LEAST = 2**30


def check(context: Context) -> Iterator[Fault]:
    return judged(context.pods, _judge)


def _judge(pod: Pod) -> Iterator[Fault]:
    for container in pod.containers:
        mount = shared_memory(container)
        name = "" if mount is None else str(mount.get("name"))
        limit = (pod.volumes.get(name, {}).get("emptyDir") or {}).get("sizeLimit")
        size = quantity(limit)
        if size is not None and size.units < _LEAST:
            at = pod.written("volumes", ("name", name), "emptyDir", "sizeLimit")
            yield pod.fault(at, f"volume {name}, which {container.title} has at /dev/shm, holds only {limit}")
