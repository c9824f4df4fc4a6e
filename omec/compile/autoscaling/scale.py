"""All that scales one component (reference 10 §2 and §3)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import msgspec

from omec.api.gotext import quoted
from omec.compile.autoscaling import rules
from omec.compile.autoscaling.admission import block_fault
from omec.compile.autoscaling.block import Autoscaler, ScalerClass, Source, component_autoscaler
from omec.compile.autoscaling.objects import Identity, ScaleTarget, scaler_object
from omec.compile.autoscaling.policy import Consumer, PolicyError, RenderedPolicy, render_policy
from omec.compile.autoscaling.providers import MetricProvider
from omec.compile.capabilities import Capabilities
from omec.compile.components import Component
from omec.compile.inputs import Object
from omec.compile.modes import Mode
from omec.compile.names import RUNTIME_CONFIG, component_name
from omec.compile.problems import Place, Problem, RenderError
from omec.compile.replicas import Bounds
from omec.finding import Rule

SCALED_MODES = (Mode.RAW_DEPLOYMENT, Mode.OME_NATIVE)
"""The modes whose components OME scales."""


class Policies(msgspec.Struct, frozen=True):
    """The AutoscalerPolicies of a namespace, their specs by name, and the metric providers of the cluster."""

    specs: Mapping[str, Mapping[str, Any]] = msgspec.field(default_factory=dict)
    providers: Mapping[str, MetricProvider] = msgspec.field(default_factory=dict)


class Scaling(msgspec.Struct, frozen=True):
    """What scales a component.

    ``scaler`` is the object of OME's that does, ``None`` where none does. ``shared`` are objects that other components
    and services of the namespace may need as well, equal for all of them.
    """

    autoscaler: Autoscaler
    scaler: Object | None
    shared: tuple[Object, ...] = ()
    problems: tuple[Problem, ...] = ()


def instance_bounds(component: Component) -> Bounds:
    """The bounds of an OMENative component, in Instances: at least one, the most raised to the least."""
    minimum = max(component.spec.get("minReplicas") or 1, 1)
    return Bounds(minimum, max(component.spec.get("maxReplicas") or minimum, minimum))


def scale(
    component: Component,
    mode: Mode,
    service: str,
    *,
    identity: Identity,
    target: ScaleTarget,
    bounds: Bounds,
    policies: Policies,
    capabilities: Capabilities,
) -> Scaling:
    """What scales ``component`` of ``service``, which runs in one of :data:`SCALED_MODES` with the name ``identity``.

    Raises :class:`RenderError` where OME fails, and where it keeps the autoscaler that was there before.
    """
    consumer = Consumer(service, identity.namespace, component.name, bounds)
    autoscaler, shared = autoscaler_in_force(component, mode, consumer, identity.annotations, policies, capabilities)
    problems = tuple(_doubts(component, mode, autoscaler, bounds))
    return Scaling(autoscaler, scaler_object(autoscaler, identity, target, bounds), shared, problems)


def autoscaler_in_force(
    component: Component,
    mode: Mode,
    consumer: Consumer,
    annotations: Mapping[str, str],
    policies: Policies,
    capabilities: Capabilities,
) -> tuple[Autoscaler, tuple[Object, ...]]:
    """The autoscaler of ``component``, which is ``consumer`` with the merged ``annotations``, and its shared objects.

    Raises :class:`RenderError` as :func:`scale` does.
    """
    policy = _policy_of(component, consumer, policies, capabilities)
    legacy = mode is Mode.RAW_DEPLOYMENT
    autoscaler = component_autoscaler(component, annotations, policy, legacy=legacy)
    _check_block(component, autoscaler, component_name(consumer.service, component.name), capabilities)
    used = policy is not None and autoscaler.source is Source.POLICY
    return autoscaler, policy.authentications if policy is not None and used else ()


def _policy_of(
    component: Component, consumer: Consumer, policies: Policies, capabilities: Capabilities
) -> RenderedPolicy | None:
    """What the component's policy renders to, ``None`` where it names none or its own block outranks it."""
    reference = component.own.get("autoscalerPolicyRef")
    if reference is None or component.own.get("autoscaler") is not None:
        return None
    name = reference.get("name") or ""
    try:
        if name not in policies.specs:
            message = f"AutoscalerPolicy {quoted(name)} not found in namespace {consumer.namespace}"
            raise PolicyError("PolicyNotFound", message)
        policy = render_policy(name, policies.specs[name], consumer, policies.providers)
        if policy.block["class"] == ScalerClass.KEDA and not capabilities.keda:
            message = f"policy {quoted(name)} renders class KEDA but the KEDA CRDs are not installed"
            raise PolicyError("ClassUnavailable", message)
    except PolicyError as error:
        message = f"holding last-known-good scaler: {error.message}"
        place = component.place("autoscalerPolicyRef", "name")
        raise RenderError(Problem(rules.POLICY_UNUSABLE, message, place, rules.POLICY_UNUSABLE.remedy)) from error
    return policy


