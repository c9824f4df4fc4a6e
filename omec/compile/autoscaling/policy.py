"""An AutoscalerPolicy rendered for one component: an autoscaler like one that the component says itself (10 §4.3)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from omec.api.gotext import quoted
from omec.compile.autoscaling.providers import MetricProvider, SecretKey
from omec.compile.inputs import Object
from omec.compile.names import ComponentName, component_name
from omec.compile.replicas import Bounds

_COPIED = ("advanced", "pollingInterval", "cooldownPeriod", "idleReplicaCount")


class PolicyError(ValueError):
    """A policy that gives the component no autoscaler; ``reason`` is OME's, of condition ``AutoscalerResolved``."""

    def __init__(self, reason: str, message: str) -> None:
        super().__init__(message)
        self.reason = reason
        self.message = message


class Consumer(msgspec.Struct, frozen=True):
    """The component that a policy is rendered for, with its effective ``bounds``."""

    service: str
    namespace: str
    component: ComponentName
    bounds: Bounds

    def variables(self) -> Mapping[str, str]:
        return {
            "Namespace": self.namespace,
            "ISVCName": self.service,
            "Component": self.component,
            "MinReplicas": str(self.bounds.minimum),
            "MaxReplicas": str(self.bounds.maximum),
            "TargetName": component_name(self.service, self.component),
        }


class RenderedPolicy(msgspec.Struct, frozen=True):
    """``block`` is a ComponentAutoscaler; ``authentications`` are the TriggerAuthentications that its triggers name."""

    block: Object
    authentications: tuple[Object, ...] = ()


def render_policy(
    name: str, spec: Mapping[str, Any], consumer: Consumer, providers: Mapping[str, MetricProvider]
) -> RenderedPolicy:
    """The autoscaler that the policy ``name`` gives ``consumer``; raises :class:`PolicyError`."""
    from omec.compile.autoscaling.policy_checks import policy_issues  # noqa: PLC0415 - few services have a policy

    if issues := policy_issues(spec):
        raise PolicyError("PolicyInvalid", f"policy {name}: {'; '.join(map(str, issues))}")
    if spec["class"] == "HPA":
        return RenderedPolicy({"class": "HPA", "hpa": spec.get("hpa")})
    keda = spec["keda"]
    used: dict[str, MetricProvider] = {}
    try:
        triggers = [
            _trigger(index, trigger, consumer, providers, used)
            for index, trigger in enumerate(keda.get("triggers") or ())
        ]
    except ValueError as error:
        raise PolicyError("PolicyInvalid", f"policy {name}: {error}") from error
    block: Object = {"triggers": triggers}
    block |= {field: keda[field] for field in _COPIED if keda.get(field) is not None}
    if fallback := keda.get("fallback"):
        replicas = _replicas(fallback["replicas"], consumer.bounds)
        block["fallback"] = {"failureThreshold": fallback.get("failureThreshold"), "replicas": replicas}
    authentications = tuple(
        _trigger_authentication(provider, binding.token, consumer.namespace)
        for provider, binding in sorted(used.items())
        if binding.token is not None
    )
    return RenderedPolicy({"class": "KEDA", "keda": block}, authentications)


def _trigger(
    index: int,
    template: Mapping[str, Any],
    consumer: Consumer,
    providers: Mapping[str, MetricProvider],
    used: dict[str, MetricProvider],
) -> Object:
    """The trigger; its provider is added to ``used``. Raises ``ValueError`` for a provider that nothing is bound to."""
    from omec.compile.autoscaling.policy_checks import fill, is_endpoint  # noqa: PLC0415 - as above

    metadata = {key: fill(str(value), consumer.variables()) for key, value in (template.get("metadata") or {}).items()}
    trigger: Object = {"type": template["type"], "metadata": metadata}
    if template.get("metricType"):
        trigger["metricType"] = template["metricType"]
    if is_endpoint(template["type"]):
        provider = template["providerRef"]["name"]
        binding = providers.get(provider)
        if binding is None:
            message = f"metric provider {quoted(provider)} is not bound on this cluster"
            raise ValueError(f"trigger {index} ({template['type']}): {message}")
        used[provider] = binding
        metadata["serverAddress"] = binding.address
        if binding.token is not None:
            trigger["authenticationRef"] = {"name": _authentication_name(provider)}
            metadata["authModes"] = "bearer"
    return trigger


def _replicas(source: Mapping[str, Any], bounds: Bounds) -> int:
    if source.get("value") is not None:
        return int(source["value"])
    return bounds.maximum if source["fromComponent"] == "MaxReplicas" else bounds.minimum


def _authentication_name(provider: str) -> str:
    """The TriggerAuthentication through which KEDA gets the token of ``provider``."""
    return f"ome-metric-provider-{provider}"


def _trigger_authentication(provider: str, token: SecretKey, namespace: str) -> Object:
    """The TriggerAuthentication for the ScaledObjects of ``namespace``."""
    target = {"parameter": "bearerToken", "name": token.name, "key": token.key}
    return {
        "apiVersion": "keda.sh/v1alpha1",
        "kind": "TriggerAuthentication",
        "metadata": {"name": _authentication_name(provider), "namespace": namespace},
        "spec": {"secretTargetRef": [target]},
    }
