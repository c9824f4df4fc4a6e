"""``merged-env-order``: a variable that refers to one which comes behind it."""

from __future__ import annotations

import re
from collections.abc import Iterator

from omec.finding import Rule, Severity
from omec.lint.context import Context, Fault, judged
from omec.lint.pods.view import Container, Pod

RULE = Rule(
    "OME220",
    "merged-env-order",
    Severity.WARNING,
    "A variable refers to another that is set behind it",
    why=(
        "Kubernetes fills in `$(NAME)` from the variables before. After merging, the new variables of a child or a "
        "service stand before those of its parent, so a reference to one of these stays as it is."
    ),
    fix="Repeat the other variable before it in the same `env`, or use the reference in the arguments instead.",
    source="reference 02 §4.1 and §10",
    bad="""\
engineConfig:
  runner:
    name: ome-container
    env: [{name: CACHE, value: $(ROOT)/cache}]
""",
    good="""\
engineConfig:
  runner:
    name: ome-container
    env: [{name: ROOT, value: /mnt}, {name: CACHE, value: $(ROOT)/cache}]
""",
)

_REFERENCE = re.compile(r"\$(?:\$|\(([\w.-]+)\))")


def check(context: Context) -> Iterator[Fault]:
    return judged(context.concrete_pods, _judge)


def _judge(pod: Pod) -> Iterator[Fault]:
    for container in (*pod.containers, *pod.init_containers):
        yield from _check(container)


def _check(container: Container) -> Iterator[Fault]:
    seen: set[str] = set()
    for item in container.body.get("env") or ():
        name, value = str(item.get("name")), item.get("value")
        for other in _REFERENCE.findall(value) if isinstance(value, str) and "$(" in value else ():
            if other and other not in seen and other != name and other in container.environment:
                message = f"variable {name} of {container.title} refers to $({other}), which is set behind it"
                yield container.fault(("env", ("name", name), "value"), message)
        seen.add(name)
