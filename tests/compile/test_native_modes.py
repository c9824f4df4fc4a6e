"""Deployment modes: the vectors of reference 05 §1."""

from __future__ import annotations

from typing import Any

import pytest

from omec.compile.components import merge_components
from omec.compile.modes import Mode, component_mode
from omec.compile.names import RUNTIME_CONFIG, ComponentName
from omec.compile.native.mode_checks import mode_problems, virtual_note
from omec.compile.native.mode_rule import ModeRule, mode_rule
from omec.compile.problems import Origin, Place
from tests.compile.native_cases import only, slugs
from tests.compile.rendering import RUNNER, Object, inputs

MODE = "ome.io/deploymentMode"


def annotated(mode: str | None) -> Object:
    return {} if mode is None else {"annotations": {MODE: mode}}


@pytest.mark.parametrize(
    ("component", "own", "config", "service", "mode", "rule"),
    [
        ("engine", {}, {}, None, "RawDeployment", ModeRule.DEFAULT),
        ("router", {}, {}, "OMENative", "OMENative", ModeRule.SERVICE),
        ("router", annotated("RawDeployment"), {}, "OMENative", "RawDeployment", ModeRule.ANNOTATION),
        ("engine", annotated("OMENative"), {}, None, "OMENative", ModeRule.ANNOTATION),
        (
            "engine",
            {},
            {**annotated("MultiNode"), "leader": {}, "worker": {}},
            "OMENative",
            "MultiNode",
            ModeRule.ANNOTATION,
        ),
        (
            "engine",
            annotated("OMENative"),
            {**annotated("MultiNode"), "leader": {}, "worker": {}},
            None,
            "OMENative",
            ModeRule.ANNOTATION,
        ),
        ("engine", {}, {"leader": {}, "worker": {}}, None, "OMENative", ModeRule.SHAPE),
        ("decoder", {"worker": {}}, {}, None, "OMENative", ModeRule.SHAPE),
        ("engine", annotated("omenative"), {}, None, "RawDeployment", ModeRule.DEFAULT),
        (
            "engine",
            {**annotated("MultiNodeRayVLLM"), "leader": {}, "worker": {}},
            {},
            None,
            "OMENative",
            ModeRule.SHAPE,
        ),
        ("router", annotated("MultiNode"), {}, None, "MultiNode", ModeRule.ANNOTATION),
        ("engine", annotated("VirtualDeployment"), {}, None, "VirtualDeployment", ModeRule.ANNOTATION),
        ("engine", {"leader": {}, "worker": {}}, {}, "RawDeployment", "RawDeployment", ModeRule.SERVICE),
        ("engine", annotated(" OMENative"), {}, "OMENative", "OMENative", ModeRule.SERVICE),
        # The raw values overlay each other: a value that OME skips hides the runtime's.
        ("engine", annotated("omenative"), annotated("MultiNode"), None, "RawDeployment", ModeRule.DEFAULT),
        ("engine", annotated(""), annotated("OMENative"), None, "RawDeployment", ModeRule.DEFAULT),
    ],
)
def test_mode(
    component: ComponentName, own: Object, config: Object, service: str | None, mode: str, rule: ModeRule
) -> None:
    spec: Object = {component: own} | ({} if service is None else {"deploymentMode": service})
    given = inputs(spec, {RUNTIME_CONFIG[component]: {"runner": RUNNER, **config}})
    (merged,) = merge_components(given)
    assert component_mode(spec, merged.spec) is Mode(mode)
    assert mode_rule(spec, merged.spec) is rule


def test_mode_ignores_annotation_of_service() -> None:
    given = inputs(annotations={MODE: "OMENative"})
    (engine,) = merge_components(given)
    assert component_mode(given.service.spec, engine.spec) is Mode.RAW_DEPLOYMENT


def problems(spec: Object, runtime: Object | None = None, **more: Any) -> list[Any]:
    runtime = runtime or {config: {"runner": RUNNER} for config in RUNTIME_CONFIG.values()}
    given = inputs(spec, runtime, **more)
    components = merge_components(given)
    modes = {component.name: component_mode(spec, component.spec) for component in components}
    return list(mode_problems(given, components, modes))


@pytest.mark.parametrize(
    ("engine", "decoder", "service", "modes"),
    [
        (annotated("OMENative"), {}, None, ("OMENative", "")),
        (annotated("OMENative"), annotated("MultiNode"), None, ("OMENative", "MultiNode")),
        (annotated("OMENative"), {}, "OMENative", None),
        (annotated("OMENative"), annotated("OMENative"), None, None),
        (annotated("RawDeployment"), {}, "OMENative", ("RawDeployment", "OMENative")),
        (annotated("MultiNode"), {}, None, None),
        ({"leader": {}, "worker": {}}, {}, None, None),
    ],
)
def test_engine_and_decoder(
    engine: Object, decoder: Object, service: str | None, modes: tuple[str, str] | None
) -> None:
    spec = {"engine": engine, "decoder": decoder} | ({} if service is None else {"deploymentMode": service})
    differences = [problem for problem in problems(spec) if problem.rule.slug == "modes-differ"]
    found = [problem.message for problem in differences]
    expected = (
        []
        if modes is None
        else [
            f'InvalidDeploymentModeCombination: engine deploymentMode="{modes[0]}" does not match decoder '
            f'deploymentMode="{modes[1]}"; when either is OMENative, both must use the same value'
        ]
    )
    assert found == expected
    annotation = ("annotations", MODE) if decoder else ()  # the decoder's own, else the decoder as such
    assert [problem.place.steps for problem in differences] == [("spec", "decoder", *annotation) for _ in found]


