"""Disruption budgets (reference 10 §1.3 and §5, 05 §11.2)."""

from __future__ import annotations

from typing import Any

import pytest

from omec.compile.disruption import (
    available_pods,
    blocks_evictions,
    budget_refusals,
    component_budget,
    pod_disruption_budget,
)
from omec.compile.disruption_settings import CHART, Budget, disruption_settings
from omec.compile.modes import Mode
from omec.compile.operator import OperatorConfigError
from omec.compile.problems import RenderError
from tests.compile.rendering import RUNNER, inputs
from tests.compile.test_autoscaling import component_of

Object = dict[str, Any]

DEFAULTS = disruption_settings({"rawDeployment": {"maxUnavailable": "25%"}, "omeNative": {"maxUnavailable": 1}})
ONE = Budget("maxUnavailable", 1)


def budget(own: Object, config: Object, mode: Mode = Mode.RAW_DEPLOYMENT) -> Budget | None:
    given = inputs({"engine": own}, {"engineConfig": {"runner": RUNNER, **config}})
    return component_budget(component_of(given), mode, DEFAULTS)


# --- Settings ----------------------------------------------------------------------------------------------------


def test_chart() -> None:
    assert disruption_settings(CHART) == {Mode.RAW_DEPLOYMENT: ONE, Mode.OME_NATIVE: ONE}


@pytest.mark.parametrize("value", [None, {}, {"rawDeployment": None}])
def test_no_settings(value: Any) -> None:
    assert disruption_settings(value) == {}


_EXACTLY = (
    "exactly one of podDisruptionBudget.rawDeployment.minAvailable or "
    "podDisruptionBudget.rawDeployment.maxUnavailable must be set"
)


@pytest.mark.parametrize(
    ("value", "message"),
    [
        ({"rawDeployment": {}}, _EXACTLY),
        ({"rawDeployment": {"minAvailable": 1, "maxUnavailable": 1}}, _EXACTLY),
        ({"raw": {}}, 'unable to parse "podDisruptionBudget" config json: json: unknown field "raw"'),
        (
            {"omeNative": {"maxSurge": 1}},
            'unable to parse "podDisruptionBudget" config json: json: unknown field "maxSurge"',
        ),
        (
            {"omeNative": {"minAvailable": "50"}},
            "podDisruptionBudget.omeNative.minAvailable must be a non-negative integer or a percentage from 0% to 100%",
        ),
        ([], 'unable to parse "podDisruptionBudget" config json: an object is expected, not []'),
    ],
)
def test_settings_that_stop_the_controller(value: Any, message: str) -> None:
    with pytest.raises(OperatorConfigError) as caught:
        disruption_settings(value)
    assert caught.value.message == f"fails to create InferenceServicesConfig: {message}"
    assert caught.value.key == "podDisruptionBudget"


# --- Resolution --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("own", "config", "mode", "expected"),
    [
        ({"minAvailable": 2}, {"minAvailable": "80%"}, Mode.RAW_DEPLOYMENT, Budget("minAvailable", 2)),
        ({}, {"minAvailable": "80%"}, Mode.RAW_DEPLOYMENT, Budget("minAvailable", "80%")),
        ({}, {}, Mode.RAW_DEPLOYMENT, Budget("maxUnavailable", "25%")),
        ({}, {}, Mode.OME_NATIVE, ONE),
        ({"minAvailable": 0}, {}, Mode.RAW_DEPLOYMENT, Budget("minAvailable", 0)),
        ({"minAvailable": 1}, {}, Mode.MULTI_NODE, None),
        ({}, {}, Mode.MULTI_NODE, None),
    ],
)
def test_budget(own: Object, config: Object, mode: Mode, expected: Budget | None) -> None:
    assert budget(own, config, mode) == expected


def test_no_default() -> None:
    assert component_budget(component_of(inputs()), Mode.RAW_DEPLOYMENT, {}) is None


