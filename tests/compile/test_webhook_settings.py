"""Where the settings of injected containers come from (reference 04 §19), and what is said where they are missing."""

from __future__ import annotations

import json
from typing import Any

import pytest

from omec.compile.components import Component
from omec.compile.operator import OperatorConfigError
from omec.compile.problems import Origin, Place
from omec.compile.webhook.inject import templates, with_injections
from omec.compile.webhook.pods import InjectionError
from omec.compile.webhook.problems import denied, injection_problem
from omec.compile.webhook.rules import POD_DENIED, SETTING_MISSING, SETTING_UNKNOWN
from omec.compile.webhook.settings import (
    WebhookSettings,
    webhook_settings_of_config_map,
    webhook_settings_of_settings,
)
from tests.compile.pod_templates import AGENT, CHART_WEBHOOK, CONFIGURED, WEIGHTS, template

Object = dict[str, Any]

TUNED = {"ome.io/inject-fine-tuned-adapter": "fin"}
RDMA = {"rdma.ome.io/auto-inject": "true", "rdma.ome.io/profile": "roce"}


def test_config_map_is_taken_as_it_is() -> None:
    settings = webhook_settings_of_config_map({"fineTunedAdapter": json.dumps(AGENT), "metricsAggregator": "{}"})
    assert settings.adapter["image"] == AGENT["image"]
    assert settings.model_init["cpuLimit"] == ""
    assert settings.prometheus_scraping == ""
    assert webhook_settings_of_config_map({}) == WebhookSettings()


def test_settings_lie_over_those_of_the_chart() -> None:
    settings = webhook_settings_of_settings({"modelInit": {"image": "i", "cpuLimit": "4"}})
    assert (settings.model_init["image"], settings.model_init["cpuLimit"]) == ("i", "4")
    assert settings.model_init["authType"] == "InstancePrincipal"
    assert settings.metric_aggregation == "false"


def test_no_default_names_an_image() -> None:
    for agent in (CHART_WEBHOOK.model_init, CHART_WEBHOOK.adapter, CHART_WEBHOOK.sidecar):
        assert agent["image"] == ""


@pytest.mark.parametrize(
    ("data", "key", "message"),
    [
        ({"fineTunedAdapter": "{"}, "fineTunedAdapter", "unable to unmarshal fineTunedAdapter json string: Expecting"),
        ({"modelInit": "[]"}, "modelInit", "unable to unmarshal modelInit json string: an object is expected"),
        ({"servingSidecar": '{"cpuLimit": 1}'}, "servingSidecar", "cpuLimit is not a text: 1"),
        ({"modelInit": '{"extraEnvVars": ["A"]}'}, "modelInit", "extraEnvVars is not a list of objects with a name"),
        ({"metricsAggregator": '{"enableMetricAggregation": true}'}, "metricsAggregator", "is not a text: true"),
    ],
)
def test_unreadable(data: Object, key: str, message: str) -> None:
    with pytest.raises(OperatorConfigError) as caught:
        webhook_settings_of_config_map(data)
    assert caught.value.key == key
    assert message in caught.value.message


# --- Objects -----------------------------------------------------------------------------------------------------


def deployment(annotations: Object) -> Object:
    return {"kind": "Deployment", "metadata": {"name": "chat-engine"}, "spec": {"template": template(annotations)}}


def test_deployment() -> None:
    body = deployment(TUNED)
    changed = with_injections(body, CONFIGURED, WEIGHTS)
    assert "initContainers" not in body["spec"]["template"]["spec"]
    assert len(changed["spec"]["template"]["spec"]["initContainers"]) == 1
    assert changed["metadata"] is body["metadata"]


def test_both_templates_of_a_leader_worker_set() -> None:
    both = {"leaderTemplate": template(TUNED), "workerTemplate": template(TUNED)}
    body = {"kind": "LeaderWorkerSet", "spec": {"leaderWorkerTemplate": both}}
    changed = with_injections(body, CONFIGURED, WEIGHTS)
    assert [len(found["spec"]["initContainers"]) for _, found in templates(changed)] == [1, 1]


@pytest.mark.parametrize("kind", ["Service", "InferenceReplica", "ConfigMap"])
def test_other_objects_stay(kind: str) -> None:
    body = {"kind": kind, "spec": {"template": template(TUNED)}}
    assert with_injections(body, CHART_WEBHOOK, WEIGHTS) is body


# --- Problems ----------------------------------------------------------------------------------------------------

ADAPTER_UNSET = InjectionError("no", "ome.io/inject-fine-tuned-adapter", "fineTunedAdapter.image")


def component(own: Object | None = None, config: Object | None = None) -> Component:
    spec = {"annotations": {**(config or {}), **(own or {})}}
    return Component("engine", spec, {"annotations": own or {}}, {"annotations": config or {}})


def test_missing_setting_names_the_key() -> None:
    problem = injection_problem(component(), ADAPTER_UNSET)
    assert problem.rule is SETTING_MISSING
    assert problem.place == Place(Origin.SERVICE, ("spec", "model", "fineTunedWeights", 0))
    assert problem.help == (
        "set operator.fineTunedAdapter.image in omec.toml, or image under fineTunedAdapter in the ConfigMap "
        "inferenceservice-config"
    )


@pytest.mark.parametrize(
    ("own", "config", "place"),
    [
        (RDMA, None, Place(Origin.SERVICE, ("spec", "engine", "annotations", "rdma.ome.io/profile"))),
        (None, RDMA, Place(Origin.RUNTIME, ("spec", "engineConfig", "annotations", "rdma.ome.io/profile"))),
        (None, None, Place(Origin.SERVICE, ("metadata", "annotations", "rdma.ome.io/profile"))),
    ],
)
def test_place_is_the_annotation(own: Object | None, config: Object | None, place: Place) -> None:
    problem = injection_problem(component(own, config), InjectionError("unknown", "rdma.ome.io/profile"))
    assert (problem.rule, problem.place) == (POD_DENIED, place)


def test_what_the_webhook_would_deny() -> None:
    """With OME, its settings are in the cluster: that they are not known here is a warning."""
    (problem,) = denied(component(), [{"kind": "Service"}, deployment(TUNED)], CHART_WEBHOOK, WEIGHTS)
    assert problem.rule is SETTING_UNKNOWN
    (problem,) = denied(component(RDMA), [deployment(RDMA)], CHART_WEBHOOK, WEIGHTS)
    assert problem.message == "the pods of the engine would be denied: unknown RDMA profile: roce"
    assert list(denied(component(), [deployment(TUNED)], CONFIGURED, WEIGHTS)) == []


def test_what_the_webhook_would_deny_of_the_pods_of_a_replica() -> None:
    runners = [{"name": "leader", "template": template({})}, {"name": "worker", "template": template(RDMA)}]
    body = {"kind": "InferenceReplica", "spec": {"runners": runners}}
    (problem,) = denied(component(RDMA), [body], CHART_WEBHOOK, WEIGHTS)
    assert problem.message == "the pods of the engine would be denied: unknown RDMA profile: roce"
