"""The form in which each component of a service runs, by its mode and by the platform (reference 05 §1, §2)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import msgspec

from omec.compile.accelerators import Accelerator
from omec.compile.autoscaling.block import Autoscaler
from omec.compile.autoscaling.objects import ScaleTarget
from omec.compile.components import Component
from omec.compile.deployment import deployment
from omec.compile.inputs import ServiceInputs
from omec.compile.metadata import (
    APP_LABEL,
    COMPONENT_LABEL,
    INFERENCE_SERVICE_LABEL,
    component_annotations,
    component_labels,
    workload_labels,
)
from omec.compile.modes import Mode, component_mode
from omec.compile.names import ComponentName, component_name
from omec.compile.native.connection import connected_pod
from omec.compile.native.container_checks import check_raw_pod
from omec.compile.native.mode_checks import mode_problems
from omec.compile.native.mode_rule import ModeRule, mode_rule
from omec.compile.native.names import replica_name
from omec.compile.native.peers import Peers
from omec.compile.native.pods import roles
from omec.compile.native.target import Target
from omec.compile.pod import build_pod
from omec.compile.problems import Problem
from omec.compile.rbac import router_access
from omec.compile.replicas import replica_bounds
from omec.compile.services import component_service
from omec.compile.weights import Weights
from omec.compile.workload import Workload


class Means(msgspec.Struct, frozen=True):
    """What a component runs with, found out before: weights, accelerator, and the autoscaler in force (``None`` in a
    mode that OME does not scale).
    """

    weights: Weights | None
    accelerator: Accelerator
    autoscaler: Autoscaler | None


def modes_of(inputs: ServiceInputs, components: Sequence[Component], target: Target) -> dict[ComponentName, Mode]:
    """The mode of each component. OME 1.2 knows no OMENative: pods that span nodes are LeaderWorkerSets there."""
    spec = inputs.service.spec
    modes = {component.name: component_mode(spec, component.spec) for component in components}
    if target.ome_version == "1.2":
        for component in components:
            if mode_rule(spec, component.spec) is ModeRule.SHAPE:
                modes[component.name] = Mode.MULTI_NODE
    return modes


def peers_of(inputs: ServiceInputs, modes: Mapping[ComponentName, Mode], target: Target) -> Peers:
    """How the components find each other: pods of replicas carry the replica's name, all others the service's."""
    service = inputs.service
    prefixes = {
        name: replica_name(service.name, name) if mode is Mode.OME_NATIVE and target.platform == "ome" else service.name
        for name, mode in modes.items()
    }
    return Peers(service.name, service.namespace, prefixes)


def form_problems(
    inputs: ServiceInputs, components: Sequence[Component], modes: Mapping[ComponentName, Mode], target: Target
) -> Iterator[Problem]:
    """What is wrong with the modes, and what the service loses in them, said once."""
    yield from mode_problems(inputs, components, modes, ome_version=target.ome_version)
    spec = inputs.service.spec
    if spec.get("rollout") is not None or any(component.own.get("lifecycle") is not None for component in components):
        from omec.compile.native.rollout_admission import rollout_problems  # noqa: PLC0415 - few services need it

        yield from rollout_problems(spec)
    native = [component for component in components if modes[component.name] is Mode.OME_NATIVE]
    if native:
        yield from _native_problems(inputs, native, modes, target)


def _native_problems(
    inputs: ServiceInputs, native: Sequence[Component], modes: Mapping[ComponentName, Mode], target: Target
) -> Iterator[Problem]:
    from omec.compile.leaderworkerset import KIND  # noqa: PLC0415 - few services need these
    from omec.compile.native.checks import check_service, standalone_note  # noqa: PLC0415
    from omec.compile.native.kubernetes.losses import platform_note  # noqa: PLC0415

    yield from check_service(inputs, modes)
    if target.platform == "ome":
        yield standalone_note(inputs, [component.name for component in native])
    else:
        kinds = {component.name: KIND if "leader" in roles(component) else "Deployment" for component in native}
        yield platform_note(inputs, kinds)


def component_workload(
    inputs: ServiceInputs, component: Component, mode: Mode, peers: Peers, target: Target, means: Means
) -> Workload:
    """``component`` (merged, with the operator's defaults) in its ``mode``, which is valid for it.

    Raises :class:`omec.compile.problems.RenderError` where OME would fail.
    """
    if mode is Mode.RAW_DEPLOYMENT:
        return _raw_workload(inputs, component, peers, means)
    # The other forms are rare, and each brings modules of its own.
    if mode is Mode.MULTI_NODE:
        from omec.compile.native.multinode import multi_node_workload  # noqa: PLC0415

        return multi_node_workload(
            inputs,
            component,
            weights=means.weights,
            accelerator=means.accelerator,
            ome_version=target.ome_version,
        )
    if target.platform == "ome":
        from omec.compile.native.render import native_workload as render  # noqa: PLC0415
    else:
        from omec.compile.native.kubernetes.workload import kubernetes_workload as render  # noqa: PLC0415

    assert means.autoscaler is not None
    return render(
        inputs,
        component,
        target.defaults,
        peers,
        weights=means.weights,
        accelerator=means.accelerator,
        autoscaler=means.autoscaler.block,
    )


def _raw_workload(inputs: ServiceInputs, component: Component, peers: Peers, means: Means) -> Workload:
    """A Deployment, on either platform."""
    service = inputs.service
    name = component_name(service.name, component.name)
    annotations = component_annotations(inputs, component.name, component.spec)
    labels = component_labels(inputs, component.name, component.spec)
    access = router_access(name, service.namespace, labels) if component.name == "router" else []
    labels = workload_labels(labels, annotations, service.name, component.name)
    bounds = replica_bounds(component)
    pod = build_pod(inputs, component, weights=means.weights, accelerator=means.accelerator)
    problems = list(check_raw_pod(component, pod))
    pod, changed = connected_pod(component, pod, peers)
    fixed = means.autoscaler is not None and means.autoscaler.fixes_replicas
    body = deployment(
        name,
        service.namespace,
        labels=labels,
        annotations=annotations,
        pod=pod.spec,
        strategy=component.spec.get("deploymentStrategy"),
        replicas=bounds.minimum if fixed else None,
    )
    address = component_service(
        service,
        component.name,
        labels=labels,
        annotations=annotations,
        container=pod.spec["containers"][0],
        app_protocols=component.spec.get("servicePortAppProtocols") or {},
    )
    return Workload(
        component=component,
        mode=Mode.RAW_DEPLOYMENT,
        body=body,
        service=address,
        pods={"default": pod},
        pods_per_replica=1,
        bounds=bounds,
        selector={APP_LABEL: labels[APP_LABEL]},
        external_selector={INFERENCE_SERVICE_LABEL: service.name, COMPONENT_LABEL: component.name},
        labels=labels,
        annotations=annotations,
        scaler_labels=labels,
        scaler_annotations=annotations,
        scale_target=ScaleTarget.deployment(name),
        access=tuple(access),
        problems=(*problems, *changed),
    )