def _check_block(component: Component, autoscaler: Autoscaler, name: str, capabilities: Capabilities) -> None:
    """Raise what OME says about the block that counts."""
    runtime = autoscaler.source is Source.RUNTIME
    part = component.config if runtime else component.own
    if autoscaler.source is Source.LEGACY and autoscaler.scaler is ScalerClass.KEDA:
        raise _refusal(autoscaler.place, rules.KEDA_WITHOUT_TRIGGERS, "KEDA autoscaler requires at least one trigger")
    if fault := block_fault(autoscaler.block, part.get("minReplicas")):
        steps, message = fault
        place = Place(autoscaler.place.origin, (*autoscaler.place.steps, *steps))
        prefix = RUNTIME_CONFIG[component.name] if runtime else component.name
        raise _refusal(place, rules.AUTOSCALER_INVALID, f"{prefix}: {message}")
    if autoscaler.scaler is not ScalerClass.KEDA:
        return
    if not capabilities.keda:
        message = f"the {component.name} is scaled by KEDA, which the cluster's capabilities do not name"
        raise _refusal(autoscaler.place, rules.KEDA_MISSING, message)
    advanced = autoscaler.block["keda"].get("advanced") or {}
    reserved = (advanced.get("horizontalPodAutoscalerConfig") or {}).get("name")
    if reserved == name:
        message = f"KEDA horizontalPodAutoscalerConfig.name {quoted(name)} conflicts with the reserved OME HPA name"
        raise _refusal(autoscaler.place, rules.KEDA_RESERVED_NAME, message)


def _doubts(component: Component, mode: Mode, autoscaler: Autoscaler, bounds: Bounds) -> Iterator[Problem]:
    """What renders, but is refused by KEDA or does something else than its author meant."""
    idle = (autoscaler.block.get("keda") or {}).get("idleReplicaCount")
    if autoscaler.scaler is ScalerClass.KEDA:
        from omec.compile.autoscaling.keda_checks import keda_problems  # noqa: PLC0415 - few components have KEDA

        yield from keda_problems(component.name, autoscaler)
    if autoscaler.scaler is ScalerClass.KEDA and idle is not None and idle >= bounds.minimum:
        message = (
            f"KEDA refuses idleReplicaCount={idle} for the {component.name}: its minReplicaCount is {bounds.minimum}"
        )
        yield Problem(rules.KEDA_IDLE, message, autoscaler.place, rules.KEDA_IDLE.remedy)
    if mode is Mode.OME_NATIVE and (component.spec.get("minReplicas") == 0 or idle == 0):
        message = f"the {component.name} cannot scale to zero: an OMENative component runs at least one Instance"
        field_ = "minReplicas" if component.spec.get("minReplicas") == 0 else "autoscaler"
        yield Problem(rules.NATIVE_NEVER_ZERO, message, component.place(field_), rules.NATIVE_NEVER_ZERO.remedy)


def _refusal(place: Place, rule: Rule, message: str) -> RenderError:
    return RenderError(Problem(rule, message, place, rule.remedy))
