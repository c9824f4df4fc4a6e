"""What a runtime declares to accept a model: OME's own matching must agree."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from omec.api.size import SizeRange, parse_size
from omec.facts.runtime_entry import NoEntryError, runtime_entry, size_range
from omec.facts.size import format_count
from omec.resolve.facts import ModelFacts
from tests.resolve.builders import bare_runtime, matcher

LLAMA = {
    "modelArchitecture": "LlamaForCausalLM",
    "modelFormat": {"name": "safetensors", "version": "1.0.0"},
    "modelFramework": {"name": "transformers", "version": "4.45.0.dev0"},
    "modelParameterSize": "3.21B",
    "maxTokens": 131072,
}
FLUX = {
    "modelArchitecture": "FluxPipeline",
    "modelFormat": {"name": "diffusers", "version": "0.30.0"},
    "modelFramework": {"name": "diffusers", "version": "0.30.0"},
    "modelParameterSize": "0",
    "diffusionPipeline": {"className": "FluxPipeline", "vae": {"type": "AutoencoderKL"}},
}


def test_entry() -> None:
    assert runtime_entry(LLAMA) == {
        "supportedModelFormats": [
            {
                "modelFormat": {"name": "safetensors", "version": "1.0.0"},
                "modelFramework": {"name": "transformers", "version": "4.45.0.dev0"},
                "modelArchitecture": "LlamaForCausalLM",
                "autoSelect": True,
                "priority": 1,
            }
        ],
        "modelSizeRange": {"min": "3B", "max": "4B"},
    }


@pytest.mark.parametrize(
    "spec",
    [
        LLAMA,
        FLUX,
        LLAMA | {"quantization": "fp8"},
        LLAMA | {"modelFramework": {"name": "transformers"}},
        LLAMA | {"modelFormat": {"name": "safetensors"}},
        LLAMA | {"modelArchitecture": ""},
        {"modelFormat": {"name": "gguf"}},
        FLUX | {"diffusionPipeline": {"vae": {"type": "AutoencoderKL"}}},
    ],
)
def test_ome_would_select_the_runtime(spec: dict[str, Any]) -> None:
    verdict = matcher(bare_runtime("r", **runtime_entry(spec))).verdict(ModelFacts.of(spec))
    assert verdict.auto_selectable, verdict.reason


@pytest.mark.parametrize(
    ("spec", "problem", "field"),
    [
        ({}, "nothing tells its format", "modelFormat"),
        ({"modelFormat": {"name": ""}}, "nothing tells its format", "modelFormat"),
        ({"modelFormat": 1}, "nothing tells its format", "modelFormat"),
        # A pipeline without _diffusers_version: OME writes an empty version, which equals none.
        ({"modelFormat": {"name": "x", "version": ""}}, "'' of its modelFormat is no version", "modelFormat.version"),
        (
            LLAMA | {"modelFramework": {"name": "x", "version": "a"}},
            "'a' of its modelFramework",
            "modelFramework.version",
        ),
    ],
)
def test_models_that_no_runtime_accepts(spec: dict[str, Any], problem: str, field: str) -> None:
    with pytest.raises(NoEntryError, match=problem) as error:
        runtime_entry(spec)
    assert error.value.field == field


@pytest.mark.parametrize(
    ("size", "bounds"),
    [
        ("3.21B", {"min": "3B", "max": "4B"}),
        ("7B", {"min": "7B", "max": "8B"}),
        ("70.55B", {"min": "70B", "max": "71B"}),
        ("367.35M", {"min": "367M", "max": "368M"}),
        ("1000.00M", {"min": "1B", "max": "2B"}),
        ("1.51T", {"min": "1T", "max": "2T"}),
        ("92.56K", {"max": "1M"}),
        ("0", {"max": "1M"}),
    ],
)
def test_bounds(size: str, bounds: dict[str, str]) -> None:
    assert size_range(size) == bounds


@given(st.integers(0, 2**62))
def test_bounds_hold_the_size(count: int) -> None:
    size = format_count(count)
    bounds = size_range(size)
    assert SizeRange.of(bounds.get("min"), bounds["max"]).contains(parse_size(size))
