"""``leader-worker-volume``: a pod of several mounts a volume that only another part of its runtime declares.

The candidate of the reference names volumes of ``engineConfig`` itself, which OME before 1.3 did not give to leader and
workers. OME 1.3 does, so here a volume counts as missing that only the *other* role or the runtime's own top level has.
"""

from __future__ import annotations

from collections.abc import Iterator

from omec.finding import Rule, Severity
from omec.lint.context import Context, Fault, judged
from omec.lint.pods.mounts import dangling, declared_elsewhere
from omec.lint.pods.view import Pod

RULE = Rule(
    "OME408",
    "leader-worker-volume",
    Severity.ERROR,
    "A container mounts a volume that another part of the runtime declares, but not its own pod",
    why=(
        "Leader and workers are separate pods, and OME reads no volumes from a runtime's top level. The API server "
        "refuses the workload, although the volume is in the manifest."
    ),
    fix="Declare the volume under the component's own `volumes`, which leader and workers share.",
    source="OME docs: reference/api/ome.v1beta1; reference 04 §5.5 and §5.6",
    bad="""\
engineConfig:
  leader:
    runner:
      name: ome-container
      image: docker.io/lmsysorg/sglang:v0.5.5
      volumeMounts: [{name: dshm, mountPath: /dev/shm}]
  worker:
    size: 1
    volumes: [{name: dshm, emptyDir: {medium: Memory}}]
    runner: {name: ome-container, image: docker.io/lmsysorg/sglang:v0.5.5}
""",
    good="""\
engineConfig:
  volumes: [{name: dshm, emptyDir: {medium: Memory}}]
  leader:
    runner:
      name: ome-container
      image: docker.io/lmsysorg/sglang:v0.5.5
      volumeMounts: [{name: dshm, mountPath: /dev/shm}]
  worker:
    size: 1
    runner: {name: ome-container, image: docker.io/lmsysorg/sglang:v0.5.5}
""",
)


def check(context: Context) -> Iterator[Fault]:
    return judged(context.concrete_pods, _judge)


def _judge(pod: Pod) -> Iterator[Fault]:
    for container, mount in dangling(pod):
        elsewhere = declared_elsewhere(pod, mount["name"])
        if elsewhere is not None:
            message = f"{container.title} mounts volume {mount['name']}, which only {elsewhere} declares"
            yield container.fault(("volumeMounts", ("mountPath", str(mount.get("mountPath"))), "name"), message)
