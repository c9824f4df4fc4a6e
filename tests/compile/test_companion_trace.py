"""From a field of an object beside a workload back to the input that says it."""

from __future__ import annotations

from typing import Any

import pytest

from omec.compile.capabilities import Capabilities
from omec.compile.companion_trace import component_companion_place, service_companion_place
from omec.compile.exposure.expose import expose
from omec.compile.exposure.settings import IngressSettings
from omec.compile.inputs import Service
from omec.compile.problems import Origin, Place
from omec.finding import FieldPath
from tests.compile.rendering import RUNNER, inputs
from tests.compile.test_autoscaling import CPU, KEDA, component_of

Object = dict[str, Any]


def kind(name: str) -> Object:
    return {"kind": name}


def of_engine(body: Object, path: FieldPath, own: Object, config: Object | None = None) -> Place | None:
    given = inputs({"engine": own}, {"engineConfig": {"runner": RUNNER, **(config or {})}})
    return component_companion_place(body, path, component_of(given))


def at_service(*steps: Any) -> Place:
    return Place(Origin.SERVICE, steps)


def at_runtime(*steps: Any) -> Place:
    return Place(Origin.RUNTIME, ("spec", "engineConfig", *steps))


HPA: Object = {"class": "HPA", "hpa": {"metrics": [CPU]}}


@pytest.mark.parametrize(
    ("name", "path", "own", "config", "place"),
    [
        (
            "HorizontalPodAutoscaler",
            ("spec", "maxReplicas"),
            {"maxReplicas": 2},
            {},
            at_service("spec", "engine", "maxReplicas"),
        ),
        ("HorizontalPodAutoscaler", ("spec", "minReplicas"), {}, {"minReplicas": 2}, at_runtime("minReplicas")),
        (
            "ScaledObject",
            ("spec", "minReplicaCount"),
            {"minReplicas": 2},
            {},
            at_service("spec", "engine", "minReplicas"),
        ),
        ("ScaledObject", ("spec", "maxReplicaCount"), {}, {"maxReplicas": 2}, at_runtime("maxReplicas")),
        (
            "HorizontalPodAutoscaler",
            ("spec", "metrics", 0, "resource"),
            {"autoscaler": HPA},
            {},
            at_service("spec", "engine", "autoscaler", "hpa", "metrics", 0, "resource"),
        ),
        (
            "ScaledObject",
            ("spec", "triggers", 0, "type"),
            {},
            {"autoscaler": KEDA},
            at_runtime("autoscaler", "keda", "triggers", 0, "type"),
        ),
        (
            "ScaledObject",
            ("spec", "triggers", 0, "type"),
            {"autoscalerPolicyRef": {"name": "load"}},
            {"autoscaler": KEDA},
            at_service("spec", "engine", "autoscalerPolicyRef"),
        ),
        (
            "PodDisruptionBudget",
            ("spec", "maxUnavailable"),
            {"maxUnavailable": -1},
            {},
            at_service("spec", "engine", "maxUnavailable"),
        ),
        ("PodDisruptionBudget", ("spec", "minAvailable"), {}, {"minAvailable": 1}, at_runtime("minAvailable")),
    ],
)
def test_component(name: str, path: FieldPath, own: Object, config: Object, place: Place) -> None:
    assert of_engine(kind(name), path, own, config) == place


@pytest.mark.parametrize(
    ("name", "path"),
    [
        ("HorizontalPodAutoscaler", ("metadata", "labels", "app")),
        ("HorizontalPodAutoscaler", ("spec",)),
        ("Deployment", ("spec", "replicas")),
    ],
)
def test_not_of_these(name: str, path: FieldPath) -> None:
    assert of_engine(kind(name), path, {}) is None


# --- Objects of the service --------------------------------------------------------------------------------------

NAME = at_service("metadata", "name")
GATEWAY = "ome.io/ingress-gateway"
TEMPLATE = "ome.io/ingress-domain-template"


def route_of(service: Service) -> Object:
    settings = IngressSettings(gateway_api=True, gateway="eg/ome")
    return expose(service, settings, {"engine": 8080}, Capabilities()).objects[-2]


@pytest.mark.parametrize(
    ("path", "spec", "annotations", "place"),
    [
        (("metadata", "name"), {}, {}, NAME),
        (("metadata", "labels", "team"), {}, {}, at_service("metadata", "labels")),
        (("metadata", "annotations"), {}, {}, at_service("metadata", "annotations")),
        (("spec", "parentRefs", 0, "name"), {}, {}, NAME),
        (("spec", "parentRefs", 0, "name"), {}, {GATEWAY: "a/B"}, at_service("metadata", "annotations", GATEWAY)),
        (("spec", "hostnames", 0), {}, {}, NAME),
        (("spec", "hostnames", 0), {}, {TEMPLATE: "{{ .Name }}.d"}, at_service("metadata", "annotations", TEMPLATE)),
        (("spec", "rules", 0, "timeouts", "request"), {}, {}, NAME),
        (
            ("spec", "rules", 0, "timeouts", "request"),
            {"engine": {"timeoutSeconds": -1}},
            {},
            at_service("spec", "engine", "timeoutSeconds"),
        ),
    ],
)
def test_route(path: FieldPath, spec: Object, annotations: dict[str, str], place: Place) -> None:
    service = Service("chat", "prod", {}, annotations, spec)
    assert service_companion_place(route_of(service), path, service) == place


@pytest.mark.parametrize("name", ["BackendTrafficPolicy", "DestinationRule"])
@pytest.mark.parametrize(
    ("spec", "place"),
    [
        ({"traffic": {"algorithm": "Random"}}, at_service("spec", "traffic")),
        ({}, at_service("metadata", "annotations")),
    ],
)
def test_traffic(name: str, spec: Object, place: Place) -> None:
    service = Service("chat", "prod", {}, {}, spec)
    assert service_companion_place(kind(name), ("spec", "loadBalancer"), service) == place


def test_other_kinds() -> None:
    service = Service("chat", "prod", {}, {}, {})
    assert service_companion_place(kind("Deployment"), ("spec", "replicas"), service) is None
    assert service_companion_place(kind("Ingress"), ("spec", "rules", 0, "host"), service) == NAME
