"""``request-above-limit``: a request that exceeds its limit in the same manifest."""

from __future__ import annotations

from collections.abc import Iterator

from omec.finding import Rule, Severity
from omec.lint.context import Context, Fault, judged
from omec.lint.pods.overcommit import overcommitments
from omec.lint.pods.view import Pod

RULE = Rule(
    "OME411",
    "request-above-limit",
    Severity.ERROR,
    "A container requests more of a resource than its limit",
    why="The API server refuses the pods of the component.",
    fix="Lower the request, or raise the limit.",
    source="Kubernetes docs: concepts/configuration/manage-resources-containers; reference 09 C3",
    bad="""\
resources:
  requests: {memory: 64Gi}
  limits: {memory: 30Gi}
""",
    good="""\
resources:
  requests: {memory: 30Gi}
  limits: {memory: 30Gi}
""",
    fixable=True,
)


def check(context: Context) -> Iterator[Fault]:
    return judged(context.concrete_pods, _judge)


def _judge(pod: Pod) -> Iterator[Fault]:
    for found in overcommitments(pod):
        if found.request.resource is found.limit.resource:
            yield pod.fault(found.request, found.message)
