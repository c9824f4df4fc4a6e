"""The preset ``ome.io/engine: sglang-pd``: reference 04 §20 and §23.2, 02 §6."""

from __future__ import annotations

from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from omec.api.shapes import SERVING_RUNTIME_SPEC, normalise
from omec.catalog import Catalog
from omec.resolve.decide import Decider
from omec.resolve.inherit import ChainResolver
from omec.resolve.preset import preset_findings, sglang_pd, with_presets
from tests.conftest import ROOT
from tests.oracle.objects import catalog_of

Object = dict[str, Any]

PRESET = "sglang-pd"


def runtime(
    name: str, spec: Object, engine: str | None = PRESET, *, parent: str | None = None, namespace: str | None = None
) -> Object:
    annotations = {} if engine is None else {"ome.io/engine": engine}
    annotations |= {} if parent is None else {"ome.io/inherit-from": parent}
    metadata = {"name": name, "annotations": annotations} | ({} if namespace is None else {"namespace": namespace})
    kind = "ClusterServingRuntime" if namespace is None else "ServingRuntime"
    return {"apiVersion": "ome.io/v1beta1", "kind": kind, "metadata": metadata, "spec": spec}


def catalog(*objects: Object) -> Catalog:
    return with_presets(catalog_of(objects))


def effective(name: str, *objects: Object) -> Object:
    """The spec that services which name the runtime get."""
    filled = catalog(*objects)
    head = filled.get("ClusterServingRuntime", name)
    assert head is not None
    spec = ChainResolver(filled).chain(head).spec
    assert spec is not None
    return spec


def engine(spec: Object, config: str = "engineConfig") -> Object:
    runner: Object = spec[config]["runner"]
    return runner


def image(name: str, runner: str = "ome-container") -> Object:
    return {"runner": {"name": runner, "image": name}}


def gpus(number: str) -> Object:
    return {"requests": {"nvidia.com/gpu": number}, "limits": {"nvidia.com/gpu": number}}


def test_complete_example() -> None:
    """§23.2: the annotated runtime is the one whose configuration is spelled out in the golden case."""
    documents = yaml.safe_load_all((ROOT / "tests/golden/prefill-decode/input.yaml").read_text(encoding="utf-8"))
    (spelled_out,) = (document for document in documents if document["kind"] == "ClusterServingRuntime")
    server = "registry.example.com/sglang:v0.5.5"
    annotated = {
        "disabled": False,
        "engineConfig": {"runner": {**image(server)["runner"], "resources": gpus("2")}},
        "decoderConfig": {"runner": {**image(server)["runner"], "resources": gpus("4")}},
        "routerConfig": {"nodeSelector": {"pool": "cpu"}, **image("registry.example.com/router:v1", "router")},
    }
    spec = effective("sgl-pd", runtime("sgl-pd", annotated))
    assert normalise(SERVING_RUNTIME_SPEC, spec) == normalise(SERVING_RUNTIME_SPEC, spelled_out["spec"])


def test_all_three_configurations_are_added() -> None:
    spec = effective("rt", runtime("rt", {"engineConfig": image("own")}))
    assert engine(spec)["image"] == "own"
    assert engine(spec, "decoderConfig")["image"] == "lmsysorg/sglang:latest"
    assert engine(spec, "routerConfig")["image"] == "lmsysorg/sglang-router:latest"
    assert "supportedModelFormats" not in spec


@pytest.mark.parametrize(
    ("own", "expected"),
    [
        ({"name": "server"}, {"name": "server", "image": "lmsysorg/sglang:latest"}),
        ({"name": "ome-container", "command": ["serve"]}, {"command": ["serve"]}),
        ({"name": "ome-container", "command": []}, {"command": sglang_pd()["engineConfig"]["runner"]["command"]}),
        (
            {"name": "ome-container", "readinessProbe": {"periodSeconds": 5}},
            {
                "readinessProbe": {
                    "httpGet": {"path": "/health", "port": 30000},
                    "timeoutSeconds": 10,
                    "periodSeconds": 5,
                    "failureThreshold": 5,
                }
            },
        ),
    ],
)
def test_own_values_win(own: Object, expected: Object) -> None:
    runner = engine(effective("rt", runtime("rt", {"engineConfig": {"runner": own}})))
    assert expected.items() <= runner.items()


@pytest.mark.parametrize("value", [None, ""])
def test_no_annotation(value: str | None) -> None:
    given_ = catalog_of([runtime("rt", {}, value)])
    assert with_presets(given_) is given_
    assert list(preset_findings(given_)) == []


# --- 02 §6: inheritance ------------------------------------------------------------------------------------------


