"""Which field of the inputs a field of a companion comes from, for refusals of the API server."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from omec.compile.components import Component
from omec.compile.exposure.effective import DOMAIN_TEMPLATE, GATEWAY
from omec.compile.inputs import Object, Service
from omec.compile.names import COMPONENTS, component_name
from omec.compile.problems import Origin, Place, Steps
from omec.finding import FieldPath

_SERVICE_NAME = Place(Origin.SERVICE, ("metadata", "name"))
_BOUNDS = {
    "minReplicas": "minReplicas",
    "maxReplicas": "maxReplicas",
    "minReplicaCount": "minReplicas",
    "maxReplicaCount": "maxReplicas",
}
_SCALERS = {"HorizontalPodAutoscaler": "hpa", "ScaledObject": "keda"}
"""The part of an autoscaler block that each kind is made of."""


def component_companion_place(body: Object, path: FieldPath, component: Component) -> Place | None:
    """The place of the field at ``path`` of an object beside ``component``.

    ``None`` for its metadata, which is the component's own, and for other kinds.
    """
    if path[:1] != ("spec",) or len(path) < 2:
        return None
    field = str(path[1])
    if body["kind"] == "PodDisruptionBudget":
        return component.place("minAvailable" if "minAvailable" in component.spec else "maxUnavailable")
    if body["kind"] not in _SCALERS:
        return None
    if field in _BOUNDS:
        return component.place(_BOUNDS[field])
    if component.own.get("autoscaler") is None and component.own.get("autoscalerPolicyRef") is not None:
        return component.place("autoscalerPolicyRef")
    return component.place("autoscaler", _SCALERS[body["kind"]], *path[1:])


def service_companion_place(body: Object, path: FieldPath, service: Service) -> Place | None:
    """The place of the field at ``path`` of an Ingress, route or policy; ``None`` for other kinds."""
    kind = body["kind"]
    if kind in ("BackendTrafficPolicy", "DestinationRule"):
        return Place(Origin.SERVICE, _traffic_steps(service))
    if kind not in ("Ingress", "HTTPRoute"):
        return None
    match path:
        case ("metadata", "labels" | "annotations" as field, *_):
            return Place(Origin.SERVICE, ("metadata", str(field)))
        case ("spec", "rules", int(), "timeouts", *_):
            return _timeout_place(body, service)
        case ("spec", "parentRefs", *_) if GATEWAY in service.annotations:
            return Place(Origin.SERVICE, ("metadata", "annotations", GATEWAY))
        case ("spec", "hostnames" | "rules", *_) if DOMAIN_TEMPLATE in service.annotations:
            return Place(Origin.SERVICE, ("metadata", "annotations", DOMAIN_TEMPLATE))
    return _SERVICE_NAME


def _traffic_steps(service: Service) -> Steps:
    traffic: Mapping[str, Any] | None = service.spec.get("traffic")
    return ("spec", "traffic") if traffic else ("metadata", "annotations")


def _timeout_place(route: Object, service: Service) -> Place:
    """The ``timeoutSeconds`` of the component that ``route`` leads to."""
    backend = route["spec"]["rules"][0]["backendRefs"][0]["name"]
    component = next(name for name in COMPONENTS if component_name(service.name, name) == backend)
    if (service.spec.get(component) or {}).get("timeoutSeconds") is None:
        return _SERVICE_NAME
    return Place(Origin.SERVICE, ("spec", component, "timeoutSeconds"))
