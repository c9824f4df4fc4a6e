"""Deployment modes, and what omec refuses to render (reference 04 §6.1)."""

from __future__ import annotations

from typing import Any

import pytest

from omec.compile import rules
from omec.compile.modes import Mode, component_mode
from omec.compile.problems import Origin, Place, RenderError
from omec.compile.render import render
from omec.finding import Rule
from omec.resolve.selection_rules import SHARDED
from tests.compile.rendering import RUNNER, inputs

Object = dict[str, Any]

ANNOTATION = "ome.io/deploymentMode"


@pytest.mark.parametrize(
    ("service", "component", "mode"),
    [
        ({}, {}, Mode.RAW_DEPLOYMENT),
        ({"deploymentMode": "OMENative"}, {}, Mode.OME_NATIVE),
        ({"deploymentMode": "Serverless"}, {}, Mode.RAW_DEPLOYMENT),
        ({}, {"leader": {}}, Mode.OME_NATIVE),
        ({}, {"worker": {}}, Mode.OME_NATIVE),
        ({"deploymentMode": "RawDeployment"}, {"leader": {}}, Mode.RAW_DEPLOYMENT),
        ({"deploymentMode": "OMENative"}, {"annotations": {ANNOTATION: "RawDeployment"}}, Mode.RAW_DEPLOYMENT),
        ({}, {"annotations": {ANNOTATION: "MultiNode"}}, Mode.MULTI_NODE),
        ({}, {"annotations": {ANNOTATION: "Serverless"}}, Mode.RAW_DEPLOYMENT),
    ],
)
def test_mode(service: Object, component: Object, mode: Mode) -> None:
    assert component_mode(service, component) is mode


def test_annotation_of_the_service_sets_no_mode() -> None:
    assert render(inputs(annotations={ANNOTATION: "MultiNode"})).objects


def test_virtual_service_has_no_objects() -> None:
    rendered = render(inputs(annotations={ANNOTATION: "VirtualDeployment"}))
    assert rendered.objects == ()
    assert [problem.rule.slug for problem in rendered.problems] == ["virtual-service"]


@pytest.mark.parametrize("component", ["engine", "router"])
def test_mode_that_a_component_cannot_have(component: str) -> None:
    mode = {"engine": "VirtualDeployment", "router": "MultiNode"}[component]
    spec = {"engine": {}, component: {"annotations": {ANNOTATION: mode}, "runner": RUNNER}}
    rendered = render(inputs(spec))
    assert rendered.objects == ()
    (problem,) = rendered.problems
    assert (problem.rule, problem.message) == (rules.MODE_INVALID, f"invalid deployment mode for {component}: {mode}")
    assert problem.place == Place(Origin.SERVICE, ("spec", component, "annotations", ANNOTATION))


@pytest.mark.parametrize(
    ("spec", "runtime", "model", "rule", "message", "place"),
    [
        (
            {"engine": {}},
            None,
            {"distribution": "Sharded"},
            SHARDED,
            "model llama is sharded, which omec does not render",
            Place(Origin.MODEL, ("spec", "distribution")),
        ),
        (
            {"decoder": {"runner": RUNNER}},
            None,
            None,
            rules.NO_ENGINE,
            "engine component is required",
            Place(Origin.SERVICE, ("spec",)),
        ),
        (
            {"engine": {"acceleratorOverride": {"acceleratorClass": "ghost"}}},
            {"engineConfig": {"runner": RUNNER}, "acceleratorRequirements": {"acceleratorClasses": ["h100"]}},
            None,
            rules.ACCELERATOR_CLASS_MISSING,
            "Failed to get accelerator class for engine: accelerator class ghost not found at cluster scope",
            Place(Origin.SERVICE, ("spec", "engine", "acceleratorOverride", "acceleratorClass")),
        ),
    ],
)
def test_refused(
    spec: Object, runtime: Object | None, model: Object | None, rule: Rule, message: str, place: Place
) -> None:
    with pytest.raises(RenderError) as caught:
        render(inputs(spec, runtime, model))
    problem = caught.value.problem
    assert (problem.rule, problem.message, problem.place) == (rule, message, place)


LISTED = ["h100", "l40s"]


@pytest.mark.parametrize(
    ("listed", "selector", "override", "chosen"),
    [
        ([], {"acceleratorClass": "h100"}, {}, None),
        (LISTED, {}, {}, None),
        (LISTED, {"acceleratorClass": "h100"}, {}, "h100"),
        (LISTED, {"acceleratorClass": "h100", "policy": "Cheapest"}, {}, "h100"),
        (LISTED, {"acceleratorClass": "h100"}, {"acceleratorClass": "l40s"}, "l40s"),
        (LISTED, {"acceleratorClass": "h100"}, {"policy": "Cheapest"}, "h100"),
        (["h100"], {"acceleratorClass": "h200"}, {}, "h200"),
        (LISTED, {"acceleratorClass": ""}, {}, None),
        (LISTED, {"constraints": {"minMemory": 80}}, {}, None),
    ],
)
def test_accelerator_class(listed: list[str], selector: Object, override: Object, chosen: str | None) -> None:
    """The vectors of reference 03 §5 in which the service names the class or asks for none."""
    runtime = {"engineConfig": {"runner": RUNNER}, "acceleratorRequirements": {"acceleratorClasses": listed}}
    classes = {name: {"discovery": {"nodeSelector": {"class": name}}} for name in ("h100", "h200", "l40s")}
    spec = {"engine": {"acceleratorOverride": override}, "acceleratorSelector": selector}
    objects = render(inputs(spec, runtime, accelerator_classes=classes)).objects
    selector = objects[0]["spec"]["template"]["spec"].get("nodeSelector", {})
    assert selector.get("class") == chosen


def test_router_takes_no_class() -> None:
    runtime = {
        "engineConfig": {"runner": RUNNER},
        "routerConfig": {"runner": RUNNER},
        "acceleratorRequirements": {"acceleratorClasses": ["h100"]},
    }
    spec = {"engine": {}, "router": {}, "acceleratorSelector": {"acceleratorClass": "h100"}}
    classes = {"h100": {"discovery": {"nodeSelector": {"class": "h100"}}}}
    objects = render(inputs(spec, runtime, accelerator_classes=classes)).objects
    router = next(obj for obj in objects if obj["metadata"]["name"] == "chat-router" and obj["kind"] == "Deployment")
    assert "nodeSelector" not in router["spec"]["template"]["spec"]
