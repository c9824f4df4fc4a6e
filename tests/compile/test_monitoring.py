"""PodMonitors (reference 10 §9)."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from omec.compile.monitoring import check_monitor, metrics_port, pod_monitor
from omec.compile.monitoring_settings import MonitorSettings, monitor_settings
from omec.compile.operator import OperatorConfigError
from tests.compile.crd_schemas import crd_errors
from tests.compile.rendering import inputs
from tests.compile.test_autoscaling import component_of

Object = dict[str, Any]

EXTRA = "prometheus.ome.io/extra-endpoints"


def port(name: str | None, number: int) -> Object:
    return {"containerPort": number} if name is None else {"name": name, "containerPort": number}


@pytest.mark.parametrize(
    ("ports", "expected", "matches"),
    [
        ([port("http1", 8080)], "http1", True),
        ([port("http1", 8080), port("metrics", 9090)], "metrics", True),
        ([port(None, 8080)], "http", False),
        ([], "http", False),
        ([port(None, 8080), port("x", 1)], "http", False),
    ],
)
def test_port(ports: list[Object], expected: str, matches: bool) -> None:
    assert metrics_port({"ports": ports}) == expected
    problems = list(check_monitor(component_of(inputs()), {"ports": ports}, {}))
    assert [problem.rule.slug for problem in problems] == ([] if matches else ["metrics-port-unnamed"])


def test_monitor_of_a_deployment(testdata: Path) -> None:
    body = pod_monitor(
        "chat-engine",
        "prod",
        selector={"app": "chat-engine"},
        container={"ports": [port("http1", 8080)]},
        annotations={},
    )
    assert body == {
        "apiVersion": "monitoring.coreos.com/v1",
        "kind": "PodMonitor",
        "metadata": {"name": "chat-engine", "namespace": "prod", "labels": {"app": "chat-engine"}},
        "spec": {
            "namespaceSelector": {"matchNames": ["prod"]},
            "selector": {"matchLabels": {"app": "chat-engine"}},
            "podMetricsEndpoints": [{"port": "http1", "path": "/metrics", "interval": "10s"}],
        },
    }
    assert crd_errors(body, testdata) == []


def test_extra_endpoints() -> None:
    annotations = {EXTRA: "http:/engine_metrics, metrics: /router ,, bad, :/x, y:z"}
    body = pod_monitor("n", "ns", selector={}, container={}, annotations=annotations)
    assert [(endpoint["port"], endpoint["path"]) for endpoint in body["spec"]["podMetricsEndpoints"]] == [
        ("http", "/metrics"),
        ("http", "/engine_metrics"),
        ("metrics", "/router"),
    ]
    problems = check_monitor(component_of(inputs()), {"ports": [port("http", 1)]}, annotations)
    assert [problem.message for problem in problems] == [
        f"OME skips {entry!r} in {EXTRA}: PORT:/PATH is expected" for entry in ("bad", ":/x", "y:z")
    ]


def test_settings_reach_the_components_that_ome_runs(testdata: Path) -> None:
    settings = monitor_settings(
        {
            "labels": {"scrape": "cluster"},
            "relabelings": [
                {"sourceLabels": ["__meta_kubernetes_pod_label_component"], "targetLabel": "component", "action": ""}
            ],
            "metricRelabelings": [{"sourceLabels": ["__name__"], "regex": "vllm_(.+)", "replacement": "vllm:$1"}],
        }
    )
    body = pod_monitor(
        "n", "ns", selector={"component": "engine"}, container={}, annotations={EXTRA: "a:/b"}, settings=settings
    )
    assert body["metadata"]["labels"] == {"component": "engine", "scrape": "cluster"}
    assert body["spec"]["selector"] == {"matchLabels": {"component": "engine"}}
    for endpoint in body["spec"]["podMetricsEndpoints"]:
        assert endpoint["relabelings"] == [
            {"sourceLabels": ["__meta_kubernetes_pod_label_component"], "targetLabel": "component"}
        ]
        assert endpoint["metricRelabelings"] == [
            {"sourceLabels": ["__name__"], "regex": "vllm_(.+)", "replacement": "vllm:$1"}
        ]
    assert crd_errors(body, testdata) == []


def test_no_settings() -> None:
    assert monitor_settings(None) == MonitorSettings()


@pytest.mark.parametrize("value", [{"labels": {"a": 1}}, {"relabelings": {}}, {"relabelings": [1]}])
def test_settings_that_cannot_be_read(value: Object) -> None:
    with pytest.raises(OperatorConfigError, match='unable to parse "podMonitor" config json'):
        monitor_settings(value)