PAIRING = "InvalidLeaderWorkerPairing: "


@pytest.mark.parametrize(
    ("engine", "message"),
    [
        ({"leader": {}, "worker": {}}, None),
        (
            {"leader": {}},
            f"{PAIRING}engine.leader is set but engine.worker is not; multi-pod configurations require both "
            "(LeaderRequiresWorker)",
        ),
        (
            {"worker": {"size": 2}},
            f"{PAIRING}engine.worker is set but engine.leader is not; multi-pod configurations require both "
            "(WorkerRequiresLeader)",
        ),
        (
            {"leader": {}, "worker": {"size": 0}},
            f"{PAIRING}engine.worker.size must be a positive integer when set; leave it unset to use the runtime's "
            "size or one worker (WorkerSizeMustBePositive)",
        ),
    ],
)
def test_leader_and_worker(engine: Object, message: str | None) -> None:
    found = [problem.message for problem in problems({"engine": engine}) if problem.rule.slug == "leader-worker-pair"]
    assert found == ([] if message is None else [message])


def test_half_a_pair_from_runtime() -> None:
    """OME's webhook looks at the service alone."""
    (problem,) = problems({"engine": {}}, {"engineConfig": {"worker": {}, "runner": RUNNER}})
    assert problem.message == "the engine has a worker but no leader, so that OME runs it as single pods"
    assert problem.rule.slug == "workers-ignored"
    assert problem.place == Place(Origin.RUNTIME, ("spec", "engineConfig", "worker"))


@pytest.mark.parametrize(
    ("engine", "service", "refused"),
    [
        ({"leader": {}, "worker": {}}, None, True),
        ({"leader": {}, "worker": {"size": 2}}, "OMENative", True),
        ({"leader": {}, "worker": {}}, "RawDeployment", False),
        ({"leader": {}, "worker": {}, **annotated("omenative")}, "OMENative", False),
        ({}, "OMENative", False),
    ],
)
def test_ready_policy(engine: Object, service: str | None, refused: bool) -> None:
    spec = {"engine": {**engine, "lifecycle": {"readyPolicy": "None"}}}
    spec |= {} if service is None else {"deploymentMode": service}  # type: ignore[dict-item]
    runtime = {"engineConfig": {"leader": {"runner": RUNNER}, "worker": {"runner": RUNNER}, "runner": RUNNER}}
    found = [problem for problem in problems(spec, runtime) if problem.rule.slug == "ready-policy-multi-pod"]
    assert bool(found) is refused
    for problem in found:
        assert problem.message == (
            'engine.lifecycle.readyPolicy "None" is not allowed on a multi-pod OMENative component: per-pod readiness '
            'reporting is not yet supported; set readyPolicy to "AllPodReady" or remove the field'
        )
        assert problem.place == Place(Origin.SERVICE, ("spec", "engine", "lifecycle", "readyPolicy"))


@pytest.mark.parametrize(
    ("service", "annotations", "mode"),
    [
        ("OMENative", {}, "OMENative"),
        ("RawDeployment", {}, None),
        (None, {}, None),
        ("RawDeployment", {MODE: "MultiNode"}, "MultiNode"),
        (None, {MODE: "RawDeployment"}, None),
    ],
)
def test_strategy_of_deployments(service: str | None, annotations: Object, mode: str | None) -> None:
    spec: Object = {"engine": {"deploymentStrategy": {"type": "Recreate"}}}
    spec |= {} if service is None else {"deploymentMode": service}
    messages = [problem.message for problem in problems(spec, annotations=annotations)]
    expected = (
        f'engine.deploymentStrategy is set but deploymentMode is "{mode}"; deploymentStrategy applies only to '
        "RawDeployment and is ignored here — use engine.lifecycle.updateStrategy.rollingUpdate for rollout pacing"
    )
    assert messages == ([] if mode is None else [expected])


@pytest.mark.parametrize(
    ("value", "help_"),
    [
        ("omenative", "did you mean OMENative?"),
        (" OMENative", "did you mean OMENative?"),
        ("Rawdeployment", "did you mean RawDeployment?"),
        ("Serverless", "write RawDeployment, OMENative or MultiNode, exactly so, or remove the annotation"),
    ],
)
def test_skipped_annotation(value: str, help_: str) -> None:
    problem = only(problems({"engine": annotated(value)}), "mode-skipped")
    assert problem.help == help_
    assert problem.place == Place(Origin.SERVICE, ("spec", "engine", "annotations", MODE))


@pytest.mark.parametrize(("component", "mode"), [("router", "MultiNode"), ("engine", "VirtualDeployment")])
def test_invalid_mode(component: str, mode: str) -> None:
    problem = only(problems({"engine": {}, component: annotated(mode)}), "mode-invalid")
    assert problem.message == f"invalid deployment mode for {component}: {mode}"
    assert problem.place == Place(Origin.SERVICE, ("spec", component, "annotations", MODE))


def test_workers_of_a_deployment() -> None:
    spec = {"deploymentMode": "RawDeployment", "engine": {"leader": {}, "worker": {"size": 1}}}
    assert slugs(problems(spec)) == ["workers-ignored"]


def test_virtual_service() -> None:
    note = virtual_note(inputs(annotations={MODE: "VirtualDeployment"}))
    assert note.message == "InferenceService chat is in VirtualDeployment mode, so nothing is rendered for it"
    assert note.place == Place(Origin.SERVICE, ("metadata", "annotations", MODE))
