"""One InferenceService and what it resolves to, as Kubernetes objects (reference 04 §2).

The order of the steps is OME's; the first that fails ends the rendering, and nothing of the service is emitted.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import msgspec

from omec.compile import rules
from omec.compile.accelerators import Accelerator, chosen_accelerator, component_choice
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
from omec.compile.webhook.triggers import may_inject
from omec.compile.weights import Weights, weights_of
from omec.compile.weights_checks import check_weights
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
    problems = [
        *check_service(inputs, weights),
        *check_weights(inputs.service, inputs.model, weights, inputs.tuning),
        *_class_problems(inputs),
        *form_problems(inputs, components, modes, inputs.target),
    ]
    if any(problem.rule is rules.MODE_INVALID for problem in problems):
        return Rendered((), problems=tuple(problems))
    making = _Making(inputs, peers_of(inputs, modes, inputs.target), weights, problems=problems)
    if inputs.model_config and inputs.model is not None:
        tuned = None if inputs.tuning is None else inputs.fine_tuned[inputs.tuning.name]
        making.parts.append(RenderedObject(model_config(inputs.service, inputs.model, tuned)))
    try:
        for component in components:
            making.add(component, modes[component.name])
        return making.finish()
    except RenderError as error:
        error.known = tuple(making.problems)
        raise


def render_front(inputs: ServiceInputs, fronts: Sequence[Front]) -> Rendered:
    """The objects of an InferenceService that stands in front of replicas: they have workloads, it has addresses."""
    making = _Making(inputs, Peers(inputs.service.name, inputs.service.namespace, {}), None)
    for front in fronts:
        making.parts.append(RenderedObject(front.service))
        making.ports[front.component] = front.service["spec"]["ports"]
        making.selectors[front.component] = dict(front.external_selector)
    return making.finish()


class _Making(msgspec.Struct):
    """What is rendered so far of the service of ``inputs``."""

    inputs: ServiceInputs
    peers: Peers
    weights: Weights | None
    parts: list[RenderedObject] = msgspec.field(default_factory=list)
    shared: list[SharedObject] = msgspec.field(default_factory=list)
    problems: list[Problem] = msgspec.field(default_factory=list)
    members: dict[ComponentName, tuple[Object, Workload]] = msgspec.field(default_factory=dict)
    ports: dict[ComponentName, list[Object]] = msgspec.field(default_factory=dict)
    selectors: dict[ComponentName, dict[str, str]] = msgspec.field(default_factory=dict)

    def add(self, component: Component, mode: Mode) -> None:
        """Render ``component`` and what stands beside it."""
        accelerator = self._accelerator(component)
        workload = self._workload(component, mode, accelerator)
        for pod in workload.pods.values():
            self.problems += check_component(component, pod)
        self._check_effects(component, accelerator, workload)
        companions = component_companions(self.inputs.service, workload, self.inputs.environment)
        self.problems += (*workload.problems, *companions.problems)
        body = self._injected(component, workload.body)
        self.members[component.name] = body, workload
        objects = (*workload.access, body, workload.service, *companions.objects)
        self.parts += (RenderedObject(body, component, workload.pods) for body in objects)
        if companions.shared:
            policy = component.own["autoscalerPolicyRef"]["name"]
            self.shared += (SharedObject(body, policy) for body in companions.shared)
        self.ports[component.name] = workload.service["spec"]["ports"]
        self.selectors[component.name] = dict(workload.external_selector)

    def _accelerator(self, component: Component) -> Accelerator:
        inputs = self.inputs
        fill_operator_defaults(component.spec, component.name, inputs.operator)
        choice = component_choice(inputs, component)
        if choice is not None and choice.wish is not None:
            from omec.compile.accel.checks import check_choice  # noqa: PLC0415 - few services ask for a class

            nodes, version = inputs.environment.nodes, inputs.target.ome_version
            classes = inputs.accelerator_classes
            self.problems += check_choice(inputs.service, choice, classes, nodes, ome_version=version)
        return chosen_accelerator(inputs, choice)

    def _check_effects(self, component: Component, accelerator: Accelerator, workload: Workload) -> None:
        if not accelerator.name:
            return
        from omec.compile.accel.effect_checks import check_effects  # noqa: PLC0415 - few services have a class

        for pod in workload.pods.values():
            if (runner := pod.source.get("runner")) is not None:
                container = pod.spec["containers"][pod.main]
                names = self.inputs.operator.accelerator_resources
                runtime = self.inputs.runtime
                self.problems += check_effects(component, accelerator, runtime, runner, container, names)

    def _injected(self, component: Component, body: Object) -> Object:
        """``body`` as OME's webhook would have it, where no OME runs; with OME, what the webhook would deny is told."""
        settings = self.inputs.webhook
        if settings is None or not may_inject(body, settings):
            return body
        from omec.compile.webhook.inject import with_injections  # noqa: PLC0415 - few services ask for injections
        from omec.compile.webhook.pods import InjectionError  # noqa: PLC0415
        from omec.compile.webhook.problems import denied, injection_problem  # noqa: PLC0415

        uris = {
            name: (spec.get("storage") or {}).get("storageUri") or "" for name, spec in self.inputs.fine_tuned.items()
        }
        if self.inputs.target.platform == "ome":
            self.problems += denied(component, [body], settings, uris)
            return body
        try:
            return with_injections(body, settings, uris)
        except InjectionError as error:
            raise RenderError(injection_problem(component, error)) from error

    def _workload(self, component: Component, mode: Mode, accelerator: Accelerator) -> Workload:
        inputs = self.inputs
        means = Means(self.weights, accelerator, self._autoscaler(component, mode))
        return component_workload(inputs, component, mode, self.peers, inputs.target, means)

    def _autoscaler(self, component: Component, mode: Mode) -> Autoscaler | None:
        if mode not in SCALED_MODES:
            return None
        bounds = instance_bounds(component) if mode is Mode.OME_NATIVE else replica_bounds(component)
        annotations = component_annotations(self.inputs, component.name, component.spec)
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
        self.problems += self._pairing()
        if inputs.metadata:
            for body in (*(part.body for part in self.parts), *(item.body for item in self.shared)):
                mark(body)
        return Rendered(tuple(self.parts), tuple(self.shared), tuple(self.problems))

    def _pairing(self) -> Iterator[Problem]:
        """What keeps the components from working together; one alone has nobody to work with."""
        if len(self.members) < 2:
            return
        from omec.compile.pairing import Member, check_pairing, serving_labels  # noqa: PLC0415 - few have several

        members = {}
        for name, (body, workload) in self.members.items():
            pod = next(iter(workload.pods.values()))
            container = pod.spec["containers"][pod.main]
            members[name] = Member(workload.component, container, serving_labels(body))
        yield from check_pairing(members)


def _class_problems(inputs: ServiceInputs) -> Iterator[Problem]:
    """What is doubtful about the accelerator classes that the service names."""
    service = inputs.service
    parts = (service.spec, service.spec.get("engine") or {}, service.spec.get("decoder") or {}, service.annotations)
    if any("accelerator" in key.lower() for part in parts for key in part):
        from omec.compile.accel.checks import check_requests  # noqa: PLC0415 - few services ask for a class

        yield from check_requests(service)


def _no_engine() -> Problem:
    message = "engine component is required"
    return Problem(rules.NO_ENGINE, message, Place(Origin.SERVICE, ("spec",)), "add spec.engine; {} is enough")
