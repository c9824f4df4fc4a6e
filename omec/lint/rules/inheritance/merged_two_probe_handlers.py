"""``merged-two-probe-handlers``: a probe that asks in two ways at once."""

from __future__ import annotations

from collections.abc import Iterator

from omec.finding import Rule, Severity
from omec.lint.context import Context, Fault, judged
from omec.lint.pods.alternatives import two_of
from omec.lint.pods.ports import PROBES
from omec.lint.pods.view import Pod

RULE = Rule(
    "OME212",
    "merged-two-probe-handlers",
    Severity.ERROR,
    "A probe has two handlers",
    why=(
        "A probe is merged field by field: a child that writes `exec` keeps the `httpGet` of its parent. The API "
        "server refuses the pods, because a probe has exactly one handler."
    ),
    fix="Keep the kind of handler that the parent has, or change it in the parent.",
    source="OME docs: concepts/runtimes/runtime-inheritance; reference 02 §4",
    bad="""\
engineConfig:
  runner: {name: ome-container, readinessProbe: {exec: {command: [/bin/ready]}}}
""",
    good="""\
engineConfig:
  runner: {name: ome-container, readinessProbe: {httpGet: {path: /ready, port: 8080}}}
""",
)

_HANDLERS = ("exec", "httpGet", "tcpSocket", "grpc")


def check(context: Context) -> Iterator[Fault]:
    return judged(context.pods, _judge)


def _judge(pod: Pod) -> Iterator[Fault]:
    for container in (*pod.containers, *pod.init_containers):
        for name in PROBES:
            pair = two_of(container.body.get(name), _HANDLERS)
            if pair is not None:
                message = f"the {name} of {container.title} has two handlers: {pair[0]} and {pair[1]}"
                first, second = (container.written(name, handler) for handler in pair)
                yield pod.fault(second, message, key=True, causes=[first])
