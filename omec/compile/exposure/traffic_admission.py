"""What OME's webhook says about the traffic settings of a service (reference 09 A4, rules 18 to 20)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from omec.api.duration import parse_duration
from omec.api.gotext import quoted
from omec.compile.capabilities import Capabilities
from omec.compile.exposure import rules, traffic
from omec.compile.exposure.edit_distance import distance
from omec.compile.inputs import Service
from omec.compile.problems import Origin, Place, Problem, Steps

_RETRY_CONDITIONS = ("5xx", "reset", "gateway-error", "connect-failure", "retriable-status-codes")
_CONFLICT_ACKNOWLEDGED = "ome.io/managed-by-conflict-acked"
_NEAR = 2
_KNOWN = (
    *traffic.ANNOTATIONS,
    _CONFLICT_ACKNOWLEDGED,
    "ome.io/revision-history-limit",
    "ome.io/rollout-promote",
    "ome.io/rollout-ready-timeout",
    "ome.io/rollout-rollback",
    "ome.io/traffic-drain",
)
"""The keys that the webhook takes a similar one for a misspelling of."""

_TRAFFIC: Steps = ("spec", "traffic")
_HASH: Steps = (*_TRAFFIC, "consistentHash")
_OVERRIDE: Steps = (*_TRAFFIC, "endpointOverride")


def traffic_refusals(service: Service, capabilities: Capabilities) -> Iterator[Problem]:
    """The faults in the traffic settings of ``service``, in the order in which the webhook looks for them."""
    yield from field_refusals(service, capabilities)
    yield from _annotation_refusals(service, capabilities)


def field_refusals(service: Service, capabilities: Capabilities) -> Iterator[Problem]:
    """The faults of ``spec.traffic``, with which no policy could be written either."""
    settings = service.spec.get("traffic")
    if isinstance(settings, Mapping):
        for steps, message in _faults(settings, istio=_acts_on_istio(capabilities)):
            yield _problem(steps, message)


def _annotation_refusals(service: Service, capabilities: Capabilities) -> Iterator[Problem]:
    for key in sorted(service.annotations):
        if fault := _annotation_fault(key, service.annotations[key], capabilities):
            yield _problem(("metadata", "annotations", key), fault)
    attempts = traffic.parse_integer(service.annotations.get(traffic.RETRY_ATTEMPTS, "")) or 0
    if attempts > 0 and traffic.RETRY_ON not in service.annotations:
        message = (
            f'annotation "{traffic.RETRY_ATTEMPTS}" set to {attempts} requires "{traffic.RETRY_ON}" to specify retry '
            "conditions (MissingRetryOn)"
        )
        yield _problem(("metadata", "annotations", traffic.RETRY_ATTEMPTS), message)


def traffic_warnings(service: Service) -> Iterator[Problem]:
    """What the webhook admits with a warning."""
    key = traffic.MAX_CONNECTIONS_PER_ENDPOINT
    limit = traffic.parse_integer(service.annotations.get(key, "")) or 0
    if limit > 1 and (service.spec.get("traffic") or {}).get("algorithm") == "ConsistentHash":
        message = (
            f'annotation "{key}"={limit} combined with traffic.algorithm=ConsistentHash usually defeats sticky '
            "routing; set to 1 to keep sessions on a single pod"
        )
        place = Place(Origin.SERVICE, ("metadata", "annotations", key))
        yield Problem(rules.STICKY_ENDPOINT_LIMIT, message, place, 'set it to "1"')


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


def _annotation_fault(key: str, value: str, capabilities: Capabilities) -> str | None:
    """What is wrong with one annotation, ``None`` where it is in order or none of the webhook's business."""
    if key in traffic.INTEGERS:
        valid = traffic.parse_integer(value) is not None
        return None if valid else f"annotation {_shown(key, value)} is not a valid integer (InvalidIntValue)"
    if key in traffic.DURATIONS:
        return (
            None
            if _is_duration(value)
            else f"annotation {_shown(key, value)} is not a valid duration (InvalidDuration)"
        )
    if key == traffic.RETRY_ON:
        return _retry_fault(value)
    if key == _CONFLICT_ACKNOWLEDGED:
        valid = value in ("true", "false")
        return None if valid else f'annotation {_shown(key, value)} must be "true" or "false" (InvalidBoolValue)'
    if key.startswith((traffic.ENVOY_PREFIX, traffic.ISTIO_PREFIX)):
        return _passthrough_fault(key, capabilities)
    if key.startswith("ome.io/") and key not in _KNOWN:
        near = min(_KNOWN, key=lambda known: (distance(key, known), known))
        if distance(key, near) <= _NEAR:
            return f'unknown traffic annotation "{key}". Did you mean "{near}"? (UnknownTrafficAnnotation)'
    return None


def _retry_fault(value: str) -> str | None:
    if not value:
        return f'annotation "{traffic.RETRY_ON}" must be a non-empty comma-separated list (InvalidRetryOn)'
    for item in value.split(","):
        condition = item.strip()
        if not condition:
            return f'annotation "{traffic.RETRY_ON}" has an empty token (InvalidRetryOn)'
        if condition not in _RETRY_CONDITIONS:
            return (
                f'annotation "{traffic.RETRY_ON}" token {quoted(condition)} is not a supported retry condition '
                "(InvalidRetryOn)"
            )
    return None


def _passthrough_fault(key: str, capabilities: Capabilities) -> str | None:
    """The prefix of the gateway that the cluster does not have; where it has neither, OME takes both."""
    if not (capabilities.envoy_gateway or capabilities.istio):
        return None
    own = traffic.ISTIO_PREFIX if _acts_on_istio(capabilities) else traffic.ENVOY_PREFIX
    if key.startswith(own):
        return None
    return (
        f'annotation "{key}" uses a pass-through prefix the active Gateway-implementation translator does not honor; '
        f"supported prefixes: [{own}] (UnsupportedPassthrough)"
    )


def _acts_on_istio(capabilities: Capabilities) -> bool:
    """Whether OME's policies are Istio's: of two gateways it takes Envoy Gateway."""
    return capabilities.istio and not capabilities.envoy_gateway


def _is_duration(value: str) -> bool:
    try:
        parse_duration(value)
    except ValueError:
        return False
    return True


def _shown(key: str, value: str) -> str:
    return f'"{key}" value {quoted(value)}'


def _problem(steps: Steps, message: str) -> Problem:
    return Problem(rules.TRAFFIC_INVALID, message, Place(Origin.SERVICE, steps), rules.TRAFFIC_INVALID.fix)
