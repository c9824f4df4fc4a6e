"""Vectors of reference 04 that no other test of rendering quotes; docs/fidelity.md lists all of them."""

from __future__ import annotations

from functools import cache
from typing import Any

import pytest

import omec
from omec.compile.components import merge_components
from omec.compile.operator import CHART_DEFAULTS
from omec.compile.problems import RenderError
from omec.compile.render import render
from omec.compile.validate import Validator
from tests.compile.rendering import RUNNER, engine_container, engine_pod, inputs, objects_of, rendered, variables

Object = dict[str, Any]

MODEL: Object = {"storage": {"storageUri": "hf://a/b", "path": "/m"}}
FORMAT: Object = {"modelFormat": {"name": "f"}, "modelFramework": {"name": "t"}}


def merged(config: Object, own: Object) -> Object:
    (component,) = merge_components(inputs({"engine": own}, {"engineConfig": config}))
    return component.spec


# --- §3: the model -----------------------------------------------------------------------------------------------


def ome(kind: str, name: str, spec: Object, namespace: str | None = None) -> Object:
    metadata = {"name": name} if namespace is None else {"name": name, "namespace": namespace}
    return {"apiVersion": "ome.io/v1beta1", "kind": kind, "metadata": metadata, "spec": spec}


CLUSTER_MODEL = ome("ClusterBaseModel", "m", {**MODEL, **FORMAT, "vendor": "cluster"})
BASE_MODEL = ome("BaseModel", "m", {**MODEL, **FORMAT, "vendor": "base"}, "prod")
RUNTIME = ome("ClusterServingRuntime", "r", {"supportedModelFormats": [FORMAT], "engineConfig": {"runner": RUNNER}})


def service_of(model: Object | None) -> Object:
    spec: Object = {"engine": {}, "runtime": {"name": "r"}} | ({} if model is None else {"model": model})
    return ome("InferenceService", "chat", spec, "prod")


@pytest.mark.parametrize(
    ("reference", "models", "vendor"),
    [
        ({"name": "m"}, [BASE_MODEL, CLUSTER_MODEL], "cluster"),
        ({"name": "m", "kind": "BaseModel"}, [BASE_MODEL, CLUSTER_MODEL], "base"),
        ({"name": "m", "apiGroup": ""}, [CLUSTER_MODEL], "cluster"),
        (None, [CLUSTER_MODEL], None),
    ],
)
def test_model_that_is_served(reference: Object | None, models: list[Object], vendor: str | None) -> None:
    objects = rendered([service_of(reference), RUNTIME, *models]).objects
    assert objects[0]["metadata"]["labels"].get("base-model-vendor") == vendor


@pytest.mark.parametrize(
    ("reference", "models", "message"),
    [
        (
            {"name": "m"},
            [BASE_MODEL],
            'failed to get base model spec for m: clusterbasemodels.ome.io "m" not found',
        ),
        (
            {"name": "m", "kind": "BaseModel"},
            [CLUSTER_MODEL],
            'failed to get base model spec for m: basemodels.ome.io "m" not found',
        ),
        (
            {"name": "m", "kind": "basemodel"},
            [BASE_MODEL, CLUSTER_MODEL],
            'unsupported Model kind "basemodel"',
        ),
        (
            {"name": "m", "apiGroup": "example.com"},
            [CLUSTER_MODEL],
            'unsupported Model API group "example.com"',
        ),
    ],
)
def test_model_that_is_not_served(reference: Object, models: list[Object], message: str) -> None:
    with pytest.raises(RenderError) as caught:
        rendered([service_of(reference), RUNTIME, *models])
    assert caught.value.problem.message == message


# --- §5.3, §24.1: what is merged ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("field", "key", "of_runtime", "of_service", "expected"),
    [
        ("containers", "name", ["s1"], ["s2"], ["s2", "s1"]),
        ("imagePullSecrets", "name", ["a"], ["b"], ["b", "a"]),
        ("volumes", "name", ["A", "B"], ["C"], ["C", "A", "B"]),
    ],
)
def test_order_of_lists_of_a_component(
    field: str, key: str, of_runtime: list[str], of_service: list[str], expected: list[str]
) -> None:
    result = merged({field: [{key: item} for item in of_runtime]}, {field: [{key: item} for item in of_service]})
    assert [item[key] for item in result[field]] == expected


