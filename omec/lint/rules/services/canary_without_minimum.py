"""``canary-without-min-replicas``: a canary that is a share of an unknown number."""

from __future__ import annotations

from collections.abc import Iterator

from omec.finding import Rule, Severity
from omec.lint.context import Context, Fault

RULE = Rule(
    "OME975",
    "canary-without-min-replicas",
    Severity.WARNING,
    "A component is part of a canary rollout, and the InferenceService does not say how many replicas it has",
    why=(
        "A canary counts its shares of the component's minReplicas in the InferenceService; the runtime's and the "
        "operator's do not count."
    ),
    fix="Set `minReplicas` on the component.",
    source="OME docs: concepts/serving/inference-services",
    bad="""\
deploymentMode: OMENative
runtime: {name: three}
engine: {}
rollout:
  groups:
  - components: [engine]
    canary: {steps: [{capacity: "50%", traffic: 50}, {capacity: "100%", traffic: 100}]}
""",
    good="""\
deploymentMode: OMENative
runtime: {name: three}
engine: {minReplicas: 4}
rollout:
  groups:
  - components: [engine]
    canary: {steps: [{capacity: "50%", traffic: 50}, {capacity: "100%", traffic: 100}]}
""",
)


def check(context: Context) -> Iterator[Fault]:
    for service in context.services:
        for group in (service.spec.get("rollout") or {}).get("groups") or ():
            for name in group.get("components") or () if group.get("canary") is not None else ():
                component = service.spec.get(name)
                if isinstance(component, dict) and component.get("minReplicas") is None:
                    message = f"the {name} is part of a canary, and has no minReplicas to take a share of"
                    yield Fault(service, ("spec", name), message, key=True)
