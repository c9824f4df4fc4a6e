"""``keda-query-wrong-labels``: a query about the pods of somebody else."""

from __future__ import annotations

from collections.abc import Iterator

from omec.finding import Rule, Severity
from omec.lint.context import Context, Fault
from omec.lint.rules.services.keda import MATCHER, query_of, scaled_components

RULE = Rule(
    "OME549",
    "keda-query-wrong-labels",
    Severity.WARNING,
    "The query of a trigger selects another service, component or namespace than the one that it scales",
    why="The component scales by the load of others. Mostly the query was copied from there.",
    fix="Write the labels of this component, or scale on something that concerns it.",
    source="OME docs: concepts/serving/component-autoscaling",
    bad="""\
autoscaler:
  class: KEDA
  keda:
    triggers:
    - type: prometheus
      metadata:
        serverAddress: http://prometheus:9090
        query: sum(vllm:num_requests_waiting{namespace="other"})
        threshold: "5"
""",
    good="""\
autoscaler:
  class: KEDA
  keda:
    triggers:
    - type: prometheus
      metadata:
        serverAddress: http://prometheus:9090
        query: sum(vllm:num_requests_waiting{namespace="demo"})
        threshold: "5"
""",
)


def check(context: Context) -> Iterator[Fault]:
    for scaled in scaled_components(context):
        own = {"namespace": scaled.service.namespace, "inferenceservice": scaled.service.name}
        for index, trigger in enumerate(scaled.triggers):
            for label, operator, value in MATCHER.findall(query_of(trigger)):
                if operator == "=" and label in own and value != own[label]:
                    message = f'the query selects {label}="{value}", and scales the {scaled.component} of {own[label]}'
                    path = (*scaled.path, index, "metadata", "query")
                    yield Fault(scaled.service, path, message, f'write {label}="{own[label]}"')
                # Decoders scale by the load of their engine for good reasons, and engines by that of the router.
                if operator == "=" and label == "component" and scaled.service.spec.get(value) is None:
                    message = f'the query selects {label}="{value}", which {scaled.service.name} does not have'
                    path = (*scaled.path, index, "metadata", "query")
                    yield Fault(scaled.service, path, message, f'write {label}="{scaled.component}"')
