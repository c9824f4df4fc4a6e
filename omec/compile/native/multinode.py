"""A component of the deprecated mode MultiNode as a LeaderWorkerSet (reference 05 §14)."""

from __future__ import annotations

from collections.abc import Iterator

from omec.compile.accelerators import Accelerator
from omec.compile.components import Component
from omec.compile.inputs import Object, ServiceInputs
from omec.compile.leaderworkerset import (
    LEADER_LABEL,
    SET_NAME_LABEL,
    leader_selector,
    leader_service,
    leader_worker_set,
    set_name,
)
from omec.compile.metadata import COMPONENT_LABEL, INFERENCE_SERVICE_LABEL, component_annotations, component_labels
from omec.compile.modes import MODE_ANNOTATION, Mode
from omec.compile.names import component_name
from omec.compile.native import mode_rules
from omec.compile.native.container_checks import check_group_pod
from omec.compile.native.istio_sidecar import istio_sidecar
from omec.compile.native.pods import roles
from omec.compile.pod import Pod, Role, compose_pod, fill_pod_defaults
from omec.compile.problems import Problem, RenderError
from omec.compile.replicas import Bounds
from omec.compile.weights import Weights
from omec.compile.workload import Workload


def multi_node_workload(
    inputs: ServiceInputs,
    component: Component,
    *,
    weights: Weights | None,
    accelerator: Accelerator,
    ome_version: str = "1.3",
) -> Workload:
    """``component`` (merged, with the operator's defaults) as a LeaderWorkerSet without scaler and disruption budget.

    Its Service selects the leaders of this set alone, unless the objects are to be exactly OME's. Raises
    :class:`RenderError`.
    """
    if "worker" not in roles(component):
        raise RenderError(_no_pair(component))
    pods = leader_and_worker(inputs, component, weights=weights, accelerator=accelerator)
    name, labels = component.name, component_labels(inputs, component.name, component.spec)
    annotations = component_annotations(inputs, component.name, component.spec)
    minimum = component.spec.get("minReplicas")
    workers = component.spec["worker"].get("size") or 0
    body = leader_worker_set(
        set_name(inputs.service.name, name, ome_version=ome_version),
        inputs.service,
        name,
        labels=labels,
        annotations=annotations,
        leader=pods["leader"].spec,
        worker=pods["worker"].spec,
        workers=workers,
        replicas=1 if minimum is None else minimum,
    )
    service = _service(inputs, component, labels, annotations, pods["leader"])
    sidecar = istio_sidecar(component_name(inputs.service.name, name), inputs.service.namespace, labels)
    return Workload(
        component=component,
        mode=Mode.MULTI_NODE,
        body=body,
        service=service,
        pods=pods,
        pods_per_replica=workers + 1,
        bounds=Bounds(minimum or 1, minimum or 1),
        access=() if sidecar is None else (sidecar,),
        selector={SET_NAME_LABEL: body["metadata"]["name"]},
        external_selector={INFERENCE_SERVICE_LABEL: inputs.service.name, COMPONENT_LABEL: name},
        labels=labels,
        annotations=annotations,
        scaler_labels=labels,
        scaler_annotations=annotations,
        problems=tuple(_problems(component, pods, ome_version)),
    )


def _problems(component: Component, pods: dict[Role, Pod], ome_version: str) -> Iterator[Problem]:
    if ome_version != "1.2":
        yield _deprecated(component)
    for role, pod in pods.items():
        yield from check_group_pod(component, role, pod)


def _service(
    inputs: ServiceInputs, component: Component, labels: dict[str, str], annotations: dict[str, str], leader: Pod
) -> Object:
    return leader_service(
        inputs.service,
        component.name,
        labels=labels,
        annotations=annotations,
        container=leader.spec["containers"][0],
        app_protocols=component.spec.get("servicePortAppProtocols") or {},
        selector=leader_selector(inputs.service.name, component.name) if inputs.metadata else LEADER_LABEL,
    )


def leader_and_worker(
    inputs: ServiceInputs, component: Component, *, weights: Weights | None, accelerator: Accelerator
) -> dict[Role, Pod]:
    """The pods of a group, with the defaults that OME fills in."""
    pods: dict[Role, Pod] = {
        role: compose_pod(inputs, component, role, weights=weights, accelerator=accelerator)
        for role in roles(component)
    }
    for pod in pods.values():
        fill_pod_defaults(pod.spec)
    return pods


def _no_pair(component: Component) -> Problem:
    message = f"the {component.name} runs in mode MultiNode, which needs both a leader and a worker"
    return Problem(
        mode_rules.LEADER_WORKER_PAIR,
        message,
        component.place("annotations", MODE_ANNOTATION),
        "add leader: {} and worker: {}",
    )


def _deprecated(component: Component) -> Problem:
    message = f"the {component.name} runs in mode MultiNode, which OME keeps for old services only"
    place = component.place("annotations", MODE_ANNOTATION)
    return Problem(mode_rules.MULTI_NODE_DEPRECATED, message, place, mode_rules.MULTI_NODE_DEPRECATED.remedy)
