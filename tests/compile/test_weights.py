"""Where the files of a model are (reference 04 §10.1 and §24.4)."""

from __future__ import annotations

import pytest

from omec.compile.inputs import Model
from omec.compile.weights import Weights, weights_of


def storage(uri: str, path: str | None = None) -> Model:
    return Model("llama", None, {}, {"storage": {"storageUri": uri} | ({} if path is None else {"path": path})})


@pytest.mark.parametrize(
    ("uri", "claim", "sub_path"),
    [
        ("pvc://my-pvc/results", "my-pvc", "results"),
        ("pvc://my-pvc/path/to/results", "my-pvc", "path/to/results"),
        ("pvc://default:my-pvc/results", "my-pvc", "results"),
        ("pvc://ns-123:pvc-456/model", "pvc-456", "model"),
    ],
)
def test_claims(uri: str, claim: str, sub_path: str) -> None:
    weights = weights_of(storage(uri))
    assert weights is not None
    assert weights.volume == {"name": "llama", "persistentVolumeClaim": {"claimName": claim, "readOnly": True}}
    assert weights.mount is not None
    assert weights.mount["subPath"] == sub_path
    assert not weights.on_nodes


@pytest.mark.parametrize(
    "uri",
    [
        "pvc://",
        "pvc://my-pvc",
        "pvc://my-pvc/",
        "pvc:///results",
        "pvc://:my-pvc/models",
        "pvc://default:/models",
        "pvc://a:b:c/models",
        "pvc://MyNamespace:my-pvc/models",
        "pvc://-n:p/m",
        "pvc://n-:p/m",
        f"pvc://{'n' * 64}:p/m",
    ],
)
def test_of_a_malformed_claim_the_path_is_mounted(uri: str) -> None:
    """OME's ``parsePVCComponents`` gives nothing then; ``MODEL_PATH`` and the model's label go by the scheme alone."""
    assert weights_of(storage(uri)) == Weights(None, None, "/opt/ml/model", on_nodes=False)
    weights = weights_of(storage(uri, "/m"))
    assert weights is not None
    assert weights.volume == {"name": "llama", "hostPath": {"path": "/m"}}
    assert weights.mount == {"name": "llama", "mountPath": "/m", "readOnly": True}
    assert (weights.path, weights.on_nodes) == ("/opt/ml/model", False)


def test_an_address_without_a_scheme_is_no_claim() -> None:
    assert weights_of(storage("my-pvc/results")) is None


def test_empty_path_makes_a_volume_and_no_variable() -> None:
    weights = weights_of(storage("hf://a/b", ""))
    assert weights is not None
    assert weights.volume == {"name": "llama", "hostPath": {"path": ""}}
    assert weights.path == ""


@pytest.mark.parametrize("model", [None, Model("llama", None, {}, {}), storage("hf://a/b"), storage("local:///x")])
def test_no_weights(model: Model | None) -> None:
    assert weights_of(model) is None
