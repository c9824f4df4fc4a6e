"""``hpa-cpu-on-gpu-engine``: pods with GPUs that are scaled by their use of CPU."""

from __future__ import annotations

from collections.abc import Iterator

from omec.finding import Rule, Severity
from omec.lint.context import Context, Fault

RULE = Rule(
    "OME979",
    "hpa-cpu-on-gpu-engine",
    Severity.INFO,
    "A component with GPUs is scaled by its use of CPU",
    why=(
        "The load of an inference engine hardly shows in its use of CPU: it is busy with a few requests and idle with "
        "many. That is OME's default, at 80%."
    ),
    fix="Scale by the depth of the queue with KEDA, or set `autoscaler.class: None`.",
    source="OME docs: concepts/serving/component-autoscaling",
    bad="""\
engine:
  minReplicas: 1
  maxReplicas: 2
  runner:
    name: ome-container
    image: example.com/engine:v1
    resources: {requests: {cpu: "4"}, limits: {nvidia.com/gpu: "1"}}
""",
    good="""\
engine:
  autoscaler: {class: None}
  runner:
    name: ome-container
    image: example.com/engine:v1
    resources: {requests: {cpu: "4"}, limits: {nvidia.com/gpu: "1"}}
""",
    default=False,
)


def check(context: Context) -> Iterator[Fault]:
    names = context.cluster.operator.accelerator_resources
    for rendering in context.renderings:
        for part in rendering.rendered.parts:
            component, service = part.component, rendering.decision.service
            if part.body["kind"] != "HorizontalPodAutoscaler" or component is None or service is None:
                continue
            metrics = part.body["spec"].get("metrics") or ()
            by_cpu = any((metric.get("resource") or {}).get("name") == "cpu" for metric in metrics)
            containers = [container for pod in part.pods.values() for container in pod.spec["containers"]]
            gpus = any(
                name in ((container.get("resources") or {}).get("limits") or {})
                for container in containers
                for name in names
            )
            if by_cpu and gpus:
                message = f"the {component.name} has GPUs and is scaled by its use of CPU"
                yield Fault(service, ("spec", component.name), message, key=True)
