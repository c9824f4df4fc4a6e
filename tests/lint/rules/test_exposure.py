"""Misspelt annotations (reference 09 §C6), and values that OME does not know."""

from __future__ import annotations

import json
from typing import Any

import pytest

from omec.session import from_objects
from tests.lint.lint_cases import engine, findings, runtime, service


def codes(key: str, value: str = "x", **config: str) -> set[str]:
    body = {
        "apiVersion": "ome.io/v1beta1",
        "kind": "InferenceService",
        "metadata": {"name": "s", "namespace": "demo", "annotations": {key: value}},
        "spec": {"runtime": {"name": "r"}, "engine": {}},
    }
    return {f.rule.code for f in from_objects([body], config=config).lint().findings}


@pytest.mark.parametrize(
    "key",
    ["ome.io/deployment-mode", "ome.io/deploymentmode", "ome.io/service-typ", "ome.io/ingress-disable-creations"],
)
def test_misspelt_annotations(key: str) -> None:
    assert "OME164" in codes(key)


@pytest.mark.parametrize(
    "key",
    [
        "ome.io/ingress-domain",
        "ome.io/ingress-domain-template",
        "ome.io/x",
        "ome.io/my-own-annotation",
        "example.com/deployment-mode",
    ],
)
def test_other_annotations(key: str) -> None:
    assert "OME164" not in codes(key)


def test_what_the_webhook_refuses_is_not_told_twice() -> None:
    found = codes("ome.io/retry-attempt", "3")
    assert "OME540" in found
    assert "OME164" not in found


@pytest.mark.parametrize(("value", "told"), [("true", False), ("false", False), ("True", True), ("yes", True)])
def test_switches(value: str, told: bool) -> None:
    assert ("OME163" in codes("ome.io/ingress-disable-creation", value)) is told


@pytest.mark.parametrize("key", ["autoscaling.knative.dev/max-scale", "serving.knative.dev/rollout-duration"])
def test_annotations_of_knative(key: str) -> None:
    assert "OME165" in codes(key)
    assert "OME165" not in codes("networking.knative.dev/visibility")
    assert "OME165" not in codes(key, **{"ome-version": "1.2"}), "which has the mode Serverless"


ROUTED = {"disableIngressCreation": False, "enableGatewayAPI": True, "ingressDomain": "llm.acme.dev"}
ON = {**ROUTED, "omeIngressGateway": "gateways/llm"}
LIST = "ome.io/ingress-additional-gateways"


@pytest.mark.parametrize("ingress", [{}, ON, {**ON, "enableGatewayAPI": False}], ids=["off", "routes", "ingress"])
@pytest.mark.parametrize(
    ("code", "spec", "annotations", "field"),
    [
        ("OME534", {}, {LIST: "eg/external"}, f"metadata.annotations[{LIST}]"),
        (
            "OME534",
            {},
            {LIST: '[{"omeIngressGateway": "eg/external", "domain": "a.dev"}]'},
            f"metadata.annotations[{LIST}]",
        ),
        ("OME536", {"engine": {"timeoutSeconds": -1}}, {}, "spec.engine.timeoutSeconds"),
        ("OME536", {"engine": {"timeoutSeconds": 100000}}, {}, "spec.engine.timeoutSeconds"),
        ("OME537", {"engine": {"timeoutSeconds": 600}, "router": {}}, {}, "spec.engine.timeoutSeconds"),
    ],
)
def test_what_is_wrong_with_or_without_routes(
    ingress: dict[str, Any], code: str, spec: dict[str, Any], annotations: dict[str, str], field: str
) -> None:
    """Told once, by rendering or by lint."""
    config = {"operator": {"ingress": ingress}} if ingress else {}
    chat = service(**spec)
    chat["metadata"]["annotations"] = annotations
    base = runtime(**engine(), routerConfig={"runner": {"name": "router", "image": "router:v1"}})
    assert [found.field for found in findings([base, chat], code, config=config) if found.rule.code == code] == [field]


