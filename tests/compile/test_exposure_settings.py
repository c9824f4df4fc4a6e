"""The operator's settings for ingress, and what holds for one service (reference 10 §1.1 and §8.2)."""

from __future__ import annotations

import json
from typing import Any

import pytest

from omec.compile.capabilities import ASSUMED, Capabilities
from omec.compile.companion_settings import (
    CHART_COMPANIONS,
    CompanionSettings,
    companion_settings_of_config_map,
    companion_settings_of_settings,
)
from omec.compile.disruption_settings import Budget
from omec.compile.exposure.effective import effective_settings, gateways
from omec.compile.exposure.settings import CHART, Gateway, IngressSettings, NamespaceGateways, ingress_settings
from omec.compile.modes import Mode
from omec.compile.operator import OperatorConfigError
from tests.compile.rendering import inputs

Object = dict[str, Any]

REQUIRED: Object = {"ingressGateway": "a/b", "ingressService": "c"}


def settings(**given: Any) -> IngressSettings:
    return ingress_settings({**REQUIRED, **given})


# --- Reading -----------------------------------------------------------------------------------------------------


def test_chart() -> None:
    assert ingress_settings(CHART) == IngressSettings(
        disabled=True,
        gateway_api=False,
        domain="svc.cluster.local",
        domain_template="{{ .Name }}.{{ .Namespace }}.{{ .IngressDomain }}",
        url_scheme="http",
        class_name="istio",
        gateway="",
        gateway_label="",
        subdomain_per_service=False,
        shared_host_prefix="llm",
        additional_gateways=(),
        namespace_gateways={},
        hash_headers=("x-routing-key", "X-SMG-Routing-Key"),
        route_timeout=0,
    )


@pytest.mark.parametrize("value", [None, REQUIRED, {**REQUIRED, "ingressDomain": "", "unknown": 1}])
def test_absent_keys(value: Any) -> None:
    found = ingress_settings(value)
    assert found == IngressSettings()
    assert (found.disabled, found.domain, found.class_name) == (False, "example.com", None)
    assert found.hash_headers == ("x-routing-key",)
    assert (found.shared_host_prefix, found.route_timeout) == ("", None)


def test_gateways_of_a_namespace() -> None:
    found = settings(
        additionalIngressGateways=[{"omeIngressGateway": "eg/ext", "ingressDomain": "e.com", "class": "external"}],
        namespaceIngressGateways={"prod": {"primary": {"omeIngressGateway": "eg/p"}, "additional": []}, "dev": {}},
    )
    assert found.additional_gateways == (Gateway("eg/ext", "e.com", "external"),)
    assert found.namespace_gateways == {
        "prod": NamespaceGateways(Gateway("eg/p"), ()),
        "dev": NamespaceGateways(Gateway(), None),
    }


_CLASS = "must be an RFC-1123 label: a lowercase RFC 1123 label must consist of"


@pytest.mark.parametrize(
    ("value", "message"),
    [
        (
            {"ingressDomain": "x"},
            "invalid ingress config - ingressGateway and ingressService are required",
        ),
        ([], "unable to parse ingress config json: an object is expected, not []"),
        (
            {**REQUIRED, "enableGatewayAPI": "true"},
            "unable to parse ingress config json: enableGatewayAPI is not a boolean",
        ),
        (
            {**REQUIRED, "additionalIngressGateways": {"omeIngressGateway": "a/b"}},
            "unable to parse ingress config json: additionalIngressGateways is not a list of objects",
        ),
        (
            {**REQUIRED, "namespaceIngressGateways": {"prod": {"additional": {}}}},
            "unable to parse ingress config json: additional is not a list of objects",
        ),
        (
            {**REQUIRED, "pathTemplate": "{{ .Name"},
            "invalid ingress config, unable to parse pathTemplate: template: path-template:1: unclosed action",
        ),
        (
            {**REQUIRED, "pathTemplate": "/x"},
            "invalid ingress config - ingressDomain is required if pathTemplate is given",
        ),
        (
            {**REQUIRED, "omeIngressGatewayClass": "Internal"},
            f'invalid ingress config - omeIngressGatewayClass "Internal" {_CLASS}',
        ),
        (
            {**REQUIRED, "additionalIngressGateways": [{"class": "ext_gw"}]},
            f'invalid ingress config - additionalIngressGateways[0].class "ext_gw" {_CLASS}',
        ),
        (
            {**REQUIRED, "namespaceIngressGateways": {"prod": {"primary": {"class": "a b"}}}},
            f'invalid ingress config - namespaceIngressGateways["prod"].primary.class "a b" {_CLASS}',
        ),
        (
            {**REQUIRED, "namespaceIngressGateways": {"prod": {"additional": [{}, {"class": "A"}]}}},
            f'invalid ingress config - namespaceIngressGateways["prod"].additional[1].class "A" {_CLASS}',
        ),
    ],
)
def test_settings_that_stop_the_controller(value: Any, message: str) -> None:
    with pytest.raises(OperatorConfigError) as caught:
        ingress_settings(value)
    assert caught.value.message.startswith(message)
    assert caught.value.key == "ingress"


def test_config_map() -> None:
    """The manifest install has neither budgets nor providers."""
    data = {"ingress": json.dumps(CHART), "deploy": "{}"}
    assert companion_settings_of_config_map(data) == CompanionSettings(ingress=ingress_settings(CHART))
    assert companion_settings_of_config_map({}) == CompanionSettings()


def test_config_map_that_is_no_json() -> None:
    with pytest.raises(OperatorConfigError, match="unable to parse ingress config json: "):
        companion_settings_of_config_map({"ingress": "{"})


