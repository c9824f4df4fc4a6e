"""Diffusion pipelines: the vectors of reference 01 §7."""

from __future__ import annotations

from typing import Any

import pytest

from omec.resolve.pipeline import pipeline_mismatch

ENCODER = {"additionalComponents": {"image_encoder": {"library": "transformers"}}}
FULL = {
    "className": "QwenImagePipeline",
    "scheduler": {"library": "diffusers", "type": "FlowMatchEulerDiscreteScheduler"},
    "textEncoder": {"library": "transformers", "type": "Qwen2_5_VLForConditionalGeneration"},
    "tokenizer": {"library": "transformers", "type": "Qwen2Tokenizer"},
    "transformer": {"library": "diffusers", "type": "QwenImageTransformer2DModel"},
    "vae": {"library": "diffusers", "type": "AutoencoderKLQwenImage"},
    "additionalComponents": {"image_encoder": {"library": "transformers", "type": "CLIPVisionModel"}},
}

VECTORS: list[tuple[dict[str, Any] | None, dict[str, Any] | None, str | None]] = [
    (None, {"className": "StableDiffusionXLPipeline"}, None),
    (
        {"className": "StableDiffusionXLPipeline"},
        None,
        "diffusion pipeline required by runtime but not specified in model",
    ),
    ({}, None, "diffusion pipeline required by runtime but not specified in model"),
    ({}, {}, None),
    ({"className": "QwenImagePipeline"}, {"className": "QwenImagePipeline"}, None),
    (
        {"className": "QwenImagePipeline"},
        {"className": "QwenImageEditPipeline"},
        "pipeline class mismatch (model=QwenImageEditPipeline, runtime=QwenImagePipeline)",
    ),
    (
        {"className": "StableDiffusionXLPipeline"},
        {},
        "pipeline class mismatch (model=<nil>, runtime=StableDiffusionXLPipeline)",
    ),
    (
        {"vae": {"library": "transformers"}},
        {"vae": {"library": "diffusers", "type": "AutoencoderKL"}},
        "vae library mismatch (model=diffusers, runtime=transformers)",
    ),
    (
        {"transformer": {"type": "FluxTransformer2DModel"}},
        {"transformer": {"library": "diffusers", "type": "UNet2DConditionModel"}},
        "transformer type mismatch (model=UNet2DConditionModel, runtime=FluxTransformer2DModel)",
    ),
    (
        {"tokenizer": {"library": "transformers"}},
        {"scheduler": {"library": "diffusers"}},
        "component tokenizer required by runtime but not specified in model",
    ),
    ({"scheduler": {}}, {"scheduler": FULL["scheduler"]}, None),
    (
        {"transformer": {"library": "diffusers"}},
        {"transformer": {"type": "X"}},
        "transformer library mismatch (model=, runtime=diffusers)",
    ),
    (ENCODER, {}, "diffusion pipeline missing required additional components"),
    (
        ENCODER,
        {"additionalComponents": {"feature_extractor": {}}},
        "diffusion component image_encoder missing in model",
    ),
    (
        ENCODER,
        {"additionalComponents": {"image_encoder": {"library": "diffusers", "type": "CLIPVisionModel"}}},
        "image_encoder library mismatch (model=diffusers, runtime=transformers)",
    ),
    ({"additionalComponents": {}}, {}, None),
    (
        {
            "className": "QwenImagePipeline",
            "scheduler": {"library": "diffusers"},
            "textEncoder": {"type": "Qwen2_5_VLForConditionalGeneration"},
            "vae": FULL["vae"],
            **ENCODER,
        },
        FULL,
        None,
    ),
]


@pytest.mark.parametrize(("required", "given", "reason"), VECTORS)
def test_pipeline(required: dict[str, Any] | None, given: dict[str, Any] | None, reason: str | None) -> None:
    assert pipeline_mismatch(required, given) == reason


def test_order_of_checks() -> None:
    """The class first, then the components in their order, then the additional ones by name."""
    required = {
        "vae": {"type": "V"},
        "scheduler": {"type": "S"},
        "additionalComponents": {"b": {"type": "B"}, "a": {"type": "A"}},
    }
    given = {"className": "X", "vae": {}, "scheduler": {}, "additionalComponents": {"c": {}}}
    reasons = []
    for repair in ({}, {"scheduler": {"type": "S"}}, {"vae": {"type": "V"}}, {"additionalComponents": {"a": {}}}):
        given |= repair
        reasons.append(pipeline_mismatch(required, given))
    assert reasons == [
        "scheduler type mismatch (model=, runtime=S)",
        "vae type mismatch (model=, runtime=V)",
        "diffusion component a missing in model",
        "a type mismatch (model=, runtime=A)",
    ]
