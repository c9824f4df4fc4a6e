"""What the API server refuses in a rendered object, told at the field of the inputs (reference 04 §22)."""

from __future__ import annotations

from functools import cache
from typing import Any

import pytest
from msgspec.structs import replace

from omec.compile.inputs import Model, ServiceInputs
from omec.compile.problems import Origin, Place, Steps
from omec.compile.render import render
from omec.compile.validate import Validator
from tests.compile.rendering import RUNNER, inputs

Object = dict[str, Any]

MODEL: Object = {"storage": {"storageUri": "hf://a/b", "path": "/m"}}
SOURCE: Object = {"fieldRef": {"fieldPath": "metadata.name"}}


def on_runtime(own: Object | None = None, model: Object | None = None, **runner: Any) -> ServiceInputs:
    """A service with the component ``own`` on a runtime whose engine's runner has these fields."""
    return inputs({"engine": own or {}}, {"engineConfig": {"runner": {**RUNNER, **runner}}}, model)


def service(*steps: Any) -> Place:
    return Place(Origin.SERVICE, ("spec", "engine", *steps))


def runtime(*steps: Any) -> Place:
    return Place(Origin.RUNTIME, ("spec", "engineConfig", *steps))


@cache
def validator() -> Validator:
    return Validator()


def refused_places(given: ServiceInputs) -> set[tuple[Origin, Steps]]:
    places = (part.place(error.path) for part in render(given).parts for error in validator().errors(part.body))
    return {(place.origin, place.steps) for place in places}


@pytest.mark.parametrize(
    ("given", "place"),
    [
        (
            replace(inputs(), model=Model("llama.v1", None, {}, MODEL)),
            Place(Origin.MODEL, ("metadata", "name")),
        ),
        (
            on_runtime({"volumes": [{"name": "llama", "emptyDir": {}}]}, MODEL),
            Place(Origin.MODEL, ("spec", "storage")),
        ),
        (
            on_runtime({"runner": {"volumeMounts": [{"name": "llama", "mountPath": "/m"}]}}, MODEL),
            service("runner", "volumeMounts", ("mountPath", "/m")),
        ),
        (
            on_runtime(
                {"runner": {"env": [{"name": "Z", "value": "z"}, {"name": "A", "valueFrom": SOURCE}]}},
                env=[{"name": "A", "value": "1"}],
            ),
            service("runner", "env", ("name", "A"), "valueFrom"),
        ),
        (
            on_runtime(env=[{"name": "B", "value": "1"}, {"name": "A", "value": "1", "valueFrom": SOURCE}]),
            runtime("runner", "env", ("name", "A"), "valueFrom"),
        ),
        (
            on_runtime(
                {"runner": {"readinessProbe": {"tcpSocket": {"port": 80}}}},
                readinessProbe={"httpGet": {"path": "/h", "port": 80}},
            ),
            service("runner", "readinessProbe", "tcpSocket"),
        ),
        (
            on_runtime(resources={"requests": {"cpu": "2"}, "limits": {"cpu": "1"}}),
            runtime("runner", "resources", "requests"),
        ),
        (
            on_runtime(ports=[{"name": "http", "containerPort": 1}, {"name": "UPPER", "containerPort": 2}]),
            runtime("runner", "ports", ("containerPort", 2), "name"),
        ),
        (
            inputs(model={**MODEL, "vendor": "Meta AI"}),
            Place(Origin.MODEL, ("spec", "vendor")),
        ),
        (
            inputs(labels={"team": "a b"}),
            Place(Origin.SERVICE, ("metadata", "labels", "team")),
        ),
        (
            on_runtime({"labels": {"team": "a b"}}),
            service("labels", "team"),
        ),
        (
            inputs({"engine": {}}, {"engineConfig": {"runner": RUNNER, "labels": {"team": "a b"}}}),
            runtime("labels", "team"),
        ),
        (
            on_runtime({"deploymentStrategy": {"type": "Recreate", "rollingUpdate": {"maxSurge": 1}}}),
            service("deploymentStrategy", "rollingUpdate"),
        ),
        (
            on_runtime({"containers": [{"name": "side_car", "image": "x"}]}),
            service("containers", ("name", "side_car"), "name"),
        ),
        (
            on_runtime({"dnsPolicy": "Nowhere"}),
            service("dnsPolicy"),
        ),
    ],
)
def test_place_of_what_is_refused(given: ServiceInputs, place: Place) -> None:
    assert (place.origin, place.steps) in refused_places(given)


def test_the_main_container_without_a_runner() -> None:
    """It is an item of ``containers`` then, and is told as one."""
    container = {**RUNNER, "env": [{"name": "A", "value": "1", "valueFrom": SOURCE}]}
    places = refused_places(inputs({"engine": {}}, {"engineConfig": {"containers": [container]}}))
    steps = ("containers", ("name", RUNNER["name"]), "env", ("name", "A"), "valueFrom")
    assert places == {(Origin.RUNTIME, ("spec", "engineConfig", *steps))}


def test_leader() -> None:
    leader = {"runner": {**RUNNER, "env": [{"name": "A", "value": "1", "valueFrom": SOURCE}]}}
    config = {"leader": leader, "annotations": {"ome.io/deploymentMode": "RawDeployment"}}
    places = refused_places(inputs({"engine": {}}, {"engineConfig": config}))
    assert places == {(Origin.RUNTIME, ("spec", "engineConfig", "leader", "runner", "env", ("name", "A"), "valueFrom"))}


def test_what_nothing_says_is_the_services() -> None:
    for part in render(inputs()).parts:
        if part.body["kind"] in ("Deployment", "Service"):
            assert part.place(("spec", "selector")) == Place(Origin.SERVICE, ("metadata", "name"))
        assert part.place(("metadata", "labels")) == Place(Origin.SERVICE, ("metadata", "name"))
