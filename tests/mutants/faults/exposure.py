"""Annotations, routes, traffic and Services."""

from __future__ import annotations

from random import Random

from tests.mutants.fault import fault
from tests.mutants.place import Place, components, services

KEYS = (
    "ome.io/deploymentMode",
    "ome.io/autoscalerClass",
    "ome.io/service-type",
    "ome.io/retry-attempts",
    "ome.io/ingress-disable-creation",
    "ome.io/inherit-from",
    "ome.io/ingress-additional-gateways",
)


def _annotations(place: Place) -> dict[str, str]:
    found: dict[str, str] = place.object["metadata"].setdefault("annotations", {})
    return found


def _has_routes(place: Place) -> bool:
    """Of the worlds, those with settings of a gateway set the timeout of a request."""
    return "timeoutSeconds" in (place.spec.get("engine") or {})


@fault("OME164", "OME540", at=services)
def annotation_misspelt(place: Place, rng: Random) -> None:
    domain, _, name = rng.choice(KEYS).partition("/")
    at = rng.randrange(2, len(name) - 1)
    _annotations(place)[f"{domain}/{name[:at]}{name[at + 1 :]}"] = "x"


@fault("OME164", at=services)
def annotation_in_another_case(place: Place, rng: Random) -> None:
    key = rng.choice(
        ["ome.io/deployment-mode", "ome.io/autoscalerclass", "ome.io/deploymentmode", "ome.io/serviceType"]
    )
    _annotations(place)[key] = "x"


@fault("OME163", at=services)
def yes_instead_of_true(place: Place, rng: Random) -> None:
    _annotations(place)["ome.io/ingress-disable-creation"] = rng.choice(["True", "yes", "1", "on", "TRUE"])


@fault("OME509", at=services)
def service_type_in_another_case(place: Place, rng: Random) -> None:
    _annotations(place)["ome.io/service-type"] = rng.choice(["loadbalancer", "clusterIP", "Nodeport", "LoadBalancers"])


@fault("OME982", at=services)
def load_balancer_for_everybody(place: Place, rng: Random) -> bool | None:
    annotations = _annotations(place)
    annotations["ome.io/service-type"] = "LoadBalancer"
    for key in [key for key in annotations if "load-balancer" in key]:
        del annotations[key]
    return None


@fault("OME981", at=services)
def load_balancer_for_each_component(place: Place, rng: Random) -> bool | None:
    _annotations(place)["ome.io/service-type"] = "LoadBalancer"
    for name in ("engine", "decoder", "router"):
        component = place.spec.get(name)
        if isinstance(component, dict):
            component.pop("annotations", None)
    return None if place.runtime else False


@fault("OME534", at=services)
def further_gateways_unreadable(place: Place, rng: Random) -> bool | None:
    if not _has_routes(place):
        return False
    bad = ["eg/external", "[", '{"gateway": "x"}', "gateways/ome,gateways/other"]
    _annotations(place)["ome.io/ingress-additional-gateways"] = rng.choice(bad)
    return None


@fault("OME540", at=services)
def retries_of_nothing(place: Place, rng: Random) -> None:
    annotations = _annotations(place)
    annotations.pop("ome.io/retry-on", None)
    annotations["ome.io/retry-attempts"] = "3"


@fault("OME540", at=services)
def traffic_annotation_of_a_wrong_type(place: Place, rng: Random) -> None:
    _annotations(place).update(rng.choice([{"ome.io/retry-attempts": "three", "ome.io/retry-on": "5xx"}]))


@fault("OME536", "OME126", at=components)
def timeout_out_of_range(place: Place, rng: Random) -> bool | None:
    if not _has_routes(place):
        return False
    place.node["timeoutSeconds"] = rng.choice([-1, 100000])
    return None


@fault("OME537", at=services)
def router_without_a_timeout(place: Place, rng: Random) -> bool | None:
    if not _has_routes(place) or not isinstance(place.spec.get("router"), dict):
        return False
    return None if place.spec["router"].pop("timeoutSeconds", None) else False


@fault("OME539", at=services)
def local_and_exposed(place: Place, rng: Random) -> bool | None:
    if not _has_routes(place):
        return False
    place.object["metadata"].setdefault("labels", {})["networking.knative.dev/visibility"] = "cluster-local"
    return None


@fault("OME552", at=components)
def protocol_of_another_port(place: Place, rng: Random) -> bool | None:
    if not place.runtime or place.name == "router":
        return False
    place.node["servicePortAppProtocols"] = {"grpc": "kubernetes.io/h2c"}
    return None


@fault("OME165", at=services)
def setting_of_knative(place: Place, rng: Random) -> None:
    key = rng.choice(["autoscaling.knative.dev/max-scale", "autoscaling.knative.dev/target"])
    place.object["metadata"].setdefault("annotations", {})[key] = "4"


@fault("OME536", at=services)
def timeout_that_no_route_has(place: Place, rng: Random) -> bool | None:
    engine = place.spec.get("engine")
    if not isinstance(engine, dict):
        return False
    engine["timeoutSeconds"] = rng.choice([-1, 100_000])
    return None


@fault("OME537", at=services)
def timeout_that_the_router_lacks(place: Place, rng: Random) -> bool | None:
    engine, router = place.spec.get("engine"), place.spec.get("router")
    if not isinstance(engine, dict) or not isinstance(router, dict):
        return False
    router.pop("timeoutSeconds", None)
    engine["timeoutSeconds"] = 600
    return None
