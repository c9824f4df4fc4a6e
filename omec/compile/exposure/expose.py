"""All that leads from outside to a service, and the policy behind it (reference 10 §8.1)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from omec.compile.capabilities import Capabilities
from omec.compile.exposure import checks, rules, traffic
from omec.compile.exposure.backend_policy import default_policy, traffic_policy
from omec.compile.exposure.destination_rule import destination_rule, not_honoured
from omec.compile.exposure.effective import effective_settings, is_cluster_local
from omec.compile.exposure.ingress import ingress
from omec.compile.exposure.outcome import Exposure
from omec.compile.exposure.routes import http_routes, route_names
from omec.compile.exposure.settings import IngressSettings
from omec.compile.exposure.traffic import Intent, PassthroughError
from omec.compile.exposure.traffic_admission import field_refusals
from omec.compile.exposure.traffic_values import refused_by_envoy, refused_by_istio
from omec.compile.inputs import Object, Service
from omec.compile.names import ComponentName
from omec.compile.problems import Origin, Place, Problem, RenderError


def expose(
    service: Service, settings: IngressSettings, ports: Mapping[ComponentName, int], capabilities: Capabilities
) -> Exposure:
    """What leads to ``service``, whose components have Services with the first port ``ports``.

    ``settings`` are the operator's. With ingress creation off nothing does but the external Service, which
    :func:`omec.compile.services.external_service` makes. Raises :class:`RenderError` where OME fails.
    """
    refusal = next(field_refusals(service, capabilities), None)
    if refusal is not None:
        raise RenderError(refusal)
    effective = effective_settings(settings, service.annotations)
    problems: list[Problem] = []
    objects: list[Object] = []
    if not effective.disabled:
        problems += checks.check_names(service, ports)
        problems += checks.check_visibility(service)
    if not effective.disabled and effective.gateway_api:
        if not capabilities.gateway_api:
            raise RenderError(_no_gateway_api())
        problems += checks.check_routes(service, effective, ports)
        objects += http_routes(service, effective, ports)
    elif not effective.disabled:
        objects.append(ingress(service, effective, ports))
    policy, doubts = _policy(service, effective, ports, capabilities)
    return Exposure((*objects, *policy), (*problems, *doubts))


def _policy(
    service: Service, effective: IngressSettings, ports: Mapping[ComponentName, int], capabilities: Capabilities
) -> tuple[list[Object], list[Problem]]:
    """The policy of the gateway that the cluster has, where it acts on anything; and what is doubtful about it."""
    intent = Intent.of(service)
    routed = effective.gateway_api and not effective.disabled
    fronted = effective.disabled and not is_cluster_local(service)
    try:
        if routed and capabilities.envoy_gateway:
            if intent:
                policy = traffic_policy(service, intent, route_names(service.name, list(ports)))
                return [policy], list(refused_by_envoy(intent))
            return [default_policy(service, effective.hash_headers)], []
        if intent and fronted and capabilities.istio_is_active:
            doubts = [*refused_by_istio(intent), *_unsupported(service, intent)]
            return [destination_rule(service, intent)], doubts
    except PassthroughError as error:
        place = Place(Origin.SERVICE, ("metadata", "annotations", error.annotation))
        help_ = "remove the annotation, or the setting that gives the field above it a value"
        raise RenderError(Problem(rules.TRAFFIC_INVALID, error.message, place, help_)) from error
    if not intent:
        return [], []
    message = "the traffic settings of the service change nothing: no route or Service has a gateway that reads them"
    return [], [Problem(rules.TRAFFIC_WITHOUT_EFFECT, message, _place_of(service), rules.TRAFFIC_WITHOUT_EFFECT.remedy)]


def _unsupported(service: Service, intent: Intent) -> Iterator[Problem]:
    for message in not_honoured(intent):
        yield Problem(rules.TRAFFIC_UNSUPPORTED, message, _place_of(service), rules.TRAFFIC_UNSUPPORTED.remedy)


def _place_of(service: Service) -> Place:
    """Where the traffic settings stand: ``spec.traffic``, else the first annotation of them."""
    if service.spec.get("traffic"):
        return Place(Origin.SERVICE, ("spec", "traffic"))
    prefixes = (traffic.ENVOY_PREFIX, traffic.ISTIO_PREFIX)
    keys = (key for key in service.annotations if key in traffic.ANNOTATIONS or key.startswith(prefixes))
    return Place(Origin.SERVICE, ("metadata", "annotations", *sorted(keys)[:1]))


def _no_gateway_api() -> Problem:
    message = "the operator's settings ask for HTTPRoutes, and the cluster's capabilities name no Gateway API"
    place = Place(Origin.SERVICE, ("metadata", "name"))
    return Problem(rules.GATEWAY_API_MISSING, message, place, rules.GATEWAY_API_MISSING.remedy)
