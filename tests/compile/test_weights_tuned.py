"""Fine-tuned weights: reference 04 §17 with its tables, and the rows of §24.3 about what pods see of weights."""

from __future__ import annotations

from typing import Any

import pytest

from omec.compile.inputs import Model, Service
from omec.compile.problems import Origin, Place, RenderError
from omec.compile.weights import weights_of
from omec.compile.weights_checks import check_weights
from omec.compile.weights_pod import PodWeights, Variable, pod_weights
from omec.compile.weights_tuned import FineTuning, fine_tuning

Object = dict[str, Any]

LORA: Object = {"hyperParameters": {"strategy": "lora"}, "configuration": {}}


def service(*weights: str, name: str = "llama") -> Service:
    return Service("chat", "prod", {}, {}, {"model": {"name": name, "fineTunedWeights": list(weights)}})


def model(path: str | None = "/m", uri: str = "hf://a/b", vendor: str | None = None) -> Model:
    storage = {"storageUri": uri} | ({} if path is None else {"path": path})
    return Model("llama", None, {}, {"storage": storage} | ({} if vendor is None else {"vendor": vendor}))


def tuned(**fields: Any) -> FineTuning | None:
    """What comes of the weights ``fin``, which are those of LoRA but for ``fields``."""
    given = {key: value for key, value in {**LORA, **fields}.items() if value is not None}
    return fine_tuning(service("fin"), model(), {"fin": given})


@pytest.mark.parametrize(
    ("configuration", "merged"),
    [
        ({}, False),
        ({"merged_weights": True}, True),
        ({"merged_weights": False}, False),
        ({"merged_weights": "true"}, False),
        ({"merged_weights": 1}, False),
        ({"mergedWeights": True}, False),
    ],
)
def test_merged_weights(configuration: Object, merged: bool) -> None:
    assert tuned(configuration=configuration) == FineTuning("fin", "lora", merged)


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"configuration": None}, "unexpected end of JSON input"),
        ({"configuration": []}, "json: cannot unmarshal array into Go value of type map[string]interface {}"),
        ({"configuration": "x"}, "json: cannot unmarshal string into Go value of type map[string]interface {}"),
        ({"hyperParameters": {}}, 'hyper-parameter "strategy" not set on FineTunedWeight fin'),
        ({"hyperParameters": None}, 'hyper-parameter "strategy" not set on FineTunedWeight fin'),
        ({"hyperParameters": {"strategy": None}}, 'hyper-parameter "strategy" not set on FineTunedWeight fin'),
        (
            {"hyperParameters": "strategy"},
            "json: cannot unmarshal string into Go value of type map[string]interface {}",
        ),
        (
            {"hyperParameters": {"strategy": 1}},
            'hyper-parameter "strategy" on FineTunedWeight fin must be a string, got float64',
        ),
        (
            {"hyperParameters": {"strategy": {"name": "lora"}}},
            'hyper-parameter "strategy" on FineTunedWeight fin must be a string, got map[string]interface {}',
        ),
    ],
)
def test_weights_that_ome_refuses(fields: Object, message: str) -> None:
    with pytest.raises(RenderError) as caught:
        tuned(**fields)
    assert caught.value.problem.message == message
    assert caught.value.problem.place == Place(Origin.SERVICE, ("spec", "model", "fineTunedWeights", 0))


def test_more_than_one() -> None:
    with pytest.raises(RenderError, match=r"^stacked fine-tuned serving is not supported yet$") as caught:
        fine_tuning(service("fin", "other"), model(), {"fin": LORA})
    assert caught.value.problem.place.steps[-1] == 1


def test_weights_that_do_not_exist() -> None:
    with pytest.raises(RenderError) as caught:
        fine_tuning(service("fin"), model(), {})
    assert caught.value.problem.message == (
        "failed to get fine tuned weight spec fin (listed in ModelRef.FineTunedWeights): "
        'finetunedweights.ome.io "fin" not found'
    )


def test_disabled_weights_are_served() -> None:
    assert tuned(disabled=True, baseModelRef={"name": "another"}) is not None


