"""Ingress, HTTPRoutes and addresses (reference 10 §8.4, §8.5, §8.7)."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from omec.compile.capabilities import ASSUMED, Capabilities
from omec.compile.exposure.addresses import Address, addresses
from omec.compile.exposure.expose import Exposure, expose
from omec.compile.exposure.settings import Gateway, IngressSettings, NamespaceGateways
from omec.compile.inputs import Service
from omec.compile.names import ComponentName
from omec.compile.problems import RenderError
from tests.compile.crd_schemas import crd_errors

Object = dict[str, Any]
Ports = dict[ComponentName, int]

INGRESS = IngressSettings(class_name="nginx")
GATEWAY = IngressSettings(gateway_api=True, gateway="eg/ome", shared_host_prefix="llm", route_timeout=0)
ENGINE: Ports = {"engine": 8080}
ALL: Ports = {"engine": 8080, "decoder": 30000, "router": 9000}


def service(name: str = "llama-chat", namespace: str = "llama-demo", **more: Any) -> Service:
    return Service(name, namespace, more.get("labels", {}), more.get("annotations", {}), more.get("spec", {}))


def exposed(
    settings: IngressSettings, ports: Ports = ENGINE, of: Service | None = None, capabilities: Capabilities = ASSUMED
) -> Exposure:
    return expose(of or service(), settings, ports, capabilities)


def routes(settings: IngressSettings, ports: Ports = ENGINE, of: Service | None = None) -> dict[str, Object]:
    found = exposed(settings, ports, of).objects
    return {body["metadata"]["name"]: body for body in found if body["kind"] == "HTTPRoute"}


def slugs(found: Exposure) -> list[str]:
    return [problem.rule.slug for problem in found.problems]


# --- §8.1 --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("disabled", "gateway_api", "kinds"),
    [
        (True, False, []),
        (True, True, []),
        (False, False, ["Ingress"]),
        (False, True, ["HTTPRoute", "HTTPRoute", "BackendTrafficPolicy"]),
    ],
)
def test_what_is_created(disabled: bool, gateway_api: bool, kinds: list[str]) -> None:
    settings = replace(GATEWAY, disabled=disabled, gateway_api=gateway_api)
    assert [body["kind"] for body in exposed(settings).objects] == kinds


# --- §8.4 Ingress ------------------------------------------------------------------------------------------------


def test_ingress() -> None:
    (body,) = exposed(INGRESS).objects
    assert body == {
        "apiVersion": "networking.k8s.io/v1",
        "kind": "Ingress",
        "metadata": {"name": "llama-chat", "namespace": "llama-demo"},
        "spec": {
            "ingressClassName": "nginx",
            "rules": [
                {
                    "host": "llama-chat.llama-demo.example.com",
                    "http": {
                        "paths": [
                            {
                                "path": "/",
                                "pathType": "Prefix",
                                "backend": {"service": {"name": "llama-chat-engine", "port": {"number": 8080}}},
                            }
                        ]
                    },
                }
            ],
        },
    }


@pytest.mark.parametrize(
    ("ports", "expected"),
    [
        ({"engine": 1}, [("x", "x-engine", 1)]),
        (
            {"engine": 1, "decoder": 2},
            [("x", "x-engine", 1), ("x-engine", "x-engine", 1), ("x-decoder", "x-decoder", 2)],
        ),
        (
            {"engine": 1, "router": 3},
            [("x", "x-router", 3), ("x-router", "x-router", 3), ("x-engine", "x-engine", 1)],
        ),
        (
            {"engine": 1, "decoder": 2, "router": 3},
            [
                ("x", "x-router", 3),
                ("x-router", "x-router", 3),
                ("x-engine", "x-engine", 1),
                ("x-decoder", "x-decoder", 2),
            ],
        ),
    ],
)
def test_ingress_rules(ports: Ports, expected: list[tuple[str, str, int]]) -> None:
    (body,) = exposed(INGRESS, ports, service("x", "ns")).objects
    found = []
    for rule in body["spec"]["rules"]:
        (path,) = rule["http"]["paths"]
        backend = path["backend"]["service"]
        found.append((rule["host"].removesuffix(".ns.example.com"), backend["name"], backend["port"]["number"]))
    assert found == expected


def test_ingress_metadata() -> None:
    annotations = {"nginx.ingress.kubernetes.io/x": "1", "ome.io/rollout-promote": "abcdef"}
    (body,) = exposed(replace(INGRESS, class_name=None), of=service(annotations=annotations, labels={"a": "b"})).objects
    assert body["metadata"] == {"name": "llama-chat", "namespace": "llama-demo", "annotations": annotations}
    assert "ingressClassName" not in body["spec"]


# --- §8.5 HTTPRoutes ---------------------------------------------------------------------------------------------


def test_route(testdata: Path) -> None:
    settings = replace(GATEWAY, gateway="envoy-gateway-system/ome-gateway")
    body = routes(settings)["llama-chat"]
    assert body == {
        "apiVersion": "gateway.networking.k8s.io/v1",
        "kind": "HTTPRoute",
        "metadata": {"name": "llama-chat", "namespace": "llama-demo"},
        "spec": {
            "parentRefs": [
                {
                    "group": "gateway.networking.k8s.io",
                    "kind": "Gateway",
                    "namespace": "envoy-gateway-system",
                    "name": "ome-gateway",
                }
            ],
            "hostnames": ["llm.example.com"],
            "rules": [
                {
                    "matches": [{"path": {"type": "PathPrefix", "value": "/llama-demo/llama-chat/"}}],
                    "filters": [
                        {
                            "type": "RequestHeaderModifier",
                            "requestHeaderModifier": {
                                "set": [
                                    {"name": "OMe-Isvc-Name", "value": "llama-chat"},
                                    {"name": "OME-Isvc-Namespace", "value": "llama-demo"},
                                ]
                            },
                        },
                        {
                            "type": "URLRewrite",
                            "urlRewrite": {"path": {"type": "ReplacePrefixMatch", "replacePrefixMatch": "/"}},
                        },
                    ],
                    "backendRefs": [
                        {"kind": "Service", "name": "llama-chat-engine", "namespace": "llama-demo", "port": 8080}
                    ],
                    "timeouts": {"request": "0s"},
                }
            ],
        },
    }
    assert crd_errors(body, testdata) == []


def test_routes_of_all_components() -> None:
    """Vector D: the entry leads to the router, and takes its timeout."""
    spec = {"engine": {"timeoutSeconds": 5}, "decoder": {}, "router": {"timeoutSeconds": 7}}
    found = routes(GATEWAY, ALL, service("x", "ns", spec=spec))
    seen = {}
    for name, body in found.items():
        (rule,) = body["spec"]["rules"]
        (backend,) = rule["backendRefs"]
        prefix = rule["matches"][0]["path"]["value"]
        seen[name] = (prefix, backend["name"], backend["port"], rule["timeouts"]["request"])
    assert seen == {
        "x": ("/ns/x/", "x-router", 9000, "7s"),
        "x-engine": ("/ns/x-engine/", "x-engine", 8080, "5s"),
        "x-decoder": ("/ns/x-decoder/", "x-decoder", 30000, "0s"),
        "x-router": ("/ns/x-router/", "x-router", 9000, "7s"),
    }


def test_route_metadata() -> None:
    annotations = {
        "team": "x",
        "kubectl.kubernetes.io/last-applied-configuration": "{}",
        "internal.ome.io/storage-initializer-sourceuri": "s",
        "ome.io/rollout-promote": "abcdef",
        "ome.io/rollout-rollback": "true",
        "autoscaling.knative.dev/min-scale": "1",
    }
    labels = {"networking.knative.dev/visibility": "cluster-local", "a": "b"}
    for body in routes(GATEWAY, of=service(annotations=annotations, labels=labels)).values():
        assert body["metadata"]["labels"] == {"a": "b"}
        assert body["metadata"]["annotations"] == {"team": "x", "autoscaling.knative.dev/min-scale": "1"}


@pytest.mark.parametrize(
    ("timeout", "default", "expected"),
    [
        (1800, 0, "1800s"),
        (0, 600, "0s"),
        (None, 0, "0s"),
        (None, 600, "600s"),
        (None, None, None),
        (None, -5, None),
        (-1, None, "-1s"),
        (-1, 600, "-1s"),
        (100000, 0, "100000s"),
    ],
)
def test_timeout(timeout: int | None, default: int | None, expected: str | None) -> None:
    spec = {"engine": {} if timeout is None else {"timeoutSeconds": timeout}}
    found = exposed(replace(GATEWAY, route_timeout=default), of=service(spec=spec))
    for body in found.objects[:2]:
        (rule,) = body["spec"]["rules"]
        assert rule.get("timeouts") == (None if expected is None else {"request": expected})
    refused = timeout is not None and not 0 <= timeout <= 99999
    assert slugs(found) == (["route-timeout-invalid"] if refused else [])


def test_timeout_that_the_router_does_not_have() -> None:
    spec = {"engine": {"timeoutSeconds": 1800}, "router": {}}
    ports: Ports = {"engine": 1, "router": 2}
    found = routes(GATEWAY, ports, service("x", spec=spec))
    timeouts = {name: body["spec"]["rules"][0]["timeouts"]["request"] for name, body in found.items()}
    assert timeouts == {"x": "0s", "x-router": "0s", "x-engine": "1800s"}
    assert slugs(exposed(GATEWAY, ports, service("x", spec=spec))) == ["router-without-timeout"]


_CLUSTER = replace(
    GATEWAY,
    gateway="eg/int",
    domain="internal.example.com",
    additional_gateways=(Gateway("eg/ext", "external.example.com"),),
)
_NAMESPACE = NamespaceGateways(Gateway("eg/prod-gw", "prod.example.com"))


@pytest.mark.parametrize(
    ("settings", "annotations", "parents", "hosts"),
    [
        (_CLUSTER, {}, ["eg/int", "eg/ext"], ["llm.internal.example.com", "llm.external.example.com"]),
        (_CLUSTER, {"additional-gateways": "[]"}, ["eg/int"], ["llm.internal.example.com"]),
        (
            _CLUSTER,
            {"additional-gateways": '{"omeIngressGateway":"eg/x"}'},
            ["eg/int", "eg/ext"],
            ["llm.internal.example.com", "llm.external.example.com"],
        ),
        (
            replace(_CLUSTER, namespace_gateways={"prod": _NAMESPACE}),
            {},
            ["eg/prod-gw", "eg/ext"],
            ["llm.prod.example.com", "llm.external.example.com"],
        ),
        (
            replace(_CLUSTER, namespace_gateways={"prod": NamespaceGateways(Gateway(), ())}),
            {},
            ["eg/int"],
            ["llm.internal.example.com"],
        ),
        (
            replace(GATEWAY, namespace_gateways={"prod": _NAMESPACE}),
            {"gateway": ""},
            ["eg/ome"],
            ["llm.example.com"],
        ),
        (GATEWAY, {"shared-host-prefix": ""}, ["eg/ome"], ["example.com"]),
        (GATEWAY, {"per-isvc-subdomain": "True"}, ["eg/ome"], ["llm.example.com"]),
        (GATEWAY, {"per-isvc-subdomain": "true"}, ["eg/ome"], ["llama-chat.prod.example.com"]),
        (GATEWAY, {"domain": "d.com"}, ["eg/ome"], ["llm.d.com"]),
        (
            _CLUSTER,
            {"domain": "d.com"},
            ["eg/int", "eg/ext"],
            ["llm.d.com", "llm.external.example.com"],
        ),
        (
            _CLUSTER,
            {"domain": "d.com", "per-isvc-subdomain": "true"},
            ["eg/int", "eg/ext"],
            ["llama-chat.prod.d.com", "llama-chat.prod.d.com"],
        ),
        (
            _CLUSTER,
            {"per-isvc-subdomain": "true"},
            ["eg/int", "eg/ext"],
            ["llama-chat.prod.internal.example.com", "llama-chat.prod.external.example.com"],
        ),
    ],
)
def test_gateways(settings: IngressSettings, annotations: Object, parents: list[str], hosts: list[str]) -> None:
    given = {f"ome.io/ingress-{key}": value for key, value in annotations.items()}
    for body in routes(settings, of=service(namespace="prod", annotations=given)).values():
        assert [f"{ref['namespace']}/{ref['name']}" for ref in body["spec"]["parentRefs"]] == parents
        assert body["spec"]["hostnames"] == hosts


@pytest.mark.parametrize(
    ("reference", "parent", "found"),
    [
        ("envoy-gateway-system/ome-gateway", ("envoy-gateway-system", "ome-gateway"), []),
        ("ome-gateway", ("ome-gateway", "ome-gateway"), ["gateway-reference"]),
        ("a/b/c", ("a", "c"), ["gateway-reference"]),
        ("", ("", ""), ["gateway-missing"]),
    ],
)
def test_gateway_reference(reference: str, parent: tuple[str, str], found: list[str]) -> None:
    settings = replace(GATEWAY, gateway=reference)
    (ref,) = routes(settings)["llama-chat"]["spec"]["parentRefs"]
    assert (ref["namespace"], ref["name"]) == parent
    assert slugs(exposed(settings)) == found


def test_host_of_its_own() -> None:
    (rule,) = routes(replace(GATEWAY, subdomain_per_service=True))["llama-chat-engine"]["spec"]["rules"]
    assert rule["matches"] == [{"path": {"type": "PathPrefix", "value": "/"}}]
    assert [item["type"] for item in rule["filters"]] == ["RequestHeaderModifier"]
    assert slugs(exposed(replace(GATEWAY, subdomain_per_service=True), ALL)) == ["routes-overlap"]


def test_unreadable_gateways() -> None:
    annotated = service(annotations={"ome.io/ingress-additional-gateways": "eg/x"})
    assert slugs(exposed(GATEWAY, of=annotated)) == ["additional-gateways-unreadable"]


def test_names_that_services_do_not_have() -> None:
    """Reference 10 §6: 56 characters, 55 with a decoder."""
    decoded: Ports = {"engine": 1, "decoder": 2}
    assert slugs(exposed(INGRESS, of=service("a" * 56))) == []
    assert slugs(exposed(INGRESS, of=service("a" * 57))) == ["route-without-service"]
    assert slugs(exposed(INGRESS, decoded, service("a" * 55))) == []
    assert slugs(exposed(INGRESS, decoded, service("a" * 56))) == ["route-without-service"]
    assert slugs(exposed(replace(INGRESS, disabled=True), of=service("a" * 57))) == []


def test_cluster_local() -> None:
    """Vector E: the label does not keep routes away."""
    local = service(labels={"networking.knative.dev/visibility": "cluster-local"})
    found = exposed(INGRESS, of=local)
    assert [body["kind"] for body in found.objects] == ["Ingress"]
    assert slugs(found) == ["cluster-local-exposed"]
    assert exposed(replace(INGRESS, disabled=True), of=local) == Exposure()


def test_routes_that_the_cluster_does_not_know() -> None:
    with pytest.raises(RenderError) as caught:
        exposed(GATEWAY, capabilities=Capabilities.of([]))
    assert caught.value.problem.rule.slug == "gateway-api-missing"
    assert [body["kind"] for body in exposed(INGRESS, capabilities=Capabilities.of([])).objects] == ["Ingress"]


# --- §8.7 Addresses ----------------------------------------------------------------------------------------------

_LOCAL = "http://llama-chat-engine.llama-demo.svc.cluster.local"


@pytest.mark.parametrize(
    ("settings", "namespace", "url", "internal"),
    [
        (
            replace(INGRESS, disabled=True),
            "llama-demo",
            "http://llama-chat.llama-demo.svc.cluster.local:8080",
            f"{_LOCAL}:8080",
        ),
        (INGRESS, "llama-demo", "http://llama-chat.llama-demo.example.com:8080", f"{_LOCAL}:8080"),
        (GATEWAY, "llama-demo", "http://llm.example.com/llama-demo/llama-chat/", _LOCAL),
        (
            replace(GATEWAY, subdomain_per_service=True),
            "prod",
            "http://llama-chat.prod.example.com/",
            "http://llama-chat-engine.prod.svc.cluster.local",
        ),
    ],
)
def test_addresses(settings: IngressSettings, namespace: str, url: str, internal: str) -> None:
    found = addresses(service(namespace=namespace), settings, ENGINE)
    assert (found.url, found.internal) == (url, internal)


def test_addresses_on_several_gateways() -> None:
    settings = replace(
        GATEWAY,
        url_scheme="https",
        gateway_label="internal",
        additional_gateways=(Gateway("eg/ext", "e.com", "external"), Gateway("eg/x", "x.com")),
    )
    assert addresses(service(), settings, {"engine": 1, "router": 2}).all == (
        Address("https://llm.example.com/llama-demo/llama-chat/", "internal"),
        Address("https://llm.e.com/llama-demo/llama-chat/", "external"),
        Address("https://llm.x.com/llama-demo/llama-chat/"),
        Address("https://llama-chat-router.llama-demo.svc.cluster.local", "cluster-local"),
    )


def test_no_address_of_a_cluster_local_service() -> None:
    local = service(labels={"networking.knative.dev/visibility": "cluster-local"})
    assert addresses(local, replace(INGRESS, disabled=True), ENGINE).url is None
    assert addresses(local, INGRESS, ENGINE).url is not None
