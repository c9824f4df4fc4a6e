"""What OME's webhook says about the traffic and rollout annotations of a service (reference 09 A4.3)."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from functools import cache

from omec.api.duration import duration_error, parse_duration
from omec.api.gotext import parse_integer, quoted
from omec.compile.capabilities import Capabilities
from omec.compile.exposure import rules, traffic
from omec.compile.exposure.edit_distance import distance
from omec.compile.inputs import Service
from omec.compile.problems import Origin, Place, Problem

_READY_TIMEOUT = "ome.io/rollout-ready-timeout"

_NEAR = 2
_RETRY_CONDITIONS = ("5xx", "reset", "gateway-error", "connect-failure", "retriable-status-codes")
_REVISION = re.compile("[a-z0-9]{6,}")
_MINUTE = 60_000_000_000
_NUMBER = re.compile(r"[+-]?0*(?P<digits>[0-9]{1,21})")
_UINT64_MAX = 2**64 - 1


def annotation_refusals(service: Service, capabilities: Capabilities) -> Iterator[Problem]:
    """The faults of the annotations of ``service``; OME names one of them, in no certain order."""
    for key in sorted(service.annotations):
        if fault := _fault(key, service.annotations[key], capabilities):
            yield _problem(key, fault)
    attempts = parse_integer(service.annotations.get(traffic.RETRY_ATTEMPTS, "")) or 0
    if attempts > 0 and traffic.RETRY_ON not in service.annotations:
        message = (
            f'annotation "{traffic.RETRY_ATTEMPTS}" set to {attempts} requires "{traffic.RETRY_ON}" to specify retry '
            "conditions (MissingRetryOn)"
        )
        yield _problem(traffic.RETRY_ATTEMPTS, message)


def annotation_warnings(service: Service) -> Iterator[Problem]:
    """What the webhook admits with a warning."""
    key = traffic.MAX_CONNECTIONS_PER_ENDPOINT
    limit = parse_integer(service.annotations.get(key, "")) or 0
    if limit > 1 and (service.spec.get("traffic") or {}).get("algorithm") == "ConsistentHash":
        message = (
            f'annotation "{key}"={limit} combined with traffic.algorithm=ConsistentHash usually defeats sticky '
            "routing; set to 1 to keep sessions on a single pod"
        )
        yield Problem(rules.STICKY_ENDPOINT_LIMIT, message, _place(key), 'set it to "1"')
    timeout = service.annotations.get(_READY_TIMEOUT, "")
    if duration_error(timeout) is None and 0 < parse_duration(timeout) < _MINUTE:
        message = (
            f'annotation "{_READY_TIMEOUT}"={timeout} is less than 1 minute; most LLM runtimes need longer to reach '
            "Ready (RolloutTimeoutTooShort)"
        )
        yield Problem(rules.ROLLOUT_TIMEOUT_SHORT, message, _place(_READY_TIMEOUT), rules.ROLLOUT_TIMEOUT_SHORT.remedy)


def _fault(key: str, value: str, capabilities: Capabilities) -> str | None:
    """What is wrong with one annotation, ``None`` where it is in order or none of the webhook's business."""
    if check := _CHECKS.get(key):
        fault = check(value)
        return None if fault is None else f'annotation "{key}" {fault}'
    if key.startswith((traffic.ENVOY_PREFIX, traffic.ISTIO_PREFIX)):
        return _passthrough_fault(key, capabilities)
    return _spelling_fault(key) if key.startswith("ome.io/") else None


def _integer(value: str) -> str | None:
    """``strconv.Atoi`` reads the value."""
    if parse_integer(value) is not None:
        return None
    # Go stops at the digit that makes the number too large, and never sees what follows it.
    start = _NUMBER.match(value)
    too_large = start is not None and (start.end() == len(value) or int(start["digits"]) > _UINT64_MAX)
    why = "value out of range" if too_large else "invalid syntax"
    shown = quoted(value)
    return f"value {shown} is not a valid integer (InvalidIntValue): strconv.Atoi: parsing {shown}: {why}"


