"""The operator's settings (reference 04 §19, 10 §1)."""

from __future__ import annotations

import json
from typing import Any

import pytest

import omec
from omec.compile.operator import (
    OperatorConfig,
    OperatorConfigError,
    operator_config_of_config_map,
    operator_config_of_settings,
)
from omec.compile.repository_rules import OPERATOR_CONFIG_INVALID

DEPLOY = {"defaultDeploymentMode": "RawDeployment"}
INGRESS = {"ingressGateway": "a/b", "ingressService": "c"}


def of_config_map(**keys: Any) -> OperatorConfig:
    return operator_config_of_config_map({key: json.dumps(value) for key, value in keys.items()})


def test_defaults_of_the_chart() -> None:
    assert operator_config_of_settings({}) == OperatorConfig(
        min_replicas=1,
        max_replicas={"engine": 3, "decoder": 3, "router": 2},
        termination_grace_period_seconds=600,
        ingress_disabled=True,
        accelerator_resources=("nvidia.com/gpu",),
    )


def test_config_map_fills_nothing_of_its_own() -> None:
    assert of_config_map(deploy=DEPLOY, ingress=INGRESS) == OperatorConfig()
    assert operator_config_of_config_map({}) == OperatorConfig()


def test_config_map() -> None:
    replicas = {"defaultMinReplicas": 2, "defaultMaxReplicas": {"router": 5}, "unknown": 1}
    config = of_config_map(
        deploy={**DEPLOY, "replicas": replicas, "terminationGracePeriodSeconds": 45},
        ingress={**INGRESS, "disableIngressCreation": True},
        acceleratorResources=["nvidia.com/gpu", "google.com/tpu"],
        whatever="x",
    )
    assert config == OperatorConfig(
        min_replicas=2,
        max_replicas={"router": 5},
        termination_grace_period_seconds=45,
        ingress_disabled=True,
        accelerator_resources=("nvidia.com/gpu", "google.com/tpu"),
    )


def test_settings_stand_over_the_chart() -> None:
    config = operator_config_of_settings({"deploy": {"replicas": {"defaultMaxReplicas": {"engine": 8}}}})
    assert config.max_replicas == {"engine": 8, "decoder": 3, "router": 2}
    assert config.termination_grace_period_seconds == 600


@pytest.mark.parametrize(
    ("keys", "message"),
    [
        (
            {"deploy": {**DEPLOY, "replicas": {"defaultMinReplicas": 0}}},
            "invalid deploy config, replicas.defaultMinReplicas must be > 0, got 0",
        ),
        (
            {"deploy": {**DEPLOY, "replicas": {"defaultMaxReplicas": {"engine": -1}}}},
            "invalid deploy config, replicas.defaultMaxReplicas.engine must be > 0, got -1",
        ),
        (
            {"deploy": {**DEPLOY, "terminationGracePeriodSeconds": 0}},
            "invalid deploy config, terminationGracePeriodSeconds must be > 0, got 0",
        ),
        ({"deploy": {}}, "invalid deploy config, defaultDeploymentMode is required"),
        ({"deploy": []}, "unable to parse deploy config json: an object is expected, not []"),
        (
            {"deploy": {**DEPLOY, "replicas": {"defaultMinReplicas": "1"}}},
            'unable to parse deploy config json: defaultMinReplicas is not an integer: "1"',
        ),
        (
            {"deploy": {**DEPLOY, "terminationGracePeriodSeconds": 2**63}},
            "unable to parse deploy config json: terminationGracePeriodSeconds is not an integer: 9223372036854775808",
        ),
        (
            {"ingress": {**INGRESS, "disableIngressCreation": "true"}},
            'unable to parse ingress config json: disableIngressCreation is not a boolean: "true"',
        ),
        ({"ingress": {}}, "invalid ingress config - ingressGateway and ingressService are required"),
        (
            {"acceleratorResources": "gpu"},
            'unable to parse acceleratorResources config json: a list of resource names is expected, not "gpu"',
        ),
    ],
)
def test_refused(keys: dict[str, Any], message: str) -> None:
    with pytest.raises(OperatorConfigError) as caught:
        of_config_map(**keys)
    assert caught.value.message == message
    assert caught.value.key in keys


def test_a_blank_list_of_resources_is_none() -> None:
    """OME skips this key where its text is blank, unlike ``deploy`` and ``ingress``."""
    assert operator_config_of_config_map({"acceleratorResources": " \n"}) == OperatorConfig()


def test_text_that_is_no_json() -> None:
    with pytest.raises(OperatorConfigError, match="unable to parse deploy config json"):
        operator_config_of_config_map({"deploy": "{"})


@pytest.mark.parametrize(
    ("value", "called", "remedy"),
    [
        ({"replicas": {"a": 2}}, "a mapping", """write it as a JSON text (deploy: '{"replicas": {"a": 2}}')"""),
        (["it's"], "a list", """write it as a JSON text (deploy: '["it''s"]')"""),
        ({"a": "b" * 80}, "a mapping", "write it as a JSON text (deploy: '{…}')"),
        (None, "empty", "write it as a JSON text (deploy: '{…}')"),
        (5, "a number", "write it as a JSON text (deploy: '{…}')"),
        (True, "a boolean", "write it as a JSON text (deploy: '{…}')"),
    ],
)
def test_value_that_is_no_text(value: Any, called: str, remedy: str) -> None:
    """YAML where JSON was meant is a common slip; the API server refuses the ConfigMap."""
    with pytest.raises(OperatorConfigError) as caught:
        operator_config_of_config_map({"deploy": value})
    error = caught.value
    assert (error.key, error.remedy) == ("deploy", remedy)
    assert error.message == f"deploy is {called}, where a ConfigMap holds a text"


@pytest.mark.parametrize("text", ["[" * 100_000, '{"a": NaN}', ""])
def test_text_that_go_does_not_read(text: str) -> None:
    with pytest.raises(OperatorConfigError, match="unable to parse deploy config json: "):
        operator_config_of_config_map({"deploy": text})


def test_finding_about_a_value_that_is_no_text() -> None:
    config_map = {
        "apiVersion": "v1",
        "kind": "ConfigMap",
        "metadata": {"name": "inferenceservice-config", "namespace": "ome"},
        "data": {"ingress": INGRESS},
    }
    (finding,) = omec.from_objects([config_map]).compile().findings
    assert finding.rule is OPERATOR_CONFIG_INVALID
    assert finding.field == "data.ingress"
    assert finding.help == """write it as a JSON text (ingress: '{"ingressGateway": "a/b", "ingressService": "c"}')"""
