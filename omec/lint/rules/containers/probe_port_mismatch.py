"""``probe-port-mismatch``: a probe that asks a port where nothing listens."""

from __future__ import annotations

from collections.abc import Iterator

from omec.finding import Rule, Severity
from omec.lint.context import Context, Fault, judged
from omec.lint.pods.ports import declared, probed_ports, served
from omec.lint.pods.view import Container, Pod

RULE = Rule(
    "OME415",
    "probe-port-mismatch",
    Severity.ERROR,
    "A probe asks a port that its container does not have",
    why=(
        "A probe of a name that no port has, or of a port where nothing listens, never succeeds: the pod is never "
        "ready, or is restarted again and again."
    ),
    fix="Let the probe ask the port of the container.",
    source="Kubernetes docs: tasks/configure-pod-container/configure-liveness-readiness-startup-probes",
    bad="""\
ports: [{name: http1, containerPort: 8080}]
readinessProbe:
  httpGet: {path: /health, port: 30000}
""",
    good="""\
ports: [{name: http1, containerPort: 8080}]
readinessProbe:
  httpGet: {path: /health, port: 8080}
""",
)


def check(context: Context) -> Iterator[Fault]:
    return judged(context.concrete_pods, _judge)


def _judge(pod: Pod) -> Iterator[Fault]:
    for container in pod.containers:
        for port, steps in probed_ports(container):
            problem = _problem(container, port)
            if problem:
                yield container.fault(steps, f"the {steps[0]} of {container.title} asks port {port}, {problem}")


def _problem(container: Container, port: int | str) -> str:
    names = [str(item["name"]) for item in container.ports if item.get("name")]
    if isinstance(port, str):
        if port in names or "{{" in port or "$" in port:
            return ""
        return f"and its ports are named {', '.join(names)}" if names else "and it has no port of that name"
    numbers = declared(container)
    if port in numbers or not numbers:
        server = served(container) if not numbers else None
        return f"and its server listens on {server}" if server is not None and server != port else ""
    if served(container) == port:
        return ""
    return f"and it declares only {', '.join(map(str, numbers))}"
