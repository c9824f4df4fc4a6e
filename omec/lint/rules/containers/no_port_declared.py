"""``no-port-declared``: a container whose Service points at a port that its server does not have."""

from __future__ import annotations

from collections.abc import Iterator

from omec.compile.names import DEFAULT_PORT
from omec.finding import Rule, Severity
from omec.lint.context import Context, Fault, judged
from omec.lint.pods.ports import served
from omec.lint.pods.view import Pod

RULE = Rule(
    "OME414",
    "no-port-declared",
    Severity.WARNING,
    "A component's container declares no port",
    why=(
        "OME then gives the component's Service one port, 8080, named like the container. Unless the server listens "
        "there, requests find nothing."
    ),
    fix="Declare the port that the server listens on.",
    source="reference 04 §13; reference 09 C3",
    bad="""\
command: [python3, -m, sglang.launch_server, --model-path=$(MODEL_PATH), --host=0.0.0.0, --port=30000]
""",
    good="""\
command: [python3, -m, sglang.launch_server, --model-path=$(MODEL_PATH), --host=0.0.0.0, --port=30000]
ports: [{name: http1, containerPort: 30000}]
""",
)


def check(context: Context) -> Iterator[Fault]:
    return judged(context.concrete_pods, _judge)


def _judge(pod: Pod) -> Iterator[Fault]:
    if not pod.containers or not pod.serves:
        return
    # OME reads the ports of the first container, which is the runner only where no other is listed (04 §13).
    main = pod.containers[0]
    if any(container.ports for container in pod.containers):
        return
    port = served(main)
    if port == DEFAULT_PORT:
        return
    where = "" if port is None else f", and its server listens on {port}"
    message = f"{main.title} declares no port, so its Service points at {DEFAULT_PORT}{where}"
    yield main.fault((), message, key=True)
