"""``merged-env-value-and-from``: a variable with a value and a source for another."""

from __future__ import annotations

from collections.abc import Iterator

from omec.finding import Rule, Severity
from omec.lint.context import Context, Fault, judged
from omec.lint.pods.view import Pod

RULE = Rule(
    "OME214",
    "merged-env-value-and-from",
    Severity.ERROR,
    "A variable has both value and valueFrom",
    why=(
        "Variables are merged by name, field by field: a child that writes `valueFrom` keeps the `value` of its "
        "parent. The API server refuses the pods, because a variable has one or the other."
    ),
    fix="Give the new variable a name of its own, or change the parent.",
    source="OME docs: concepts/runtimes/runtime-inheritance; reference 02 §4",
    bad="""\
engineConfig:
  runner:
    name: ome-container
    env: [{name: API_KEY, valueFrom: {secretKeyRef: {name: keys, key: api}}}]
""",
    good="""\
engineConfig:
  runner:
    name: ome-container
    env: [{name: SERVER_KEY, valueFrom: {secretKeyRef: {name: keys, key: api}}}]
""",
)


def check(context: Context) -> Iterator[Fault]:
    return judged(context.pods, _judge)


def _judge(pod: Pod) -> Iterator[Fault]:
    for container in (*pod.containers, *pod.init_containers):
        for name, item in container.environment.items():
            if item.get("valueFrom") is not None and item.get("value"):
                steps = ("env", ("name", name))
                first, second = (container.written(*steps, field) for field in ("value", "valueFrom"))
                message = f"variable {name} of {container.title} has both value and valueFrom"
                yield pod.fault(second, message, key=True, causes=[first])
