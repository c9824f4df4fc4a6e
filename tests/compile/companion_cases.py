"""What omec makes beside the workloads of one InferenceService, without rendering the rest.

Covers Deployments and LeaderWorkerSets, whose pods a component's own spec describes.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field, replace
from typing import Any

from omec.compile.accelerators import component_accelerator
from omec.compile.autoscaling.objects import Identity, ScaleTarget
from omec.compile.capabilities import Capabilities
from omec.compile.companions import (
    Surroundings,
    Workload,
    component_companions,
    service_companions,
)
from omec.compile.components import Component, merge_components
from omec.compile.inputs import ServiceInputs
from omec.compile.metadata import APP_LABEL, component_annotations, component_labels, workload_labels
from omec.compile.modes import Mode, component_mode
from omec.compile.names import ComponentName, component_name
from omec.compile.pod import build_pod
from omec.compile.problems import Problem
from omec.compile.replicas import Bounds, fill_operator_defaults, replica_bounds
from omec.compile.services import component_service, external_service
from omec.compile.weights import weights_of

Object = dict[str, Any]


@dataclass(slots=True)
class Made:
    """The companions of all components and of the service, their problems, and the objects shared in the namespace."""

    objects: list[Object] = field(default_factory=list)
    shared: list[Object] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)

    def of_kind(self, kind: str) -> dict[str, Object]:
        return {body["metadata"]["name"]: body for body in self.objects if body["kind"] == kind}

    def only(self, kind: str) -> Object:
        (body,) = self.of_kind(kind).values()
        return body


def companions(inputs: ServiceInputs, around: Surroundings) -> Made:
    """The companions of the service of ``inputs``; the component Services and the external one are not among them."""
    service = inputs.service
    made = Made()
    ports: dict[ComponentName, list[Object]] = {}
    for component in merge_components(inputs):
        fill_operator_defaults(component.spec, component.name, inputs.operator)
        workload, ports[component.name] = _workload(inputs, component)
        beside = component_companions(service, component, workload, around)
        made.objects += beside.objects
        made.shared += beside.shared
        made.problems += beside.problems
    exposure = service_companions(service, ports, around)
    made.objects += exposure.objects
    made.problems += exposure.problems
    return made


def external(inputs: ServiceInputs, around: Surroundings, port: int = 8080) -> Object | None:
    """The Service of the service's own name, before an engine that listens on ``port``."""
    ports: dict[ComponentName, list[Object]] = {"engine": [{"port": port}]}
    return external_service(inputs.service, ingress_disabled=around.settings.ingress.disabled, ports=ports)


def _workload(inputs: ServiceInputs, component: Component) -> tuple[Workload, list[Object]]:
    """The workload of ``component`` and the ports of its Service."""
    service, name = inputs.service, component_name(inputs.service.name, component.name)
    mode = component_mode(service.spec, component.spec)
    pod = build_pod(
        inputs, component, weights=weights_of(inputs.model), accelerator=component_accelerator(inputs, component)
    )
    container = pod.spec["containers"][0]
    annotations = component_annotations(inputs, component.spec)
    labels = component_labels(inputs, component.name, component.spec)
    labels = workload_labels(labels, annotations, service.name, component.name)
    address = component_service(
        service,
        component.name,
        labels=labels,
        annotations=annotations,
        container=container,
        app_protocols=component.spec.get("servicePortAppProtocols") or {},
    )
    workload = Workload(
        mode,
        Identity(name, service.namespace, labels, annotations),
        ScaleTarget.deployment(name),
        {APP_LABEL: labels[APP_LABEL]},
        container,
        replica_bounds(component) if mode is Mode.RAW_DEPLOYMENT else Bounds(1, 1),
    )
    return workload, address["spec"]["ports"]


def with_capabilities(around: Surroundings, **changes: bool) -> Surroundings:
    return replace(around, capabilities=replace(Capabilities(), **changes))


def comparable(body: Object) -> Object:
    """``body`` without what says nothing: owners, nulls and empty objects."""
    body = json.loads(json.dumps(body))
    body["metadata"].pop("ownerReferences", None)
    cleaned: Object = _without_empty(body)
    return cleaned


def _without_empty(value: Any) -> Any:
    if isinstance(value, dict):
        kept = {key: _without_empty(item) for key, item in value.items()}
        return {key: item for key, item in kept.items() if item is not None and item != {}}
    return [_without_empty(item) for item in value] if isinstance(value, list) else value
