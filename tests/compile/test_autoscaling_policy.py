"""AutoscalerPolicies (reference 10 §4)."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from omec.compile.autoscaling.block import Source
from omec.compile.autoscaling.policy import Consumer, PolicyError, render_policy
from omec.compile.autoscaling.policy_checks import VARIABLES, VariableError, fill, policy_issues
from omec.compile.autoscaling.providers import MetricProvider, SecretKey, metric_providers
from omec.compile.autoscaling.scale import Policies
from omec.compile.capabilities import Capabilities
from omec.compile.operator import OperatorConfigError
from omec.compile.replicas import Bounds
from tests.compile.crd_schemas import crd_errors
from tests.compile.test_autoscaling import CRON, KEDA, refusal, scaler, scaling

Object = dict[str, Any]

QUERY = (
    'sum(vllm:num_requests_waiting{namespace="{{ .Namespace }}",inferenceservice="{{ .ISVCName }}",'
    'component="{{ .Component }}"})'
)
PROVIDERS = {"cluster-prometheus": MetricProvider("http://ome-prometheus.ome.svc:9090")}
CONSUMER = Consumer("llama-3-2-1b-instruct", "llama-demo", "engine", Bounds(1, 4))


def prometheus(**changes: Any) -> Object:
    trigger: Object = {
        "type": "prometheus",
        "providerRef": {"name": "cluster-prometheus"},
        "metricType": "AverageValue",
        "metadata": {"query": QUERY, "threshold": "5", "ignoreNullValues": "false"},
    }
    return {key: value for key, value in (trigger | changes).items() if value is not None}


def keda_policy(*triggers: Object, **more: Any) -> Object:
    return {"class": "KEDA", "keda": {"triggers": list(triggers), **more}}


# --- §4.1 What the webhook refuses -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("spec", "issues"),
    [
        ({"class": "HPA"}, []),
        (keda_policy(prometheus()), []),
        (keda_policy(CRON), []),
        (
            {"class": "HPA", "enforcement": "Required"},
            ["EnforcementRequiredReserved: enforcement Required is a reserved shape and not implemented; use Default"],
        ),
        ({"class": "KEDA"}, ["ClassTemplateMismatch: class KEDA requires a keda template"]),
        (
            {**keda_policy(CRON), "hpa": {}},
            ["ClassTemplateMismatch: class KEDA forbids an hpa template"],
        ),
        (
            {**keda_policy(CRON), "class": "HPA"},
            ["ClassTemplateMismatch: class HPA forbids a keda template"],
        ),
        (
            {"class": "External"},
            ['ClassTemplateMismatch: class "External" is not allowed in policies (External and None are inline-only)'],
        ),
        (
            keda_policy(prometheus(providerRef=None)),
            ["ProviderRefRequired: trigger 0 (prometheus): providerRef is required for endpoint trigger types"],
        ),
        (
            keda_policy(prometheus(metadata={"query": "up"})),
            [
                "IgnoreNullValuesMustBeExplicit: trigger 0 (prometheus): ignoreNullValues must be explicit — the KEDA "
                "default (true) silently treats no-series as a healthy zero"
            ],
        ),
        (
            keda_policy({**CRON, "metadata": {"serverAddress": "http://x", "AuthModes": "bearer"}}),
            [
                'ForbiddenMetadataKey: trigger 0: metadata key "serverAddress" is provider-owned; bind endpoints via '
                "providerRef",
                'ForbiddenMetadataKey: trigger 0: metadata key "AuthModes" is provider-owned; bind endpoints via '
                "providerRef",
            ],
        ),
        (
            keda_policy(prometheus(queryReturnsDesiredReplicas=True, metricType="Value")),
            [
                "DesiredCountRequiresAverageValue: trigger 0: queryReturnsDesiredReplicas requires metricType "
                "AverageValue — the HPA's Value math is ceil((metric/threshold) x readyPods), which breaks "
                "desired-count queries"
            ],
        ),
        (
            keda_policy(CRON, fallback={"failureThreshold": 3, "replicas": {}}),
            ["ValueSourceInvalid: fallback.replicas: exactly one of value or fromComponent must be set"],
        ),
        (
            keda_policy(
                CRON, fallback={"failureThreshold": 3, "replicas": {"value": 1, "fromComponent": "MinReplicas"}}
            ),
            ["ValueSourceInvalid: fallback.replicas: exactly one of value or fromComponent must be set"],
        ),
        (
            {"class": "KEDA", "enforcement": "Required"},
            [
                "EnforcementRequiredReserved: enforcement Required is a reserved shape and not implemented; use "
                "Default",
                "ClassTemplateMismatch: class KEDA requires a keda template",
            ],
        ),
    ],
)
def test_issues(spec: Object, issues: list[str]) -> None:
    assert [str(issue) for issue in policy_issues(spec)] == issues


@pytest.mark.parametrize(
    ("query", "reason"),
    [
        ("sum(up{a='}'})", None),
        ('sum(up{a="\\"("})', None),
        ("sum(x) > bool 0", None),
        ("(sum(x) > bool 0) * 8", None),
        ("sum(up", "PromQLInvalid"),
        ("sum(up))", "PromQLInvalid"),
        ("sum(up])", "PromQLInvalid"),
        ('sum(up{a="x})', "PromQLInvalid"),
        ("sum(x) > bool 0 * 8", "PromQLInvalid"),
        ("{{ .Nope }}", "ForbiddenTemplateNode"),
        ("{{ .Namespace.x }}", "ForbiddenTemplateNode"),
        ("{{ printf `x` }}", "ForbiddenTemplateNode"),
        ("{{ if .Namespace }}x{{ end }}", "ForbiddenTemplateNode"),
        ("{{ .Namespace | printf `%s` }}", "ForbiddenTemplateNode"),
        ("{{ `text` }}", "ForbiddenTemplateNode"),
        ("{{ .Namespace", "ParseError"),
        ("{{ nope }}", "ParseError"),
        ("{{- .Namespace -}} {{/* why */}}", None),
    ],
)
def test_query(query: str, reason: str | None) -> None:
    trigger = prometheus(metadata={"query": query, "ignoreNullValues": "false"})
    assert [issue.reason for issue in policy_issues(keda_policy(trigger))] == ([] if reason is None else [reason])


# --- §4.2 and §4.3 Rendering -------------------------------------------------------------------------------------


def test_example(testdata: Path) -> None:
    policy = keda_policy(prometheus(), fallback={"failureThreshold": 3, "replicas": {"fromComponent": "MaxReplicas"}})
    rendered = render_policy("queue-depth", policy, CONSUMER, PROVIDERS)
    keda = rendered.block["keda"]
    assert keda["triggers"] == [
        {
            "type": "prometheus",
            "metricType": "AverageValue",
            "metadata": {
                "query": (
                    'sum(vllm:num_requests_waiting{namespace="llama-demo",'
                    'inferenceservice="llama-3-2-1b-instruct",component="engine"})'
                ),
                "threshold": "5",
                "ignoreNullValues": "false",
                "serverAddress": "http://ome-prometheus.ome.svc:9090",
            },
        }
    ]
    assert keda["fallback"] == {"failureThreshold": 3, "replicas": 4}
    assert rendered.authentications == ()


def test_variables() -> None:
    text = "/".join(f"{{{{.{name}}}}}" for name in VARIABLES)
    assert fill(text, CONSUMER.variables()) == (
        "llama-demo/llama-3-2-1b-instruct/engine/1/4/llama-3-2-1b-instruct-engine"
    )


@pytest.mark.parametrize(
    ("replicas", "expected"),
    [
        ({"value": 7}, 7),
        ({"value": 0}, 0),
        ({"fromComponent": "MinReplicas"}, 1),
        ({"fromComponent": "MaxReplicas"}, 4),
    ],
)
def test_fallback(replicas: Object, expected: int) -> None:
    policy = keda_policy(CRON, fallback={"failureThreshold": 1, "replicas": replicas})
    assert render_policy("p", policy, CONSUMER, {}).block["keda"]["fallback"]["replicas"] == expected


def test_fields_are_copied() -> None:
    more = {"pollingInterval": 5, "cooldownPeriod": 6, "idleReplicaCount": 0, "advanced": {"x": 1}}
    block = render_policy("p", keda_policy(CRON, **more), CONSUMER, {}).block["keda"]
    assert {key: block[key] for key in more} == more


def test_provider_with_a_token(testdata: Path) -> None:
    providers = {"cluster-prometheus": MetricProvider("http://p", SecretKey("bearer", "token"))}
    rendered = render_policy("p", keda_policy(prometheus(), prometheus()), CONSUMER, providers)
    trigger = rendered.block["keda"]["triggers"][0]
    assert trigger["authenticationRef"] == {"name": "ome-metric-provider-cluster-prometheus"}
    assert trigger["metadata"]["authModes"] == "bearer"
    (authentication,) = rendered.authentications
    assert authentication["metadata"] == {"name": "ome-metric-provider-cluster-prometheus", "namespace": "llama-demo"}
    assert authentication["spec"] == {
        "secretTargetRef": [{"parameter": "bearerToken", "name": "bearer", "key": "token"}]
    }
    assert crd_errors(authentication, testdata) == []


def test_unbound_provider() -> None:
    with pytest.raises(PolicyError) as caught:
        render_policy("p", keda_policy(prometheus()), CONSUMER, {})
    assert caught.value.reason == "PolicyInvalid"
    assert str(caught.value) == (
        'policy p: trigger 0 (prometheus): metric provider "cluster-prometheus" is not bound on this cluster'
    )


# --- What scales a component -------------------------------------------------------------------------------------

REFERENCE: Object = {"autoscalerPolicyRef": {"name": "queue-depth"}}


def policies(spec: Object) -> Policies:
    return Policies({"queue-depth": spec}, PROVIDERS)


def test_policy_of_a_component(testdata: Path) -> None:
    body = scaler({**REFERENCE, "maxReplicas": 4}, {"autoscaler": KEDA}, policies=policies(keda_policy(prometheus())))
    assert body["kind"] == "ScaledObject"
    assert body["spec"]["maxReplicaCount"] == 4
    assert 'inferenceservice="chat"' in body["spec"]["triggers"][0]["metadata"]["query"]
    assert crd_errors(body, testdata) == []


@pytest.mark.parametrize(
    ("hpa", "utilization"),
    [(None, 80), ({"metrics": []}, 80), ({"metrics": [{"type": "Resource", "resource": {"name": "cpu"}}]}, None)],
)
def test_hpa_policy(hpa: Object | None, utilization: int | None) -> None:
    body = scaler(REFERENCE, policies=policies({"class": "HPA"} | ({} if hpa is None else {"hpa": hpa})))
    assert body["kind"] == "HorizontalPodAutoscaler"
    assert body["spec"]["metrics"][0]["resource"]["target"].get("averageUtilization") == utilization


def test_own_block_outranks_the_policy() -> None:
    """Even one that cannot be used: the block is the way out."""
    found = scaling({**REFERENCE, "autoscaler": {"class": "External"}})
    assert found.autoscaler.source is Source.SERVICE


@pytest.mark.parametrize(
    ("found", "capabilities", "message"),
    [
        ({}, Capabilities(), 'AutoscalerPolicy "queue-depth" not found in namespace prod'),
        (
            {"queue-depth": keda_policy(CRON)},
            Capabilities(keda=False),
            'policy "queue-depth" renders class KEDA but the KEDA CRDs are not installed',
        ),
        (
            {"queue-depth": keda_policy(prometheus())},
            Capabilities(),
            'policy queue-depth: trigger 0 (prometheus): metric provider "cluster-prometheus" is not bound on this '
            "cluster",
        ),
    ],
)
def test_hold(found: Object, capabilities: Capabilities, message: str) -> None:
    """OME would keep what was there; it never falls back to the runtime's block."""
    error = refusal(REFERENCE, {"autoscaler": KEDA}, capabilities=capabilities, policies=Policies(found))
    assert error.problem.message == f"holding last-known-good scaler: {message}"
    assert error.problem.place.steps == ("spec", "engine", "autoscalerPolicyRef", "name")


# --- §4.5 Providers ----------------------------------------------------------------------------------------------


def test_providers() -> None:
    found = metric_providers(
        {
            "metricProviders": {
                "a": {"serverAddress": "http://a"},
                "b": {"serverAddress": "http://b", "authSecretRef": {"name": "s", "key": "k"}, "headers": {"x": "y"}},
            },
            "preflight": {"memberGetTimeoutSeconds": 5},
        }
    )
    assert found == {"a": MetricProvider("http://a"), "b": MetricProvider("http://b", SecretKey("s", "k"))}
    assert metric_providers(None) == {}


def test_provider_without_address() -> None:
    with pytest.raises(OperatorConfigError, match='metric provider "a" has no serverAddress'):
        metric_providers({"metricProviders": {"a": {}}})


@given(st.text())
def test_any_text_is_filled_or_refused(text: str) -> None:
    try:
        filled = fill(text, CONSUMER.variables())
    except VariableError:
        return
    assert "{{" in text or filled == text
