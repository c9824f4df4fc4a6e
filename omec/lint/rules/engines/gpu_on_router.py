"""``gpu-on-router``: a router that asks for GPUs."""

from __future__ import annotations

from collections.abc import Iterator

from omec.finding import Rule, Severity
from omec.lint.context import Context, Fault, judged
from omec.lint.pods.amounts import gpus_of
from omec.lint.pods.view import Pod

RULE = Rule(
    "OME444",
    "gpu-on-router",
    Severity.INFO,
    "A router asks for GPUs",
    why="A router forwards requests and computes nothing; a GPU that it holds is idle.",
    fix="Remove the GPUs from the router's resources, unless this router does run a model.",
    source="reference 09 C3",
    bad="""\
resources:
  limits: {nvidia.com/gpu: 1}
""",
    good="""\
resources:
  limits: {cpu: 1, memory: 2Gi}
""",
)


def check(context: Context) -> Iterator[Fault]:
    return judged(context.concrete_pods, _judge)


def _judge(pod: Pod) -> Iterator[Fault]:
    for container in () if pod.is_engine else pod.containers:
        gpus = gpus_of(container)
        if gpus is not None:
            yield container.fault(
                gpus.steps, f"{container.title} asks for {gpus.number} GPU{'s' if gpus.number > 1 else ''}", key=True
            )