@pytest.mark.parametrize(("given", "of_model"), [(service(), model()), (service("fin", name=""), None)])
def test_no_weights(given: Service, of_model: Model | None) -> None:
    assert fine_tuning(given, of_model, {"fin": LORA}) is None


@pytest.mark.parametrize("merged", [True, False])
def test_metadata(merged: bool) -> None:
    tuning = FineTuning("fin", "lora", merged)
    assert tuning.labels == {
        "fine-tuned-serving": "true",
        "fine-tuned-weight-ft-strategy": "lora",
        "fine-tuned-serving-with-merged-weights": "true" if merged else "false",
    }
    assert tuning.annotations == {
        "ome.io/inject-fine-tuned-adapter": "fin",
        "ome.io/fine-tuned-weight-ft-strategy": "lora",
        **({"ome.io/fine-tuned-serving-with-merged-weights": "true"} if merged else {}),
    }


# --- §17.1: effects on the pod -----------------------------------------------------------------------------------

ADAPTER = FineTuning("fin", "lora", merged=False)
MERGED = FineTuning("fin", "lora", merged=True)
FEW_SHOT = FineTuning("fin", "tfew", merged=False, vendor="cohere")

FILES = {"name": "llama", "mountPath": "/m", "readOnly": True}
SCRATCH_VOLUME = {"name": "model-empty-dir", "emptyDir": {"medium": "Memory"}}


def seen(tuning: FineTuning | None, **more: str) -> PodWeights:
    annotations = {"ome.io/base-model-format": "safetensors", **more}
    if tuning is not None:
        annotations |= tuning.annotations
        annotations |= {} if tuning.vendor is None else {"ome.io/base-model-vendor": tuning.vendor}
    return pod_weights(weights_of(model()), tuning, (), annotations)


@pytest.mark.parametrize(
    ("tuning", "mounts", "anywhere"),
    [
        (MERGED, [{"name": "model-empty-dir", "mountPath": "/opt/ml/model"}], True),
        (ADAPTER, [FILES, {"name": "model-empty-dir", "mountPath": "/opt/ml/model"}], False),
        (
            FEW_SHOT,
            [
                FILES,
                {"name": "model-empty-dir", "mountPath": "/opt/ml/model/safetensors", "subPath": "base"},
                {
                    "name": "model-empty-dir",
                    "mountPath": "/opt/ml/tfew/safetensors",
                    "subPath": "finetuned",
                    "readOnly": True,
                },
            ],
            False,
        ),
        (None, [FILES], False),
    ],
)
def test_mounts(tuning: FineTuning | None, mounts: list[Object], anywhere: bool) -> None:
    weights = seen(tuning)
    assert weights.with_mounts([]) == mounts
    assert weights.anywhere is anywhere
    assert weights.model_volume


@pytest.mark.parametrize("tuning", [MERGED, ADAPTER, FEW_SHOT])
def test_volumes(tuning: FineTuning) -> None:
    dshm = {"name": "dshm", "emptyDir": {"medium": "Memory"}}
    model_volume = {"name": "llama", "hostPath": {"path": "/m"}}
    assert seen(tuning).with_volumes([dshm]) == [dshm, model_volume, SCRATCH_VOLUME]
    own = {"name": "model-empty-dir", "emptyDir": {"sizeLimit": "1Gi"}}
    assert seen(tuning).with_volumes([own]) == [own, model_volume]


def test_few_shot_mount_keeps_what_ome_does_not_set() -> None:
    """OME's UpdateVolumeMount sets path, sub-path and readOnly of the mount that is there."""
    own = {"name": "model-empty-dir", "mountPath": "/own", "readOnly": True, "mountPropagation": "None"}
    (mount,) = (
        mount for mount in seen(FEW_SHOT).with_mounts([own]) if mount["mountPath"] == "/opt/ml/model/safetensors"
    )
    assert mount == {
        "name": "model-empty-dir",
        "mountPath": "/opt/ml/model/safetensors",
        "subPath": "base",
        "mountPropagation": "None",
    }


