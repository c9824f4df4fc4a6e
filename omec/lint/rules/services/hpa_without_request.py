"""``hpa-cpu-without-request``: an autoscaler that compares the use of a resource with a request that nobody made."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from omec.compile.rendered import RenderedObject
from omec.finding import FieldPath, Rule, Severity
from omec.lint.context import Context, Fault
from omec.lint.renderings import Rendering

RULE = Rule(
    "OME547",
    "hpa-cpu-without-request",
    Severity.WARNING,
    "A component is scaled by the use of a resource that one of its containers does not request",
    why=(
        "Kubernetes computes the use as a share of the request. Without a request the HorizontalPodAutoscaler reports "
        "FailedGetResourceMetric and never scales. OME scales by 80% of CPU unless told otherwise."
    ),
    fix="Set `resources.requests` for that resource in every container, or choose another autoscaler.",
    source="OME docs: concepts/serving/component-autoscaling",
    bad="""\
engine:
  runner: {name: ome-container, image: "example.com/engine:v1"}
  minReplicas: 1
  maxReplicas: 3
""",
    good="""\
engine:
  runner: {name: ome-container, image: "example.com/engine:v1", resources: {requests: {cpu: "4"}}}
  minReplicas: 1
  maxReplicas: 3
""",
)


def check(context: Context) -> Iterator[Fault]:
    for rendering in context.renderings:
        for part in rendering.rendered.parts:
            if part.body["kind"] == "HorizontalPodAutoscaler" and part.component is not None:
                yield from _judge(rendering, part)


def _judge(rendering: Rendering, part: RenderedObject) -> Iterator[Fault]:
    assert rendering.decision.service is not None
    assert part.component is not None
    service, spec = rendering.decision.service, part.body["spec"]
    if spec.get("minReplicas") == spec.get("maxReplicas"):
        return
    for resource in _utilized(spec):
        for pod in part.pods.values():
            for container in pod.spec["containers"]:
                if not _requests(container, resource):
                    name = part.component.name
                    path: FieldPath = ("spec", name, "autoscaler")
                    if name not in service.body["spec"] or "autoscaler" not in service.body["spec"][name]:
                        path = ("spec", name)
                    message = (
                        f"the {name} scales by its use of {resource}, and container {container['name']} requests none, "
                        "so that it never scales"
                    )
                    yield Fault(service, path, message, key=True)
                    return


def _utilized(spec: Mapping[str, Any]) -> Iterator[str]:
    for metric in spec.get("metrics") or ():
        resource = metric.get("resource") or {}
        if (resource.get("target") or {}).get("averageUtilization") is not None:
            yield str(resource.get("name"))


def _requests(container: Mapping[str, Any], resource: str) -> bool:
    """A limit alone is a request, too: Kubernetes fills it in."""
    resources = container.get("resources") or {}
    return any(resource in (resources.get(part) or {}) for part in ("requests", "limits"))