def test_children_inherit_what_is_filled_in() -> None:
    parent, child = runtime("parent", {"engineConfig": image("parents")}), runtime("child", {}, None, parent="parent")
    spec = effective("child", parent, child)
    assert engine(spec)["image"] == "parents"
    assert engine(spec)["ports"][1]["containerPort"] == 8998


def test_preset_of_a_child_hides_what_the_parent_says() -> None:
    """The annotation itself is not inherited."""
    parent = runtime("parent", {"engineConfig": image("parents")}, None)
    spec = effective("child", parent, runtime("child", {}, parent="parent"))
    assert engine(spec)["image"] == "lmsysorg/sglang:latest"


def test_selection_sees_what_is_filled_in() -> None:
    formats = [{"modelFormat": {"name": "safetensors"}, "autoSelect": True}]
    model = {
        "apiVersion": "ome.io/v1beta1",
        "kind": "ClusterBaseModel",
        "metadata": {"name": "m"},
        "spec": {"modelFormat": {"name": "safetensors"}},
    }
    filled = catalog(runtime("rt", {"supportedModelFormats": formats}), model)
    decision = Decider(filled, ChainResolver(filled)).model("m", "prod")
    assert decision.spec is not None
    assert engine(decision.spec, "routerConfig")["name"] == "router"


def test_body_is_as_written() -> None:
    """So that findings stand where somebody wrote something."""
    filled = catalog(runtime("rt", {"disabled": False}, namespace="prod")).get("ServingRuntime", "rt", "prod")
    assert filled is not None
    assert filled.body["spec"] == {"disabled": False}
    assert filled.locate(("spec", "disabled")) is not None


def test_definitions_of_one_identity_stay_ambiguous() -> None:
    filled = catalog(runtime("rt", {}), runtime("rt", {}, None), runtime("other", {}))
    assert filled.is_ambiguous("ClusterServingRuntime", "rt")
    assert filled.get("ClusterServingRuntime", "rt") is None


# --- Findings ----------------------------------------------------------------------------------------------------

IMAGES = {config: image("own") for config in ("engineConfig", "decoderConfig", "routerConfig")}


def found(*objects: Object) -> list[tuple[str, str]]:
    return [(finding.rule.slug, finding.message) for finding in preset_findings(catalog(*objects))]


def test_unknown_preset() -> None:
    given_ = runtime("rt", {"engineConfig": image("own")}, "vllm-pd")
    assert found(given_) == [
        ("engine-preset-refused", 'unknown ome.io/engine value "vllm-pd" (known: sglang-pd)'),
    ]
    assert "decoderConfig" not in effective("rt", given_)


@pytest.mark.parametrize(
    ("spec", "listed"),
    [
        ({}, "engineConfig, decoderConfig and routerConfig"),
        ({**IMAGES, "routerConfig": {}}, "routerConfig"),
        ({**IMAGES, "routerConfig": {"runner": {"name": "router", "image": ""}}}, "routerConfig"),
        (IMAGES, None),
        ({"disabled": True}, None),
    ],
)
def test_images_of_the_preset(spec: Object, listed: str | None) -> None:
    message = f"ClusterServingRuntime rt takes the image of {listed} from the preset sglang-pd, with the tag latest"
    assert found(runtime("rt", spec)) == ([] if listed is None else [("preset-image-latest", message)])


@pytest.mark.parametrize("config", ["x", 1, [1], {"runner": "x"}, {"runner": {"env": ["x"], "ports": {}}}])
def test_values_of_other_types(config: Any) -> None:
    """The structure of the runtime is another check's business."""
    assert [slug for slug, _ in found(runtime("rt", {"engineConfig": config}))] == ["preset-image-latest"]


# --- Properties --------------------------------------------------------------------------------------------------

RUNNERS = st.fixed_dictionaries(
    {"name": st.sampled_from(["ome-container", "server"])},
    optional={
        "image": st.sampled_from(["", "own"]),
        "command": st.lists(st.sampled_from(["serve", "--x"]), max_size=2),
        "env": st.lists(st.sampled_from([{"name": "PYTHONUNBUFFERED", "value": "0"}, {"name": "A"}]), max_size=2),
        "ports": st.just([{"containerPort": 8080}]),
    },
)
SPECS = st.fixed_dictionaries({}, optional={"engineConfig": st.fixed_dictionaries({"runner": RUNNERS})})


@given(SPECS)
def test_filling_in_twice_changes_nothing(spec: Object) -> None:
    once = effective("rt", runtime("rt", spec))
    assert effective("rt", runtime("rt", once)) == once
