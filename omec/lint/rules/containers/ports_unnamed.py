"""``ports-unnamed``: ports that a Service cannot have, for want of names of their own."""

from __future__ import annotations

from collections.abc import Iterator

from omec.finding import Rule, Severity
from omec.lint.context import Context, Fault, judged
from omec.lint.pods.view import Pod

RULE = Rule(
    "OME412",
    "ports-unnamed",
    Severity.ERROR,
    "One of several ports of a container has no name, or two have the same",
    why=(
        "OME makes the component's Service from the ports of its first container. A Service with several ports needs "
        "a name for each, and the API server refuses it otherwise."
    ),
    fix="Give every port a name of its own.",
    source="Kubernetes docs: concepts/services-networking/service; reference 04 §13 and §22",
    bad="""\
ports: [{containerPort: 8080}, {name: metrics, containerPort: 9090}]
""",
    good="""\
ports: [{name: http1, containerPort: 8080}, {name: metrics, containerPort: 9090}]
""",
)


def check(context: Context) -> Iterator[Fault]:
    return judged(context.concrete_pods, _judge)


def _judge(pod: Pod) -> Iterator[Fault]:
    for container in pod.containers:
        if len(container.ports) < 2 or not pod.serves:
            continue
        seen: dict[str, int] = {}
        for port in container.ports:
            number, name = int(port["containerPort"]), port.get("name")
            steps = ("ports", ("containerPort", number))
            if not name:
                if container.is_main:
                    message = f"{container.title} has {len(container.ports)} ports, and {number} has no name"
                    yield container.fault((*steps, "containerPort"), message)
            elif seen.setdefault(name, number) != number:
                message = f"{container.title} has two ports named {name}: {seen[name]} and {number}"
                causes = [container.written("ports", ("containerPort", seen[name]), "name")]
                yield container.fault((*steps, "name"), message, causes=causes)
