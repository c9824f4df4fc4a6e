"""Whole runtimes: accelerator classes, deployment modes and the order of checks (reference 01 §3, §8, §9, §10.5)."""

from __future__ import annotations

from typing import Any

import pytest

from omec.resolve.match import DEPLOYMENT_MODE, Demands
from tests.resolve.builders import UNSET, entry, facts, matcher, runtime

CLASS = "runtime does not support the required accelerator class"


def _override(**components: str) -> dict[str, Any]:
    return {name: {"acceleratorOverride": {"acceleratorClass": value}} for name, value in components.items()}


# Reference 01 §8 and 03 §4: the service's spec, its annotations, the runtime's classes, passes.
CLASSES: list[tuple[dict[str, Any], dict[str, str], list[str] | None, bool]] = [
    ({}, {}, None, True),
    ({"acceleratorSelector": {"acceleratorClass": "nvidia-h100"}}, {}, ["nvidia-h100", "nvidia-h200"], True),
    ({"acceleratorSelector": {"acceleratorClass": "nvidia-h100"}}, {}, None, False),
    ({"acceleratorSelector": {"acceleratorClass": "nvidia-h100"}}, {}, [], False),
    ({"acceleratorSelector": {"acceleratorClass": "nvidia-a100"}}, {}, ["nvidia-h100", "nvidia-h200"], False),
    (_override(engine="nvidia-h100", decoder="nvidia-h200"), {}, ["nvidia-h100", "nvidia-h200"], True),
    (_override(engine="nvidia-h100", decoder="nvidia-a100"), {}, ["nvidia-h100", "nvidia-h200"], False),
    ({}, {"ome.io/accelerator-class": "nvidia-tesla-t4"}, ["nvidia-tesla-t4", "nvidia-a100"], True),
    ({"acceleratorSelector": {"acceleratorClass": "H100"}}, {}, ["h100"], False),
    ({"acceleratorSelector": {"acceleratorClass": ""}}, {}, ["nvidia-h100"], False),
    ({"acceleratorSelector": {"acceleratorClass": "y"}}, {"ome.io/accelerator-class": "x"}, ["y"], False),
    ({"acceleratorSelector": {"policy": "BestFit"}}, {}, None, True),
    ({"acceleratorSelector": {"policy": "Cheapest"}}, {}, None, True),
    ({}, {"ome.io/accelerator-class": "h100"}, ["h100"], True),
    ({"acceleratorSelector": {"acceleratorClass": "h100"}}, {"ome.io/accelerator-class": "a100"}, ["h100"], False),
    (_override(decoder="h200"), {}, ["h100"], False),
    ({}, {"ome.io/accelerator-class": ""}, ["h100"], False),
]


@pytest.mark.parametrize(("spec", "annotations", "listed", "passes"), CLASSES)
def test_accelerator_class(
    spec: dict[str, Any], annotations: dict[str, str], listed: list[str] | None, passes: bool
) -> None:
    requirements = {} if listed is None else {"acceleratorRequirements": {"acceleratorClasses": listed}}
    verdict = matcher(runtime(**requirements)).verdict(facts(), Demands.of(spec, annotations))
    assert verdict.reason == (None if passes else CLASS)


def _mode(**components: str) -> dict[str, Any]:
    return {name: {"annotations": {DEPLOYMENT_MODE: mode}} for name, mode in components.items()}


def _conflict(component: str, runtime_mode: str, requested: str) -> str:
    return (
        f"runtime {component} deployment mode {runtime_mode} does not match requested {component} deployment mode "
        f"{requested}"
    )


# Reference 01 §9: the service's spec, the runtime's component configs, reason.
MODES: list[tuple[dict[str, Any], dict[str, Any], str | None]] = [
    ({}, _mode(engineConfig="MultiNode"), None),
    (_mode(engine="OMENative"), {}, None),
    (_mode(engine="OMENative"), _mode(engineConfig="OMENative"), None),
    (_mode(engine="OMENative"), _mode(engineConfig="MultiNode"), _conflict("engine", "MultiNode", "OMENative")),
    (_mode(engine="RawDeployment"), _mode(engineConfig="OMENative"), _conflict("engine", "OMENative", "RawDeployment")),
    (
        {"deploymentMode": "OMENative", "engine": {}},
        _mode(engineConfig="MultiNode"),
        _conflict("engine", "MultiNode", "OMENative"),
    ),
    ({"deploymentMode": "OMENative", **_mode(engine="MultiNode")}, _mode(engineConfig="MultiNode"), None),
    (
        {"deploymentMode": "OMENative", **_mode(engine="multinode")},
        _mode(engineConfig="MultiNode"),
        _conflict("engine", "MultiNode", "OMENative"),
    ),
    (_mode(engine="OMENative"), _mode(engineConfig="omenative"), None),
    (
        {"engine": {}, **_mode(decoder="RawDeployment")},
        _mode(engineConfig="RawDeployment", decoderConfig="MultiNode"),
        _conflict("decoder", "MultiNode", "RawDeployment"),
    ),
    ({"deploymentMode": "RawDeployment", "engine": {}}, _mode(decoderConfig="MultiNode"), None),
    (
        _mode(engine="OMENative", decoder="OMENative"),
        _mode(engineConfig="MultiNode", decoderConfig="MultiNode"),
        _conflict("engine", "MultiNode", "OMENative"),
    ),
    (_mode(router="OMENative"), _mode(routerConfig="MultiNode"), None),
]


