"""A component of mode OMENative as a standalone InferenceReplica with its Service (reference 05 §7)."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from omec.compile.accelerators import Accelerator
from omec.compile.autoscaling.objects import ScaleTarget
from omec.compile.components import Component
from omec.compile.inputs import Object, ServiceInputs
from omec.compile.metadata import component_labels
from omec.compile.modes import Mode
from omec.compile.native import rules
from omec.compile.native.admission import Write, refusal
from omec.compile.native.checks import check_replica
from omec.compile.native.connection import connected_pod
from omec.compile.native.container_checks import check_native_pod
from omec.compile.native.defaults import NativeDefaults
from omec.compile.native.labels import RUNNER_LABEL, SERVICE_LABEL, pod_selector
from omec.compile.native.names import replica_name
from omec.compile.native.peers import Peers
from omec.compile.native.projection import Projection, project
from omec.compile.native.replica import inference_replica
from omec.compile.native.services import replica_service
from omec.compile.problems import Problem
from omec.compile.rbac import router_access
from omec.compile.weights import Weights
from omec.compile.workload import Workload


def native_workload(
    inputs: ServiceInputs,
    component: Component,
    defaults: NativeDefaults,
    peers: Peers,
    *,
    weights: Weights | None,
    accelerator: Accelerator,
    autoscaler: Object,
) -> Workload:
    """``component`` (merged, with the operator's defaults) as a replica; ``autoscaler`` is the block in force.

    Raises :class:`RenderError` where OME would fail.
    """
    projection = project(inputs, component, defaults, weights=weights, accelerator=accelerator, autoscaler=autoscaler)
    problems = [*check_replica(projection)]
    for role, pod in projection.pods.items():
        problems += check_native_pod(component, role, pod)
    projection, rewritten = _connected(projection, peers)
    problems += rewritten
    marked = inputs.metadata
    body = inference_replica(projection, marked=marked)
    problems += _refused(projection, body)
    prefix = replica_name(inputs.service.name, component.name)
    service = replica_service(projection, prefix)
    mark = {SERVICE_LABEL: inputs.service.name} if marked else {}
    service["metadata"]["labels"] |= mark
    selector = pod_selector(prefix, component.name)
    leaders = {RUNNER_LABEL: "leader"} if "leader" in projection.pods else {}
    return Workload(
        component=component,
        mode=Mode.OME_NATIVE,
        body=body,
        service=service,
        pods=projection.pods,
        pods_per_replica=projection.pods_per_instance,
        bounds=projection.bounds,
        selector=selector,
        external_selector={**selector, **leaders},
        labels={**projection.labels, **mark},
        annotations=projection.annotations,
        scaler_labels={**projection.template_labels, **mark},
        scaler_annotations=projection.template_annotations,
        scale_target=ScaleTarget.inference_replica(prefix),
        access=_access(inputs, component),
        problems=tuple(problems),
    )


def _access(inputs: ServiceInputs, component: Component) -> tuple[Object, ...]:
    if component.name != "router":
        return ()
    name = replica_name(inputs.service.name, component.name)
    labels = component_labels(inputs, component.name, component.spec)
    return tuple(router_access(name, inputs.service.namespace, labels))


def _connected(projection: Projection, peers: Peers) -> tuple[Projection, list[Problem]]:
    """``projection`` with containers that find the other components, and what was changed for that."""
    component = projection.component
    problems: list[Problem] = []
    pods = {}
    for role, pod in projection.pods.items():
        pods[role], changed = connected_pod(component, pod, peers)
        problems += changed
    return replace(projection, pods=pods), problems


def _refused(projection: Projection, body: Object) -> Iterator[Problem]:
    """What OME's webhook would say to the replica."""
    component = projection.component
    if (fault := refusal(Write(body))) is not None:
        _, message = fault
        steps = ("volumes",) if "volumeMount" in message else ()
        yield Problem(rules.REPLICA_REFUSED, message, component.place(*steps))
