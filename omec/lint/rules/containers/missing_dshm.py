"""``missing-dshm``: several GPUs, and no more shared memory than a container's default."""

from __future__ import annotations

from collections.abc import Iterator

from omec.finding import Rule, Severity
from omec.lint.commands.parallelism import parallelism
from omec.lint.context import Context, Fault, judged
from omec.lint.pods.amounts import TPU, gpus_of
from omec.lint.pods.injected import gets_shared_memory
from omec.lint.pods.mounts import mount_at, shared_memory
from omec.lint.pods.view import Pod

RULE = Rule(
    "OME430",
    "missing-dshm",
    Severity.WARNING,
    "A pod with several GPUs mounts nothing at /dev/shm",
    why=(
        "The processes of the GPUs exchange data by shared memory, of which a container has 64 MiB by default. NCCL "
        "ends with `Error while creating shared memory segment`, often only under load."
    ),
    fix="Add the volume `{name: dshm, emptyDir: {medium: Memory}}` and mount it at `/dev/shm`.",
    source="NCCL docs: troubleshooting; reference 09 C3 and C8",
    bad="""\
runner:
  resources: {limits: {nvidia.com/gpu: 4}}
""",
    good="""\
volumes: [{name: dshm, emptyDir: {medium: Memory}}]
runner:
  volumeMounts: [{name: dshm, mountPath: /dev/shm}]
  resources: {limits: {nvidia.com/gpu: 4}}
""",
)


def check(context: Context) -> Iterator[Fault]:
    return judged(context.concrete_pods, _judge)


def _judge(pod: Pod) -> Iterator[Fault]:
    main = pod.main
    if main is None or not pod.is_engine or shared_memory(main) is not None or gets_shared_memory(main):
        return
    if mount_at(main, "/dev") is not None or pod.part.get("hostIPC") is True:
        return
    gpus = gpus_of(main)
    if gpus is not None and gpus.steps[-1] == TPU:
        return  # They are connected without NCCL.
    if gpus is not None and gpus.number > 1:
        yield main.fault(gpus.steps, f"{main.title} has {gpus.number} GPUs and nothing mounted at /dev/shm")
        return
    server = main.line.server
    asked = None if server is None else parallelism(server)
    if asked is not None and asked.shards > 1:
        message = f"{main.title} runs with {asked.arithmetic} and has nothing mounted at /dev/shm"
        yield main.fault(asked.at, message)
