"""What KEDA is told to scale by."""

from __future__ import annotations

from typing import Any

import pytest

from tests.lint.lint_cases import findings, service

CRON = {
    "type": "cron",
    "metadata": {"timezone": "UTC", "start": "0 8 * * *", "end": "0 9 * * *", "desiredReplicas": "1"},
}
CPU = {"type": "cpu", "metricType": "Utilization", "metadata": {"value": "80"}}


def prometheus(query: str) -> dict[str, Any]:
    return {"type": "prometheus", "metadata": {"serverAddress": "http://p:9090", "query": query, "threshold": "5"}}


def scaled(*triggers: dict[str, Any], **more: Any) -> dict[str, Any]:
    """An engine that KEDA scales by ``triggers``."""
    return {"autoscaler": {"class": "KEDA", "keda": {"triggers": list(triggers)}}, "maxReplicas": 3, **more}


@pytest.mark.parametrize(
    ("triggers", "told"),
    [
        ([prometheus("sum(vllm:num_requests_waiting)")], True),
        ([prometheus("sum(sglang:num_queue_reqs)"), CPU], True),
        ([CPU], True),
        ([prometheus("sum(vllm:num_requests_waiting)"), CRON], False),
        ([prometheus("sum(envoy_cluster_upstream_rq_active)")], False),
    ],
)
def test_what_could_wake_a_component(triggers: list[dict[str, Any]], told: bool) -> None:
    found = findings([service(engine=scaled(*triggers, minReplicas=0))], "OME548")
    assert bool(found) is told
    assert not findings([service(engine=scaled(*triggers, minReplicas=1))], "OME548")


@pytest.mark.parametrize(
    ("labels", "told"),
    [
        ('namespace="demo",inferenceservice="chat",component="engine"', False),
        ('namespace="prod"', True),
        ('inferenceservice="other"', True),
        ('component="predictor"', True),
        ('component="decoder"', True),
        ('component="router"', False),
        ('component=~"engine|decoder"', False),
    ],
)
def test_whose_metrics_a_query_selects(labels: str, told: bool) -> None:
    """The service has an engine and a router."""
    query = prometheus(f"sum(vllm:num_requests_waiting{{{labels}}})")
    assert bool(findings([service(engine=scaled(query), router={})], "OME549")) is told