@pytest.mark.parametrize(
    ("own", "config", "message", "field"),
    [
        (
            {"maxUnavailable": 2},
            {"minAvailable": 1},
            "exactly one of minAvailable or maxUnavailable must be set",
            "maxUnavailable",
        ),
        (
            {},
            {"minAvailable": "101%"},
            "PodDisruptionBudget budget.minAvailable must be a non-negative integer or a percentage from 0% to 100%",
            "minAvailable",
        ),
    ],
)
def test_refused_when_merged(own: Object, config: Object, message: str, field: str) -> None:
    with pytest.raises(RenderError) as caught:
        budget(own, config)
    assert caught.value.problem.message == f"failed to resolve engine PodDisruptionBudget: {message}"
    assert caught.value.problem.place.steps[-1] == field


_VALUE = "must be a non-negative integer or a percentage from 0% to 100%"


@pytest.mark.parametrize(
    ("own", "message"),
    [
        ({"minAvailable": 0}, None),
        ({"maxUnavailable": "100%"}, None),
        (
            {"minAvailable": 1, "maxUnavailable": 1},
            "spec.engine.minAvailable and spec.engine.maxUnavailable cannot both be set",
        ),
        ({"maxUnavailable": "101%"}, f"spec.engine.maxUnavailable {_VALUE}"),
        ({"minAvailable": "50"}, f"spec.engine.minAvailable {_VALUE}"),
        ({"minAvailable": -1}, f"spec.engine.minAvailable {_VALUE}"),
        ({"minAvailable": "%"}, f"spec.engine.minAvailable {_VALUE}"),
        ({"minAvailable": "5.5%"}, f"spec.engine.minAvailable {_VALUE}"),
        ({"minAvailable": True}, f"spec.engine.minAvailable {_VALUE}"),
    ],
)
def test_refused_by_the_webhook(own: Object, message: str | None) -> None:
    found = [problem.message for problem in budget_refusals(inputs({"engine": own}).service)]
    assert found == ([] if message is None else [message])


# --- Numbers of pods ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("pods", "given", "expected"),
    [
        (12, Budget("minAvailable", 2), 2),
        (12, Budget("minAvailable", "90%"), 11),
        (12, Budget("maxUnavailable", 1), 11),
        (12, Budget("maxUnavailable", "25%"), 9),
        (12, Budget("maxUnavailable", "10%"), 10),
        (1, Budget("maxUnavailable", 1), 0),
        (3, Budget("maxUnavailable", "25%"), 2),
        (10, Budget("maxUnavailable", "25%"), 7),
        (2, Budget("maxUnavailable", 5), 0),
        (2, Budget("minAvailable", 5), 5),
    ],
)
def test_available_pods(pods: int, given: Budget, expected: int) -> None:
    assert available_pods(given, pods) == expected


@pytest.mark.parametrize(
    ("given", "pods", "blocks"),
    [
        (Budget("minAvailable", 1), 1, True),
        (Budget("minAvailable", "50%"), 1, True),
        (Budget("maxUnavailable", 0), 3, True),
        (Budget("minAvailable", 1), 2, False),
        (Budget("maxUnavailable", "1%"), 1, False),
        (Budget("minAvailable", 0), 1, False),
        (Budget("minAvailable", 1), 0, False),
    ],
)
def test_budget_that_blocks(given: Budget, pods: int, blocks: bool) -> None:
    problem = blocks_evictions(component_of(inputs()), given, pods)
    assert (problem is not None) == blocks


# --- The object --------------------------------------------------------------------------------------------------


def test_object() -> None:
    labels = {"ome.io/inferenceservice": "qwen3-0-6b", "component": "engine"}
    body = pod_disruption_budget(
        "qwen3-0-6b-engine",
        "qwen3-0-6b",
        Budget("minAvailable", "50%"),
        selector={"app": "qwen3-0-6b-engine"},
        labels=labels,
        annotations={},
    )
    assert body == {
        "apiVersion": "policy/v1",
        "kind": "PodDisruptionBudget",
        "metadata": {"name": "qwen3-0-6b-engine", "namespace": "qwen3-0-6b", "labels": labels},
        "spec": {"minAvailable": "50%", "selector": {"matchLabels": {"app": "qwen3-0-6b-engine"}}},
    }
