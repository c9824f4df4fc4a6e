"""What OME's webhook says about the traffic settings of a service (reference 09 A4, rules 18 to 20)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from omec.api.gotext import quoted
from omec.compile.capabilities import Capabilities
from omec.compile.exposure import rules
from omec.compile.exposure.annotation_admission import annotation_refusals
from omec.compile.inputs import Service
from omec.compile.problems import Origin, Place, Problem, Steps

_TRAFFIC: Steps = ("spec", "traffic")
_HASH: Steps = (*_TRAFFIC, "consistentHash")
_OVERRIDE: Steps = (*_TRAFFIC, "endpointOverride")


def traffic_refusals(service: Service, capabilities: Capabilities) -> Iterator[Problem]:
    """The faults in the traffic settings of ``service``, in the order in which the webhook looks for them."""
    yield from field_refusals(service, capabilities)
    yield from annotation_refusals(service, capabilities)


def field_refusals(service: Service, capabilities: Capabilities) -> Iterator[Problem]:
    """The faults of ``spec.traffic``, with which no policy could be written either."""
    settings = service.spec.get("traffic")
    if isinstance(settings, Mapping):
        for steps, message in _faults(settings, istio=capabilities.istio_is_active):
            yield Problem(rules.TRAFFIC_INVALID, message, Place(Origin.SERVICE, steps), rules.TRAFFIC_INVALID.remedy)


def _faults(settings: Mapping[str, Any], *, istio: bool) -> Iterator[tuple[Steps, str]]:
    """The faults of ``spec.traffic``, each with its place."""
    hashed, override = settings.get("consistentHash"), settings.get("endpointOverride")
    if settings.get("algorithm") == "ConsistentHash":
        if hashed is None:
            message = "spec.traffic.consistentHash is required when spec.traffic.algorithm=ConsistentHash"
            yield (*_TRAFFIC, "algorithm"), f"{message} (MissingConsistentHashSpec)"
    elif hashed is not None:
        message = "spec.traffic.consistentHash is only valid when spec.traffic.algorithm=ConsistentHash"
        yield _HASH, f"{message} (UnexpectedConsistentHashSpec)"
    if hashed is not None:
        yield from _hash_faults(hashed)
    if override is not None:
        yield from _override_faults(override)
    headers = (hashed or {}).get("headers") or ()
    if istio and (hashed or {}).get("type") == "Header" and len(headers) > 1:
        message = (
            f"spec.traffic.consistentHash declares {len(headers)} headers but the active translator hashes on a "
            "single header only; declare exactly one header (UnsupportedMultiHeaderHash)"
        )
        yield (*_HASH, "headers"), message


def _hash_faults(hashed: Mapping[str, Any]) -> Iterator[tuple[Steps, str]]:
    kind, cookie, headers = hashed.get("type"), hashed.get("cookie"), hashed.get("headers") or ()
    name = "spec.traffic.consistentHash"
    if kind not in ("Header", "Cookie", "SourceIP"):
        yield _HASH, f"{name}.type={quoted(kind or '')} is not a valid HashType"
        return
    if kind == "Header" and not headers:
        yield _HASH, f"{name}.headers must be non-empty when type=Header (MissingHashKey)"
    if kind == "Cookie" and cookie is None:
        yield _HASH, f"{name}.cookie is required when type=Cookie (MissingHashKey)"
    if kind == "Cookie" and cookie is not None and not cookie.get("name"):
        yield (*_HASH, "cookie"), f"{name}.cookie.name is empty (MissingHashKey)"
    if kind != "Cookie" and cookie is not None:
        yield (*_HASH, "cookie"), f"{name}.cookie must not be set when type={kind} (MultipleHashKeys)"
    if kind != "Header" and headers:
        yield (*_HASH, "headers"), f"{name}.headers must not be set when type={kind} (MultipleHashKeys)"
    if kind == "Header":
        for index, header in enumerate(headers):
            if not header.get("name"):
                yield (*_HASH, "headers", index), f"{name}.headers[{index}].name is empty (MissingHashKey)"


def _override_faults(override: Mapping[str, Any]) -> Iterator[tuple[Steps, str]]:
    kind, headers = override.get("type"), override.get("headers") or ()
    name = "spec.traffic.endpointOverride"
    if kind == "Metadata":
        message = f"{name}.type=Metadata is reserved and not implemented by the active translator"
        yield (*_OVERRIDE, "type"), f"{message} (ReservedEndpointOverrideType)"
    elif kind != "Header":
        yield _OVERRIDE, f"{name}.type={quoted(kind or '')} is not a valid EndpointOverrideType"
    elif not headers:
        yield _OVERRIDE, f"{name}.headers must be non-empty when type=Header (MissingEndpointOverrideKey)"
    else:
        for index, header in enumerate(headers):
            if not header.get("name"):
                message = f"{name}.headers[{index}].name is empty (MissingEndpointOverrideKey)"
                yield (*_OVERRIDE, "headers", index), message
