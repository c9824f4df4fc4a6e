"""One InferenceService and what it resolves to, as Kubernetes objects (reference 04 §2).

The order of the steps is OME's; the first that fails ends the rendering, and nothing of the service is emitted.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from omec.compile import rules
from omec.compile.accelerators import component_accelerator
from omec.compile.autoscaling.block import Autoscaler
from omec.compile.autoscaling.scale import SCALED_MODES, instance_bounds
from omec.compile.checks import check_component, check_service
from omec.compile.companions import autoscaler_of, component_companions, service_companions
from omec.compile.components import Component, merge_components
from omec.compile.inputs import Object, ServiceInputs
from omec.compile.marks import mark
from omec.compile.metadata import component_annotations
from omec.compile.modelconfig import model_config
from omec.compile.modes import Mode, is_virtual
from omec.compile.names import ComponentName
from omec.compile.native.forms import Means, component_workload, form_problems, modes_of, peers_of
from omec.compile.native.mode_checks import virtual_note
from omec.compile.native.peers import Peers
from omec.compile.problems import Origin, Place, Problem, RenderError
from omec.compile.rendered import Rendered, RenderedObject, SharedObject
from omec.compile.replicas import fill_operator_defaults, replica_bounds
from omec.compile.scope import refuse_unrendered
from omec.compile.services import external_service
from omec.compile.weights import Weights, weights_of
from omec.compile.workload import Workload

if TYPE_CHECKING:
    from omec.compile.native.front import Front


def render(inputs: ServiceInputs) -> Rendered:
    """The objects of the InferenceService in output order, and what is doubtful about them.

    Raises :class:`RenderError` where OME would fail, or where the service asks for what omec does not render.
    """
    if is_virtual(inputs.service.annotations):
        return Rendered((), problems=(virtual_note(inputs),))
    components = merge_components(inputs)
    refuse_unrendered(inputs)
    if all(component.name != "engine" for component in components):
        raise RenderError(_no_engine())
    weights = weights_of(inputs.model)
    modes = modes_of(inputs, components, inputs.target)
    problems = [*check_service(inputs, weights), *form_problems(inputs, components, modes, inputs.target)]
    if any(problem.rule is rules.MODE_INVALID for problem in problems):
        return Rendered((), problems=tuple(problems))
    making = _Making(inputs, peers_of(inputs, modes, inputs.target), weights, problems=problems)
    if inputs.model_config and inputs.model is not None:
        making.parts.append(RenderedObject(model_config(inputs.service, inputs.model)))
    for component in components:
        making.add(component, modes[component.name])
    return making.finish()


def render_front(inputs: ServiceInputs, fronts: Sequence[Front]) -> Rendered:
    """The objects of an InferenceService that stands in front of replicas: they have workloads, it has addresses."""
    making = _Making(inputs, Peers(inputs.service.name, inputs.service.namespace, {}), None)
    for front in fronts:
        making.parts.append(RenderedObject(front.service))
        making.ports[front.component] = front.service["spec"]["ports"]
        making.selectors[front.component] = dict(front.external_selector)
    return making.finish()


@dataclass(slots=True)
class _Making:
    """What is rendered so far of the service of ``inputs``."""

    inputs: ServiceInputs
    peers: Peers
    weights: Weights | None
    parts: list[RenderedObject] = field(default_factory=list)
    shared: list[SharedObject] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)
    ports: dict[ComponentName, list[Object]] = field(default_factory=dict)
    selectors: dict[ComponentName, dict[str, str]] = field(default_factory=dict)

    def add(self, component: Component, mode: Mode) -> None:
        """Render ``component`` and what stands beside it."""
        workload = self._workload(component, mode)
        for pod in workload.pods.values():
            self.problems += check_component(component, pod)
        companions = component_companions(self.inputs.service, workload, self.inputs.environment)
        self.problems += (*workload.problems, *companions.problems)
        objects = (*workload.access, workload.body, workload.service, *companions.objects)
        self.parts += (RenderedObject(body, component, workload.pods) for body in objects)
        if companions.shared:
            policy = component.own["autoscalerPolicyRef"]["name"]
            self.shared += (SharedObject(body, policy) for body in companions.shared)
        self.ports[component.name] = workload.service["spec"]["ports"]
        self.selectors[component.name] = dict(workload.external_selector)

    def _workload(self, component: Component, mode: Mode) -> Workload:
        inputs = self.inputs
        fill_operator_defaults(component.spec, component.name, inputs.operator)
        means = Means(self.weights, component_accelerator(inputs, component), self._autoscaler(component, mode))
        return component_workload(inputs, component, mode, self.peers, inputs.target, means)

    def _autoscaler(self, component: Component, mode: Mode) -> Autoscaler | None:
        if mode not in SCALED_MODES:
            return None
        bounds = instance_bounds(component) if mode is Mode.OME_NATIVE else replica_bounds(component)
        annotations = component_annotations(self.inputs, component.spec)
        return autoscaler_of(self.inputs.service, component, mode, annotations, bounds, self.inputs.environment)

    def finish(self) -> Rendered:
        """All objects, with those of the service as a whole."""
        inputs = self.inputs
        external = external_service(
            inputs.service,
            ingress_disabled=inputs.operator.ingress_disabled,
            ports=self.ports,
            selectors=self.selectors,
        )
        exposure = service_companions(inputs.service, self.ports, inputs.environment)
        whole = (*(() if external is None else (external,)), *exposure.objects)
        self.parts += (RenderedObject(body, service=inputs.service) for body in whole)
        self.problems += exposure.problems
        if inputs.metadata:
            for body in (*(part.body for part in self.parts), *(item.body for item in self.shared)):
                mark(body)
        return Rendered(tuple(self.parts), tuple(self.shared), tuple(self.problems))


def _no_engine() -> Problem:
    message = "engine component is required"
    return Problem(rules.NO_ENGINE, message, Place(Origin.SERVICE, ("spec",)), "add spec.engine; {} is enough")
