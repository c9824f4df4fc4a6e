"""Models that are mounted beside the model of a service: reference 04 §18, 09 §A4 (29c, 30)."""

from __future__ import annotations

from typing import Any

import pytest

from omec.catalog import Catalog
from omec.compile.inputs import Service
from omec.compile.weights_overlays import Overlay, check_overlays, overlays_of, variable_name
from omec.compile.weights_pod import Variable, pod_weights
from omec.compile.weights_tuned import FineTuning
from tests.oracle.objects import catalog_of

Object = dict[str, Any]


def model(
    name: str, uri: str = "hf://a/b", *, namespace: str | None = None, path: str | None = None, **spec: Any
) -> Object:
    storage = {"storageUri": uri} | ({} if path is None else {"path": path})
    metadata = {"name": name} | ({} if namespace is None else {"namespace": namespace})
    kind = "ClusterBaseModel" if namespace is None else "BaseModel"
    return {"apiVersion": "ome.io/v1beta1", "kind": kind, "metadata": metadata, "spec": {"storage": storage, **spec}}


CATALOG = catalog_of(
    [
        model("llama", path="/m"),
        model("my-lora", path="/raid/lora"),
        model("bare"),
        model("claimed", "pvc://prod:weights/a/b"),
        model("elsewhere", "pvc://other:weights/a"),
        model("off", path="/off", disabled=True),
        model("shards", "s3://bucket/x", distribution="Sharded"),
        model("local", namespace="prod", path="/raid/local"),
    ]
)


def service(*overlays: str | Object) -> Service:
    listed = [{"name": item} if isinstance(item, str) else item for item in overlays]
    return Service("chat", "prod", {}, {}, {"model": {"name": "llama", "overlays": listed}})


def overlays(*names: str | Object, catalog: Catalog = CATALOG) -> tuple[Overlay, ...]:
    return overlays_of(service(*names), catalog)


def test_overlay_on_nodes() -> None:
    assert overlays("my-lora") == (
        Overlay(
            "my-lora",
            volume={"name": "model-overlay-my-lora", "hostPath": {"path": "/raid/lora"}},
            mount={
                "name": "model-overlay-my-lora",
                "mountPath": "/opt/ml/model-overlays/my-lora",
                "readOnly": True,
            },
            variable=("OVERLAY_MY_LORA_MODEL_PATH", "/opt/ml/model-overlays/my-lora"),
        ),
    )


def test_overlay_on_a_claim() -> None:
    (overlay,) = overlays("claimed")
    assert overlay.volume == {
        "name": "model-overlay-claimed",
        "persistentVolumeClaim": {"claimName": "weights", "readOnly": True},
    }
    assert overlay.mount == {
        "name": "model-overlay-claimed",
        "mountPath": "/opt/ml/model-overlays/claimed",
        "subPath": "a/b",
        "readOnly": True,
    }


def test_overlay_without_files() -> None:
    (overlay,) = overlays("bare")
    assert (overlay.volume, overlay.mount) == (None, None)
    assert overlay.variable == ("OVERLAY_BARE_MODEL_PATH", "/opt/ml/model-overlays/bare")


@pytest.mark.parametrize(
    ("given", "skipped"),
    [
        ("gone", 'overlay "gone" not found'),
        ("off", 'overlay "off" is disabled'),
        ("shards", 'overlay "shards" is sharded but not ready'),
        ("local", 'overlay "local" not found'),
        ({"name": "local", "kind": "BaseModel"}, None),
        ({"name": "my-lora", "kind": "BaseModel"}, 'overlay "my-lora" not found'),
    ],
)
def test_overlays_that_are_left_out(given: str | Object, skipped: str | None) -> None:
    """Decided: the kind counts as it does for spec.model."""
    (overlay,) = overlays(given)
    assert overlay.skipped == skipped
    assert (overlay.volume is None) == (skipped is not None)


def test_no_overlays_without_a_model() -> None:
    spec = {"model": {"name": "", "overlays": [{"name": "my-lora"}]}}
    assert overlays_of(Service("chat", "prod", {}, {}, spec), CATALOG) == ()


@pytest.mark.parametrize(("name", "variable"), [("my-lora", "MY_LORA"), ("a.b", "A.B"), ("x1", "X1")])
def test_variable(name: str, variable: str) -> None:
    assert variable_name(name) == f"OVERLAY_{variable}_MODEL_PATH"


# --- Pods --------------------------------------------------------------------------------------------------------


def test_what_pods_see() -> None:
    weights = pod_weights(None, None, overlays("my-lora", "off", "bare"), {})
    assert [volume["name"] for volume in weights.with_volumes([])] == ["model-overlay-my-lora"]
    assert [mount["mountPath"] for mount in weights.with_mounts([])] == ["/opt/ml/model-overlays/my-lora"]
    assert weights.variables == (
        Variable("OVERLAY_MY_LORA_MODEL_PATH", "/opt/ml/model-overlays/my-lora"),
        Variable("OVERLAY_BARE_MODEL_PATH", "/opt/ml/model-overlays/bare"),
    )
    assert not weights.model_volume


def test_volume_of_the_name_stays_and_is_mounted() -> None:
    own = {"name": "model-overlay-my-lora", "emptyDir": {}}
    weights = pod_weights(None, None, overlays("my-lora"), {})
    assert weights.with_volumes([own]) == [own]
    assert len(weights.with_mounts([])) == 1


def test_fine_tuned_weights_leave_the_variables_out() -> None:
    weights = pod_weights(None, FineTuning("fin", "lora", merged=False), overlays("my-lora"), {})
    assert weights.variables == ()
    assert len(weights.with_mounts([])) == 2


# --- Admission ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("listed", "refusals"),
    [
        (["my-lora", "bare"], []),
        ([""], ["overlay name cannot be empty"]),
        (["llama"], ['overlay "llama" must not reference the primary model of the same kind/apiGroup']),
        ([{"name": "llama", "kind": "BaseModel"}], []),
        (["my-lora", "my-lora"], ['overlay "my-lora" is declared more than once']),
        (
            ["my-lora", "my_lora"],
            [
                'overlays "my-lora" and "my_lora" both sanitize to env var MY_LORA; rename one '
                "(hyphens and underscores collapse to the same form)"
            ],
        ),
        (
            ["gone"],
            ['overlay "gone" not found in namespace "prod": No BaseModel or ClusterBaseModel with the name: gone'],
        ),
        (
            ["elsewhere"],
            [
                'overlay "elsewhere": ClusterBaseModel "elsewhere" references PVC in namespace "other", but '
                'InferenceService is in namespace "prod"; Kubernetes does not allow pods to mount PVCs from another '
                'namespace. Either move the InferenceService to namespace "other" or replicate the PVC into namespace '
                '"prod".'
            ],
        ),
    ],
)
def test_refusals(listed: list[str | Object], refusals: list[str]) -> None:
    given = service(*listed)
    problems = list(check_overlays(given, overlays_of(given, CATALOG), CATALOG))
    assert [problem.message for problem in problems if problem.rule.slug == "overlay-refused"] == refusals


def test_overlays_that_are_left_out_are_told() -> None:
    given = service("my-lora", "off")
    (problem,) = check_overlays(given, overlays_of(given, CATALOG), CATALOG)
    assert problem.rule.slug == "overlay-skipped"
    assert problem.message == 'the pods get no overlay off: overlay "off" is disabled'
    assert problem.place.steps == ("spec", "model", "overlays", 1)
