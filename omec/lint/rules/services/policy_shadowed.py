"""``policy-shadowed``: an autoscaler block beside the reference to a policy."""

from __future__ import annotations

from collections.abc import Iterator

from omec.compile.names import COMPONENTS
from omec.finding import Rule, Severity
from omec.lint.context import Context, Fault

RULE = Rule(
    "OME974",
    "policy-shadowed",
    Severity.INFO,
    "A component has an autoscaler of its own beside the reference to an AutoscalerPolicy",
    why="OME takes the block and never looks at the policy.",
    fix="Remove one of the two.",
    source="OME docs: concepts/serving/component-autoscaling",
    bad="autoscaler: {class: None}\nautoscalerPolicyRef: {name: queue-depth}\n",
    good="autoscaler: {class: None}\n",
)


def check(context: Context) -> Iterator[Fault]:
    for service in context.services:
        for name in COMPONENTS:
            component = service.spec.get(name)
            if isinstance(component, dict) and component.get("autoscaler") and component.get("autoscalerPolicyRef"):
                policy = component["autoscalerPolicyRef"].get("name")
                message = f"the {name} has an autoscaler of its own, so that policy {policy} has no effect"
                yield Fault(service, ("spec", name, "autoscalerPolicyRef"), message, key=True)
