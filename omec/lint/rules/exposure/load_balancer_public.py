"""``loadbalancer-public``: a model that everybody on the internet may ask."""

from __future__ import annotations

import re
from collections.abc import Iterator

from omec.finding import Rule, Severity
from omec.lint.context import Context, Fault
from omec.lint.rules.exposure.load_balancer import balanced
from omec.lint.rules.exposure.service_type import KEY

RULE = Rule(
    "OME982",
    "loadbalancer-public",
    Severity.WARNING,
    "An InferenceService of type LoadBalancer says nothing that keeps the load balancer internal",
    why="Most clouds give it a public address, and engines ask nobody who he is.",
    fix="Add the cloud's annotation for an internal load balancer, or use a gateway.",
    source="OME docs: guides/networking",
    bad="""\
metadata: {annotations: {ome.io/service-type: LoadBalancer}}
spec: {runtime: {name: three}, engine: {annotations: {ome.io/service-type: ClusterIP}}}
""",
    good="""\
metadata:
  annotations:
    ome.io/service-type: LoadBalancer
    service.beta.kubernetes.io/aws-load-balancer-scheme: internal
spec: {runtime: {name: three}, engine: {annotations: {ome.io/service-type: ClusterIP}}}
""",
)

_INTERNAL = re.compile(r"internal|load-balancer-type|ome\.io/load-balancer-ip|source-ranges", re.IGNORECASE)


def check(context: Context) -> Iterator[Fault]:
    for service, _ in balanced(context):
        if not any(_INTERNAL.search(f"{key}: {value}") for key, value in service.annotations.items()):
            message = "the load balancer of the service is public on most clouds, and asks nobody who he is"
            yield Fault(service, ("metadata", "annotations", KEY), message)
