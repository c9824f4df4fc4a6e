"""``keda-avgvalue-missing``: a sum over all pods that is compared as if it were one pod's."""

from __future__ import annotations

import re
from collections.abc import Iterator

from omec.finding import Rule, Severity
from omec.lint.context import Context, Fault
from omec.lint.rules.services.keda import query_of, scaled_components

RULE = Rule(
    "OME973",
    "keda-avgvalue-missing",
    Severity.INFO,
    "A trigger sums over all pods and compares the sum with its threshold as a plain value",
    why=(
        "With metricType Value, KEDA multiplies the replicas by sum / threshold each time, and the sum does not fall "
        "when pods are added: the component runs up to its maximum. AverageValue divides by the number of pods first."
    ),
    fix="Set `metricType: AverageValue`.",
    source="OME docs: concepts/serving/component-autoscaling",
    bad="""\
autoscaler:
  class: KEDA
  keda:
    triggers:
    - type: prometheus
      metricType: Value
      metadata: {serverAddress: "http://p:9090", query: "sum(vllm:num_requests_waiting)", threshold: "5"}
""",
    good="""\
autoscaler:
  class: KEDA
  keda:
    triggers:
    - type: prometheus
      metricType: AverageValue
      metadata: {serverAddress: "http://p:9090", query: "sum(vllm:num_requests_waiting)", threshold: "5"}
""",
)

_SUM = re.compile(r"\s*sum\b")


def check(context: Context) -> Iterator[Fault]:
    """KEDA takes a trigger without a metricType as AverageValue, so only one that says Value is told."""
    for scaled in scaled_components(context):
        for index, trigger in enumerate(scaled.triggers):
            if _SUM.match(query_of(trigger)) and trigger.get("metricType") == "Value":
                message = "the query is a sum over all pods, compared with the threshold as a plain value"
                yield Fault(scaled.service, (*scaled.path, index, "metricType"), message)
