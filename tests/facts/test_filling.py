"""Filling a spec: the vectors of reference 08 §9. The ``spec-fill`` goldens have a judge of their own."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from omec.facts import Facts, read_facts
from omec.facts.filling import fill_as_agent, fill_as_controller
from tests.facts.models import LLAMA, write_model

DERIVED = {
    "modelType": "llama",
    "modelArchitecture": "LlamaForCausalLM",
    "modelParameterSize": "7B",
    "modelCapabilities": ["TEXT_TO_TEXT"],
    "modelFormat": {"name": "safetensors", "version": "0.3.0"},
    "maxTokens": 4096,
}


@pytest.mark.parametrize(
    ("spec", "agent", "controller"),
    [
        ({}, DERIVED, DERIVED),
        (
            {"modelType": "something-else", "modelArchitecture": "different", "modelCapabilities": ["EXISTING_CAP"]},
            {"modelParameterSize": "7B", "modelType": "something-else", "modelArchitecture": "different"},
            {"modelParameterSize": "7B", "modelCapabilities": ["EXISTING_CAP"]},
        ),
        (
            {"modelFormat": {"name": "existing-format", "version": "1.0.0"}, "maxTokens": 2048},
            {"modelFormat": {"name": "existing-format", "version": "1.0.0"}, "maxTokens": 2048},
            {"modelFormat": {"name": "existing-format", "version": "1.0.0"}, "maxTokens": 2048},
        ),
        (
            {"modelFormat": {"name": "safetensors"}},
            {"modelFormat": {"name": "safetensors"}},
            {"modelFormat": {"name": "safetensors", "version": "0.3.0"}},
        ),
        (
            {"modelFormat": {"name": "", "version": "9", "weight": 0}},
            {"modelFormat": {"name": "safetensors", "version": "0.3.0"}},
            {"modelFormat": {"name": "safetensors", "version": "9", "weight": 0}},
        ),
        ({"modelCapabilities": []}, {"modelCapabilities": ["TEXT_TO_TEXT"]}, {"modelCapabilities": ["TEXT_TO_TEXT"]}),
        ({"modelParameterSize": ""}, {"modelParameterSize": ""}, {"modelParameterSize": ""}),
        ({"modelFormat": "wrong"}, {"modelFormat": "wrong"}, {"modelFormat": "wrong"}),
    ],
)
def test_only_what_is_unset_is_filled(spec: dict[str, Any], agent: dict[str, Any], controller: dict[str, Any]) -> None:
    for fill, expected in ((fill_as_agent, agent), (fill_as_controller, controller)):
        before = json.dumps(spec)
        filled = fill(spec, DERIVED)
        assert filled == {**DERIVED, **spec, **expected}
        assert json.dumps(spec) == before


def test_empty_texts() -> None:
    derived = {"modelArchitecture": "", "modelCapabilities": [""], "quantization": "", "maxTokens": 0}
    assert fill_as_agent({}, derived) == {"modelArchitecture": "", "modelCapabilities": [""]}
    assert fill_as_controller({}, derived) == {"modelCapabilities": [""]}


def test_model_configuration_is_filled_only_where_there_is_none() -> None:
    """The documentation's promise; OME's agent replaces another one, its controller never writes it."""
    derived = {"modelConfiguration": {"a": 1}}
    assert fill_as_agent({}, derived) == derived
    assert fill_as_agent({"modelConfiguration": {"b": 2}}, derived) == {"modelConfiguration": {"b": 2}}
    assert fill_as_controller({}, derived) == {}


def test_facts_fill_a_spec(tmp_path: Path) -> None:
    facts = read_facts(write_model(tmp_path, {"config.json": LLAMA}))
    filled = facts.fill({"storage": {"path": "/m"}, "modelFormat": {"name": "gguf"}})
    assert filled["storage"] == {"path": "/m"}
    assert filled["modelFormat"] == {"name": "gguf"}
    assert filled["modelParameterSize"] == "162.30K"
    assert facts.fill_rest(filled)["modelFormat"] == {"name": "gguf", "version": "1.0.0"}
    filled["modelCapabilities"].append("EDITED")
    assert facts.capabilities == ("TEXT_TO_TEXT",)
    assert facts.fill({})["modelCapabilities"] == ["TEXT_TO_TEXT"]


def test_facts_that_were_not_read_fill_nothing() -> None:
    facts = Facts(skipped="so it is")
    assert facts.spec() == facts.fill({}) == facts.fill_rest({}) == {}
