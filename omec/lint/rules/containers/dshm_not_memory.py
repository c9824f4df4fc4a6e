"""``dshm-not-memory``: shared memory that is a folder on the node's disk."""

from __future__ import annotations

from collections.abc import Iterator

from omec.finding import Rule, Severity
from omec.lint.context import Context, Fault, judged
from omec.lint.pods.mounts import shared_memory
from omec.lint.pods.view import Pod

RULE = Rule(
    "OME431",
    "dshm-not-memory",
    Severity.WARNING,
    "The volume at /dev/shm is not in memory",
    why="An emptyDir is a folder on the node's disk unless its medium is Memory: the exchange between GPUs crawls.",
    fix="Write `emptyDir: {medium: Memory}`.",
    source="Kubernetes docs: concepts/storage/volumes#emptydir; reference 09 C3",
    bad="""\
volumes: [{name: dshm, emptyDir: {}}]
runner:
  volumeMounts: [{name: dshm, mountPath: /dev/shm}]
""",
    good="""\
volumes: [{name: dshm, emptyDir: {medium: Memory}}]
runner:
  volumeMounts: [{name: dshm, mountPath: /dev/shm}]
""",
    fixable=True,
)


def check(context: Context) -> Iterator[Fault]:
    return judged(context.concrete_pods, _judge)


def _judge(pod: Pod) -> Iterator[Fault]:
    for container in pod.containers:
        mount = shared_memory(container)
        name = "" if mount is None else str(mount.get("name"))
        folder = pod.volumes.get(name, {}).get("emptyDir")
        if isinstance(folder, dict) and folder.get("medium") != "Memory":
            at = pod.written("volumes", ("name", name), "emptyDir")
            medium = folder.get("medium")
            how = f"with medium {medium}" if medium else "without medium Memory"
            yield pod.fault(at, f"volume {name}, which {container.title} has at /dev/shm, is an emptyDir {how}")