@pytest.mark.parametrize(
    ("tuning", "expected"),
    [
        (ADAPTER, [{"name": "model-empty-dir", "mountPath": "/own"}]),
        (
            FEW_SHOT,
            [
                {"name": "model-empty-dir", "mountPath": "/opt/ml/model/safetensors", "subPath": "base"},
                {
                    "name": "model-empty-dir",
                    "mountPath": "/opt/ml/tfew/safetensors",
                    "subPath": "finetuned",
                    "readOnly": True,
                },
            ],
        ),
    ],
)
def test_own_mount_of_the_scratch_volume(tuning: FineTuning, expected: list[Object]) -> None:
    own = {"name": "model-empty-dir", "mountPath": "/own"}
    mounts = seen(tuning).with_mounts([own])
    assert [mount for mount in mounts if mount["name"] == "model-empty-dir"] == expected


@pytest.mark.parametrize(
    ("tuning", "variables"),
    [
        (
            FineTuning("fin", "lora", merged=True, vendor="meta"),
            (Variable("SERVED_MODEL_NAME", "/data/fin", overrides=True), Variable("MODEL_PATH", "/opt/ml/model")),
        ),
        (FineTuning("fin", "lora", merged=True, vendor="Meta"), ()),
        (ADAPTER, ()),
        (FEW_SHOT, (Variable("TFEW_PATH", "/opt/ml/tfew/fastertransformer/1"),)),
        (FineTuning("fin", "lora", merged=False, vendor="cohere"), ()),
        (FineTuning("fin", "tfew", merged=True, vendor="cohere"), ()),
        (None, (Variable("MODEL_PATH", "/m"),)),
    ],
)
def test_variables(tuning: FineTuning | None, variables: tuple[Variable, ...]) -> None:
    """§8.2 and the table of §17.4."""
    assert seen(tuning).variables == variables


def test_annotation_counts_for_merged_weights() -> None:
    """As in OME, where the annotation is all that the renderer reads."""
    weights = seen(None, **{"ome.io/fine-tuned-serving-with-merged-weights": "true"})
    assert (weights.with_mounts([]), weights.variables, weights.anywhere) == ([], (), False)


# --- §24.3 -------------------------------------------------------------------------------------------------------


def test_empty_path_sets_no_variable() -> None:
    assert pod_weights(weights_of(model("")), None, (), {}).variables == ()


def test_model_init_takes_the_place_of_the_model() -> None:
    weights = seen(None, **{"ome.io/inject-model-init": "true"})
    assert (weights.variables, weights.with_mounts([])) == ((), [])
    assert weights.with_volumes([]) == [{"name": "llama", "hostPath": {"path": "/m"}}, SCRATCH_VOLUME]


@pytest.mark.parametrize("value", ["false", "True", ""])
def test_other_values_of_model_init_mean_nothing(value: str) -> None:
    assert seen(None, **{"ome.io/inject-model-init": value}) == seen(None)


# --- Checks ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("tuning", "uri", "clashes"),
    [
        (ADAPTER, "pvc://claim/sub", True),
        (MERGED, "pvc://claim/sub", False),
        (FEW_SHOT, "pvc://claim/sub", False),
        (ADAPTER, "hf://a/b", False),
        (None, "pvc://claim/sub", False),
    ],
)
def test_adapter_on_a_claim(tuning: FineTuning | None, uri: str, clashes: bool) -> None:
    of_model = model(uri=uri)
    problems = list(check_weights(service("fin"), of_model, weights_of(of_model), tuning))
    assert [problem.rule.slug for problem in problems] == (["fine-tuned-mount-clash"] if clashes else [])


def test_weights_without_a_model() -> None:
    (problem,) = check_weights(service("fin", name=""), None, None, None)
    assert problem.rule.slug == "weights-without-model"
    assert problem.message == "spec.model.fineTunedWeights is set without spec.model.name, so nothing comes of it"


def test_weights_beside_a_model_that_is_not_there() -> None:
    """That the model is missing is told elsewhere."""
    assert list(check_weights(service("fin", name="gone"), None, None, None)) == []
