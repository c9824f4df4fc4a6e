"""What OME's webhook says about how the components of a runtime are scaled (reference 09 A6.1, rows 6 and 7)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from omec.catalog import Resource
from omec.compile.autoscaling import rules
from omec.compile.autoscaling.admission import block_fault
from omec.compile.names import COMPONENTS, RUNTIME_CONFIG
from omec.finding import FieldPath, Finding, Rule, field_text


def runtime_refusals(runtime: Resource) -> Iterator[Finding]:
    """The findings about the runtime's own spec; the webhook never looks at a merged one."""
    for name in COMPONENTS:
        field = RUNTIME_CONFIG[name]
        component = runtime.body.get("spec", {}).get(field)
        if not isinstance(component, Mapping):
            continue
        if component.get("autoscalerPolicyRef") is not None:
            message = f"{field}: autoscalerPolicyRef is not accepted in a runtime"
            path: FieldPath = ("spec", field, "autoscalerPolicyRef")
            yield _finding(runtime, rules.POLICY_REFERENCE, path, message, "name the policy in the InferenceServices")
        block = component.get("autoscaler")
        if runtime.spec.get("disabled") is not True and isinstance(block, Mapping):
            fault = block_fault(block, component.get("minReplicas"))
            if fault is not None:
                steps, message = fault
                path = ("spec", field, "autoscaler", *(step for step in steps if not isinstance(step, tuple)))
                yield _finding(runtime, rules.AUTOSCALER_INVALID, path, f"{field}: {message}")


def _finding(runtime: Resource, rule: Rule, path: FieldPath, message: str, help_: str = "") -> Finding:
    return Finding(
        rule, message, runtime.locate(path), object=runtime.ref, field=field_text(path), help=help_ or rule.remedy
    )
