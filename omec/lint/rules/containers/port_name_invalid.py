"""``port-name-invalid``: a port name that Kubernetes does not take."""

from __future__ import annotations

import re
from collections.abc import Iterator

from omec.finding import Rule, Severity
from omec.lint.context import Context, Fault, judged
from omec.lint.pods.view import Pod

RULE = Rule(
    "OME413",
    "port-name-invalid",
    Severity.ERROR,
    "The name of a container's port is not one that Kubernetes takes",
    why=(
        "A port name has at most 15 characters: lower-case letters, digits and single hyphens inside, with at least "
        "one letter. The API server refuses the pods otherwise."
    ),
    fix="Shorten the name, for example to `http1`.",
    source="Kubernetes docs: reference/kubernetes-api (ContainerPort); reference 09 C3",
    bad="""\
ports: [{name: openai-http-server-1, containerPort: 8080}]
""",
    good="""\
ports: [{name: http1, containerPort: 8080}]
""",
)

_LONGEST = 15
_NAME = re.compile(r"(?=.*[a-z])[a-z0-9]+(?:-[a-z0-9]+)*")


def check(context: Context) -> Iterator[Fault]:
    return judged(context.pods, _judge)


def _judge(pod: Pod) -> Iterator[Fault]:
    for container in (*pod.containers, *pod.init_containers):
        for port in container.ports:
            name = port.get("name")
            if name and isinstance(name, str) and (problem := _problem(name)):
                steps = ("ports", ("containerPort", port["containerPort"]), "name")
                yield container.fault(steps, f"port name {name} of {container.title} {problem}")


def _problem(name: str) -> str:
    if len(name) > _LONGEST:
        return f"has {len(name)} characters, and {_LONGEST} are allowed"
    return "" if _NAME.fullmatch(name) else "is not lower-case letters, digits and single hyphens with a letter"