def test_settings_over_the_chart() -> None:
    found = companion_settings_of_settings(
        {"ingress": {"ingressDomain": "x.com"}, "podDisruptionBudget": {"rawDeployment": {"minAvailable": 1}}}
    )
    assert found.ingress.domain == "x.com"
    assert found.ingress.shared_host_prefix == "llm"
    assert found.budgets == {
        Mode.RAW_DEPLOYMENT: Budget("minAvailable", 1),
        Mode.OME_NATIVE: Budget("maxUnavailable", 1),
    }
    off = companion_settings_of_settings({"podDisruptionBudget": {"rawDeployment": None}})
    assert Mode.RAW_DEPLOYMENT not in off.budgets
    assert companion_settings_of_settings({}) == CHART_COMPANIONS


# --- Annotations -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("key", "value", "field", "expected"),
    [
        ("disable-creation", "true", "disabled", True),
        ("disable-creation", "yes", "disabled", False),
        ("domain", "a.com", "domain", "a.com"),
        ("domain", "", "domain", "example.com"),
        ("domain-template", "{{ .Name }}.x", "domain_template", "{{ .Name }}.x"),
        ("domain-template", "", "domain_template", "{{ .Name }}.{{ .Namespace }}.{{ .IngressDomain }}"),
        ("url-scheme", "https", "url_scheme", "https"),
        ("gateway", "a/b", "gateway", "a/b"),
        ("gateway", "", "gateway", "eg/ome"),
        ("per-isvc-subdomain", "true", "subdomain_per_service", True),
        ("per-isvc-subdomain", "True", "subdomain_per_service", False),
        ("shared-host-prefix", "", "shared_host_prefix", ""),
        ("additional-gateways", "[]", "additional_gateways", ()),
        ("additional-gateways", "null", "additional_gateways", ()),
        ("additional-gateways", '[{"omeIngressGateway":"a/b"}]', "additional_gateways", (Gateway("a/b"),)),
        ("additional-gateways", "", "additional_gateways", (Gateway("eg/ext"),)),
        ("additional-gateways", "{", "additional_gateways", (Gateway("eg/ext"),)),
        ("additional-gateways", '[{"omeIngressGateway":1}]', "additional_gateways", (Gateway("eg/ext"),)),
        ("additional-gateways", "[1]", "additional_gateways", (Gateway("eg/ext"),)),
        ("additional-gateways", "[null]", "additional_gateways", (Gateway(),)),
        ("consistent-hash-headers", "x-a, x-b", "hash_headers", ("x-a", "x-b")),
        ("path-template", "/x", "domain", "example.com"),
    ],
)
def test_annotation(key: str, value: str, field: str, expected: Any) -> None:
    base = settings(
        omeIngressGateway="eg/ome", sharedHostPrefix="llm", additionalIngressGateways=[{"omeIngressGateway": "eg/ext"}]
    )
    assert getattr(effective_settings(base, {f"ome.io/ingress-{key}": value}), field) == expected


def test_annotation_for_another_key() -> None:
    base = settings(consistentHashHeaders=["x"])
    assert effective_settings(base, {"team": "x"}) is base


# --- Gateways ----------------------------------------------------------------------------------------------------

_PRIMARY = Gateway("eg/prod-gw", "prod.example.com")
_CLUSTER = Gateway("eg/int", "example.com", "internal")
_EXTERNAL = Gateway("eg/ext", "external.example.com")


@pytest.mark.parametrize(
    ("entry", "annotations", "expected"),
    [
        (None, {}, (_CLUSTER, _EXTERNAL)),
        (None, {"ome.io/ingress-additional-gateways": "[]"}, (_CLUSTER,)),
        (None, {"ome.io/ingress-gateway": "a/b"}, (Gateway("a/b", "example.com", "internal"), _EXTERNAL)),
        (NamespaceGateways(_PRIMARY), {}, (_PRIMARY, _EXTERNAL)),
        (NamespaceGateways(_PRIMARY), {"ome.io/ingress-gateway": ""}, (_CLUSTER, _EXTERNAL)),
        (NamespaceGateways(_PRIMARY), {"ome.io/ingress-domain": "d.com"}, (_PRIMARY, _EXTERNAL)),
        (NamespaceGateways(), {}, (_CLUSTER, _EXTERNAL)),
        (NamespaceGateways(Gateway(), ()), {}, (_CLUSTER,)),
        (NamespaceGateways(Gateway(), ()), {"ome.io/ingress-additional-gateways": ""}, (_CLUSTER, _EXTERNAL)),
        (NamespaceGateways(Gateway(), ()), {"ome.io/ingress-additional-gateways": "{"}, (_CLUSTER, _EXTERNAL)),
    ],
)
def test_gateways(entry: NamespaceGateways | None, annotations: Object, expected: tuple[Gateway, ...]) -> None:
    base = IngressSettings(
        gateway="eg/int",
        gateway_label="internal",
        additional_gateways=(_EXTERNAL,),
        namespace_gateways={} if entry is None else {"prod": entry},
    )
    service = inputs(annotations=annotations).service
    assert gateways(effective_settings(base, annotations), service) == expected


# --- Capabilities ------------------------------------------------------------------------------------------------


def test_capabilities() -> None:
    assert Capabilities.of(None) == ASSUMED
    assert Capabilities.of([]) == Capabilities(
        autoscaler_policies=False, envoy_gateway=False, gateway_api=False, istio=False, keda=False, pod_monitors=False
    )
    found = Capabilities.of(["keda.sh", "podmonitors.monitoring.coreos.com", "gateway.networking.k8s.io"])
    assert (found.keda, found.pod_monitors, found.gateway_api, found.envoy_gateway) == (True, True, True, False)
