"""The workload and the Service of one component, without OME."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from msgspec.structs import replace

from omec.compile.accelerators import Accelerator
from omec.compile.autoscaling.objects import ScaleTarget
from omec.compile.components import Component
from omec.compile.deployment import deployment
from omec.compile.inputs import Object, ServiceInputs
from omec.compile.leaderworkerset import (
    API_VERSION,
    KIND,
    LEADER_LABEL,
    RECREATE_GROUP,
    SET_NAME_LABEL,
    leader_selector,
    leader_service,
    leader_worker_set,
    set_name,
)
from omec.compile.metadata import APP_LABEL, COMPONENT_LABEL, INFERENCE_SERVICE_LABEL, workload_labels
from omec.compile.modes import Mode
from omec.compile.names import component_name
from omec.compile.native.checks import check_bounds, check_budgets, check_topology
from omec.compile.native.connection import connected_pod
from omec.compile.native.container_checks import check_group_pod, check_raw_pod
from omec.compile.native.defaults import NativeDefaults
from omec.compile.native.kubernetes.losses import losses
from omec.compile.native.kubernetes.placement import add_colocation
from omec.compile.native.kubernetes.rollout import deployment_strategy, group_rollout
from omec.compile.native.kubernetes.variables import counterparts, with_variables
from omec.compile.native.labels import PAIRING_LABEL, RUNNER_LABEL
from omec.compile.native.lifecycle import min_ready_seconds
from omec.compile.native.names import DerivedNames
from omec.compile.native.peers import Peers
from omec.compile.native.placement import add_spread
from omec.compile.native.projection import Projection, project
from omec.compile.pod import Pod, Role, fill_deployment_defaults, fill_pod_defaults
from omec.compile.problems import Problem
from omec.compile.rbac import router_access
from omec.compile.services import component_service
from omec.compile.weights import Weights
from omec.compile.workload import Workload


def kubernetes_workload(
    inputs: ServiceInputs,
    component: Component,
    defaults: NativeDefaults,
    peers: Peers,
    *,
    weights: Weights | None,
    accelerator: Accelerator,
    autoscaler: Object,
) -> Workload:
    """``component`` (merged, with the operator's defaults) of mode OMENative as a LeaderWorkerSet or Deployment.

    ``autoscaler`` is the block in force. Raises :class:`omec.compile.problems.RenderError` where OME would fail.
    """
    projection = project(inputs, component, defaults, weights=weights, accelerator=accelerator, autoscaler=autoscaler)
    grouped = "leader" in projection.pods
    for pod in projection.pods.values():
        (fill_pod_defaults if grouped else fill_deployment_defaults)(pod.spec)
    problems = [*check_bounds(projection), *check_budgets(projection), *check_topology(projection)]
    replicas = projection.bounds.minimum if autoscaler["class"] == "None" else None
    pods: dict[Role, Pod] = {}
    for role, pod in projection.pods.items():
        provided = counterparts(projection, role, replicas)
        problems += _check(component, role, pod, provided)
        pods[role], _ = connected_pod(component, _with_variables(pod, provided), peers)
    projection = replace(projection, pods=pods)
    workload = _group_workload(projection, replicas) if grouped else _deployment_workload(projection, replicas)
    problems += losses(projection, workload.body["kind"])
    access = []
    if component.name == "router":
        name = component_name(inputs.service.name, component.name)
        access = router_access(name, inputs.service.namespace, projection.labels)
    return replace(workload, access=tuple(access), problems=tuple(problems))


def _check(component: Component, role: Role, pod: Pod, provided: Mapping[str, Object]) -> Iterator[Problem]:
    if role == "default":
        return check_raw_pod(component, pod, provided)
    return check_group_pod(component, role, pod, provided)


def _with_variables(pod: Pod, provided: Mapping[str, Object]) -> Pod:
    containers = [with_variables(container, provided) for container in pod.spec["containers"]]
    return replace(pod, spec={**pod.spec, "containers": containers})


def _group_workload(projection: Projection, replicas: int | None) -> Workload:
    """The component as groups of pods; its Service goes to their leaders."""
    service, component = projection.service, projection.component
    name = set_name(service.name, component.name)
    leader, worker = projection.pods["leader"].spec, projection.pods["worker"].spec
    add_colocation(worker, name, projection.topology)
    _spread(projection, leader, "leader")
    restart = (projection.lifecycle or {}).get("restartPolicy")
    body = leader_worker_set(
        name,
        service,
        component.name,
        labels=projection.replica_labels,
        annotations=projection.annotations,
        leader=leader,
        worker=worker,
        workers=projection.worker_size,
        replicas=replicas,
        restart="None" if restart == "None" else RECREATE_GROUP,
        rollout=group_rollout(projection.lifecycle),
    )
    templates = body["spec"]["leaderWorkerTemplate"]
    templates["leaderTemplate"]["metadata"]["labels"] |= _role_labels(projection, "leader")
    templates["workerTemplate"]["metadata"]["labels"] |= _role_labels(projection, "worker")
    address = leader_service(
        service,
        component.name,
        labels=projection.labels,
        annotations=projection.annotations,
        container=leader["containers"][0],
        app_protocols=component.spec.get("servicePortAppProtocols") or {},
        selector=leader_selector(service.name, component.name),
    )
    target = ScaleTarget(API_VERSION, KIND, name)
    return _workload(projection, body, address, {SET_NAME_LABEL: name}, LEADER_LABEL, target)


def _deployment_workload(projection: Projection, replicas: int | None) -> Workload:
    """The component as single pods."""
    service, component, lifecycle = projection.service, projection.component, projection.lifecycle
    name = component_name(service.name, component.name)
    pod = projection.serving_pod.spec
    _spread(projection, pod, "default")
    labels = workload_labels(projection.replica_labels, projection.annotations, service.name, component.name)
    body = deployment(
        name,
        service.namespace,
        labels={**labels, **_role_labels(projection, "default")},
        annotations=projection.annotations,
        pod=pod,
        strategy=deployment_strategy(lifecycle),
        replicas=replicas,
    )
    if seconds := min_ready_seconds(lifecycle):
        body["spec"]["minReadySeconds"] = seconds
    if projection.revision_history_limit is not None:
        body["spec"]["revisionHistoryLimit"] = projection.revision_history_limit
    if projection.pause:
        body["spec"]["paused"] = True
    address = component_service(
        service,
        component.name,
        labels=projection.labels,
        annotations=projection.annotations,
        container=pod["containers"][0],
        app_protocols=component.spec.get("servicePortAppProtocols") or {},
    )
    return _workload(projection, body, address, {APP_LABEL: labels[APP_LABEL]}, {}, ScaleTarget.deployment(name))


def _workload(
    projection: Projection,
    body: Object,
    address: Object,
    selector: Mapping[str, str],
    serving: Mapping[str, str],
    target: ScaleTarget,
) -> Workload:
    component = projection.component
    whole = {INFERENCE_SERVICE_LABEL: projection.service.name, COMPONENT_LABEL: component.name}
    return Workload(
        component=component,
        mode=Mode.OME_NATIVE,
        body=body,
        service=address,
        pods=projection.pods,
        pods_per_replica=projection.pods_per_instance,
        bounds=projection.bounds,
        selector=selector,
        external_selector={**whole, **serving},
        labels=projection.labels,
        annotations=projection.annotations,
        scaler_labels=projection.labels,
        scaler_annotations=projection.annotations,
        scale_target=target,
    )


def _spread(projection: Projection, pod: Object, role: Role) -> None:
    """The constraint that OME's controller adds; the pods carry the labels that it selects by."""
    add_spread(pod, DerivedNames(projection.service.name, projection.component.name), projection.topology, role)


def _role_labels(projection: Projection, role: Role) -> dict[str, str]:
    """Labels by which routers tell the pods of OME's Instances apart."""
    pairing = projection.pairing_protocol
    return {RUNNER_LABEL: role} | ({PAIRING_LABEL: pairing} if pairing else {})
