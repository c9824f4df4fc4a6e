"""``max-replicas-implicit``: a component that may grow to a number nobody wrote."""

from __future__ import annotations

from collections.abc import Iterator

from omec.finding import Rule, Severity
from omec.lint.context import Context, Fault

RULE = Rule(
    "OME978",
    "max-replicas-implicit",
    Severity.INFO,
    "Neither an InferenceService nor its runtime says how many replicas a component may have",
    why="The operator's default counts, 3 for an engine: the component can claim three times its GPUs.",
    fix="Set `maxReplicas`.",
    source="OME docs: guides/operate-ome/set-replica-defaults",
    bad="engine: {runner: {name: ome-container, image: example.com/engine:v1}, minReplicas: 1}\n",
    good="engine: {runner: {name: ome-container, image: example.com/engine:v1}, minReplicas: 1, maxReplicas: 1}\n",
    default=False,
)


def check(context: Context) -> Iterator[Fault]:
    for rendering in context.renderings:
        seen = set()
        for part in rendering.rendered.parts:
            component, service = part.component, rendering.decision.service
            if part.body["kind"] != "HorizontalPodAutoscaler" or component is None or component.name in seen:
                continue
            seen.add(component.name)
            if service is not None and not component.own.get("maxReplicas") and not component.config.get("maxReplicas"):
                maximum = part.body["spec"]["maxReplicas"]
                message = f"the {component.name} may have {maximum} replicas, which nothing in the repository says"
                yield Fault(service, ("spec", component.name), message, key=True)