def test_order_of_ports() -> None:
    result = merged(
        {"runner": {"name": "c", "ports": [{"containerPort": 8080}]}}, {"runner": {"ports": [{"containerPort": 9090}]}}
    )
    assert [port["containerPort"] for port in result["runner"]["ports"]] == [9090, 8080]


def test_affinities_merge_field_by_field_and_terms_are_replaced() -> None:
    def terms(key: str) -> Object:
        expression = {"matchExpressions": [{"key": key, "operator": "Exists"}]}
        return {"nodeAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": {"nodeSelectorTerms": [expression]}}}

    anti = {"podAntiAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": [{"topologyKey": "h"}]}}
    assert merged({"affinity": terms("a")}, {"affinity": terms("b") | anti})["affinity"] == terms("b") | anti


# --- §24.2, §24.3, §16: arguments, environment, annotations of the pod webhook -----------------------------------


@pytest.mark.parametrize("size", [0, None])
def test_parallel_size_of_nothing_changes_no_argument(size: int | None) -> None:
    runtime = {
        "engineConfig": {"runner": {**RUNNER, "args": ["--tp-size=4"]}},
        "acceleratorRequirements": {"acceleratorClasses": ["h100"]},
        "supportedModelFormats": [
            {"acceleratorConfig": {"h100": {"tensorParallelismOverride": {"tensorParallelSize": size}}}}
        ],
    }
    spec = {"engine": {}, "acceleratorSelector": {"acceleratorClass": "h100"}}
    assert engine_container(inputs(spec, runtime, accelerator_classes={"h100": {}}))["args"] == ["--tp-size=4"]


def test_model_init_brings_the_files_itself() -> None:
    """Open in the reference (§16.2, §26.10); omec follows the documentation of v1.3 and the vector of §24.3."""
    pod = engine_pod(inputs(annotations={"ome.io/inject-model-init": "true"}, model=MODEL))
    assert [volume["name"] for volume in pod["volumes"]] == ["llama", "model-empty-dir"]
    assert variables(pod["containers"][0]) == []
    assert "volumeMounts" not in pod["containers"][0]


def test_metrics_annotations_without_effect_are_left_out() -> None:
    """§16.1: with the value "false" they do nothing."""
    template = objects_of(inputs(operator=CHART_DEFAULTS))["Deployment", "chat-engine"]["spec"]["template"]
    assert not [key for key in template["metadata"]["annotations"] if "metric" in key or "prometheus" in key]


# --- §22: what the API server would refuse -----------------------------------------------------------------------


@cache
def validator() -> Validator:
    return Validator()


def refusals(spec: Object, runtime: Object | None = None, **given: Any) -> list[str]:
    objects = render(inputs(spec, runtime, **given)).objects
    return [error.message for obj in objects for error in validator().errors(obj)]


def ports(*found: Object) -> Object:
    return {"engine": {"runner": {**RUNNER, "ports": list(found)}}}


@pytest.mark.parametrize(
    ("spec", "part"),
    [
        (ports({"name": "a", "containerPort": 1}, {"containerPort": 2}), "spec.ports[1].name: Required value"),
        (
            ports({"name": "a", "containerPort": 1}, {"name": "a", "containerPort": 2}),
            'spec.ports[1].name: Duplicate value: "a"',
        ),
        (ports({"name": "a", "containerPort": 1}, {"name": "b", "containerPort": 1}), "spec.ports[1] repeats port 1"),
        (
            {"engine": {"deploymentStrategy": {"rollingUpdate": {"maxSurge": 0, "maxUnavailable": 0}}}},
            "spec.strategy.rollingUpdate.maxUnavailable: Invalid value: 0",
        ),
    ],
    ids=["unnamed port", "name twice", "number twice", "no step allowed"],
)
def test_objects_that_the_api_server_refuses(spec: Object, part: str) -> None:
    assert [message for message in refusals(spec) if message.startswith(part)]


def test_names_that_are_too_long() -> None:
    assert "spec.selector: Invalid value" in " ".join(refusals({"engine": {}}, name="c" * 64))
    assert not refusals({"engine": {}}, name="c" * 50)


def test_nothing_is_written_for_a_service_with_a_refused_object() -> None:
    """§2: a step that fails ends the whole service."""
    spec = {**ports({"containerPort": 1}, {"containerPort": 2}), "runtime": {"name": "r"}}
    service = ome("InferenceService", "chat", spec, "prod")
    compilation = omec.from_objects([service, RUNTIME]).compile()
    assert [finding.rule.slug for finding in compilation.findings if finding.severity.label == "error"]
    assert compilation.objects == ()
