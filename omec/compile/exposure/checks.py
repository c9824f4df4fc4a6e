"""What is doubtful about how a service is exposed: routes that lead nowhere, or elsewhere than their author meant."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from omec.compile.exposure import rules
from omec.compile.exposure.effective import (
    ADDITIONAL_GATEWAYS,
    GATEWAY,
    VISIBILITY_LABEL,
    additional_gateways,
    gateways,
    is_cluster_local,
)
from omec.compile.exposure.routes import LARGEST_TIMEOUT, route_timeout
from omec.compile.exposure.settings import Gateway, IngressSettings
from omec.compile.inputs import Service
from omec.compile.names import ComponentName, component_name, shortened
from omec.compile.problems import Origin, Place, Problem

_SERVICE_NAME = Place(Origin.SERVICE, ("metadata", "name"))


def check_names(service: Service, ports: Mapping[ComponentName, int]) -> Iterator[Problem]:
    """Routes refer to the Services of components by names that are too long to be theirs."""
    for component in ports:
        name = component_name(service.name, component)
        if name != shortened(name):
            message = f"the routes lead to Service {name}, and its name is {shortened(name)}"
            help_ = f"shorten the name of the service by {len(name) - len(shortened(name))} characters"
            yield Problem(rules.ROUTE_WITHOUT_SERVICE, message, _SERVICE_NAME, help_)


def check_visibility(service: Service) -> Iterator[Problem]:
    """A service that is to stay inside the cluster gets an ingress."""
    if is_cluster_local(service):
        message = "the label cluster-local does not keep the service from its ingress"
        yield Problem(
            rules.CLUSTER_LOCAL_EXPOSED, message, Place(Origin.SERVICE, ("metadata", "labels", VISIBILITY_LABEL))
        )


def check_routes(service: Service, settings: IngressSettings, ports: Mapping[ComponentName, int]) -> Iterator[Problem]:
    """HTTPRoutes; ``settings`` are the effective ones."""
    for gateway in gateways(settings, service):
        yield from _check_gateway(service, gateway)
    yield from check_additional_gateways(service)
    if settings.subdomain_per_service and len(ports) > 1:
        message = f"the routes of {' and '.join(ports)} match the same host and every path of it"
        yield Problem(rules.ROUTES_OVERLAP, message, _SERVICE_NAME)
    for component in ports:
        timeout = route_timeout(service, component, settings)
        if timeout is not None:
            yield from check_timeout(component, timeout)
    yield from check_router_timeout(service, ports)


def check_additional_gateways(service: Service) -> Iterator[Problem]:
    """The list of further Gateways in the annotations of a service."""
    place = _annotation(ADDITIONAL_GATEWAYS)
    if service.annotations.get(ADDITIONAL_GATEWAYS) and additional_gateways(service.annotations) is None:
        message = f"OME ignores {ADDITIONAL_GATEWAYS}: it is no JSON array of objects"
        yield Problem(rules.GATEWAYS_UNREADABLE, message, place)
        return
    for number, gateway in enumerate(additional_gateways(service.annotations) or ()):
        for key, value in (("omeIngressGateway", gateway.reference), ("ingressDomain", gateway.domain)):
            if not value:
                message = f"entry {number} of {ADDITIONAL_GATEWAYS} has no {key}, so that its routes lead nowhere"
                yield Problem(rules.GATEWAYS_UNREADABLE, message, place)


def check_timeout(component: ComponentName, seconds: int) -> Iterator[Problem]:
    """The request timeout of a component's route."""
    if not 0 <= seconds <= LARGEST_TIMEOUT:
        message = f"the request timeout {seconds}s of the {component}'s route is not between 0s and 99999s"
        yield Problem(rules.ROUTE_TIMEOUT, message, _timeout_of(component))


def _check_gateway(service: Service, gateway: Gateway) -> Iterator[Problem]:
    own = service.annotations.get(GATEWAY) == gateway.reference
    place = _annotation(GATEWAY) if own else _SERVICE_NAME
    namespace, _, name = gateway.reference.partition("/")
    if not gateway.reference:
        message = "the HTTPRoutes have no Gateway: omeIngressGateway is not set"
        yield Problem(rules.GATEWAY_MISSING, message, place, rules.GATEWAY_MISSING.remedy)
    elif not namespace or not name or "/" in name:
        parts = gateway.reference.split("/")
        message = f"OME looks for the Gateway {gateway.reference} as {parts[-1]!r} in namespace {parts[0]!r}"
        yield Problem(rules.GATEWAY_REFERENCE, message, place, "write NAMESPACE/NAME")


def check_router_timeout(service: Service, components: Iterable[ComponentName]) -> Iterator[Problem]:
    """Timeouts of components behind a router that has none."""
    router, components = service.spec.get("router") or {}, tuple(components)
    if "router" not in components or router.get("timeoutSeconds") is not None:
        return
    for component in components:
        if component != "router" and (service.spec.get(component) or {}).get("timeoutSeconds") is not None:
            message = f"the timeout of the {component} does not hold for requests through the router"
            yield Problem(rules.ROUTER_TIMEOUT, message, _timeout_of(component), "set spec.router.timeoutSeconds")


def _timeout_of(component: ComponentName) -> Place:
    return Place(Origin.SERVICE, ("spec", component, "timeoutSeconds"))


def _annotation(key: str) -> Place:
    return Place(Origin.SERVICE, ("metadata", "annotations", key))
