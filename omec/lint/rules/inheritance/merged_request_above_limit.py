"""``merged-request-above-limit``: a request and a limit of two manifests that do not go together."""

from __future__ import annotations

from collections.abc import Iterator

from omec.finding import Rule, Severity
from omec.lint.context import Context, Fault, judged
from omec.lint.pods.overcommit import overcommitments
from omec.lint.pods.view import Pod

RULE = Rule(
    "OME211",
    "merged-request-above-limit",
    Severity.ERROR,
    "After merging, a container requests more of a resource than its limit",
    why=(
        "Requests and limits are merged one by one. A child or a service that sets only one of the two keeps the "
        "other, and the API server refuses the pods."
    ),
    fix="Set both, the request and the limit.",
    source="OME docs: concepts/runtimes/runtime-inheritance; reference 02 §10",
    bad="""\
engineConfig:
  runner: {name: ome-container, resources: {requests: {memory: 64Gi}}}
""",
    good="""\
engineConfig:
  runner: {name: ome-container, resources: {requests: {memory: 64Gi}, limits: {memory: 64Gi}}}
""",
)


def check(context: Context) -> Iterator[Fault]:
    return judged(context.concrete_pods, _judge)


def _judge(pod: Pod) -> Iterator[Fault]:
    for found in overcommitments(pod):
        if found.request.resource is not found.limit.resource:
            yield pod.fault(found.request, found.message, causes=[found.limit])
