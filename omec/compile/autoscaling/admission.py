"""What OME's webhook says about the scaling of a service (reference 09 A4, rules 2 to 14)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from omec.api.gotext import parse_integer, quoted
from omec.compile.autoscaling import rules
from omec.compile.autoscaling.block import (
    CLASS_ANNOTATION,
    LEGACY_CLASSES,
    METRICS_ANNOTATION,
    UTILIZATION_ANNOTATION,
    ScalerClass,
)
from omec.compile.capabilities import Capabilities
from omec.compile.inputs import Service
from omec.compile.names import COMPONENTS, ComponentName
from omec.compile.problems import Origin, Place, Problem, Steps
from omec.finding import Rule

_POLICY_KIND = "AutoscalerPolicy"
_METRICS = ("cpu", "memory")
_METRIC_TYPES = {
    "Resource": "resource",
    "Pods": "pods",
    "Object": "object",
    "External": "external",
    "ContainerResource": "containerResource",
}
_ANY_METRIC_TYPE = "|".join(_METRIC_TYPES)


def scaling_refusals(service: Service, capabilities: Capabilities) -> Iterator[Problem]:
    """The faults in how ``service`` is to be scaled, in the order in which the webhook looks for them."""
    components = {name: service.spec[name] for name in COMPONENTS if isinstance(service.spec.get(name), Mapping)}
    yield from _class_refusals(service.annotations)
    for name, component in components.items():
        if component.get("autoscaler") is not None:
            fault = block_fault(component["autoscaler"], component.get("minReplicas"))
            if fault is not None:
                steps, message = fault
                yield _problem(rules.AUTOSCALER_INVALID, ("spec", name, "autoscaler", *steps), f"{name}: {message}")
    yield from _conflict(service.annotations, components)
    yield from _reference_refusals(components, capabilities)
    utilization = service.annotations.get(UTILIZATION_ANNOTATION)
    if utilization is not None and parse_integer(utilization) not in range(1, 101):
        message = "the target utilization percentage should be a [1-100] integer"
        yield _problem(rules.LEGACY_ANNOTATION, ("metadata", "annotations", UTILIZATION_ANNOTATION), message)
    for name, component in components.items():
        yield from _zero_refusals(name, component, service.annotations)
    for name, component in components.items():
        yield from _bound_refusals(name, component)


def block_fault(block: Mapping[str, Any], minimum: int | None) -> tuple[Steps, str] | None:
    """The first fault of an autoscaler block, with its place; ``None`` where there is none.

    ``minimum`` is the least number of replicas that stands beside the block, ``None`` where none does.
    """
    scaler, keda = block.get("class"), block.get("keda") or {}
    if scaler not in list(ScalerClass):
        shown = quoted(str(scaler or ""))
        return ("class",), f"AutoscalerClassUnknown: autoscaler.class {shown} is not one of HPA|KEDA|External|None"
    if scaler == ScalerClass.KEDA and not keda.get("triggers"):
        return (), "KedaTriggersRequired: class=keda requires at least 1 trigger"
    if scaler == ScalerClass.HPA:
        return _metric_fault((block.get("hpa") or {}).get("metrics") or ())
    idle = keda.get("idleReplicaCount")
    if scaler == ScalerClass.KEDA and idle is not None and minimum is not None and idle >= minimum:
        message = (
            "KedaIdleBelowMin: keda.idleReplicaCount must be < minReplicas "
            f"(got idleReplicaCount={idle}, minReplicas={minimum})"
        )
        return ("keda", "idleReplicaCount"), message
    return None


def _metric_fault(metrics: Any) -> tuple[Steps, str] | None:
    for index, metric in enumerate(metrics):
        shown, steps = f"hpa.metrics[{index}]", ("hpa", "metrics", index)
        kind = metric.get("type") or ""
        field = _METRIC_TYPES.get(kind)
        if not kind:
            return steps, f"HPAMetricMalformed: {shown}.type is empty; must be one of {_ANY_METRIC_TYPE}"
        if field is None:
            message = f"HPAMetricMalformed: {shown}.type {quoted(kind)} is not one of {_ANY_METRIC_TYPE}"
            return (*steps, "type"), message
        if metric.get(field) is None:
            return (*steps, "type"), f"HPAMetricMalformed: {shown}.type={kind} but {shown}.{field} is nil"
    return None


def _class_refusals(annotations: Mapping[str, str]) -> Iterator[Problem]:
    wanted, metric = annotations.get(CLASS_ANNOTATION), annotations.get(METRICS_ANNOTATION)
    if wanted is not None and wanted not in LEGACY_CLASSES:
        message = f"[{wanted}] is not a supported autoscaler class type"
        yield _problem(rules.LEGACY_ANNOTATION, ("metadata", "annotations", CLASS_ANNOTATION), message)
    if wanted == "hpa" and metric is not None and metric not in _METRICS:
        message = f"[{metric}] is not a supported metric"
        yield _problem(rules.LEGACY_ANNOTATION, ("metadata", "annotations", METRICS_ANNOTATION), message)


def _conflict(annotations: Mapping[str, str], components: Mapping[ComponentName, Any]) -> Iterator[Problem]:
    typed = [name for name, component in components.items() if component.get("autoscaler") is not None]
    if CLASS_ANNOTATION in annotations and typed:
        message = (
            f"AutoscalerAnnotationConflict: {CLASS_ANNOTATION} annotation is present together with "
            f"spec.{typed[0]}.autoscaler; remove the annotation — per-Component autoscaler block wins"
        )
        yield _problem(rules.LEGACY_ANNOTATION, ("metadata", "annotations", CLASS_ANNOTATION), message)


def _reference_refusals(components: Mapping[ComponentName, Any], capabilities: Capabilities) -> Iterator[Problem]:
    for name, component in components.items():
        reference = component.get("autoscalerPolicyRef")
        if reference is None:
            continue
        field, kind = f"spec.{name}.autoscalerPolicyRef", reference.get("kind") or _POLICY_KIND
        steps: Steps = ("spec", name, "autoscalerPolicyRef")
        if not capabilities.autoscaler_policies:
            message = (
                f"AutoscalerPolicyFeatureDisabled: {field} references {quoted(reference.get('name') or '')} but the "
                "AutoscalerPolicy feature is not enabled on this cluster; remove the ref or enable the feature"
            )
            yield _problem(rules.POLICY_REFERENCE, steps, message)
        elif kind != _POLICY_KIND:
            message = (
                f"AutoscalerPolicyRefKindReserved: {field}.kind {quoted(kind)} is not supported "
                f"(ClusterAutoscalerPolicy is a reserved shape); use {_POLICY_KIND}"
            )
            yield _problem(rules.POLICY_REFERENCE, (*steps, "kind"), message)


def _zero_refusals(
    name: ComponentName, component: Mapping[str, Any], annotations: Mapping[str, str]
) -> Iterator[Problem]:
    typed = (component.get("autoscaler") or {}).get("class") == ScalerClass.KEDA
    if component.get("minReplicas") == 0 and not typed and annotations.get(CLASS_ANNOTATION) != "keda":
        message = (
            f"InvalidScaleToZero: {name}.minReplicas=0 requires KEDA autoscaling (set "
            f"spec.{name}.autoscaler.class=KEDA or the {CLASS_ANNOTATION}=keda annotation); Serverless mode no longer "
            "auto-promotes scale-to-zero"
        )
        yield _problem(rules.SCALE_BOUNDS, ("spec", name, "minReplicas"), message)


def _bound_refusals(name: ComponentName, component: Mapping[str, Any]) -> Iterator[Problem]:
    minimum, maximum = component.get("minReplicas"), component.get("maxReplicas") or 0
    if minimum is not None and minimum < 0:
        message = f"spec.{name}.minReplicas must be >= 0"
        yield _problem(rules.SCALE_BOUNDS, ("spec", name, "minReplicas"), message)
    if maximum < 0:
        yield _problem(rules.SCALE_BOUNDS, ("spec", name, "maxReplicas"), f"spec.{name}.maxReplicas must be >= 1")
    elif minimum is not None and 0 < maximum < minimum:
        message = f"spec.{name}.minReplicas ({minimum}) must be <= maxReplicas ({maximum})"
        yield _problem(rules.SCALE_BOUNDS, ("spec", name, "minReplicas"), message)


def _problem(rule: Rule, steps: Steps, message: str) -> Problem:
    return Problem(rule, message, Place(Origin.SERVICE, steps), rule.remedy)
