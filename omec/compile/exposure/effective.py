"""The settings that hold for one service: the operator's, and what its annotations change (reference 10 §8.2)."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from msgspec.structs import replace

from omec.compile.exposure.settings import Gateway, IngressSettings
from omec.compile.inputs import Service

DISABLE = "ome.io/ingress-disable-creation"
DOMAIN = "ome.io/ingress-domain"
DOMAIN_TEMPLATE = "ome.io/ingress-domain-template"
URL_SCHEME = "ome.io/ingress-url-scheme"
GATEWAY = "ome.io/ingress-gateway"
SUBDOMAIN_PER_SERVICE = "ome.io/ingress-per-isvc-subdomain"
SHARED_HOST_PREFIX = "ome.io/ingress-shared-host-prefix"
ADDITIONAL_GATEWAYS = "ome.io/ingress-additional-gateways"
HASH_HEADERS = "ome.io/ingress-consistent-hash-headers"

VISIBILITY_LABEL = "networking.knative.dev/visibility"


def is_cluster_local(service: Service) -> bool:
    """Whether ``service`` is to be reached from inside the cluster only; OME heeds it only where ingress is off."""
    return service.labels.get(VISIBILITY_LABEL) == "cluster-local"


def effective_settings(settings: IngressSettings, annotations: Mapping[str, str]) -> IngressSettings:
    """``settings`` with the overrides in the annotations of a service.

    A flag is on for exactly ``true``. Texts that are empty leave the operator's, but for the prefix of the shared
    host, where an empty one means the bare domain.
    """
    changes: dict[str, Any] = {}
    for annotation, name in (
        (DOMAIN, "domain"),
        (DOMAIN_TEMPLATE, "domain_template"),
        (URL_SCHEME, "url_scheme"),
        (GATEWAY, "gateway"),
    ):
        if text := annotations.get(annotation):
            changes[name] = text
    for annotation, name in ((DISABLE, "disabled"), (SUBDOMAIN_PER_SERVICE, "subdomain_per_service")):
        if annotation in annotations:
            changes[name] = annotations[annotation] == "true"
    if SHARED_HOST_PREFIX in annotations:
        changes["shared_host_prefix"] = annotations[SHARED_HOST_PREFIX]
    if (additional := additional_gateways(annotations)) is not None:
        changes["additional_gateways"] = additional
    if HASH_HEADERS in annotations:
        changes["hash_headers"] = tuple(header.strip() for header in annotations[HASH_HEADERS].split(","))
    return replace(settings, **changes) if changes else settings


def additional_gateways(annotations: Mapping[str, str]) -> tuple[Gateway, ...] | None:
    """The Gateways that a service itself asks for; ``None`` where it says nothing that OME can read."""
    text = annotations.get(ADDITIONAL_GATEWAYS)
    if not text:
        return None
    try:
        items = json.loads(text)
    except ValueError:
        return None
    if items is None:
        return ()
    if not isinstance(items, list):
        return None
    gateways = [_gateway(item) for item in items]
    return None if None in gateways else tuple(gateway for gateway in gateways if gateway is not None)


def _gateway(item: Any) -> Gateway | None:
    if item is None:
        return Gateway()
    if not isinstance(item, dict):
        return None
    values = [item.get(name) for name in ("omeIngressGateway", "ingressDomain", "class")]
    if not all(value is None or isinstance(value, str) for value in values):
        return None
    return Gateway(*(value or "" for value in values))


def gateways(settings: IngressSettings, service: Service) -> tuple[Gateway, ...]:
    """The Gateways of the service's routes, the primary one first; ``settings`` are the effective ones.

    The entry of the service's namespace replaces each half that no annotation of the service is about; even an empty
    or unreadable annotation keeps it out.
    """
    primary = Gateway(settings.gateway, settings.domain, settings.gateway_label)
    additional = settings.additional_gateways
    entry = settings.namespace_gateways.get(service.namespace)
    if entry is not None:
        if GATEWAY not in service.annotations and entry.primary.reference:
            primary = entry.primary
        if ADDITIONAL_GATEWAYS not in service.annotations and entry.additional is not None:
            additional = entry.additional
    return (primary, *additional)
