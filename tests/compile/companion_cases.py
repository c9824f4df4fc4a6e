"""What omec makes beside the workloads of one InferenceService, without rendering the rest."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import Any

from msgspec.structs import replace

from omec.compile.accelerators import component_accelerator
from omec.compile.autoscaling.objects import ScaleTarget
from omec.compile.autoscaling.scale import instance_bounds
from omec.compile.capabilities import Capabilities
from omec.compile.companions import autoscaler_of, component_companions, service_companions
from omec.compile.components import Component, merge_components
from omec.compile.environment import Environment
from omec.compile.inputs import ServiceInputs
from omec.compile.metadata import APP_LABEL, component_annotations, component_labels, workload_labels
from omec.compile.modes import Mode, component_mode
from omec.compile.names import ComponentName, component_name
from omec.compile.native.defaults import NativeDefaults
from omec.compile.native.multinode import multi_node_workload
from omec.compile.native.peers import Peers
from omec.compile.native.render import native_workload
from omec.compile.pod import Pod, build_pod
from omec.compile.problems import Problem
from omec.compile.replicas import fill_operator_defaults, replica_bounds
from omec.compile.services import component_service, external_service
from omec.compile.weights import weights_of
from omec.compile.workload import Workload

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


def companions(inputs: ServiceInputs, environment: Environment) -> Made:
    """The companions of the service of ``inputs``; the component Services and the external one are not among them."""
    service = inputs.service
    made = Made()
    ports: dict[ComponentName, list[Object]] = {}
    for component in merge_components(inputs):
        if component_mode(service.spec, component.spec) is Mode.VIRTUAL:
            continue
        fill_operator_defaults(component.spec, component.name, inputs.operator)
        workload = _workload(inputs, component, environment)
        ports[component.name] = workload.service["spec"]["ports"]
        beside = component_companions(service, workload, environment)
        made.objects += beside.objects
        made.shared += beside.shared
        made.problems += beside.problems
    exposure = service_companions(service, ports, environment)
    made.objects += exposure.objects
    made.problems += exposure.problems
    return made


def external(inputs: ServiceInputs, environment: Environment, port: int = 8080) -> Object | None:
    """The Service of the service's own name, before an engine that listens on ``port``."""
    ports: dict[ComponentName, list[Object]] = {"engine": [{"port": port}]}
    return external_service(inputs.service, ingress_disabled=environment.settings.ingress.disabled, ports=ports)


def _workload(inputs: ServiceInputs, component: Component, environment: Environment) -> Workload:
    mode = component_mode(inputs.service.spec, component.spec)
    weights, accelerator = weights_of(inputs.model), component_accelerator(inputs, component)
    if mode is Mode.RAW_DEPLOYMENT:
        return _deployment(inputs, component, build_pod(inputs, component, weights=weights, accelerator=accelerator))
    if mode is Mode.MULTI_NODE:
        return multi_node_workload(inputs, component, weights=weights, accelerator=accelerator)
    autoscaler = autoscaler_of(inputs.service, component, mode, {}, instance_bounds(component), environment)
    return native_workload(
        inputs,
        component,
        NativeDefaults(),
        Peers(inputs.service.name, inputs.service.namespace, {}),
        weights=weights,
        accelerator=accelerator,
        autoscaler=autoscaler.block,
    )


def _deployment(inputs: ServiceInputs, component: Component, pod: Pod) -> Workload:
    service, name = inputs.service, component_name(inputs.service.name, component.name)
    annotations = component_annotations(inputs, component.name, component.spec)
    labels = component_labels(inputs, component.name, component.spec)
    labels = workload_labels(labels, annotations, service.name, component.name)
    address = component_service(
        service,
        component.name,
        labels=labels,
        annotations=annotations,
        container=pod.spec["containers"][0],
        app_protocols=component.spec.get("servicePortAppProtocols") or {},
    )
    selector = {APP_LABEL: labels[APP_LABEL]}
    return Workload(
        component=component,
        mode=Mode.RAW_DEPLOYMENT,
        body={"apiVersion": "apps/v1", "kind": "Deployment", "metadata": {"name": name}},
        scale_target=ScaleTarget.deployment(name),
        service=address,
        pods={"default": pod},
        pods_per_replica=1,
        bounds=replica_bounds(component),
        selector=selector,
        external_selector=selector,
        labels=labels,
        annotations=annotations,
        scaler_labels=labels,
        scaler_annotations=annotations,
    )


def with_capabilities(environment: Environment, **changes: bool) -> Environment:
    return replace(environment, capabilities=replace(Capabilities(), **changes))


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