def _positive(value: str) -> str | None:
    if (fault := _integer(value)) is not None or (parse_integer(value) or 0) >= 1:
        return fault
    return f"value {quoted(value)} must be a positive integer (>= 1) (InvalidPositiveIntValue)"


def _duration(value: str) -> str | None:
    """``time.ParseDuration`` reads the value."""
    if (error := duration_error(value)) is None:
        return None
    return f"value {quoted(value)} is not a valid duration (InvalidDuration): {error}"


def _boolean(value: str) -> str | None:
    if value in ("true", "false"):
        return None
    return f'value {quoted(value)} must be "true" or "false" (InvalidBoolValue)'


def _revision(value: str) -> str | None:
    if _REVISION.fullmatch(value):
        return None
    return (
        f"value {quoted(value)} must be the canary revision hash to promote, copied from "
        'status.canary.canaryRevisionHash (lowercase alphanumeric, at least 6 chars); "full" is not a supported '
        "promotion target (InvalidRolloutPromoteTarget)"
    )


def _conditions(value: str) -> str | None:
    if not value:
        return "must be a non-empty comma-separated list (InvalidRetryOn)"
    for item in value.split(","):
        condition = item.strip()
        if not condition:
            return "has an empty token (InvalidRetryOn)"
        if condition not in _RETRY_CONDITIONS:
            return f"token {quoted(condition)} is not a supported retry condition (InvalidRetryOn)"
    return None


_CHECKS: Mapping[str, Callable[[str], str | None]] = {
    **dict.fromkeys(traffic.INTEGERS, _integer),
    **dict.fromkeys((*traffic.DURATIONS, _READY_TIMEOUT), _duration),
    traffic.RETRY_ON: _conditions,
    "ome.io/managed-by-conflict-acked": _boolean,
    "ome.io/revision-history-limit": _positive,
    "ome.io/rollout-promote": _revision,
    "ome.io/rollout-rollback": _boolean,
}
"""What is wrong with a value, said after the annotation's name."""

_KNOWN = (*_CHECKS, "ome.io/traffic-drain")
"""The keys that the webhook takes a similar one for a misspelling of."""


def _passthrough_fault(key: str, capabilities: Capabilities) -> str | None:
    """The prefix of the gateway that the cluster does not have; where it has neither, OME takes both."""
    if not (capabilities.envoy_gateway or capabilities.istio):
        return None
    own = traffic.ISTIO_PREFIX if capabilities.istio_is_active else traffic.ENVOY_PREFIX
    if key.startswith(own):
        return None
    return (
        f'annotation "{key}" uses a pass-through prefix the active Gateway-implementation translator does not honor; '
        f"supported prefixes: [{own}] (UnsupportedPassthrough)"
    )


@cache
def _spelling_fault(key: str) -> str | None:
    # Almost every key is one of OME's other annotations, and the length alone shows that it is none of these.
    similar = [known for known in _KNOWN if abs(len(key) - len(known)) <= _NEAR]
    if not similar:
        return None
    near = min(similar, key=lambda known: (distance(key, known), known))
    if key == near or distance(key, near) > _NEAR:
        return None
    return f'unknown traffic annotation "{key}". Did you mean "{near}"? (UnknownTrafficAnnotation)'


def is_refused_key(key: str) -> bool:
    """Whether the webhook takes the key of an InferenceService's annotation for a misspelling."""
    return key not in _CHECKS and key.startswith("ome.io/") and _spelling_fault(key) is not None


def _place(key: str) -> Place:
    """The annotation's value where the webhook looks at it, else its key."""
    return Place(Origin.SERVICE, ("metadata", "annotations", key), is_key=key not in _CHECKS)


def _problem(key: str, message: str) -> Problem:
    return Problem(rules.TRAFFIC_INVALID, message, _place(key), rules.TRAFFIC_INVALID.remedy)
