"""The ``runtime.ome.io/`` profiles and metrics: reference 04 §16.1 and §16.5."""

from __future__ import annotations

from typing import Any

import pytest

from omec.compile.webhook.pods import InjectionError
from omec.compile.webhook.settings import webhook_settings_of_settings
from tests.compile.pod_templates import main_container, pod, template, values

Object = dict[str, Any]

SHM = {"runtime.ome.io/shm-profile": "default"}
PROBES = {"runtime.ome.io/probe-profile": "sglang-http"}
SCRAPED = {"runtime.ome.io/observability-profile": "prometheus"}


def test_shared_memory() -> None:
    rendered = pod(template(SHM))["spec"]
    assert rendered["volumes"] == [{"name": "dshm", "emptyDir": {"medium": "Memory"}}]
    assert rendered["containers"][0]["volumeMounts"] == [{"name": "dshm", "mountPath": "/dev/shm"}]


def test_shared_memory_that_is_there() -> None:
    volumes, mounts = [{"name": "dshm", "emptyDir": {}}], [{"name": "dshm", "mountPath": "/x"}]
    given = template(SHM, {"volumeMounts": mounts}, volumes=volumes)
    assert pod(given) == given


def test_shared_memory_and_rdma_share_a_volume() -> None:
    volumes = pod(template({**SHM, "rdma.ome.io/auto-inject": "true"}))["spec"]["volumes"]
    assert [volume["name"] for volume in volumes] == ["dshm", "devinf"]


@pytest.mark.parametrize("profile", ["sglang-http", "vllm-http"])
def test_probes(profile: str) -> None:
    container = main_container(template({"runtime.ome.io/probe-profile": profile}))
    for probe in ("readinessProbe", "livenessProbe", "startupProbe"):
        assert container[probe]["httpGet"] == {"path": "/health", "port": 30000}
    startup = container["startupProbe"]
    assert startup["failureThreshold"] * startup["periodSeconds"] == 1800


def test_probes_that_are_there_stay() -> None:
    own = {"tcpSocket": {"port": 8080}}
    container = main_container(template({**PROBES, "runtime.ome.io/probe-port": "8080"}, {"readinessProbe": own}))
    assert container["readinessProbe"] == own
    assert container["livenessProbe"]["httpGet"]["port"] == 8080


@pytest.mark.parametrize("port", ["abc", "0", "-1", "70000", "80 ", "8_0", "9" * 19])
@pytest.mark.parametrize(
    ("profile", "key"),
    [(PROBES, "runtime.ome.io/probe-port"), (SCRAPED, "runtime.ome.io/observability-port")],
)
def test_invalid_port(profile: Object, key: str, port: str) -> None:
    with pytest.raises(InjectionError) as caught:
        pod(template({**profile, key: port}))
    assert str(caught.value) == f'invalid port "{port}" (annotation {key})'


def test_observability_fills_in_what_is_missing() -> None:
    given = template({**SCRAPED, "prometheus.io/port": "9000", "runtime.ome.io/observability-port": "31000"})
    annotations = pod(given)["metadata"]["annotations"]
    told = {key: value for key, value in annotations.items() if key.startswith("prometheus.io/")}
    assert told == {"prometheus.io/scrape": "true", "prometheus.io/port": "9000", "prometheus.io/path": "/metrics"}
    assert pod(template(SCRAPED))["metadata"]["annotations"]["prometheus.io/port"] == "30000"


@pytest.mark.parametrize(
    ("annotation", "message"),
    [
        ("runtime.ome.io/shm-profile", "unknown shm profile: huge"),
        ("runtime.ome.io/probe-profile", "unknown probe profile: huge"),
        ("runtime.ome.io/observability-profile", "unknown observability profile: huge"),
    ],
)
def test_unknown_profile(annotation: str, message: str) -> None:
    with pytest.raises(InjectionError, match=f"^{message}$"):
        pod(template({annotation: "huge"}))
    assert pod(template({annotation: ""})) == template({annotation: ""})


@pytest.mark.parametrize("profile", [SHM, PROBES])
def test_other_container(profile: Object) -> None:
    other = {**profile, "runtime.ome.io/container-name": "other"}
    assert pod(template(other)) == template(other)
    given = template(other)
    given["spec"]["containers"].append({"name": "other"})
    rendered = pod(given)["spec"]["containers"]
    assert rendered[0] == given["spec"]["containers"][0]
    assert rendered[1] != {"name": "other"}


# --- §16.1 -------------------------------------------------------------------------------------------------------

SCRAPING, AGGREGATION = "ome.io/enable-prometheus-scraping", "ome.io/enable-metric-aggregation"


def metrics(aggregation: str, scraping: str) -> Object:
    return {"metricsAggregator": {"enableMetricAggregation": aggregation, "enablePrometheusScraping": scraping}}


@pytest.mark.parametrize(
    ("annotations", "configured", "expected"),
    [
        ({}, metrics("false", "false"), {}),
        ({SCRAPING: "true"}, {}, {"prometheus.io/port": "9091", "prometheus.io/path": "/metrics"}),
        ({SCRAPING: "true", "prometheus.io/port": "1"}, {}, {"prometheus.io/port": "9091"}),
        ({SCRAPING: "true", AGGREGATION: "true"}, {}, {"prometheus.io/port": "9088"}),
        ({}, metrics("true", "true"), {SCRAPING: "true", AGGREGATION: "true", "prometheus.io/port": "9088"}),
        ({SCRAPING: "false"}, metrics("false", "true"), {SCRAPING: "false"}),
    ],
)
def test_scraping(annotations: Object, configured: Object, expected: Object) -> None:
    settings = webhook_settings_of_settings(configured)
    rendered = pod(template(annotations), settings)["metadata"]["annotations"]
    assert expected.items() <= rendered.items()
    assert "prometheus.io/scrape" not in rendered
    assert ("prometheus.io/port" in rendered) == ("prometheus.io/port" in expected)


@pytest.mark.parametrize(
    ("annotations", "source"),
    [
        ({}, ("8080", "/metrics")),
        ({"prometheus.ome.io/port": "7", "prometheus.ome.io/path": "/m"}, ("7", "/m")),
    ],
)
def test_aggregation_configures_a_proxy(annotations: Object, source: tuple[str, str]) -> None:
    given = template({AGGREGATION: "true", **annotations})
    given["spec"]["containers"].append({"name": "queue-proxy"})
    proxy = pod(given)["spec"]["containers"][1]
    assert tuple(values(proxy).values()) == (*source, "9088")
    assert proxy["ports"] == [{"name": "aggr-metric", "containerPort": 9088, "protocol": "TCP"}]


@pytest.mark.parametrize(
    ("own", "ports"),
    [
        ({"name": "mine", "containerPort": 9088}, ["mine", "aggr-metric"]),
        ({"name": "aggr-metric", "containerPort": 1}, ["aggr-metric"]),
    ],
)
def test_the_port_of_a_proxy_is_found_by_its_name(own: Object, ports: list[str]) -> None:
    """As OME's AppendPortIfNotExists does."""
    given = template({AGGREGATION: "true"})
    given["spec"]["containers"].append({"name": "queue-proxy", "ports": [own]})
    proxy = pod(given)["spec"]["containers"][1]
    assert [port["name"] for port in proxy["ports"]] == ports
