"""``keda-self-metric-at-zero``: a component that sleeps, and that only its own pods could wake."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from omec.finding import Rule, Severity
from omec.lint.context import Context, Fault
from omec.lint.rules.services.keda import query_of, scaled_components

RULE = Rule(
    "OME548",
    "keda-self-metric-at-zero",
    Severity.WARNING,
    "A component that scales to zero is scaled by metrics of its own pods alone",
    why="Without pods there are no metrics, so nothing ever wakes the component up.",
    fix="Add a trigger that exists without pods: cron, a queue, or a metric of the gateway or router.",
    source="OME docs: concepts/serving/component-autoscaling",
    bad="""\
minReplicas: 0
maxReplicas: 2
autoscaler:
  class: KEDA
  keda:
    triggers:
    - type: prometheus
      metadata: {serverAddress: "http://prometheus:9090", query: "sum(vllm:num_requests_waiting)", threshold: "5"}
""",
    good="""\
minReplicas: 0
maxReplicas: 2
autoscaler:
  class: KEDA
  keda:
    triggers:
    - type: prometheus
      metadata: {serverAddress: "http://prometheus:9090", query: "sum(vllm:num_requests_waiting)", threshold: "5"}
    - {type: cron, metadata: {timezone: Etc/UTC, start: 0 8 * * *, end: 0 18 * * *, desiredReplicas: "1"}}
""",
)

_OF_PODS = frozenset({"cpu", "memory"})
"""Triggers that read what pods use."""
_OF_ENGINES = re.compile(r"\b(?:vllm|sglang|trtllm|tgi|triton)[:_]\w+")


def check(context: Context) -> Iterator[Fault]:
    for scaled in scaled_components(context):
        idle = (scaled.spec["autoscaler"].get("keda") or {}).get("idleReplicaCount")
        if scaled.spec.get("minReplicas") != 0 and idle != 0:
            continue
        metrics = [_own_metric(trigger) for trigger in scaled.triggers]
        if metrics and all(metrics):
            metric = metrics[0]
            message = f"the {scaled.component} scales to zero, and {metric} is a metric of its own pods, gone then"
            yield Fault(scaled.service, scaled.path, message, key=True)


def _own_metric(trigger: Mapping[str, Any]) -> str:
    """The metric of a trigger if only running pods of the component can have it, else ``""``."""
    if trigger.get("type") in _OF_PODS:
        return str(trigger["type"])
    found = _OF_ENGINES.search(query_of(trigger))
    return found[0] if found else ""
