"""Capabilities: the vectors of reference 08 §4."""

from __future__ import annotations

import pytest

from omec.facts.capability import Names, classify, words

OMNI = ("TEXT_TO_AUDIO", "IMAGE_TEXT_TO_AUDIO", "VIDEO_TEXT_TO_AUDIO", "AUDIO_TO_TEXT", "AUDIO_TO_AUDIO")
NANO_OMNI = ("IMAGE_TEXT_TO_TEXT", "TEXT_TO_TEXT", "AUDIO_TEXT_TO_TEXT", "VIDEO_TEXT_TO_TEXT")
SUPER_VL = ("TEXT_TO_TEXT", "IMAGE_TEXT_TO_TEXT", "VIDEO_TEXT_TO_TEXT")
TEXT, IMAGE_TEXT, EMBEDDING, SPEECH, NONE = (
    ("TEXT_TO_TEXT",),
    ("IMAGE_TEXT_TO_TEXT",),
    ("EMBEDDING",),
    ("AUDIO_TO_TEXT",),
    ("",),
)


@pytest.mark.parametrize(
    ("architecture", "expected"),
    [
        (
            "Qwen3OmniMoeForConditionalGeneration",
            ["Qwen3", "Omni", "Moe", "For", "Conditional", "Generation"],
        ),
        ("BertForMaskedLM", ["Bert", "For", "Masked", "LM"]),
        ("DistilBertModel", ["Distil", "Bert", "Model"]),
        ("RobertaModel", ["Roberta", "Model"]),
        ("XLMRobertaModel", ["XLMRoberta", "Model"]),
        ("BERTModel", ["BERTModel"]),
        ("Qwen2_5_VLForConditionalGeneration", ["Qwen2", "5", "VLFor", "Conditional", "Generation"]),
        ("NemotronH_Nano_Omni_Reasoning_V3", ["Nemotron", "H", "Nano", "Omni", "Reasoning", "V3"]),
        ("éBertModel", ["é", "Bert", "Model"]),
        ("ⅧBert", ["Ⅷ", "Bert"]),
        ("__", []),
        ("", []),
    ],
)
def test_words(architecture: str, expected: list[str]) -> None:
    assert list(words(architecture)) == expected


@pytest.mark.parametrize(
    ("model_type", "architecture", "has_vision", "expected"),
    [
        ("llama", "LlamaForCausalLM", False, TEXT),
        ("clip", "CLIPModel", True, IMAGE_TEXT),
        ("gemma", "GemmaForCausalLM", True, IMAGE_TEXT),
        ("bert", "BertModel", False, EMBEDDING),
        ("bert", "BertForSequenceClassification", False, EMBEDDING),
        ("roberta", "RobertaModel", False, NONE),
        ("xlm-roberta", "XLMRobertaModel", False, NONE),
        ("sentence-transformer", "SentenceTransformerModel", False, EMBEDDING),
        ("mistral", "MistralModel", False, EMBEDDING),
        ("mistral", "MistralForCausalLM", False, TEXT),
        ("mistral", "", False, NONE),
        ("Mistral", "MistralModel", False, EMBEDDING),
        ("qwen3", "Qwen3ForCausalLM", False, TEXT),
        ("qwen2", "Qwen2ForCausalLM", False, TEXT),
        ("qwen", "Qwen3OmniMoeForConditionalGeneration", False, OMNI),
        ("qwen", "Qwen3OmniVisionForConditionalGeneration", True, OMNI),
        ("whisper", "WhisperForConditionalGeneration", False, SPEECH),
        ("wav2vec2", "Wav2Vec2ForCTC", False, SPEECH),
        ("hubert", "HubertForCTC", False, SPEECH),
        ("seamless_m4t", "SeamlessM4TForSpeechToText", False, SPEECH),
        ("x", "ForCTCExtra", False, NONE),
        ("falcon", "FalconForCausalLM", False, TEXT),
        ("gpt2", "GPT2LMHeadModel", False, TEXT),
        ("qwen", "QWenLMHeadModel", False, TEXT),
        ("foo", "Foo", False, NONE),
        ("x", "Demonic", False, NONE),
        ("chatglm", "ChatGLMModel", False, NONE),
        ("llama", "LlamaForSequenceClassification", False, NONE),
        ("internlm2", "InternLM2ForRewardModel", False, NONE),
        ("NemotronH_Nano_Omni_Reasoning_V3", "NemotronH_Nano_Omni_Reasoning_V3", True, NANO_OMNI),
        ("nemotronh_nano_vl", "NemotronH_Nano_VL", True, ("IMAGE_TEXT_TO_TEXT", "TEXT_TO_TEXT")),
        ("inkling_mm_model", "InklingMMModel", False, ("TEXT_TO_TEXT", "AUDIO_TEXT_TO_TEXT")),
    ],
)
def test_transformers(model_type: str, architecture: str, has_vision: bool, expected: tuple[str, ...]) -> None:
    assert classify(Names(model_type, architecture, has_vision))[0] == expected


@pytest.mark.parametrize(
    ("architecture", "has_vision", "sound_is_null", "expected"),
    [
        ("NemotronH_Omni_Reasoning_V3", True, True, SUPER_VL),
        ("NemotronH_Omni_Reasoning_V3", True, False, OMNI),
        ("NemotronH_Omni_Reasoning_V3", False, True, OMNI),
        ("NemotronH_Omni_Reasoning_V3X", True, True, OMNI),
    ],
)
def test_nemotron_super_vl(architecture: str, has_vision: bool, sound_is_null: bool, expected: tuple[str, ...]) -> None:
    assert classify(Names("x", architecture, has_vision, sound_is_null))[0] == expected


@pytest.mark.parametrize(
    ("classes", "expected"),
    [
        ("StableDiffusionPipeline QwenImagePipeline FluxPipeline PixArtAlphaPipeline", "TEXT_TO_IMAGE"),
        (
            "StableDiffusionImg2ImgPipeline InstructPix2PixPipeline QwenImageEditPipeline QwenImageEditPlus"
            " StableDiffusionInpaintPipeline",
            "IMAGE_TEXT_TO_IMAGE",
        ),
        ("TextToVideoSDPipeline T2VPipeline", "TEXT_TO_VIDEO"),
        ("ImageToVideoPipeline StableVideoDiffusionPipeline", "IMAGE_TEXT_TO_VIDEO"),
        ("FooBarPipeline imagepipeline", ""),
    ],
)
def test_pipelines(classes: str, expected: str) -> None:
    for name in classes.split():
        # The class of a pipeline decides, whatever else its names suggest.
        assert classify(Names("diffusers", "QwenOmniForCausalLM", True, pipeline_class=name))[0] == (expected,)
