"""Status, facts and finalizers of models (reference 07 §12, 08 §9)."""

from __future__ import annotations

import json
from typing import Any

import pytest

from omec.runtime_agent.status.models import changed_status, filled_fields, is_on_claim, wanted_finalizers
from omec.runtime_agent.status.reports import ModelReport

NOW = "2026-01-02T03:04:05Z"
OWN = "clusterbasemodels.ome.io/finalizer"


def model(status: dict[str, Any] | None = None, spec: dict[str, Any] | None = None, **metadata: Any) -> dict[str, Any]:
    storage = {"storage": {"storageUri": "hf://a/b", "path": "/models/m"}}
    return {
        "kind": "ClusterBaseModel",
        "metadata": {"name": "m", "generation": 3, **metadata},
        "spec": storage | (spec or {}),
        **({"status": status} if status else {}),
    }


def test_a_status_names_all_nodes_and_what_was_seen() -> None:
    assert changed_status(model(), ModelReport(("n1",), ("n2",), ("n1", "n2")), NOW) == {
        "state": "Ready",
        "nodesReady": ["n1"],
        "nodesFailed": ["n2"],
        "observedGeneration": 3,
        "lastReconcileTime": NOW,
    }


@pytest.mark.parametrize(
    "status",
    [
        {"state": "Ready", "nodesReady": ["n1"]},
        {"state": "Ready", "nodesReady": ["n1"], "nodesFailed": []},
        {"state": "Ready", "nodesReady": ["n1"], "nodesFailed": None, "observedGeneration": 1},
    ],
)
def test_a_status_that_says_it_already_is_left_alone(status: dict[str, Any]) -> None:
    assert changed_status(model(status), ModelReport(("n1",)), NOW) is None


@pytest.mark.parametrize(
    "status",
    [
        {"state": "Failed", "nodesReady": ["n1"]},
        {"state": "Ready", "nodesReady": ["n1", "n2"]},
        {"state": "Ready", "nodesReady": ["n1"], "nodesFailed": ["n2"]},
    ],
)
def test_a_status_that_says_otherwise_is_written(status: dict[str, Any]) -> None:
    assert changed_status(model(status), ModelReport(("n1",)), NOW) is not None


DERIVED = {
    "modelType": "llama",
    "modelArchitecture": "LlamaForCausalLM",
    "modelParameterSize": "7B",
    "modelCapabilities": ["TEXT_TO_TEXT"],
    "modelFormat": {"name": "safetensors", "version": "0.3.0"},
    "maxTokens": 4096,
    "artifact": {"sha": "", "parentPath": None, "childrenPaths": None},
}


@pytest.mark.parametrize(
    ("spec", "filled"),
    [
        ({}, {key: value for key, value in DERIVED.items() if key != "artifact"}),
        (
            {
                "modelType": "something-else",
                "modelArchitecture": "different-arch",
                "modelCapabilities": ["EXISTING_CAP"],
                "modelFormat": {"name": "existing-format", "version": "1.0.0"},
                "maxTokens": 2048,
            },
            {"modelParameterSize": "7B"},
        ),
        (
            {**DERIVED, "modelFormat": {"name": "safetensors"}},
            {"modelFormat": {"name": "safetensors", "version": "0.3.0"}},
        ),
    ],
)
def test_only_unset_fields_are_filled(spec: dict[str, Any], filled: dict[str, Any]) -> None:
    """The vectors of reference 08 §9, by the way over the ConfigMap."""
    assert filled_fields(model(spec=spec), ModelReport(config=json.dumps(DERIVED))) == filled


def test_without_facts_nothing_is_filled() -> None:
    assert filled_fields(model(), ModelReport(("n1",))) == {}


PRESENT = ModelReport(holding=("n1",))


@pytest.mark.parametrize(
    ("metadata", "report", "wanted"),
    [
        ({}, ModelReport(), [OWN]),
        ({"finalizers": ["a.b/c"]}, PRESENT, ["a.b/c", OWN]),
        ({"finalizers": [OWN]}, PRESENT, None),
        ({"finalizers": [OWN], "deletionTimestamp": NOW}, PRESENT, None),
        ({"finalizers": [OWN], "deletionTimestamp": NOW}, ModelReport(), []),
        ({"finalizers": [OWN, "a.b/c"], "deletionTimestamp": NOW}, ModelReport(), ["a.b/c"]),
        ({"finalizers": ["a.b/c"], "deletionTimestamp": NOW}, ModelReport(), None),
    ],
)
def test_finalizers(metadata: dict[str, Any], report: ModelReport, wanted: list[str] | None) -> None:
    assert wanted_finalizers(model(**metadata), report) == wanted


def test_a_model_on_a_claim_needs_no_finalizer_of_the_agent_but_is_rid_of_ome_s() -> None:
    on_claim = model(spec={"storage": {"storageUri": "pvc://ns:claim/path"}})
    assert is_on_claim(on_claim)
    assert wanted_finalizers(on_claim, ModelReport()) is None
    on_claim["metadata"] |= {"finalizers": [OWN], "deletionTimestamp": NOW}
    assert wanted_finalizers(on_claim, ModelReport()) == []
