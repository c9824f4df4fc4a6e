"""One InferenceService and what it resolves to, as Kubernetes objects (reference 04 §2).

The order of the steps is OME's; the first that fails ends the rendering, and nothing of the service is emitted.
"""

from __future__ import annotations

from omec.compile import rules
from omec.compile.accelerators import component_accelerator
from omec.compile.checks import check_component, check_service
from omec.compile.components import Component, merge_components
from omec.compile.deployment import deployment
from omec.compile.inputs import Object, ServiceInputs
from omec.compile.marks import mark
from omec.compile.metadata import component_annotations, component_labels, workload_labels
from omec.compile.modes import is_virtual
from omec.compile.names import ComponentName, component_name
from omec.compile.pod import Pod, build_pod
from omec.compile.problems import Origin, Place, Problem, RenderError
from omec.compile.rbac import router_access
from omec.compile.rendered import Rendered, RenderedObject
from omec.compile.replicas import fill_operator_defaults, fixed_replicas, replica_bounds
from omec.compile.scope import refuse_unrendered
from omec.compile.services import component_service, external_service
from omec.compile.weights import weights_of


def render(inputs: ServiceInputs) -> Rendered:
    """The objects of the InferenceService in output order, and what is doubtful about them.

    Raises :class:`RenderError` where OME would fail, or where the service asks for what omec does not render.
    """
    if is_virtual(inputs.service.annotations):
        return Rendered(())
    components = merge_components(inputs)
    refuse_unrendered(inputs, components)
    if all(component.name != "engine" for component in components):
        raise RenderError(_no_engine())
    weights = weights_of(inputs.model)
    parts: list[RenderedObject] = []
    problems: list[Problem] = list(check_service(inputs, weights))
    ports: dict[ComponentName, list[Object]] = {}
    for component in components:
        fill_operator_defaults(component.spec, component.name, inputs.operator)
        bounds = replica_bounds(component)
        pod = build_pod(inputs, component, weights=weights, accelerator=component_accelerator(inputs, component))
        problems += check_component(component, pod)
        objects = _component_objects(inputs, component, pod, fixed_replicas(component, bounds))
        ports[component.name] = objects[-1]["spec"]["ports"]
        parts += [RenderedObject(obj, component, pod) for obj in objects]
    external = external_service(inputs.service, ingress_disabled=inputs.operator.ingress_disabled, ports=ports)
    if external is not None:
        parts.append(RenderedObject(external))
    if inputs.metadata:
        for part in parts:
            mark(part.body)
    return Rendered(tuple(parts), tuple(problems))


def _component_objects(inputs: ServiceInputs, component: Component, pod: Pod, replicas: int | None) -> list[Object]:
    """The objects of a component; its Service is the last."""
    service = inputs.service
    name = component_name(service.name, component.name)
    annotations = component_annotations(inputs, component.spec)
    labels = component_labels(inputs, component.name, component.spec)
    access = router_access(name, service.namespace, labels) if component.name == "router" else []
    labels = workload_labels(labels, annotations, service.name, component.name)
    workload = deployment(
        name,
        service.namespace,
        labels=labels,
        annotations=annotations,
        pod=pod.spec,
        strategy=component.spec.get("deploymentStrategy"),
        replicas=replicas,
    )
    address = component_service(
        service,
        component.name,
        labels=labels,
        annotations=annotations,
        container=pod.spec["containers"][0],
        app_protocols=component.spec.get("servicePortAppProtocols") or {},
    )
    return [*access, workload, address]


def _no_engine() -> Problem:
    message = "engine component is required"
    return Problem(rules.NO_ENGINE, message, Place(Origin.SERVICE, ("spec",)), "add spec.engine; {} is enough")
