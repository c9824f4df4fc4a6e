"""The PodMonitor of a component: what Prometheus scrapes of its pods (reference 10 §9)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from omec.compile import companion_rules as rules
from omec.compile.components import Component
from omec.compile.inputs import Object
from omec.compile.monitoring_settings import MonitorSettings
from omec.compile.problems import Problem

EXTRA_ENDPOINTS = "prometheus.ome.io/extra-endpoints"

_METRICS_PORT = "metrics"
_ASSUMED_PORT = "http"
_INTERVAL = "10s"


def pod_monitor(
    name: str,
    namespace: str,
    *,
    selector: Mapping[str, str],
    container: Mapping[str, Any],
    annotations: Mapping[str, str],
    settings: MonitorSettings | None = None,
) -> Object:
    """The monitor of the pods with the labels ``selector``, whose first container is ``container``.

    ``settings`` are the operator's; OME applies them to the components that it runs itself, not to Deployments.
    """
    endpoints: list[Object] = [_endpoint(metrics_port(container), "/metrics")]
    endpoints += [_endpoint(port, path) for _, port, path in _extra(annotations) if port]
    labels = dict(selector)
    if settings is not None:
        labels |= settings.labels
        for endpoint in endpoints:
            if settings.relabelings:
                endpoint["relabelings"] = [dict(rule) for rule in settings.relabelings]
            if settings.metric_relabelings:
                endpoint["metricRelabelings"] = [dict(rule) for rule in settings.metric_relabelings]
    return {
        "apiVersion": "monitoring.coreos.com/v1",
        "kind": "PodMonitor",
        "metadata": {"name": name, "namespace": namespace, "labels": labels},
        "spec": {
            "namespaceSelector": {"matchNames": [namespace]},
            "selector": {"matchLabels": dict(selector)},
            "podMetricsEndpoints": endpoints,
        },
    }


def metrics_port(container: Mapping[str, Any]) -> str:
    """The name of the port to scrape: ``metrics`` if there is one, else that of the first port."""
    names = [port.get("name") or "" for port in container.get("ports") or ()]
    if _METRICS_PORT in names:
        return _METRICS_PORT
    return (names[0] if names else "") or _ASSUMED_PORT


def check_monitor(
    component: Component, container: Mapping[str, Any], annotations: Mapping[str, str]
) -> Iterator[Problem]:
    """What the monitor of ``component`` would miss."""
    names = {port.get("name") for port in container.get("ports") or ()}
    if metrics_port(container) not in names:
        message = f"the PodMonitor of the {component.name} scrapes the port {_ASSUMED_PORT}, which its pods do not have"
        yield Problem(rules.METRICS_PORT_UNNAMED, message, component.place("runner", "ports"), "name the port metrics")
    for entry, port, _ in _extra(annotations):
        if not port:
            message = f"OME skips {entry!r} in {EXTRA_ENDPOINTS}: PORT:/PATH is expected"
            place = component.place("annotations", EXTRA_ENDPOINTS)
            yield Problem(rules.EXTRA_ENDPOINT_MALFORMED, message, place, rules.EXTRA_ENDPOINT_MALFORMED.remedy)


def _extra(annotations: Mapping[str, str]) -> Iterator[tuple[str, str, str]]:
    """The entries of the annotation, each with its port and path; the port is ``""`` where the entry is malformed."""
    for item in annotations.get(EXTRA_ENDPOINTS, "").split(","):
        entry = item.strip()
        port, colon, path = (part.strip() for part in entry.partition(":"))
        if entry:
            yield entry, port if colon and path.startswith("/") else "", path


def _endpoint(port: str, path: str) -> Object:
    return {"port": port, "path": path, "interval": _INTERVAL}
