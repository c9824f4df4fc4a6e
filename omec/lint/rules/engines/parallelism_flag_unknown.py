"""``parallelism-flag-unknown``: parallelism in the spelling of another server."""

from __future__ import annotations

from collections.abc import Iterator

from omec.finding import Rule, Severity
from omec.lint.commands import engines
from omec.lint.context import Context, Fault, judged
from omec.lint.pods.view import Pod

RULE = Rule(
    "OME451",
    "parallelism-flag-unknown",
    Severity.ERROR,
    "An engine is told its parallelism in a way that only another engine understands",
    why=(
        "SGLang has `--tp-size` and `--tp`, vLLM `--tensor-parallel-size` and `-tp`, TensorRT-LLM `--tp_size`. SGLang "
        "and vLLM end at once with an option that they do not know, and the pod restarts for ever."
    ),
    fix="Write `--tensor-parallel-size`, which SGLang and vLLM both have.",
    source="SGLang docs: server_arguments; vLLM docs: cli/serve",
    bad="""\
command: [vllm, serve, $(MODEL_PATH), --port=8080, --tp-size=4]
""",
    good="""\
command: [vllm, serve, $(MODEL_PATH), --port=8080, --tensor-parallel-size=4]
""",
)

_LONG = {"t": "--tensor-parallel-size", "p": "--pipeline-parallel-size", "d": "--data-parallel-size"}


def check(context: Context) -> Iterator[Fault]:
    return judged(context.pods, _judge)


def _judge(pod: Pod) -> Iterator[Fault]:
    for container in pod.containers if pod.is_engine else ():
        for server in container.line.servers:
            option = server.options.get(engines.FOREIGN)
            if option is not None:
                instead = _LONG[option.name.lstrip("-")[0]]
                message = f"{container.title} runs {server.engine.name}, which does not know {option.name}"
                yield container.fault(option.at, message, help_=f"write {instead}")
