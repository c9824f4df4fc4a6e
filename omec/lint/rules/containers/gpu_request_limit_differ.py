"""``gpu-request-limit-differ``: devices that are requested in another number than they are limited to."""

from __future__ import annotations

from collections.abc import Iterator

from omec.finding import Rule, Severity
from omec.lint.context import Context, Fault, judged
from omec.lint.pods.amounts import amounts, extended_resources, quantity
from omec.lint.pods.view import Container, Pod

RULE = Rule(
    "OME410",
    "gpu-request-limit-differ",
    Severity.ERROR,
    "A container requests GPUs or other devices in another number than its limit",
    why=(
        "Kubernetes never shares devices out twice: request and limit must be equal, and whole numbers. The API server "
        "refuses the pods otherwise."
    ),
    fix="Write the number under `limits` alone, or the same under `requests`.",
    source="Kubernetes docs: tasks/manage-gpus/scheduling-gpus; reference 09 C3",
    bad="""\
resources:
  requests: {nvidia.com/gpu: 1}
  limits: {nvidia.com/gpu: 2}
""",
    good="""\
resources:
  requests: {nvidia.com/gpu: 2}
  limits: {nvidia.com/gpu: 2}
""",
    fixable=True,
)


def check(context: Context) -> Iterator[Fault]:
    return judged(context.concrete_pods, _judge)


def _judge(pod: Pod) -> Iterator[Fault]:
    for container in (*pod.containers, *pod.init_containers):
        if container.body.get("resources"):
            for name in extended_resources(container.body):
                yield from _check(container, name)


def _check(container: Container, name: str) -> Iterator[Fault]:
    written_request = amounts(container.body, "requests").get(name)
    written_limit = amounts(container.body, "limits").get(name)
    if isinstance(written_limit, int) and written_request in (None, written_limit):
        return
    request, limit = quantity(written_request), quantity(written_limit)
    if written_request is not None and written_limit is None:
        message = f"{container.title} requests {written_request} {name} without a limit"
        yield container.fault(("resources", "requests", name), message, key=True)
        return
    for kind, amount in (("requests", request), ("limits", limit)):
        if amount is not None and amount.value != amount.value.to_integral_value():
            message = f"{container.title} has {amount} {name} under {kind}, which is no whole number"
            yield container.fault(("resources", kind, name), message)
            return
    if request is not None and limit is not None and request.value != limit.value:
        causes = [container.written("resources", "limits", name)]
        message = f"{container.title} requests {request} {name} and has a limit of {limit}"
        yield container.fault(("resources", "requests", name), message, causes=causes)
