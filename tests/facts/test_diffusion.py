"""Diffusion pipelines: the vectors of reference 08 §8."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from omec.facts import FactsError, read_facts
from omec.facts.diffusion import NotAPipelineError, parse_pipeline
from omec.facts.jsonscan import JsonError
from tests.facts.models import safetensors, write_model

STABLE_DIFFUSION = {
    "_class_name": "StableDiffusionPipeline",
    "_diffusers_version": "0.24.0",
    "scheduler": ["diffusers", "EulerDiscreteScheduler"],
    "text_encoder": ["transformers", "CLIPTextModel"],
    "tokenizer": ["transformers", "CLIPTokenizer"],
    "unet": ["diffusers", "UNet2DConditionModel"],
    "vae": {"_class_name": "AutoencoderKL", "_library": "diffusers"},
    "safety_checker": ["diffusers", "StableDiffusionSafetyChecker"],
}


def spec(**members: Any) -> dict[str, Any]:
    return parse_pipeline(json.dumps(members).encode()).spec()


def test_stable_diffusion(tmp_path: Path) -> None:
    facts = read_facts(write_model(tmp_path, {"model_index.json": STABLE_DIFFUSION}))
    assert facts.diffusion_pipeline == {
        "className": "StableDiffusionPipeline",
        "scheduler": {"library": "diffusers", "type": "EulerDiscreteScheduler"},
        "textEncoder": {"library": "transformers", "type": "CLIPTextModel"},
        "tokenizer": {"library": "transformers", "type": "CLIPTokenizer"},
        "transformer": {"library": "diffusers", "type": "UNet2DConditionModel"},
        "vae": {"library": "diffusers", "type": "AutoencoderKL"},
        "additionalComponents": {"safety_checker": {"library": "diffusers", "type": "StableDiffusionSafetyChecker"}},
    }
    assert facts.format.to_dict() == facts.framework.to_dict() == {"name": "diffusers", "version": "0.24.0"}
    assert (facts.model_type, facts.architecture) == ("diffusers", "StableDiffusionPipeline")
    assert facts.capabilities == ("TEXT_TO_IMAGE",)


@pytest.mark.parametrize(
    ("members", "expected"),
    [
        ({"_class_name": "X", "force_zeros_for_empty_prompt": True}, {"className": "X"}),
        (
            {"_class_name": "X", "safety_checker": [None, None]},
            {"className": "X", "additionalComponents": {"safety_checker": {}}},
        ),
        (
            {"_class_name": "X", "Scheduler": ["diffusers", "S"]},
            {"className": "X", "scheduler": {"library": "diffusers", "type": "S"}},
        ),
        ({"scheduler": ["EulerDiscreteScheduler"]}, {"scheduler": {"type": "EulerDiscreteScheduler"}}),
        ({"class_name": "B", "_class_name": "A"}, {"className": "A"}),
        ({"_class_name": 5, "class_name": "", "className": "C"}, {"className": "C"}),
        ({"_class_name": "X", "vae": ["a", "b", "c"]}, {"className": "X", "vae": {"library": "a", "type": "b"}}),
        (
            {"_class_name": "X", "vae": {"type": "V", "library": "L"}},
            {"className": "X", "vae": {"library": "L", "type": "V"}},
        ),
        ({"_class_name": "X", "vae": {"library": "L"}}, {"className": "X", "vae": {"library": "L"}}),
        ({"_class_name": "X", "vae": {}}, {"className": "X"}),
        ({"_class_name": "X", "vae": []}, {"className": "X"}),
        ({"_class_name": "X", "vae": ["diffusers", 5]}, {"className": "X"}),
        ({"_class_name": "X", "vae": [["a"]]}, {"className": "X"}),
        ({"_class_name": "X", "vae": "AutoencoderKL"}, {"className": "X"}),
        # OME leaves these to chance
        ({"unet": ["U"], "transformer": ["T"]}, {"transformer": {"type": "T"}}),
        ({"VAE": ["A"], "vae": ["B"]}, {"vae": {"type": "B"}}),
    ],
)
def test_pipelines(members: dict[str, Any], expected: dict[str, Any]) -> None:
    assert spec(**members) == expected


@pytest.mark.parametrize("text", ["{}", "null", '{"_diffusers_version": "0.30.0"}', '{"vae": null}', '{"a": 1}'])
def test_no_pipeline(text: str) -> None:
    with pytest.raises(NotAPipelineError):
        parse_pipeline(text.encode())


@pytest.mark.parametrize("text", ["[]", "1", "{"])
def test_no_object(text: str) -> None:
    with pytest.raises(JsonError):
        parse_pipeline(text.encode())


PARTS = {
    "text_encoder/config.json": {"max_position_embeddings": 77},
    "text_encoder/model.safetensors": safetensors({"a": ("F16", [100])}),
    "unet/config.json": {},
    "unet/diffusion_pytorch_model.safetensors": safetensors({"a": ("F16", [1000])}),
    "vae/config.json": {},
    "vae/diffusion_pytorch_model.safetensors": safetensors({"a": ("F16", [10000])}),
}
TRANSFORMER = {"transformer/config.json": {}, "transformer/t.safetensors": safetensors({"a": ("F16", [7])})}
CHECKER = {"safety_checker/config.json": {}, "safety_checker/c.safetensors": safetensors({"a": ("F16", [3])})}


@pytest.mark.parametrize(
    ("files", "count"),
    [
        (PARTS, 11100),
        (PARTS | TRANSFORMER, 10107),
        (PARTS | CHECKER, 11103),
        (PARTS | CHECKER | {"safety_checker/c.safetensors": b""}, 11100),
        (
            PARTS | CHECKER | {"other/config.json": {}, "other/o.safetensors": CHECKER["safety_checker/c.safetensors"]},
            11103,
        ),
        ({name: content for name, content in PARTS.items() if name != "unet/config.json"}, 0),
        ({name: content for name, content in PARTS.items() if name != "vae/diffusion_pytorch_model.safetensors"}, 0),
        (PARTS | {"vae/diffusion_pytorch_model.safetensors": b""}, 0),
    ],
)
def test_parameter_count(tmp_path: Path, files: dict[str, Any], count: int) -> None:
    facts = read_facts(write_model(tmp_path, files | {"model_index.json": STABLE_DIFFUSION}))
    assert facts.parameter_count == count
    assert facts.context_length == 77


@pytest.mark.parametrize(
    ("text_encoder", "length"),
    [
        ('{"max_position_embeddings": 77}', 77),
        ('{"x": NaN, "max_position_embeddings": 77}', 77),
        ('{"max_position_embeddings": -77}', -77),
        ('{"max_position_embeddings": "77"}', 0),
        ('{"text_config": {"max_position_embeddings": 77}}', 0),
        ("null", 0),
        ("{", 0),
    ],
)
def test_context_length(tmp_path: Path, text_encoder: str, length: int) -> None:
    files = {"model_index.json": STABLE_DIFFUSION, "text_encoder/config.json": text_encoder}
    assert read_facts(write_model(tmp_path, files)).context_length == length


def test_a_standalone_quantization_counts_the_files_beside_the_index(tmp_path: Path) -> None:
    files = PARTS | {
        "model_index.json": STABLE_DIFFUSION,
        "hf_quant_config.json": {"quantization": {"quant_algo": "NVFP4"}},
        "model.safetensors": safetensors({"w": ("U8", [5])}),
    }
    facts = read_facts(write_model(tmp_path, files))
    assert (facts.quantization, facts.parameter_count) == ("nvfp4", 10)


def test_a_component_cannot_name_a_folder_outside(tmp_path: Path) -> None:
    index = STABLE_DIFFUSION | {"../outside": ["a", "b"]}
    write_model(tmp_path, {"outside/config.json": {}, "model/model_index.json": index})
    write_model(tmp_path / "model", PARTS)
    with pytest.raises(FactsError, match="leads out of its directory"):
        read_facts(tmp_path / "model")
