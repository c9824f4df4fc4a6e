"""Where Prometheus finds the metrics of a pod (reference 04 §16.1)."""

from __future__ import annotations

from omec.compile.inputs import Object
from omec.compile.webhook.pods import annotate, annotations_of, container_named, variable
from omec.compile.webhook.settings import WebhookSettings

AGGREGATION = "ome.io/enable-metric-aggregation"
SCRAPING = "ome.io/enable-prometheus-scraping"

_SOURCE_PORT = "prometheus.ome.io/port"
_SOURCE_PATH = "prometheus.ome.io/path"
_PORT = "prometheus.io/port"
_PATH = "prometheus.io/path"

_PROXY = "queue-proxy"
_PROXY_PORT = "9091"
_AGGREGATE_PORT = 9088
_AGGREGATE_PORT_NAME = "aggr-metric"
_DEFAULT_PORT = "8080"
_DEFAULT_PATH = "/metrics"


def inject_metrics(template: Object, settings: WebhookSettings) -> None:
    """Switch on what pod or operator asks for.

    OME also writes the operator's two switches onto pods that have none. They are left out here where they are off,
    because nothing reads them.
    """
    annotations = annotations_of(template)
    switches = {AGGREGATION: settings.metric_aggregation, SCRAPING: settings.prometheus_scraping}
    written = {key: value for key, value in switches.items() if value == "true" and key not in annotations}
    on = {key for key, value in switches.items() if annotations.get(key, value) == "true"}
    if AGGREGATION in on:
        _aggregate(template)
    if SCRAPING in on:
        written[_PORT] = str(_AGGREGATE_PORT) if AGGREGATION in on else _PROXY_PORT
        written[_PATH] = _DEFAULT_PATH
    if written:
        annotate(template, written)


def _aggregate(template: Object) -> None:
    """Tell the proxy, which OME itself never makes, where the metrics of the server are."""
    proxy = container_named(template, _PROXY)
    if proxy is None:
        return
    annotations = annotations_of(template)
    proxy["env"] = [
        *(proxy.get("env") or ()),
        variable("CONTAINER_PROMETHEUS_METRICS_PORT", annotations.get(_SOURCE_PORT, _DEFAULT_PORT)),
        variable("CONTAINER_PROMETHEUS_METRICS_PATH", annotations.get(_SOURCE_PATH, _DEFAULT_PATH)),
        variable("AGGREGATE_PROMETHEUS_METRICS_PORT", str(_AGGREGATE_PORT)),
    ]
    ports = list(proxy.get("ports") or ())
    if all(port.get("name") != _AGGREGATE_PORT_NAME for port in ports):
        ports.append({"name": _AGGREGATE_PORT_NAME, "containerPort": _AGGREGATE_PORT, "protocol": "TCP"})
    proxy["ports"] = ports
