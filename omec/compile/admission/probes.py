"""Rules on the probes of a container, and on the hooks of its lifecycle."""

from __future__ import annotations

from collections.abc import Collection

from omec.compile.admission.fielderror import (
    Object,
    Refusals,
    forbidden,
    invalid,
    not_negative,
    one_of,
    required,
    warning,
)
from omec.compile.admission.names import port
from omec.finding import FieldPath

PROBES = ("livenessProbe", "readinessProbe", "startupProbe")
_PROBE_HANDLERS = ("exec", "grpc", "httpGet", "tcpSocket")
_HOOK_HANDLERS = ("exec", "httpGet", "sleep", "tcpSocket")
_NUMBERS = ("initialDelaySeconds", "timeoutSeconds", "periodSeconds", "successThreshold", "failureThreshold")
_USUAL_GRACE_PERIOD = 30


def probe(probe: Object, path: FieldPath) -> Refusals:
    yield from _handler(probe, path, _PROBE_HANDLERS)
    yield from not_negative(probe, path, _NUMBERS)
    is_readiness = path[-1] == "readinessProbe"
    if not is_readiness and probe.get("successThreshold", 0) not in (0, 1):
        yield invalid((*path, "successThreshold"), probe["successThreshold"], "must be 1")
    grace = probe.get("terminationGracePeriodSeconds")
    if grace is not None and is_readiness:
        yield invalid((*path, "terminationGracePeriodSeconds"), grace, "must not be set for readinessProbes")
    elif grace is not None and grace <= 0:
        yield invalid((*path, "terminationGracePeriodSeconds"), grace, "must be greater than 0")


def _handler(owner: Object, path: FieldPath, kinds: Collection[str]) -> Refusals:
    """The one action of a probe or lifecycle hook."""
    given = [kind for kind in kinds if kind in owner]
    if not given:
        yield required(path, "must specify a handler type")
    for kind in given[1:]:
        yield forbidden((*path, kind), "may not specify more than 1 handler type")
    if "exec" in given and not owner["exec"].get("command"):
        yield required((*path, "exec", "command"))
    for kind in ("httpGet", "tcpSocket", "grpc"):
        if kind in given:
            yield from port(owner[kind]["port"], (*path, kind, "port"))
    if "httpGet" in given:
        yield from one_of(owner["httpGet"], (*path, "httpGet"), {"scheme": ("HTTP", "HTTPS")})


def hooks(lifecycle: Object, path: FieldPath, pod: Object) -> Refusals:
    """What a container of ``pod`` does after its start and before its end."""
    if "stopSignal" in lifecycle:
        text = "a cluster without the feature gate ContainerStopSignals, which is off by default, drops it"
        yield warning((*path, "stopSignal"), text)
    for name in ("postStart", "preStop"):
        if name not in lifecycle:
            continue
        handler, at = lifecycle[name], (*path, name)
        yield from _handler(handler, at, _HOOK_HANDLERS)
        grace = pod.get("terminationGracePeriodSeconds", _USUAL_GRACE_PERIOD)
        if "sleep" in handler and not 0 <= handler["sleep"]["seconds"] <= grace:
            detail = f"must be non-negative and less than terminationGracePeriodSeconds ({grace})"
            yield invalid((*at, "sleep"), handler["sleep"]["seconds"], detail)
