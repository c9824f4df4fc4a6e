"""What the API server would refuse in pods, told at the line to change before any service has them (OME590)."""

from __future__ import annotations

from typing import Any

import pytest

from tests.lint.lint_cases import engine, findings, places, runner, runtime, service

PORT = {"name": "http1", "containerPort": 8080}
HEALTH = {"path": "/health", "port": 8080}
SELF = "spec.engineConfig.runner"


@pytest.mark.parametrize(
    ("fields", "field", "text"),
    [
        ({"ports": [{**PORT, "protocol": "http"}]}, f"{SELF}.ports[0].protocol", 'Unsupported value: "http"'),
        (
            {"ports": [{**PORT, "containerPort": 80800}]},
            f"{SELF}.ports[0].containerPort",
            "must be between 1 and 65535",
        ),
        ({"imagePullPolicy": "Allways"}, f"{SELF}.imagePullPolicy", 'Unsupported value: "Allways"'),
        (
            {"ports": [PORT], "readinessProbe": {"httpGet": {**HEALTH, "scheme": "https"}}},
            f"{SELF}.readinessProbe.httpGet.scheme",
            'Unsupported value: "https"',
        ),
        (
            {"ports": [PORT], "livenessProbe": {"httpGet": HEALTH, "successThreshold": 2}},
            f"{SELF}.livenessProbe.successThreshold",
            "must be 1",
        ),
        (
            {"env": [{"name": "POD", "valueFrom": {"fieldRef": {"fieldPath": "metadata.pod"}}}]},
            f"{SELF}.env[0].valueFrom.fieldRef.fieldPath",
            "field label not supported",
        ),
    ],
)
def test_a_field_of_the_runner(fields: dict[str, Any], field: str, text: str) -> None:
    (found,) = findings([runtime(**engine(**fields))], "OME590")
    assert found.field == field
    assert text in found.message


def test_a_field_of_the_pod() -> None:
    spec = {"engineConfig": {"runner": runner(), "tolerations": [{"key": "gpu", "operator": "exists"}]}}
    (found,) = findings([runtime(**spec)], "OME590")
    assert found.field == "spec.engineConfig.tolerations[0].operator"


def test_a_fault_of_a_profile_is_told_there_and_once() -> None:
    parent = runtime("base", disabled=True, **engine(env=[{"name": "A", "value": "1"}], imagePullPolicy="Allways"))
    child = runtime("child", parent="base", disabled=False, **engine(env=[{"name": "B", "value": "2"}]))
    found = findings([parent, child, service(uses="child")], "OME590")
    assert places(found) == [("base", f"{SELF}.imagePullPolicy")]


def test_a_field_of_another_object() -> None:
    metric = {
        "type": "Resource",
        "resource": {"name": "cpu", "target": {"type": "Utilization", "averageUtilization": -5}},
    }
    chat = service(engine={"autoscaler": {"class": "HPA", "hpa": {"metrics": [metric]}}})
    (found,) = findings([runtime(**engine(ports=[PORT])), chat], "OME590")
    assert "HorizontalPodAutoscaler chat-engine" in found.message
    assert found.field == "spec.engine.autoscaler.hpa.metrics[0].resource.target.averageUtilization"


def test_what_is_not_complete_yet_is_left_alone() -> None:
    profile = {"engineConfig": {"runner": {"name": "ome-container", "args": ["--name={{.Name}}"]}}}
    assert not findings([runtime(disabled=True, **profile)], "OME590")
