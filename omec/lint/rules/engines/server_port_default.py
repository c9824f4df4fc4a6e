"""``server-port-default``: a server without ``--port`` in a container that declares another port than its default."""

from __future__ import annotations

from collections.abc import Iterator

from omec.finding import Rule, Severity
from omec.lint.commands import engines
from omec.lint.context import Context, Fault, judged
from omec.lint.pods.ports import declared
from omec.lint.pods.view import Pod

RULE = Rule(
    "OME446",
    "server-port-default",
    Severity.WARNING,
    "A server is not told its port, and its default is not the one that the container declares",
    why=(
        "Without `--port` SGLang listens on 30000, vLLM and TensorRT-LLM on 8000. OME makes the component's Service "
        "from the ports of the container, so requests find nothing there."
    ),
    fix="Add `--port` with the number of the container's port.",
    source="SGLang docs: server_arguments; vLLM docs: cli/serve; reference 09 C6",
    bad="""\
command: [python3, -m, sglang.launch_server, --model-path=$(MODEL_PATH), --host=0.0.0.0]
ports: [{name: http1, containerPort: 8080}]
""",
    good="""\
command: [python3, -m, sglang.launch_server, --model-path=$(MODEL_PATH), --host=0.0.0.0]
ports: [{name: http1, containerPort: 30000}]
""",
)


def check(context: Context) -> Iterator[Fault]:
    return judged(context.concrete_pods, _judge)


def _judge(pod: Pod) -> Iterator[Fault]:
    main = pod.main
    if main is None or not pod.serves or not main.ports:
        return
    server = main.line.server
    if server is None or server.open or engines.PORT in server.options or server.engine.port in declared(main):
        return
    first = declared(main)[:1]
    if first:
        message = (
            f"{main.title} declares port {first[0]}, and {server.engine.name} listens on its default "
            f"{server.engine.port}: it has no --port"
        )
        yield main.fault(("ports", ("containerPort", first[0]), "containerPort"), message)