@pytest.mark.parametrize(("spec", "configs", "reason"), MODES)
def test_deployment_mode(spec: dict[str, Any], configs: dict[str, Any], reason: str | None) -> None:
    assert matcher(runtime(**configs)).verdict(facts(), Demands.of(spec, {})).reason == reason


@pytest.mark.parametrize("value", [{"a": 1}, ["OMENative"], 1, True])
def test_mode_of_another_type_is_no_mode(value: Any) -> None:
    """Such a manifest has a finding of its structure; what it asks for is not known."""
    spec = {"deploymentMode": value, "engine": {"annotations": {DEPLOYMENT_MODE: value}}}
    assert Demands.of(spec, {}).modes == ()


def test_annotation_of_the_service_itself_is_no_mode() -> None:
    demands = Demands.of({"engine": {}}, {DEPLOYMENT_MODE: "OMENative"})
    assert matcher(runtime(**_mode(engineConfig="MultiNode"))).verdict(facts(), demands).compatible


def test_order_of_checks() -> None:
    """The first failing check gives the reason: disabled, class, mode, format, size."""
    body = runtime(
        "rt",
        entry(modelArchitecture="Other"),
        disabled=True,
        modelSizeRange={"max": "1B"},
        **_mode(engineConfig="MultiNode"),
    )
    spec = body["spec"]
    demands = Demands.of({"acceleratorSelector": {"acceleratorClass": "h100"}, **_mode(engine="OMENative")}, {})
    found = []
    for repair in (
        lambda: None,
        lambda: spec.pop("disabled"),
        lambda: spec.update(acceleratorRequirements={"acceleratorClasses": ["h100"]}),
        lambda: spec.pop("engineConfig"),
        lambda: spec.update(supportedModelFormats=[entry()]),
        lambda: spec.pop("modelSizeRange"),
    ):
        repair()
        found.append(matcher(body).verdict(facts(modelParameterSize="3.21B"), demands).reason)
    assert found == [
        "runtime is disabled",
        CLASS,
        _conflict("engine", "MultiNode", "OMENative"),
        "model format 'mt:safetensors:1.0.0:LlamaForCausalLM:transformers:4.45.0.dev0' not in supported formats: "
        "architecture mismatch (model=LlamaForCausalLM, runtime=Other)",
        "model size 3.21B is outside supported range (-inf, 1B]",
        None,
    ]


def test_only_true_disables() -> None:
    assert matcher(runtime(disabled=False)).verdict(facts()).compatible


def test_null_is_unset_and_defaults_are_filled_in() -> None:
    """The API server prunes nulls and then defaults: `weight: null` counts as 1."""
    nulls = entry(quantization=None, modelFormat={"weight": None, "operator": None})
    assert matcher(runtime("rt", nulls)).verdict(facts()).score == 2


def test_warnings_of_the_compatibility_report() -> None:
    verdict = matcher(runtime("rt", entry(autoSelect=UNSET), modelSizeRange={"min": "1B"})).verdict(facts())
    assert verdict.warnings == (
        "runtime does not have auto-select enabled for any supported format",
        "model does not specify size, but runtime has size constraints",
    )


# Reference 01 §10.5: entries, the entry of a named runtime, of a selected one.
ACCELERATOR_ENTRIES: list[tuple[list[dict[str, Any]], int | None, int | None]] = [
    ([entry(autoSelect=False)], 0, None),
    ([entry(autoSelect=UNSET)], 0, None),
    ([entry()], 0, 0),
    (
        [
            entry(autoSelect=False, modelFormat={"weight": 4}),
            entry(autoSelect=False, modelFormat={"weight": 14}),
        ],
        1,
        None,
    ),
    ([entry(autoSelect=False), entry(priority=9), entry()], 0, 1),
    ([entry(modelFramework={"name": "other"})], None, None),
    ([entry(modelFormat={"weight": -1})], None, None),
    ([entry(modelArchitecture="Other"), entry()], 0, 0),
]


@pytest.mark.parametrize(("entries", "named", "selected"), ACCELERATOR_ENTRIES)
def test_accelerator_entry(entries: list[dict[str, Any]], named: int | None, selected: int | None) -> None:
    found = matcher(runtime("rt", *entries))
    assert found.accelerator_entry(facts(), named=True) == named
    assert found.accelerator_entry(facts(), named=False) == selected
