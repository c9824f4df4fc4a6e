"""What is doubtful about the classes that a service asks for, and about what they change (reference 03 §10)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from omec.compile.accel import rules
from omec.compile.accel.checks import check_choice, check_requests
from omec.compile.accel.choice import choose
from omec.compile.accel.effect_checks import check_effects
from omec.compile.accelerators import accelerator
from omec.compile.components import Component
from omec.compile.inputs import Runtime, Service
from omec.compile.pod import build_pod
from omec.compile.problems import Problem
from omec.repo.settings_nodes import NodeGroup
from tests.compile.accel_classes import CLASSES, spec
from tests.compile.rendering import RUNNER, inputs

Object = dict[str, Any]

EXISTING = {"h100": CLASSES["nvidia-h100"], "l40s": CLASSES["nvidia-l40s"], "bare": spec()}
SELECTOR = ("spec", "acceleratorSelector")
OVERRIDE = ("spec", "engine", "acceleratorOverride")


def service(selector: Object | None = None, override: Object | None = None, annotation: str | None = None) -> Service:
    annotations = {} if annotation is None else {"ome.io/accelerator-class": annotation}
    engine = {} if override is None else {"acceleratorOverride": override}
    return Service("chat", "prod", {}, annotations, {"engine": engine, "acceleratorSelector": selector or {}})


def found(problems: Iterator[Problem]) -> list[tuple[str, tuple[Any, ...]]]:
    return [(problem.rule.slug, problem.place.steps) for problem in problems]


@pytest.mark.parametrize(
    ("asking", "expected"),
    [
        (service(), []),
        (service({"acceleratorClass": "h100"}), []),
        (service({"acceleratorClass": "h100"}, annotation="h100"), []),
        (
            service(annotation="h100"),
            [("accelerator-annotation-only", ("metadata", "annotations", "ome.io/accelerator-class"))],
        ),
        (
            service(annotation=""),
            [("accelerator-class-empty", ("metadata", "annotations", "ome.io/accelerator-class"))],
        ),
        (service({"acceleratorClass": ""}), [("accelerator-class-empty", (*SELECTOR, "acceleratorClass"))]),
        (service(override={"acceleratorClass": ""}), [("accelerator-class-empty", (*OVERRIDE, "acceleratorClass"))]),
        (
            service(override={"constraints": {"minMemory": 80}}),
            [("accelerator-override-without-effect", (*OVERRIDE, "constraints"))],
        ),
        (
            service({"constraints": {"minArchitectureVersion": "10.0"}}),
            [("accelerator-version-as-text", (*SELECTOR, "constraints", "minArchitectureVersion"))],
        ),
        (service({"constraints": {"minArchitectureVersion": "9.0"}}), []),
    ],
)
def test_requests(asking: Service, expected: list[tuple[str, tuple[Any, ...]]]) -> None:
    assert found(check_requests(asking)) == expected


def choice_problems(asking: Service, listed: list[str], nodes: list[NodeGroup] | None = None) -> list[Problem]:
    runtime = {"acceleratorRequirements": {"acceleratorClasses": listed}}
    return list(check_choice(asking, choose("engine", asking.spec, runtime, EXISTING), EXISTING, nodes))


@pytest.mark.parametrize(
    ("asking", "listed", "slug", "message"),
    [
        (
            service({"acceleratorClass": "h100"}),
            [],
            "accelerator-class-dropped",
            "the engine gets no accelerator class: the runtime lists none, so class h100 is ignored",
        ),
        (
            service({"policy": "Cheapest"}),
            [],
            "accelerator-class-dropped",
            "the engine gets no accelerator class: the runtime lists none, so policy Cheapest is ignored",
        ),
        (
            service({"policy": "Cheapest", "constraints": {"minMemory": 100}}),
            ["h100", "ghost"],
            "accelerator-policy-without-candidate",
            "policy Cheapest finds no accelerator class for the engine: h100 (memory 80GB < required 100GB), "
            "ghost (does not exist)",
        ),
        (
            service({"policy": "BestFit"}),
            ["h100", "l40s"],
            "accelerator-best-fit-crash",
            "OME 1.3 fails over policy BestFit for the engine: 2 classes and no constraints",
        ),
        (
            service({"acceleratorClass": "h100"}, {"policy": "Cheapest"}),
            ["h100"],
            "accelerator-override-without-effect",
            "the engine runs on class h100, which is named: policy Cheapest is ignored",
        ),
        (
            service({"policy": "MostCapable", "constraints": {"minMemory": 1}}),
            ["h100", "bare"],
            "accelerator-fact-missing",
            "policy MostCapable passes over class bare: missing memory specification for memory check",
        ),
    ],
)
def test_choices(asking: Service, listed: list[str], slug: str, message: str) -> None:
    assert [(problem.rule.slug, problem.message) for problem in choice_problems(asking, listed)] == [(slug, message)]


def test_cheapest_without_a_cost() -> None:
    runtime = {"acceleratorRequirements": {"acceleratorClasses": ["a", "b"]}}
    asking, classes = service({"policy": "Cheapest"}), {"a": spec(), "b": spec()}
    (problem,) = check_choice(asking, choose("engine", asking.spec, runtime, classes), classes)
    assert problem.message == ("policy Cheapest finds no accelerator class for the engine: none of them states a cost")


@pytest.mark.parametrize(
    ("asking", "listed"),
    [
        (service({"acceleratorClass": "h100", "policy": "BestFit"}), ["h100", "l40s"]),
        (service({"policy": "BestFit", "constraints": {}}), ["h100", "l40s"]),
        (service({"policy": "Cheapest"}), ["h100", "ghost"]),
        (service({"policy": "Cheapest", "constraints": {"requiredFeatures": ["nvlink"]}}), ["h100", "l40s"]),
        (service(), []),
    ],
)
def test_sound_choices(asking: Service, listed: list[str]) -> None:
    assert choice_problems(asking, listed) == []


LABELS = EXISTING["h100"]["discovery"].get("nodeSelector", {})


@pytest.mark.parametrize(
    ("capacity", "message"),
    [
        ({}, "the engine runs on class h100, which no node of the inventory matches"),
        (
            {"nvidia.com/gpu": "4"},
            "the engine runs on class h100, whose nodes (pool) have fewer accelerators than the class gives each pod",
        ),
    ],
)
def test_nodes(capacity: Object, message: str) -> None:
    pool = NodeGroup("pool", labels=LABELS, capacity=capacity)
    (problem,) = choice_problems(service({"acceleratorClass": "h100"}), ["h100"], [pool])
    assert (problem.rule, problem.message) == (rules.NO_NODES, message)


def test_no_inventory_is_no_empty_one() -> None:
    asking = service({"acceleratorClass": "h100"})
    assert choice_problems(asking, ["h100"], None) == []
    assert len(choice_problems(asking, ["h100"], [])) == 1
    roomy = NodeGroup("pool", labels=LABELS, capacity={"nvidia.com/gpu": "8"})
    assert choice_problems(asking, ["h100"], [roomy]) == []


def effect_problems(runner: Object, config: Object, resources: Object | None = None) -> list[tuple[str, str]]:
    """Of a class ``c`` with ``resources`` for which the runtime has ``config``, on a runner with 8 GPUs."""
    gpus = {"limits": {"nvidia.com/gpu": "8"}}
    merged = {**RUNNER, "resources": gpus, **runner}
    runtime = Runtime("rt", {"supportedModelFormats": [{"acceleratorConfig": {"c": config}}]}, 0)
    listed = [{"name": name, "quantity": quantity} for name, quantity in (resources or {}).items()]
    chosen = accelerator(runtime, "c", {"resources": listed})
    component = Component("engine", {"runner": merged}, {}, {"runner": merged})
    pod = build_pod(inputs(), component, weights=None, accelerator=chosen)
    container = pod.spec["containers"][pod.main]
    problems = check_effects(component, chosen, runtime, merged, container, ("nvidia.com/gpu",))
    return [(problem.rule.slug, problem.message) for problem in problems]


def sizes(tensor: int, pipeline: int | None = None) -> Object:
    given = {"tensorParallelSize": tensor}
    return {"tensorParallelismOverride": given if pipeline is None else {**given, "pipelineParallelSize": pipeline}}


@pytest.mark.parametrize(
    ("runner", "config", "problems"),
    [
        ({"args": ["--tp-size=1"]}, sizes(8), []),
        ({"args": ["--tp-size=8"]}, sizes(8), []),
        ({"command": ["serve", "--tp", "1"]}, sizes(8), []),
        (
            {"args": ["--port=1"], "command": ["bash", "-c", "serve --tp-size 1"]},
            sizes(8),
            [
                (
                    "parallelism-flag-missing",
                    "tensorParallelSize changes nothing of the engine: neither args nor command has --tp-size or --tp "
                    "or --tensor-parallel-size",
                )
            ],
        ),
        (
            {"args": ["--tp-size", "--port=1"]},
            sizes(8),
            [
                (
                    "accelerator-arguments-lost",
                    "tensorParallelSize replaces --port=1 of the engine, which follows --tp-size without a value",
                )
            ],
        ),
        (
            {"args": ["--lora", "a", "--lora", "b", "--x"]},
            {"runtimeArgsOverride": ["--y"]},
            [
                (
                    "accelerator-arguments-lost",
                    "the engine keeps only the last --lora of its args: the class overrides arguments",
                )
            ],
        ),
        ({"args": ["--lora", "a", "--lora", "b"]}, {}, []),
        (
            {"args": ["--tp-size=1"]},
            sizes(4),
            [("parallelism-gpus-differ", "the engine runs with tensor parallelism 4 on 8 GPUs a replica")],
        ),
        ({"args": ["--tp-size=1", "--pp-size=1"]}, sizes(4, 2), []),
        ({"args": ["--tp-size=1"], "resources": {}}, sizes(4), []),
        ({"args": []}, {"tensorParallelismOverride": {}}, []),
    ],
)
def test_effects(runner: Object, config: Object, problems: list[tuple[str, str]]) -> None:
    assert effect_problems(runner, config) == problems


def test_gpus_of_two_vendors() -> None:
    assert effect_problems({}, {}, {"amd.com/gpu": "8"}) == [
        ("accelerator-vendors-mixed", "the engine asks for amd.com/gpu and nvidia.com/gpu in one container")
    ]
    assert effect_problems({}, {}, {"nvidia.com/gpu": "4", "rdma/hca": "1"}) == []
