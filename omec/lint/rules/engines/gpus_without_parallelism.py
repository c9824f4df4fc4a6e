"""``gpus-without-parallelism``: several GPUs, and a server that is not told to use more than one."""

from __future__ import annotations

from collections.abc import Iterator

from omec.finding import Rule, Severity
from omec.lint.commands.parallelism import is_told
from omec.lint.context import Context, Fault, judged
from omec.lint.pods.parallel import mentions_parallelism
from omec.lint.pods.view import Pod

RULE = Rule(
    "OME442",
    "gpus-without-parallelism",
    Severity.WARNING,
    "A pod has several GPUs, and its engine is not told to use more than one",
    why=(
        "SGLang, vLLM and TensorRT-LLM use one GPU unless an option asks for more. The others are reserved, paid for "
        "and idle, and a model that needs several does not fit."
    ),
    fix="Add `--tp-size=$(PARALLELISM_SIZE)` (vLLM: `--tensor-parallel-size`, TensorRT-LLM: `--tp_size`).",
    source="OME docs: concepts/runtimes/serving-runtimes; reference 09 C3",
    bad="""\
command: [python3, -m, sglang.launch_server, --model-path=$(MODEL_PATH), --host=0.0.0.0, --port=8080]
resources:
  limits: {nvidia.com/gpu: 2}
""",
    good="""\
command: [python3, -m, sglang.launch_server, --model-path=$(MODEL_PATH), --host=0.0.0.0, --port=8080,
  --tp-size=$(PARALLELISM_SIZE)]
resources:
  limits: {nvidia.com/gpu: 2}
""",
)


def check(context: Context) -> Iterator[Fault]:
    return judged(context.concrete_pods, _judge)


def _judge(pod: Pod) -> Iterator[Fault]:
    engine = pod.on_gpus
    if engine is None or engine.pod_gpus < 2 or engine.server.open or is_told(engine.server):
        return
    if not mentions_parallelism(engine.container):
        message = (
            f"{engine.container.title} has {engine.pod_gpus} GPUs, and {engine.server.engine.name} is told of no "
            "parallelism, so it uses one"
        )
        yield engine.container.fault(engine.resource, message)
