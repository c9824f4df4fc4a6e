"""The objects that OME makes beside workloads: for each component, and for the service as a whole (reference 10).

Objects are listed in the order of :mod:`omec.compile.render`; nothing here depends on a cluster.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import msgspec

from omec.compile import companion_rules as rules
from omec.compile.autoscaling.admission import scaling_refusals
from omec.compile.autoscaling.block import Autoscaler
from omec.compile.autoscaling.objects import Identity, ScaleTarget
from omec.compile.autoscaling.policy import Consumer
from omec.compile.autoscaling.scale import SCALED_MODES, Policies, Scaling, autoscaler_in_force, scale
from omec.compile.capabilities import Capabilities
from omec.compile.components import Component
from omec.compile.disruption import (
    available_pods,
    blocks_evictions,
    budget_refusals,
    component_budget,
    pod_disruption_budget,
)
from omec.compile.disruption_settings import Budget
from omec.compile.environment import Environment
from omec.compile.exposure.annotation_admission import annotation_warnings
from omec.compile.exposure.effective import effective_settings
from omec.compile.exposure.hosts import host_name
from omec.compile.exposure.outcome import Exposure
from omec.compile.exposure.traffic import Intent
from omec.compile.exposure.traffic_admission import field_refusals, traffic_refusals
from omec.compile.inputs import Object, Service
from omec.compile.modes import Mode
from omec.compile.monitoring import check_monitor, pod_monitor
from omec.compile.names import ComponentName, component_name
from omec.compile.native.mode_checks import shape_refusals
from omec.compile.problems import Problem
from omec.compile.replicas import Bounds
from omec.compile.service_admission import service_refusals
from omec.compile.workload import Workload


class Companions(msgspec.Struct, frozen=True):
    """The objects beside one workload, and what is doubtful about them.

    ``shared`` are objects that several services of a namespace may ask for, equal for all of them.
    """

    objects: tuple[Object, ...]
    shared: tuple[Object, ...] = ()
    problems: tuple[Problem, ...] = ()


def admission_problems(service: Service, capabilities: Capabilities) -> Iterator[Problem]:
    """What OME's webhook says about the scaling, shape, budgets and traffic of ``service``, refusals before warnings.

    It looks at the InferenceService alone, before anything is rendered, so it refuses some that would render.
    """
    yield from service_refusals(service)
    yield from scaling_refusals(service, capabilities)
    yield from shape_refusals(service)
    yield from budget_refusals(service)
    yield from traffic_refusals(service, capabilities)
    yield from annotation_warnings(service)


def autoscaler_of(
    service: Service,
    component: Component,
    mode: Mode,
    annotations: Mapping[str, str],
    bounds: Bounds,
    environment: Environment,
) -> Autoscaler:
    """The autoscaler of ``component`` with the merged ``annotations``, in one of :data:`SCALED_MODES`.

    Whether its workload states a number of replicas depends on it. Raises ``RenderError`` where OME fails.
    """
    consumer = Consumer(service.name, service.namespace, component.name, bounds)
    policies = Policies(environment.policies, environment.settings.providers)
    autoscaler, _ = autoscaler_in_force(component, mode, consumer, annotations, policies, environment.capabilities)
    return autoscaler


def component_companions(service: Service, workload: Workload, environment: Environment) -> Companions:
    """The autoscaler, disruption budget and monitor of ``workload``; raises ``RenderError`` where OME fails."""
    component, mode = workload.component, workload.mode
    _check_host(service, component, mode, environment)
    objects: list[Object] = []
    shared: tuple[Object, ...] = ()
    problems: list[Problem] = list(_unmatched_protocols(component, _container(workload)))
    if mode in SCALED_MODES and workload.scale_target is not None:
        scaling = _scaling(service, workload, workload.scale_target, environment)
        shared = scaling.shared
        objects += [scaling.scaler] if scaling.scaler is not None else []
        problems += scaling.problems
    budget = component_budget(component, mode, environment.settings.budgets)
    if budget is not None:
        objects.append(_budget_object(service, workload, mode, budget))
        problems += _budget_doubts(workload, mode, budget)
    if environment.capabilities.pod_monitors:
        objects.append(_monitor_object(service, workload, mode, environment))
        problems += check_monitor(component, _container(workload), workload.annotations)
    return Companions(tuple(objects), shared, tuple(problems))


def service_companions(
    service: Service, ports: Mapping[ComponentName, list[Object]], environment: Environment
) -> Exposure:
    """Ingress, routes and policies of ``service``, whose components have Services with ``ports``.

    Raises ``RenderError`` where OME fails.
    """
    effective = effective_settings(environment.settings.ingress, service.annotations)
    refused = any(True for _ in field_refusals(service, environment.capabilities))
    if effective.disabled and not refused and not Intent.of(service):
        return Exposure()
    from omec.compile.exposure.expose import expose  # noqa: PLC0415 - many repositories expose nothing

    first = {component: int(listed[0]["port"]) for component, listed in ports.items()}
    return expose(service, environment.settings.ingress, first, environment.capabilities)


def _check_host(service: Service, component: Component, mode: Mode, environment: Environment) -> None:
    """OME renders the address of a Deployment or LeaderWorkerSet first, with ingress creation on or off."""
    if mode in (Mode.RAW_DEPLOYMENT, Mode.MULTI_NODE):
        effective = effective_settings(environment.settings.ingress, service.annotations)
        host_name(component_name(service.name, component.name), service, effective)


def _scaling(service: Service, workload: Workload, target: ScaleTarget, environment: Environment) -> Scaling:
    component = workload.component
    name = component_name(service.name, component.name)
    return scale(
        component,
        workload.mode,
        service.name,
        identity=Identity(name, service.namespace, workload.scaler_labels, workload.scaler_annotations),
        target=target,
        bounds=workload.bounds,
        policies=Policies(environment.policies, environment.settings.providers),
        capabilities=environment.capabilities,
    )


def _budget_object(service: Service, workload: Workload, mode: Mode, budget: Budget) -> Object:
    if mode is Mode.OME_NATIVE:
        budget = Budget("minAvailable", available_pods(budget, _pods(workload)))
    return pod_disruption_budget(
        component_name(service.name, workload.component.name),
        service.namespace,
        budget,
        selector=workload.selector,
        labels=workload.labels,
        annotations=workload.annotations,
    )


def _budget_doubts(workload: Workload, mode: Mode, budget: Budget) -> Iterator[Problem]:
    component, bounds = workload.component, workload.bounds
    blocking = blocks_evictions(component, budget, _pods(workload))
    if blocking is not None:
        yield blocking
    if mode is Mode.OME_NATIVE and bounds.minimum != bounds.maximum:
        plural = "s" if bounds.minimum != 1 else ""
        message = f"the disruption budget of the {component.name} is counted for {bounds.minimum} Instance{plural}"
        yield Problem(rules.BUDGET_FIXED, message, component.place(budget.field), rules.BUDGET_FIXED.remedy)


def _monitor_object(service: Service, workload: Workload, mode: Mode, environment: Environment) -> Object:
    return pod_monitor(
        component_name(service.name, workload.component.name),
        service.namespace,
        selector=workload.selector,
        container=_container(workload),
        annotations=workload.annotations,
        settings=environment.settings.monitors if mode is Mode.OME_NATIVE else None,
    )


def _pods(workload: Workload) -> int:
    """The fewest pods that the workload runs."""
    return workload.bounds.minimum * workload.pods_per_replica


def _container(workload: Workload) -> Mapping[str, Any]:
    """The first container of the leader or only pod."""
    container: Mapping[str, Any] = next(iter(workload.pods.values())).spec["containers"][0]
    return container


def _unmatched_protocols(component: Component, container: Mapping[str, Any]) -> Iterator[Problem]:
    """Application protocols for ports that the Service does not have."""
    ports = container.get("ports")
    names = {port.get("name") for port in ports} if ports else {container.get("name")}
    for name, protocol in (component.spec.get("servicePortAppProtocols") or {}).items():
        if protocol and name not in names:
            message = f"servicePortAppProtocols names {name}, and the Service of the {component.name} has no such port"
            place = component.place("servicePortAppProtocols", name)
            yield Problem(rules.APP_PROTOCOL_UNMATCHED, message, place, rules.APP_PROTOCOL_UNMATCHED.remedy)
