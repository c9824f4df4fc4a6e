"""The ``runtime.ome.io/`` profiles: shared memory, probes, scraping (reference 04 §16.5).

A profile fills in what a runtime leaves unset, and never overwrites. The periods of the probes are those of OME's
public sources; the documentation does not tell them.
"""

from __future__ import annotations

from collections.abc import Collection

from omec.api.gotext import parse_integer, quoted
from omec.compile.inputs import Object
from omec.compile.webhook.pods import InjectionError, annotate, annotations_of, append_missing, target_container
from omec.compile.webhook.rdma import SHARED_MEMORY, SHARED_MEMORY_MOUNT

SHM_PROFILE = "runtime.ome.io/shm-profile"
PROBE_PROFILE = "runtime.ome.io/probe-profile"
OBSERVABILITY_PROFILE = "runtime.ome.io/observability-profile"

_CONTAINER = "runtime.ome.io/container-name"
_PROBE_PORT = "runtime.ome.io/probe-port"
_OBSERVABILITY_PORT = "runtime.ome.io/observability-port"
_DEFAULT_PORT = 30000
_LAST_PORT = 65535

_HEALTH = "/health"
_PROBES: dict[str, Object] = {
    "readinessProbe": {
        "initialDelaySeconds": 60,
        "periodSeconds": 30,
        "timeoutSeconds": 30,
        "failureThreshold": 5,
        "successThreshold": 1,
    },
    "livenessProbe": {"periodSeconds": 60, "timeoutSeconds": 30, "failureThreshold": 5},
    "startupProbe": {"initialDelaySeconds": 60, "periodSeconds": 30, "timeoutSeconds": 30, "failureThreshold": 60},
}


def inject_shared_memory(template: Object) -> None:
    """Give the container memory at ``/dev/shm``; raises :class:`InjectionError`."""
    if not _profile(template, SHM_PROFILE, "shm", ("default",)):
        return
    container = target_container(template, _CONTAINER)
    if container is not None:
        append_missing(template["spec"], "volumes", [SHARED_MEMORY])
        append_missing(container, "volumeMounts", [SHARED_MEMORY_MOUNT])


def inject_probes(template: Object) -> None:
    """Give the container the probes that it lacks; raises :class:`InjectionError`."""
    if not _profile(template, PROBE_PROFILE, "probe", ("sglang-http", "vllm-http")):
        return
    port = _port(template, _PROBE_PORT)
    container = target_container(template, _CONTAINER)
    if container is not None:
        for name, probe in _PROBES.items():
            container.setdefault(name, {"httpGet": {"path": _HEALTH, "port": port}, **probe})


def inject_observability(template: Object) -> None:
    """Tell Prometheus where the metrics are, as far as the pod does not; raises :class:`InjectionError`."""
    if not _profile(template, OBSERVABILITY_PROFILE, "observability", ("prometheus",)):
        return
    told = {
        "prometheus.io/scrape": "true",
        "prometheus.io/port": str(_port(template, _OBSERVABILITY_PORT)),
        "prometheus.io/path": "/metrics",
    }
    annotate(template, {**told, **annotations_of(template)})


def _profile(template: Object, annotation: str, what: str, known: Collection[str]) -> bool:
    name = annotations_of(template).get(annotation)
    if name and name not in known:
        raise InjectionError(f"unknown {what} profile: {name}", annotation)
    return bool(name)


def _port(template: Object, annotation: str) -> int:
    text = annotations_of(template).get(annotation)
    if not text:
        return _DEFAULT_PORT
    port = parse_integer(text)
    if port is None or not 0 < port <= _LAST_PORT:
        raise InjectionError(f"invalid port {quoted(text)} (annotation {annotation})", annotation)
    return port
