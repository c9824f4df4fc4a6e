"""The pods of every runtime, and of every InferenceService that changes those of its runtime."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

from omec.api.shapes import POD_FIELDS
from omec.catalog import Resource
from omec.compile.accelerators import NO_ACCELERATOR, Accelerator, component_accelerator
from omec.compile.components import Component, merge_components, merge_parts
from omec.compile.inputs import Runtime, Service, ServiceInputs
from omec.compile.names import COMPONENTS, RUNTIME_CONFIG, ComponentName
from omec.compile.pod import Role
from omec.compile.problems import RenderError
from omec.compile.runner import complete_runner
from omec.compile.weights_pod import PodWeights
from omec.lint.pods.view import Member, Object, Origin, Pod, Use
from omec.resolve.inherit import Chain
from omec.resolve.open_facts import open_facts

if TYPE_CHECKING:
    from omec.lint.context import Context
    from omec.resolve.decide import Decision

_NOT_OF_PODS = frozenset(
    {
        "autoscaler",
        "autoscalerPolicyRef",
        "deploymentStrategy",
        "labels",
        "maxReplicas",
        "maxUnavailable",
        "minAvailable",
        "minReplicas",
        "servicePortAppProtocols",
        "timeoutSeconds",
    }
)
"""Fields of a component that change nothing of its pods."""


def runtime_pods(context: Context) -> dict[Resource, tuple[Pod, ...]]:
    """The pods of each runtime whose chain is sound, parents before children: a fault is first seen where it is."""
    chains = sorted(map(context.chains.chain, context.runtimes), key=lambda chain: len(chain.runtimes))
    return {chain.head: tuple(_pods_of_chain(chain)) for chain in chains if context.is_sound(chain)}


def service_pods(context: Context, of_runtimes: Mapping[Resource, tuple[Pod, ...]]) -> Iterator[Pod]:
    """The pods of each InferenceService that are not just those of its runtime."""
    for service in context.services:
        if any(_changes(service.spec, name) for name in COMPONENTS):
            yield from _pods_of_service(context, context.decision_of(service), of_runtimes)


def use_of(decision: Decision) -> Use | None:
    """What the service of ``decision`` gets; ``None`` where that is not certain, or OME would refuse the service."""
    assert decision.service is not None
    runtime = decision.selected
    if runtime is None:
        no_need = decision.named is None and decision.model_reference is None
        return Use(decision.service, None, None) if no_need else None
    if decision.named is None and (decision.model is None or open_facts(decision.model).fields):
        return None
    return Use(decision.service, runtime, decision.model)


def _pods_of_chain(chain: Chain) -> Iterator[Pod]:
    alone = len(chain.runtimes) == 1
    # A spec that nothing is merged into need not be encoded.
    spec = chain.head.spec if alone else (chain.spec or {})
    for name in COMPONENTS:
        whole = spec.get(RUNTIME_CONFIG[name])
        if isinstance(whole, dict) and whole:
            origin = Origin(_members(chain, name), spec, abstract=spec.get("disabled") is True)
            yield from _pods(name, whole, origin)


def _members(chain: Chain, name: ComponentName) -> tuple[Member, ...]:
    return tuple(Member(runtime, ("spec", RUNTIME_CONFIG[name])) for runtime in reversed(chain.runtimes))


def _pods(name: ComponentName, whole: Object, origin: Origin) -> Iterator[Pod]:
    leader, worker = whole.get("leader"), whole.get("worker")
    if leader is None:
        yield Pod(name, "default", whole, whole, origin)
    else:
        yield Pod(name, "leader", _folded(name, whole, leader), whole, origin)
    if worker is not None:
        yield Pod(name, "worker", _folded(name, whole, worker), whole, origin)


def _folded(name: ComponentName, whole: Object, part: Object) -> Object:
    """``part`` over the pod fields of the whole component, as OME 1.3 has it (reference 04 §5.5)."""
    base = {key: value for key, value in whole.items() if key in POD_FIELDS.fields}
    if not base:
        return part
    try:
        pod = merge_parts(POD_FIELDS, base, dict(part), name)
    except RenderError:
        return part
    return {**pod, **{key: value for key, value in part.items() if key not in POD_FIELDS.fields}}


def _changes(spec: Mapping[str, Any], name: ComponentName) -> bool:
    component = spec.get(name)
    if not isinstance(component, dict):
        return False
    changed = component.keys() - _NOT_OF_PODS
    return bool(changed) or "acceleratorSelector" in spec or "deploymentMode" in spec


def _pods_of_service(
    context: Context, decision: Decision, of_runtimes: Mapping[Resource, tuple[Pod, ...]]
) -> Iterator[Pod]:
    use = use_of(decision)
    if use is None:
        return
    runtime = use.runtime
    chain = None if runtime is None else context.chains.chain(runtime)
    if chain is not None and not context.is_sound(chain):
        return
    inputs = _inputs(context, use, decision)
    try:
        components = merge_components(inputs)
    except RenderError:
        return
    bases = () if runtime is None else of_runtimes.get(runtime, ())
    for component in components:
        if _changes(use.service.spec, component.name):
            above = () if chain is None else _members(chain, component.name)
            # A runtime that OME selects counts without its parents.
            above = above if decision.named is not None else above[:1]
            members = (Member(use.service, ("spec", component.name)), *above)
            yield from _pods_of_component(inputs, component, members, use, bases)


def _inputs(context: Context, use: Use, decision: Decision) -> ServiceInputs:
    runtime = use.runtime
    classes = (item for item in context.catalog.of_kind("AcceleratorClass") if item.ref not in context.faulty)
    return ServiceInputs(
        Service.of(use.service.stored, use.service.namespace or ""),
        Runtime("" if runtime is None else runtime.name, decision.spec or {}, decision.accelerator_entry),
        accelerator_classes={item.name: item.spec for item in classes},
    )


def _pods_of_component(
    inputs: ServiceInputs, component: Component, members: tuple[Member, ...], use: Use, bases: Iterable[Pod]
) -> Iterator[Pod]:
    for role in _roles(component):
        made = _part(inputs, component, role)
        if made is not None:
            part, accelerator = made
            origin = Origin(members, inputs.runtime.spec, use=use, accelerator=accelerator)
            base = next((pod for pod in bases if (pod.name, pod.role) == (component.name, role)), None)
            yield Pod(component.name, role, part, component.spec, origin, base)


def _roles(component: Component) -> Iterator[Role]:
    yield "leader" if component.spec.get("leader") is not None else "default"
    if component.spec.get("worker") is not None:
        yield "worker"


def _part(inputs: ServiceInputs, component: Component, role: Role) -> tuple[Object, Accelerator] | None:
    """The part of ``component`` for ``role`` as its accelerator class leaves it, with the class."""
    part: Object = component.spec if role == "default" else component.spec[role]
    runner = part.get("runner")
    try:
        accelerator = component_accelerator(inputs, component)
    except RenderError:
        return None
    if runner is None or accelerator is NO_ACCELERATOR:
        return part, NO_ACCELERATOR
    completed = complete_runner(runner, component, inputs, weights=PodWeights(), accelerator=accelerator)
    return {**part, "runner": {**completed, "env": runner.get("env") or []}}, accelerator
