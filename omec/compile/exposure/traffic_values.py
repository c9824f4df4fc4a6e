"""Traffic settings that OME accepts and writes, and that the schema of the gateway's policy refuses."""

from __future__ import annotations

import re
from collections.abc import Iterator

from omec.api.duration import parse_duration
from omec.api.gotext import parse_integer
from omec.compile.exposure import rules, traffic
from omec.compile.exposure.traffic import Intent
from omec.compile.problems import Origin, Place, Problem, Steps

_GATEWAY_DURATION = re.compile(r"([0-9]{1,5}(h|m|s|ms)){1,4}")
_LARGEST = 2**31 - 1
_MILLISECOND = 1_000_000


def refused_by_envoy(intent: Intent) -> Iterator[Problem]:
    """What of ``intent`` is no BackendTrafficPolicy."""
    if intent.traffic.get("endpointOverride") is not None and intent.traffic.get("algorithm") is None:
        message = "spec.traffic.endpointOverride without spec.traffic.algorithm makes a load balancer without a type"
        yield _problem(("spec", "traffic", "endpointOverride"), message, "set spec.traffic.algorithm, LeastRequest say")
    yield from _counts(intent, traffic.INTEGERS)
    for annotation in traffic.DURATIONS:
        duration = intent.duration(annotation)
        if duration is not None and not _GATEWAY_DURATION.fullmatch(duration):
            message = f"OME writes {annotation} as {duration}, which Envoy Gateway does not take for a duration"
            help_ = "use whole seconds, or whole milliseconds below 1s"
            yield _problem(("metadata", "annotations", annotation), message, help_)


def refused_by_istio(intent: Intent) -> Iterator[Problem]:
    """What of ``intent`` is no DestinationRule."""
    yield from _counts(intent, traffic.ISTIO_INTEGERS)
    for annotation in traffic.ISTIO_DURATIONS:
        duration = intent.duration(annotation)
        if duration is not None and parse_duration(duration) < _MILLISECOND:
            message = f"{annotation} is {duration}, and Istio takes no durations below 1ms"
            yield _problem(("metadata", "annotations", annotation), message, "remove it, or set 1ms or more")


def _counts(intent: Intent, annotations: tuple[str, ...]) -> Iterator[Problem]:
    for annotation in annotations:
        number = parse_integer(intent.annotations.get(annotation, ""))
        if number is not None and not 0 <= number <= _LARGEST:
            written = intent.integer(annotation)
            wrapped = f", and OME writes {written}" if written != number else ""
            message = f"{annotation} is {number}{wrapped}: a number from 0 to {_LARGEST} is expected"
            yield _problem(("metadata", "annotations", annotation), message, f"set it to {_LARGEST} at most, or to 0")


def _problem(steps: Steps, message: str, help_: str) -> Problem:
    return Problem(rules.TRAFFIC_REFUSED, message, Place(Origin.SERVICE, steps), help_)
