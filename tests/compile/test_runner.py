"""What OME adds to a runner (reference 04 §8 and §24.3)."""

from __future__ import annotations

from typing import Any

import pytest

from omec.compile.operator import OperatorConfig
from omec.compile.runner import accelerator_count
from tests.compile.rendering import NO_DEFAULTS, RUNNER, engine_container, engine_pod, inputs, variables

Object = dict[str, Any]

CLASS: Object = {"resources": [{"name": "nvidia.com/gpu", "quantity": "8"}]}


def model_at(path: str | None, uri: str = "hf://a/b") -> Object:
    return {"storage": {"storageUri": uri, **({} if path is None else {"path": path})}}


def gpus(number: int, name: str = "nvidia.com/gpu") -> Object:
    return {"limits": {name: str(number)}}


def with_class(
    runner: Object,
    spec: Object = CLASS,
    *,
    config: Object | None = None,
    own: Object | None = None,
    model: Object | None = None,
) -> Object:
    """The rendered engine container of a service that names the class ``h100`` with ``spec``."""
    runtime = {
        "engineConfig": {"runner": {**RUNNER, **runner}},
        "acceleratorRequirements": {"acceleratorClasses": ["h100"]},
        "supportedModelFormats": [{"acceleratorConfig": {"h100": config or {}}}],
    }
    service = {"engine": own or {}, "acceleratorSelector": {"acceleratorClass": "h100"}}
    return engine_container(inputs(service, runtime, model, accelerator_classes={"h100": spec}))


@pytest.mark.parametrize(
    ("env", "model", "resources", "expected"),
    [
        (["MODEL_PATH=/x"], model_at("/m"), {}, ["MODEL_PATH=/x"]),
        ([], model_at("/m"), gpus(1), ["MODEL_PATH=/m", "PARALLELISM_SIZE=1"]),
        (["PARALLELISM_SIZE=9", "A=1"], None, gpus(2), ["PARALLELISM_SIZE=2", "A=1"]),
        ([], model_at(""), {}, []),
        ([], model_at(None), {}, []),
        ([], model_at(None, "local:///mnt/x"), {}, []),
        ([], model_at("/v", "vendor://meta/llama"), {}, ["MODEL_PATH=/v"]),
        ([], model_at("/ignored", "pvc://claim/sub"), {}, ["MODEL_PATH=/opt/ml/model"]),
        ([], None, gpus(8, "amd.com/gpu"), []),
        ([], None, {"limits": {"cpu": "10"}}, []),
        ([], None, {"requests": {"nvidia.com/gpu": "2"}}, ["PARALLELISM_SIZE=2"]),
        ([], None, {**gpus(4), "requests": {"nvidia.com/gpu": "2"}}, ["PARALLELISM_SIZE=4"]),
    ],
)
def test_environment(env: list[str], model: Object | None, resources: Object, expected: list[str]) -> None:
    given = [dict(zip(("name", "value"), item.split("="), strict=True)) for item in env]
    runtime = {"engineConfig": {"runner": {**RUNNER, "env": given, "resources": resources}}}
    assert variables(engine_container(inputs(runtime=runtime, model=model))) == expected


def test_workers_count_for_parallelism() -> None:
    part = {"runner": {**RUNNER, "resources": gpus(8)}}
    config = {"leader": part, "worker": {**part, "size": 1}, "annotations": {"ome.io/deploymentMode": "RawDeployment"}}
    container = engine_container(inputs(runtime={"engineConfig": config}))
    assert variables(container) == ["PARALLELISM_SIZE=16"]


def test_other_accelerator_resources_count_where_the_operator_says_so() -> None:
    operator = OperatorConfig(ingress_disabled=True, accelerator_resources=("nvidia.com/gpu", "google.com/tpu"))
    runtime = {"engineConfig": {"runner": {**RUNNER, "resources": gpus(4, "google.com/tpu")}}}
    assert variables(engine_container(inputs(runtime=runtime, operator=operator))) == ["PARALLELISM_SIZE=4"]
    assert variables(engine_container(inputs(runtime=runtime, operator=NO_DEFAULTS))) == []


@pytest.mark.parametrize(
    ("resources", "expected"),
    [
        ({}, 0),
        ({"limits": {"b": "2"}, "requests": {"a": "1"}}, 2),
        ({"limits": {"a": "1", "b": "2"}}, 1),
        ({"limits": {"a": 3}}, 3),
        ({"limits": {"a": "1500m"}}, 2),
    ],
)
def test_accelerator_count(resources: Object, expected: int) -> None:
    assert accelerator_count(resources, ["a", "b"]) == expected


@pytest.mark.parametrize(
    ("env", "override", "expected"),
    [
        ("A=1 B=2", {"B": "9"}, ["A=1", "B=9"]),
        ("A=1", {"Z": "z", "C": "c"}, ["A=1", "C=c", "Z=z"]),
        ("A=1", {"A": ""}, ["A="]),
        ("NCCL_DEBUG=INFO", {"NCCL_DEBUG": "WARN"}, ["NCCL_DEBUG=WARN"]),
    ],
)
def test_environment_override(env: str, override: Object, expected: list[str]) -> None:
    given = [dict(zip(("name", "value"), item.split("="), strict=True)) for item in env.split()]
    container = with_class({"env": given}, {}, config={"environmentOverride": override})
    assert variables(container) == expected


def test_environment_override_keeps_the_source_of_a_value() -> None:
    source = {"secretKeyRef": {"name": "s", "key": "k"}}
    container = with_class(
        {"env": [{"name": "S", "valueFrom": source}]}, {}, config={"environmentOverride": {"S": "x"}}
    )
    assert container["env"] == [{"name": "S", "value": "x", "valueFrom": source}]


