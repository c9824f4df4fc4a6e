"""Replica bounds and the operator's defaults (reference 04 §6.2 and §12.4, 10 §2)."""

from __future__ import annotations

from typing import Any

import pytest

from omec.compile.components import Component, merge_components
from omec.compile.environment import Environment
from omec.compile.names import ComponentName
from omec.compile.operator import CHART_DEFAULTS, OperatorConfig
from omec.compile.problems import Origin, RenderError
from omec.compile.render import render
from omec.compile.replicas import Bounds, fill_operator_defaults, replica_bounds
from tests.compile.rendering import NO_DEFAULTS, RUNNER, engine_deployment, inputs

Object = dict[str, Any]


def operator(minimum: int | None, maximum: int | None) -> OperatorConfig:
    return OperatorConfig(
        min_replicas=minimum,
        max_replicas={} if maximum is None else {"engine": maximum, "router": 2},
        ingress_disabled=True,
    )


def component(own: Object, config: Object, name: ComponentName = "engine") -> Component:
    components = merge_components(inputs({"engine": {}, name: own}, {f"{name}Config": config}))
    return next(found for found in components if found.name == name)


@pytest.mark.parametrize(
    ("name", "own", "config", "settings", "bounds"),
    [
        ("engine", {}, {}, CHART_DEFAULTS, (1, 3)),
        ("router", {}, {}, CHART_DEFAULTS, (1, 2)),
        ("engine", {"minReplicas": 1}, {}, operator(1, 4), (1, 4)),
        ("engine", {"minReplicas": 5}, {}, operator(1, 3), (5, 5)),
        ("engine", {"minReplicas": 1, "maxReplicas": 0}, {}, CHART_DEFAULTS, (1, 3)),
        ("engine", {}, {}, NO_DEFAULTS, (1, 1)),
        ("engine", {"maxReplicas": 4}, {}, NO_DEFAULTS, (1, 4)),
        ("engine", {"minReplicas": 3}, {}, NO_DEFAULTS, (3, 3)),
        ("engine", {"maxReplicas": 5}, {"minReplicas": 2, "maxReplicas": 3}, CHART_DEFAULTS, (2, 5)),
        ("engine", {}, {"minReplicas": 2, "maxReplicas": 9}, CHART_DEFAULTS, (2, 9)),
    ],
)
def test_bounds(
    name: ComponentName, own: Object, config: Object, settings: OperatorConfig, bounds: tuple[int, int]
) -> None:
    merged = component(own, config, name)
    fill_operator_defaults(merged.spec, merged.name, settings)
    assert replica_bounds(merged) == Bounds(*bounds)


@pytest.mark.parametrize(
    ("own", "config", "settings", "message", "origin"),
    [
        (
            {"maxReplicas": 2},
            {},
            operator(3, 3),
            "minReplicas must not exceed maxReplicas: 3 > 2",
            (Origin.SERVICE, "maxReplicas"),
        ),
        (
            {"minReplicas": 4},
            {"maxReplicas": 2},
            CHART_DEFAULTS,
            "minReplicas must not exceed maxReplicas: 4 > 2",
            (Origin.SERVICE, "minReplicas"),
        ),
        (
            {},
            {"minReplicas": 10, "maxReplicas": 1},
            CHART_DEFAULTS,
            "minReplicas must not exceed maxReplicas: 10 > 1",
            (Origin.RUNTIME, "minReplicas"),
        ),
        (
            {"maxReplicas": 1},
            {"minReplicas": 2},
            CHART_DEFAULTS,
            "minReplicas must not exceed maxReplicas: 2 > 1",
            (Origin.SERVICE, "maxReplicas"),
        ),
        (
            {},
            {"minReplicas": -1},
            NO_DEFAULTS,
            "minReplicas must be non-negative, got -1",
            (Origin.RUNTIME, "minReplicas"),
        ),
        (
            {"minReplicas": 1, "maxReplicas": -2},
            {},
            NO_DEFAULTS,
            "maxReplicas must be non-negative, got -2",
            (Origin.SERVICE, "maxReplicas"),
        ),
        (
            {"minReplicas": 0},
            {},
            NO_DEFAULTS,
            "minReplicas=0 requires typed KEDA with at least one trigger",
            (Origin.SERVICE, "minReplicas"),
        ),
        (
            {"minReplicas": 0},
            {"autoscaler": {"class": "KEDA", "keda": {"triggers": [{"type": "cron"}]}}},
            NO_DEFAULTS,
            "minReplicas=0 requires typed KEDA with at least one trigger",
            (Origin.SERVICE, "minReplicas"),
        ),
        (
            {"minReplicas": 0, "autoscaler": {"class": "KEDA", "keda": {"triggers": []}}},
            {},
            NO_DEFAULTS,
            "minReplicas=0 requires typed KEDA with at least one trigger",
            (Origin.SERVICE, "minReplicas"),
        ),
        (
            {"minReplicas": 0, "annotations": {"ome.io/autoscalerClass": "keda"}},
            {},
            NO_DEFAULTS,
            "minReplicas=0 requires typed KEDA with at least one trigger",
            (Origin.SERVICE, "minReplicas"),
        ),
    ],
)
def test_refused(
    own: Object, config: Object, settings: OperatorConfig, message: str, origin: tuple[Origin, str]
) -> None:
    given = inputs({"engine": own}, {"engineConfig": {"runner": RUNNER, **config}}, operator=settings)
    with pytest.raises(RenderError) as caught:
        render(given)
    assert caught.value.problem.message == message
    place = caught.value.problem.place
    assert (place.origin, place.steps[-1]) == origin


def test_scale_to_zero_with_a_trigger_of_the_service() -> None:
    own = {
        "minReplicas": 0,
        "maxReplicas": 2,
        "autoscaler": {"class": "KEDA", "keda": {"triggers": [{"type": "cron"}]}},
    }
    assert replica_bounds(component(own, {})) == Bounds(0, 2)


NONE: Object = {"class": "None"}


@pytest.mark.parametrize(
    ("own", "config", "replicas"),
    [
        ({}, {}, None),
        ({"autoscaler": NONE}, {}, 1),
        ({"autoscaler": NONE, "minReplicas": 2}, {}, 2),
        ({}, {"autoscaler": NONE, "minReplicas": 3}, 3),
        ({"autoscaler": {"class": "HPA"}}, {"autoscaler": NONE}, None),
        ({"autoscaler": {"class": "External"}}, {}, None),
        ({"autoscalerPolicyRef": {"name": "p"}}, {"autoscaler": NONE}, None),
    ],
)
def test_stated_replicas(own: Object, config: Object, replicas: int | None) -> None:
    policy = {"class": "KEDA", "keda": {"triggers": [{"type": "cron", "metadata": {"desiredReplicas": "2"}}]}}
    given = inputs(
        {"engine": own},
        {"engineConfig": {"runner": RUNNER, **config}},
        environment=Environment(policies={"p": policy}),
    )
    assert engine_deployment(given)["spec"].get("replicas") == replicas


def test_grace_period_and_workers_are_filled() -> None:
    merged = component({}, {"leader": {"terminationGracePeriodSeconds": 5}, "worker": {}})
    fill_operator_defaults(merged.spec, "engine", CHART_DEFAULTS)
    assert merged.spec["terminationGracePeriodSeconds"] == 600
    assert merged.spec["leader"]["terminationGracePeriodSeconds"] == 5
    assert merged.spec["worker"] == {"terminationGracePeriodSeconds": 600, "size": 1}
