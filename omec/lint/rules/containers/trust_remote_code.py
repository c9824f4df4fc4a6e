"""``trust-remote-code``: an engine that runs code which comes with a model."""

from __future__ import annotations

from collections.abc import Iterator

from omec.finding import Rule, Severity
from omec.lint.commands import engines
from omec.lint.context import Context, Fault, judged
from omec.lint.pods.view import Pod

RULE = Rule(
    "OME901",
    "trust-remote-code",
    Severity.INFO,
    "An engine runs code that comes with the model",
    why="Whoever can change the model's repository can run code in the pod, with its network, mounts and secrets.",
    fix="Review the model's code and pin the model to a commit, or remove the option.",
    source="Transformers docs: custom_models; reference 09 C3",
    bad="""\
command: [python3, -m, sglang.launch_server, --model-path=$(MODEL_PATH), --trust-remote-code]
""",
    good="""\
command: [python3, -m, sglang.launch_server, --model-path=$(MODEL_PATH)]
""",
    default=False,
)


def check(context: Context) -> Iterator[Fault]:
    return judged(context.pods, _judge)


def _judge(pod: Pod) -> Iterator[Fault]:
    for container in pod.containers:
        for server in container.line.servers:
            option = server.options.get(engines.REMOTE_CODE)
            if option is not None:
                message = f"{container.title} runs code of the model: it has {option.name}"
                yield container.fault(option.at, message)
