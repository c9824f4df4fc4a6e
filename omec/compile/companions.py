"""The objects that OME makes beside workloads: for each component, and for the service as a whole (reference 10).

Objects are listed in the order of :mod:`omec.compile.render`; nothing here depends on a cluster.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from omec.compile import companion_rules as rules
from omec.compile.autoscaling.admission import scaling_refusals
from omec.compile.autoscaling.block import Autoscaler
from omec.compile.autoscaling.objects import Identity, ScaleTarget
from omec.compile.autoscaling.scale import SCALED_MODES, Policies, scale
from omec.compile.capabilities import ASSUMED, Capabilities
from omec.compile.companion_settings import CHART_COMPANIONS, CompanionSettings
from omec.compile.components import Component
from omec.compile.disruption import (
    available_pods,
    blocks_evictions,
    budget_refusals,
    component_budget,
    pod_disruption_budget,
)
from omec.compile.disruption_settings import Budget
from omec.compile.exposure.effective import effective_settings
from omec.compile.exposure.expose import Exposure, expose
from omec.compile.exposure.hosts import host_name
from omec.compile.exposure.traffic_admission import traffic_refusals, traffic_warnings
from omec.compile.inputs import Object, Service
from omec.compile.modes import Mode
from omec.compile.monitoring import check_monitor, pod_monitor
from omec.compile.names import ComponentName, component_name
from omec.compile.problems import Problem
from omec.compile.replicas import Bounds


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What decides about companions beside the service: the operator's settings, the cluster, and the namespace.

    ``policies`` are the specs of the AutoscalerPolicies in the namespace of the service, by name.
    """

    settings: CompanionSettings = CHART_COMPANIONS
    capabilities: Capabilities = ASSUMED
    policies: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Workload:
    """The rendered workload of a component.

    ``selector`` are the labels of all its pods, ``container`` is the first one of a pod, ``bounds`` count what
    ``target`` scales, and each of those has ``pods`` pods.
    """

    mode: Mode
    identity: Identity
    target: ScaleTarget
    selector: Mapping[str, str]
    container: Mapping[str, Any]
    bounds: Bounds
    pods: int = 1


@dataclass(frozen=True, slots=True)
class Companions:
    """The objects beside one workload, and what is doubtful about them.

    ``shared`` are objects that several services of a namespace may ask for, equal for all of them. ``autoscaler`` is
    ``None`` for a component that OME does not scale.
    """

    objects: tuple[Object, ...]
    shared: tuple[Object, ...] = ()
    problems: tuple[Problem, ...] = ()
    autoscaler: Autoscaler | None = None


def admission_problems(service: Service, capabilities: Capabilities) -> Iterator[Problem]:
    """What OME's webhook says about the scaling, budgets and traffic of ``service``, refusals before warnings.

    It looks at the InferenceService alone, before anything is rendered, so it refuses some that would render.
    """
    yield from scaling_refusals(service, capabilities)
    yield from budget_refusals(service)
    yield from traffic_refusals(service, capabilities)
    yield from traffic_warnings(service)


def component_companions(
    service: Service, component: Component, workload: Workload, around: Surroundings
) -> Companions:
    """The autoscaler, disruption budget and monitor of ``component``; raises ``RenderError`` where OME fails."""
    _check_host(service, component, workload.mode, around)
    objects: list[Object] = []
    shared: tuple[Object, ...] = ()
    problems: list[Problem] = list(_unmatched_protocols(component, workload.container))
    autoscaler = None
    if workload.mode in SCALED_MODES:
        scaling = scale(
            component,
            workload.mode,
            service.name,
            identity=workload.identity,
            target=workload.target,
            bounds=workload.bounds,
            policies=Policies(around.policies, around.settings.providers),
            capabilities=around.capabilities,
        )
        autoscaler, shared = scaling.autoscaler, scaling.shared
        objects += [scaling.scaler] if scaling.scaler is not None else []
        problems += scaling.problems
    budget = component_budget(component, workload.mode, around.settings.budgets)
    if budget is not None:
        objects.append(_budget_object(workload, budget))
        problems += _budget_doubts(component, workload, budget)
    if around.capabilities.pod_monitors:
        objects.append(_monitor_object(workload, around))
        problems += check_monitor(component, workload.container, workload.identity.annotations)
    return Companions(tuple(objects), shared, tuple(problems), autoscaler)


def service_companions(service: Service, ports: Mapping[ComponentName, list[Object]], around: Surroundings) -> Exposure:
    """Ingress, routes and policies of ``service``, whose components have Services with ``ports``.

    Raises ``RenderError`` where OME fails.
    """
    first = {component: int(listed[0]["port"]) for component, listed in ports.items()}
    return expose(service, around.settings.ingress, first, around.capabilities)


def _check_host(service: Service, component: Component, mode: Mode, around: Surroundings) -> None:
    """OME renders the address of a Deployment or LeaderWorkerSet first, with ingress creation on or off."""
    if mode in (Mode.RAW_DEPLOYMENT, Mode.MULTI_NODE):
        effective = effective_settings(around.settings.ingress, service.annotations)
        host_name(component_name(service.name, component.name), service, effective)


def _budget_object(workload: Workload, budget: Budget) -> Object:
    if workload.mode is Mode.OME_NATIVE:
        budget = Budget("minAvailable", available_pods(budget, workload.bounds.minimum * workload.pods))
    identity = workload.identity
    return pod_disruption_budget(
        identity.name,
        identity.namespace,
        budget,
        selector=workload.selector,
        labels=identity.labels,
        annotations=identity.annotations,
    )


def _budget_doubts(component: Component, workload: Workload, budget: Budget) -> Iterator[Problem]:
    blocking = blocks_evictions(component, budget, workload.bounds.minimum * workload.pods)
    if blocking is not None:
        yield blocking
    bounds = workload.bounds
    if workload.mode is Mode.OME_NATIVE and bounds.minimum != bounds.maximum:
        message = f"the disruption budget of the {component.name} is counted for {bounds.minimum} Instances"
        yield Problem(rules.BUDGET_FIXED, message, component.place(budget.field), rules.BUDGET_FIXED.fix)


def _monitor_object(workload: Workload, around: Surroundings) -> Object:
    identity = workload.identity
    return pod_monitor(
        identity.name,
        identity.namespace,
        selector=workload.selector,
        container=workload.container,
        annotations=identity.annotations,
        settings=around.settings.monitors if workload.mode is Mode.OME_NATIVE else None,
    )


def _unmatched_protocols(component: Component, container: Mapping[str, Any]) -> Iterator[Problem]:
    """Application protocols for ports that the Service does not have."""
    ports = container.get("ports")
    names = {port.get("name") for port in ports} if ports else {container.get("name")}
    for name, protocol in (component.spec.get("servicePortAppProtocols") or {}).items():
        if protocol and name not in names:
            message = f"servicePortAppProtocols names {name}, and the Service of the {component.name} has no such port"
            place = component.place("servicePortAppProtocols", name)
            yield Problem(rules.APP_PROTOCOL_UNMATCHED, message, place, rules.APP_PROTOCOL_UNMATCHED.fix)
