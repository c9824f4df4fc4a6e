"""``object-refused``: pods that OME would try to create in vain, whether a service has them yet or not."""

from __future__ import annotations

from collections.abc import Iterator

from omec.api.shapes import CONTAINER, POD_SPEC
from omec.compile.admission.fielderror import Refusal
from omec.compile.admission.pod import pod_template
from omec.compile.repository_rules import REFUSED_OBJECT
from omec.compile.trace import keyed_steps
from omec.finding import FieldPath, Severity, field_text
from omec.lint.context import Context, Fault, judged
from omec.lint.pods.view import Pod

RULE = REFUSED_OBJECT

_INCOMPLETE = ("Required value", "Not found", "Duplicate value", "Forbidden: may not specify more than 1")
"""What a child or a service may still add, and what rules of their own tell: mounts, ports, handlers, sources."""


def check(context: Context) -> Iterator[Fault]:
    return judged(context.pods, _judge)


def _judge(pod: Pod) -> Iterator[Fault]:
    spec = {
        **{key: value for key, value in pod.part.items() if key not in ("runner", "containers", "initContainers")},
        "containers": [{**container.body, "name": container.name} for container in pod.containers],
        "initContainers": [{**container.body, "name": container.name} for container in pod.init_containers],
    }
    for refusal in pod_template({"spec": spec}, ()):
        if _is_told_otherwise(refusal):
            continue
        match refusal.path:
            case ("spec", "containers", int(index), *rest):
                container = pod.containers[index]
            case ("spec", "initContainers", int(index), *rest):
                container = pod.init_containers[index]
            case ("spec", *rest):
                message = f"the API server would refuse the pods of the {pod.name}: {_text(tuple(rest), refusal)}"
                yield pod.fault(pod.written(*keyed_steps(POD_SPEC, pod.part, tuple(rest))), message)
                continue
            case _:
                continue
        message = f"the API server would refuse {container.title}: {_text(tuple(rest), refusal)}"
        yield container.fault(keyed_steps(CONTAINER, container.body, tuple(rest)), message)


def _is_told_otherwise(refusal: Refusal) -> bool:
    """Whether another rule says it, or nobody can say it of these pods yet."""
    path, text = refusal.path, refusal.text
    return (
        refusal.severity is not Severity.ERROR
        or text.startswith(_INCOMPLETE)
        or "{{" in text
        or "resources" in path
        or ("ports" in path and path[-1] == "name")
        or ("env" in path and path[-1] == "valueFrom")
    )


def _text(path: FieldPath, refusal: Refusal) -> str:
    return f"{field_text(path)}: {refusal.text}"
