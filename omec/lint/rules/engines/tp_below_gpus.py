"""``tp-below-gpus``: a server that leaves GPUs of its replica idle."""

from __future__ import annotations

from collections.abc import Iterator

from omec.finding import Rule, Severity
from omec.lint.context import Context, Fault, judged
from omec.lint.pods.view import Pod

RULE = Rule(
    "OME441",
    "tp-below-gpus",
    Severity.WARNING,
    "An engine uses fewer GPUs than its replica has",
    why="The rest of the GPUs are reserved for the pod, paid for, and idle.",
    fix="Make the parallelism and the GPU limit agree; `--tp-size=$(PARALLELISM_SIZE)` follows the limit by itself.",
    source="OME docs: concepts/runtimes/serving-runtimes; reference 09 C3",
    bad="""\
command: [python3, -m, sglang.launch_server, --model-path=$(MODEL_PATH), --host=0.0.0.0, --port=8080, --tp-size=1]
resources:
  limits: {nvidia.com/gpu: 4}
""",
    good="""\
command: [python3, -m, sglang.launch_server, --model-path=$(MODEL_PATH), --host=0.0.0.0, --port=8080, --tp-size=1]
resources:
  limits: {nvidia.com/gpu: 1}
""",
)


def check(context: Context) -> Iterator[Fault]:
    return judged(context.concrete_pods, _judge)


def _judge(pod: Pod) -> Iterator[Fault]:
    if pod.origin.accelerator.sets_parallelism:  # what the runtime sets for a class has a rule of its own
        return
    engine = pod.on_gpus
    if engine is not None and engine.asked is not None and engine.asked.gpus < engine.gpus:
        asked = engine.asked
        uses = asked.arithmetic if " x " not in asked.arithmetic else f"{asked.arithmetic} = {asked.gpus}"
        idle = engine.gpus - asked.gpus
        message = (
            f"{engine.container.title} runs {engine.server.engine.name} with {uses} on {engine.describe}: "
            f"{idle} {'is' if idle == 1 else 'are'} idle"
        )
        yield engine.container.fault(asked.at, message, causes=[engine.container.written(*engine.resource)])