def test_environment_override_wins_over_the_model_path() -> None:
    container = with_class({}, {}, config={"environmentOverride": {"MODEL_PATH": "/o"}}, model=model_at("/m"))
    assert variables(container) == ["MODEL_PATH=/o"]


@pytest.mark.parametrize(
    ("runner", "own", "spec", "limits"),
    [
        ({"limits": {"nvidia.com/gpu": "1", "cpu": "10"}}, None, CLASS, {"nvidia.com/gpu": "8", "cpu": "10"}),
        (
            {"limits": {"nvidia.com/gpu": "1"}},
            {"limits": {"cpu": "4"}},
            CLASS,
            {"nvidia.com/gpu": "1", "cpu": "4"},
        ),
        (None, None, {"resources": [{"name": "nvidia.com/gpu"}]}, {"nvidia.com/gpu": "1"}),
        ({"limits": {"nvidia.com/gpu": "2"}}, None, {}, {"nvidia.com/gpu": "2"}),
        ({"limits": {"nvidia.com/gpu": "8"}}, {"limits": {}}, CLASS, {"nvidia.com/gpu": "8"}),
        ({"limits": {"nvidia.com/gpu": "8"}}, {}, CLASS, {"nvidia.com/gpu": "8"}),
        # OME asks for the length of the claims, and whether there are limits or requests at all.
        ({"limits": {"nvidia.com/gpu": "1"}}, {"claims": []}, CLASS, {"nvidia.com/gpu": "8"}),
        ({"limits": {"nvidia.com/gpu": "1"}}, {"claims": [{"name": "c"}]}, CLASS, {"nvidia.com/gpu": "1"}),
        (
            {"limits": {"nvidia.com/gpu": "8"}},
            None,
            {"resources": [{"name": "amd.com/gpu", "quantity": "8"}]},
            {"nvidia.com/gpu": "8", "amd.com/gpu": "8"},
        ),
    ],
)
def test_resources_of_the_class(runner: Object | None, own: Object | None, spec: Object, limits: Object) -> None:
    container = with_class(
        {} if runner is None else {"resources": runner},
        spec,
        own={} if own is None else {"runner": {"resources": own}},
    )
    assert container["resources"]["limits"] == limits


def test_resources_of_the_class_are_counted_for_parallelism() -> None:
    assert variables(with_class({})) == ["PARALLELISM_SIZE=8"]


@pytest.mark.parametrize("override", [{}, {"tensorParallelSize": 8}])
def test_parallelism_override_leaves_the_size_out(override: Object) -> None:
    assert variables(with_class({}, config={"tensorParallelismOverride": override})) == []


def test_arguments_of_the_class() -> None:
    container = with_class(
        {"args": ["--tp-size=1", "--mem-frac=0.9"], "command": ["serve", "--pp", "1"]},
        config={
            "runtimeArgsOverride": ["--mem-frac=0.85"],
            "tensorParallelismOverride": {"tensorParallelSize": 8, "pipelineParallelSize": 2, "dataParallelSize": 4},
        },
    )
    assert container["args"] == ["--tp-size=8", "--mem-frac=0.85"]
    assert container["command"] == ["serve", "--pp", "2"]


def test_parallelism_comes_after_the_other_arguments() -> None:
    """Reference 03 §7.4."""
    config = {"runtimeArgsOverride": ["--tp-size=2"], "tensorParallelismOverride": {"tensorParallelSize": 4}}
    assert with_class({"args": ["--tp-size=1"]}, config=config)["args"] == ["--tp-size=4"]


def test_settings_for_another_class_do_not_count() -> None:
    runtime = {
        "engineConfig": {"runner": RUNNER},
        "acceleratorRequirements": {"acceleratorClasses": ["h100"]},
        "supportedModelFormats": [{"acceleratorConfig": {"a100": {"environmentOverride": {"A": "1"}}}}],
    }
    service = {"engine": {}, "acceleratorSelector": {"acceleratorClass": "h100"}}
    assert variables(engine_container(inputs(service, runtime, accelerator_classes={"h100": {}}))) == []


def test_legacy_containers_of_the_runtime_fill_resources() -> None:
    runtime = {
        "engineConfig": {"runner": {**RUNNER, "resources": {"limits": {"cpu": "2"}}}},
        "containers": [{"name": "ome-container", "resources": {"limits": {"cpu": "9", "memory": "1Gi"}}}],
    }
    assert engine_container(inputs(runtime=runtime))["resources"] == {"limits": {"cpu": "2", "memory": "1Gi"}}


@pytest.mark.parametrize(
    ("model", "mount", "volume"),
    [
        (
            model_at("/m"),
            {"name": "llama", "mountPath": "/m", "readOnly": True},
            {"name": "llama", "hostPath": {"path": "/m"}},
        ),
        (
            model_at(None, "pvc://ns-123:claim/a/b"),
            {"name": "llama", "mountPath": "/opt/ml/model", "subPath": "a/b", "readOnly": True},
            {"name": "llama", "persistentVolumeClaim": {"claimName": "claim", "readOnly": True}},
        ),
    ],
)
def test_volume_and_mount_of_the_model(model: Object, mount: Object, volume: Object) -> None:
    pod = engine_pod(inputs(model=model))
    assert pod["containers"][0]["volumeMounts"] == [mount]
    assert pod["volumes"] == [volume]


def test_mount_is_appended_beside_one_of_the_same_path() -> None:
    runtime = {"engineConfig": {"runner": {**RUNNER, "volumeMounts": [{"name": "dshm", "mountPath": "/m"}]}}}
    mounts = engine_container(inputs(runtime=runtime, model=model_at("/m")))["volumeMounts"]
    assert [mount["name"] for mount in mounts] == ["dshm", "llama"]