def test_timeouts_that_are_in_order() -> None:
    chat = service(engine={"timeoutSeconds": 600}, router={"timeoutSeconds": 600})
    chat["metadata"]["annotations"] = {LIST: "[]"}
    assert not findings([runtime(**engine()), chat], "OME534", "OME536", "OME537")


@pytest.mark.parametrize(
    ("ingress", "annotation", "field"),
    [
        (ON, None, None),
        ({**ON, "ingressDomain": "svc.cluster.local"}, None, "metadata.name"),
        ({**ON, "ingressDomain": "example.com"}, None, "metadata.name"),
        ({**ON, "ingressDomain": "llm.example.com"}, None, None),
        ({**ON, "ingressDomain": "example.com", "disableIngressCreation": True}, None, None),
        ({**ON, "ingressDomain": "example.com"}, {"ome.io/ingress-disable-creation": "true"}, None),
        (ON, {"ome.io/ingress-domain": "example.com"}, "metadata.annotations[ome.io/ingress-domain]"),
        ({**ON, "ingressDomain": "example.com"}, {"ome.io/ingress-domain": "acme.dev"}, None),
    ],
)
def test_domains_of_nobody(ingress: dict[str, Any], annotation: dict[str, str] | None, field: str | None) -> None:
    services = [service("chat"), service("search")]
    for each in services:
        each["metadata"]["annotations"] = annotation or {}
    found = findings([runtime(**engine()), *services], "OME553", config={"operator": {"ingress": ingress}})
    assert [finding.field for finding in found] == ([field] * (2 if annotation else 1) if field else [])


def test_the_domain_stands_in_the_config_map() -> None:
    text = json.dumps({**ON, "ingressDomain": "example.com", "ingressGateway": "a/b", "ingressService": "c"})
    settings = {
        "apiVersion": "v1",
        "kind": "ConfigMap",
        "metadata": {"name": "inferenceservice-config", "namespace": "ome"},
        "data": {"ingress": text},
    }
    (found,) = findings([runtime(**engine()), service("chat"), service("search"), settings], "OME553")
    assert (found.field, str(found.object)) == ("data.ingress", "ConfigMap ome/inferenceservice-config")
    assert found.message.startswith("InferenceService demo/chat and 1 more is exposed under example.com")


@pytest.mark.parametrize("data", [1.5, [], "ingress"])
def test_a_config_map_without_settings_is_not_the_place(data: object) -> None:
    settings = {
        "apiVersion": "v1",
        "kind": "ConfigMap",
        "metadata": {"name": "inferenceservice-config", "namespace": "ome"},
        "data": data,
    }
    on = {"operator": {"ingress": {**ON, "ingressDomain": "example.com"}}}
    found = findings([runtime(**engine()), service("chat"), settings], "OME553", config=on)
    assert all(str(finding.object) == "InferenceService demo/chat" for finding in found)


@pytest.mark.parametrize(
    ("spec", "labels", "config", "told"),
    [
        ({}, {}, {}, True),
        ({"engine": {"leader": {}, "worker": {}}}, {}, {}, True),
        ({"router": {}}, {}, {}, False),
        ({"deploymentMode": "OMENative"}, {}, {}, True),
        ({"engine": {"annotations": {"ome.io/deploymentMode": "MultiNode"}}}, {}, {}, False),
        ({}, {"networking.knative.dev/visibility": "cluster-local"}, {}, False),
        ({}, {}, {"operator": {"ingress": ON}}, False),
        ({}, {}, {"platform": "kubernetes"}, False),
    ],
)
def test_workers_behind_the_service(
    spec: dict[str, Any], labels: dict[str, str], config: dict[str, Any], told: bool
) -> None:
    part = {"schedulerName": "gangs", "runner": {"name": "ome-container", "image": "sglang:v1"}}
    router = {"runner": {"name": "router", "image": "router:v1"}}
    base = runtime(engineConfig={"leader": part, "worker": {"size": 1, **part}}, routerConfig=router)
    chat = service(**spec)
    chat["metadata"]["labels"] = labels
    assert bool(findings([base, chat], "OME554", config=config)) is told
