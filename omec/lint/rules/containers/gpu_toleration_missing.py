"""``gpu-toleration-missing``: a pod with GPUs that tainted GPU nodes repel."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial

from omec.finding import Rule, Severity
from omec.lint.context import Context, Fault, judged
from omec.lint.pods.amounts import gpus_of
from omec.lint.pods.view import Pod

RULE = Rule(
    "OME903",
    "gpu-toleration-missing",
    Severity.INFO,
    "A pod asks for GPUs and tolerates no taint of GPU nodes",
    why=(
        "Most clusters taint their GPU nodes with the name of the resource, so that other pods stay away. Where "
        "neither the manifest nor an admission plugin adds the toleration, the pod stays Pending."
    ),
    fix=(
        "Add `{key: nvidia.com/gpu, operator: Exists, effect: NoSchedule}` to the tolerations; where the taints have "
        "another key, name it with `gpu-taints` in `[lint]`."
    ),
    source="Kubernetes docs: concepts/scheduling-eviction/taint-and-toleration; reference 09 C3",
    bad="""\
runner:
  resources: {limits: {nvidia.com/gpu: 1}}
""",
    good="""\
tolerations: [{key: nvidia.com/gpu, operator: Exists, effect: NoSchedule}]
runner:
  resources: {limits: {nvidia.com/gpu: 1}}
""",
    default=False,
)


def check(context: Context) -> Iterator[Fault]:
    return judged(context.concrete_pods, partial(_judge, context.config.lint.gpu_taints))


def _judge(taints: Sequence[str], pod: Pod) -> Iterator[Fault]:
    main = pod.main
    gpus = None if main is None else gpus_of(main)
    if main is None or gpus is None:
        return
    resource = str(gpus.steps[-1])
    keys = taints or (resource,)
    tolerated = {item.get("key") or "" for item in pod.part.get("tolerations") or ()}
    if tolerated.isdisjoint(("", *keys)):
        message = f"{main.title} asks for {resource}, and no toleration has the key {' or '.join(keys)}"
        yield main.fault(gpus.steps, message, key=True)
