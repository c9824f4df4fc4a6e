"""``tp-exceeds-gpus``: a server that divides its model over more GPUs than a replica has."""

from __future__ import annotations

from collections.abc import Iterator

from omec.finding import Rule, Severity
from omec.lint.context import Context, Fault, judged
from omec.lint.pods.view import Pod

RULE = Rule(
    "OME440",
    "tp-exceeds-gpus",
    Severity.ERROR,
    "An engine is to run on more GPUs than its replica has",
    why=(
        "SGLang, vLLM and TensorRT-LLM start one process for each GPU that tensor, pipeline and data parallelism ask "
        "for. Where the pods have fewer, the engine fails before it loads the model, and the pod restarts for ever."
    ),
    fix="Make the parallelism and the GPU limit agree; `--tp-size=$(PARALLELISM_SIZE)` follows the limit by itself.",
    source="OME docs: concepts/runtimes/serving-runtimes; reference 09 C3",
    bad="""\
command: [python3, -m, sglang.launch_server, --model-path=$(MODEL_PATH), --host=0.0.0.0, --port=8080, --tp-size=8]
resources:
  limits: {nvidia.com/gpu: 4}
""",
    good="""\
command: [python3, -m, sglang.launch_server, --model-path=$(MODEL_PATH), --host=0.0.0.0, --port=8080, --tp-size=4]
resources:
  limits: {nvidia.com/gpu: 4}
""",
)


def check(context: Context) -> Iterator[Fault]:
    return judged(context.concrete_pods, _judge)


def _judge(pod: Pod) -> Iterator[Fault]:
    engine = pod.on_gpus
    if engine is not None and engine.asked is not None and engine.asked.gpus > engine.gpus:
        asked = engine.asked
        needs = asked.arithmetic if " x " not in asked.arithmetic else f"{asked.arithmetic} = {asked.gpus}"
        message = f"{engine.container.title} runs {engine.server.engine.name} with {needs} on {engine.describe}"
        yield engine.container.fault(asked.at, message, causes=[engine.container.written(*engine.resource)])
