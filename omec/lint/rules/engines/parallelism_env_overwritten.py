"""``parallelism-env-overwritten``: a variable that OME replaces."""

from __future__ import annotations

from collections.abc import Iterator

from omec.compile.runner import PARALLELISM_SIZE
from omec.finding import Rule, Severity
from omec.lint.context import Context, Fault, judged
from omec.lint.pods.amounts import gpus_of
from omec.lint.pods.view import Pod

RULE = Rule(
    "OME443",
    "parallelism-env-overwritten",
    Severity.WARNING,
    "A runner sets PARALLELISM_SIZE, which OME replaces",
    why=(
        "OME sets PARALLELISM_SIZE in the runner to the accelerators of a pod times the pods of a replica, over "
        "whatever is there. The value in the manifest never reaches the engine."
    ),
    fix="Remove the variable; for another number give the engine its option with that number.",
    source="OME docs: reference/api/labels-and-annotations; reference 04 §8.6",
    bad="""\
env: [{name: PARALLELISM_SIZE, value: "4"}]
resources:
  limits: {nvidia.com/gpu: 8}
""",
    good="""\
env: [{name: NCCL_DEBUG, value: WARN}]
resources:
  limits: {nvidia.com/gpu: 8}
""",
)


def check(context: Context) -> Iterator[Fault]:
    return judged(context.pods, _judge)


def _judge(pod: Pod) -> Iterator[Fault]:
    main = pod.main
    if main is None or not pod.is_engine or PARALLELISM_SIZE not in main.environment or "runner" not in pod.part:
        return
    gpus = gpus_of(main)
    if gpus is not None:
        value = main.environment[PARALLELISM_SIZE].get("value")
        size = gpus.number * pod.replica_pods
        written = "" if value is None else f" {value}"
        message = f"OME replaces {PARALLELISM_SIZE}{written} of {main.title} by {size}"
        if value == str(size):
            message = f"OME sets {PARALLELISM_SIZE} of {main.title} to {size} by itself, and changes it with the GPUs"
        yield main.fault(("env", ("name", PARALLELISM_SIZE)), message)
