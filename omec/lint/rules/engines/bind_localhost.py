"""``bind-localhost``: a server that only its own pod can reach."""

from __future__ import annotations

from collections.abc import Iterator

from omec.finding import Rule, Severity
from omec.lint.commands import engines
from omec.lint.context import Context, Fault, judged
from omec.lint.pods.view import Pod

RULE = Rule(
    "OME447",
    "bind-localhost",
    Severity.ERROR,
    "A server listens on the loopback address only",
    why=(
        "Requests and probes come to the address of the pod. A server that listens on 127.0.0.1, as SGLang and "
        "TensorRT-LLM do unless they are told otherwise, refuses them, and the pod never becomes ready."
    ),
    fix="Add `--host=0.0.0.0`.",
    source="SGLang docs: server_arguments; TensorRT-LLM docs: commands/trtllm-serve; reference 09 C3",
    bad="""\
command: [python3, -m, sglang.launch_server, --model-path=$(MODEL_PATH), --port=8080]
""",
    good="""\
command: [python3, -m, sglang.launch_server, --model-path=$(MODEL_PATH), --host=0.0.0.0, --port=8080]
""",
)

_LOOPBACK = frozenset({"127.0.0.1", "::1", "localhost"})


def check(context: Context) -> Iterator[Fault]:
    return judged(context.concrete_pods, _judge)


def _judge(pod: Pod) -> Iterator[Fault]:
    main = pod.main
    server = main.line.server if main is not None and pod.serves else None
    if main is None or server is None:
        return
    host = server.value(engines.HOST)
    if host in _LOOPBACK:
        message = f"{main.title} runs {server.engine.name} on {host}, which nothing outside of the pod reaches"
        yield main.fault(server.options[engines.HOST].at, message)
    elif engines.HOST not in server.options and not server.open and server.engine.host in _LOOPBACK:
        message = (
            f"{main.title} runs {server.engine.name} without --host, so it listens on {server.engine.host}, which "
            "nothing outside of the pod reaches"
        )
        yield main.fault(("command",) if main.body.get("command") else ("args",), message, key=True)
