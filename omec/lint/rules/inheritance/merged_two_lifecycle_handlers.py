"""``merged-two-lifecycle-handlers``: a lifecycle hook that does two things at once."""

from __future__ import annotations

from collections.abc import Iterator

from omec.finding import Rule, Severity
from omec.lint.context import Context, Fault, judged
from omec.lint.pods.alternatives import two_of
from omec.lint.pods.view import Pod

RULE = Rule(
    "OME221",
    "merged-two-lifecycle-handlers",
    Severity.ERROR,
    "A lifecycle hook has two handlers",
    why=(
        "Hooks are merged field by field: a child that writes `sleep` keeps the `exec` of its parent. The API server "
        "refuses the pods, because a hook has exactly one handler."
    ),
    fix="Keep the kind of handler that the parent has, or change it in the parent.",
    source="OME docs: concepts/runtimes/runtime-inheritance; reference 02 §10",
    bad="""\
engineConfig:
  runner: {name: ome-container, lifecycle: {preStop: {sleep: {seconds: 30}}}}
""",
    good="""\
engineConfig:
  runner: {name: ome-container, lifecycle: {preStop: {exec: {command: [sleep, "30"]}}}}
""",
)

_HANDLERS = ("exec", "httpGet", "tcpSocket", "sleep")


def check(context: Context) -> Iterator[Fault]:
    return judged(context.pods, _judge)


def _judge(pod: Pod) -> Iterator[Fault]:
    for container in pod.containers:
        for hook, handlers in (container.body.get("lifecycle") or {}).items():
            pair = two_of(handlers, _HANDLERS)
            if pair is not None:
                message = f"the {hook} hook of {container.title} has two handlers: {pair[0]} and {pair[1]}"
                first, second = (container.written("lifecycle", hook, handler) for handler in pair)
                yield pod.fault(second, message, key=True, causes=[first])
