"""``port-flag-mismatch``: a server that listens on a port which its container does not declare."""

from __future__ import annotations

from collections.abc import Iterator

from omec.finding import Rule, Severity
from omec.lint.commands import engines
from omec.lint.context import Context, Fault, judged
from omec.lint.pods.ports import declared
from omec.lint.pods.view import Pod

RULE = Rule(
    "OME445",
    "port-flag-mismatch",
    Severity.ERROR,
    "A server listens on another port than its container declares",
    why=(
        "OME makes the component's Service from the ports of the container. Where the server listens on another one, "
        "requests and probes find nothing there, and the pod never becomes ready."
    ),
    fix="Give `--port` and `containerPort` the same number.",
    source="reference 04 §13; reference 09 C3",
    bad="""\
command: [python3, -m, sglang.launch_server, --model-path=$(MODEL_PATH), --host=0.0.0.0, --port=30000]
ports: [{name: http1, containerPort: 8080}]
""",
    good="""\
command: [python3, -m, sglang.launch_server, --model-path=$(MODEL_PATH), --host=0.0.0.0, --port=8080]
ports: [{name: http1, containerPort: 8080}]
""",
)


def check(context: Context) -> Iterator[Fault]:
    return judged(context.concrete_pods, _judge)


def _judge(pod: Pod) -> Iterator[Fault]:
    main = pod.main
    if main is None or not pod.serves or not main.ports:
        return
    server = main.line.server
    port = None if server is None else server.number(engines.PORT)
    if server is not None and port is not None and port not in declared(main):
        listed = ", ".join(map(str, declared(main)))
        message = f"{main.title} runs {server.engine.name} on port {port}, and declares only {listed}"
        causes = [main.written("ports", ("containerPort", number), "containerPort") for number in declared(main)[:1]]
        yield main.fault(server.options[engines.PORT].at, message, causes=causes)
