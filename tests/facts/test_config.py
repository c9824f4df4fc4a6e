"""``config.json``: vectors of reference 08 §2, §3 and §5.4."""

from __future__ import annotations

import json
from typing import Any

import pytest

from omec.facts.config import ModelConfig, parse_config
from omec.facts.jsonscan import JsonError


def parse(**fields: Any) -> ModelConfig:
    return parse_config(json.dumps({"model_type": "unknown", **fields}).encode())


@pytest.mark.parametrize(
    ("fields", "length", "key"),
    [
        (
            {"max_position_embeddings": 4096, "max_sequence_length": 2048, "seq_length": 1024, "model_max_length": 512},
            4096,
            "max_position_embeddings",
        ),
        ({"max_sequence_length": 2048, "seq_length": 1024}, 2048, "max_sequence_length"),
        ({"seq_length": 8192}, 8192, "seq_length"),
        ({"model_max_length": 4096}, 4096, "model_max_length"),
        ({"hidden_size": 4096}, 0, ""),
        (
            {"max_sequence_length": 131072, "llm_config": {"max_position_embeddings": 262144}},
            262144,
            "llm_config.max_position_embeddings",
        ),
        ({"text_config": {"model_max_length": 1048576}}, 1048576, "text_config.model_max_length"),
        ({"max_position_embeddings": 0, "max_seq_len": 32768}, 32768, "max_seq_len"),
        ({"rope_scaling": {"factor": 4}, "max_position_embeddings": 32768}, 32768, "max_position_embeddings"),
        ({"text_config": {"seq_length": 7, "max_sequence_length": 7, "max_seq_len": 7}}, 0, ""),
        ({"max_position_embeddings": -5, "seq_length": 77}, 77, "seq_length"),
    ],
)
def test_context_length(fields: dict[str, Any], length: int, key: str) -> None:
    assert parse(**fields).context_length() == (length, key)


@pytest.mark.parametrize(
    ("fields", "dtype", "key"),
    [
        ({"torch_dtype": "bfloat16", "text_config": {"dtype": "float16"}}, "bfloat16", "torch_dtype"),
        ({"text_config": {"dtype": "float16"}}, "float16", "text_config.dtype"),
        ({"text_config": {"torch_dtype": "float16"}}, "float16", "text_config.torch_dtype"),
        ({"text_config": {"torch_dtype": "float32", "dtype": "float16"}}, "float32", "text_config.torch_dtype"),
        ({"hidden_size": 4096}, "", "torch_dtype"),
        ({"dtype": "bfloat16"}, "", "torch_dtype"),
    ],
)
def test_torch_dtype(fields: dict[str, Any], dtype: str, key: str) -> None:
    config = parse(**fields)
    assert (config.fields.torch_dtype, config.key("torch_dtype")) == (dtype, key)


@pytest.mark.parametrize(
    ("fields", "key"),
    [
        ({"vision_config": {"hidden_size": 1024}}, "vision_config"),
        ({"vision_config": {}}, "vision_config"),
        ({"vision_config": None}, "vision_config"),
        ({"mm_vision_tower": "openai/clip-vit"}, "mm_vision_tower"),
        ({"image_token_id": 151655}, "image_token_id"),
        ({"image_token_index": 262144}, "image_token_index"),
        ({"img_processor": {"name": "clip_vision_model"}}, "img_processor"),
        ({"text_config": {"vision_config": {}}}, ""),
        ({"Vision_Config": {}}, ""),
        ({}, ""),
    ],
)
def test_vision(fields: dict[str, Any], key: str) -> None:
    assert parse(**fields).vision_key == key


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        ({"text_config": {"hidden_size": 1}, "llm_config": {"hidden_size": 2}}, 1),
        ({"language_config": {"hidden_size": 3}, "llm_config": {"hidden_size": 2}}, 2),
        ({"text_config": "x", "llm_config": {"hidden_size": 2}}, 2),
        ({"text_config": {"hidden_size": "64"}, "llm_config": {"hidden_size": 2}}, 2),
        ({"text_config": {"num_attention_heads": 4.0, "hidden_size": 64}}, 0),
        ({"text_config": {"rope_scaling": "x", "hidden_size": 64}}, 64),
        ({"text_config": None, "llm_config": {"hidden_size": 2}}, 0),
        ({"hidden_size": 9, "text_config": {"hidden_size": 1}}, 9),
        ({"hidden_size": 0, "text_config": {"hidden_size": 1}}, 1),
        ({"Text_Config": {"hidden_size": 1}}, 0),
        ({"text_config": {"Hidden_Size": 1}}, 1),
    ],
)
def test_nested_config_fills_what_the_top_level_lacks(fields: dict[str, Any], expected: int) -> None:
    assert parse(**fields).fields.hidden_size == expected


def test_what_is_never_taken_from_a_nested_config() -> None:
    nested = {"model_type": "inner", "quantization_config": {"quant_method": "fp8"}}
    fields = parse(text_config=nested).fields
    assert (fields.model_type, fields.quantization_config) == ("unknown", None)


@pytest.mark.parametrize(
    ("fields", "experts"),
    [
        ({"text_config": {"num_experts": 4, "num_local_experts": 3, "n_routed_experts": 2}}, 2),
        ({"text_config": {"num_experts": 4, "num_local_experts": -3, "n_routed_experts": 0}}, 4),
        ({"n_routed_experts": 8, "text_config": {"num_experts": 4}}, 8),
        ({"num_local_experts": 8, "text_config": {"num_experts": 4}}, 4),
        ({"num_local_experts": 8, "num_experts": 4}, 8),
        ({"num_experts": 4}, 4),
        ({"num_local_experts": "8", "num_experts": 4}, 0),
        ({"num_experts": 8.0}, 0),
    ],
)
def test_expert_count(fields: dict[str, Any], experts: int) -> None:
    assert parse(**fields).fields.n_routed_experts == experts


@pytest.mark.parametrize(
    ("fields", "count"),
    [
        # falcon / FalconForCausalLM
        (
            {"hidden_size": 4544, "num_hidden_layers": 32, "intermediate_size": 18176, "vocab_size": 65024},
            65024 * 4544 + 12 * 32 * 4544**2,
        ),
        # Reasoning_V3 with llm_config
        (
            {
                "llm_config": {
                    "hidden_size": 2688,
                    "num_hidden_layers": 52,
                    "intermediate_size": 1856,
                    "vocab_size": 131072,
                    "n_routed_experts": 128,
                    "n_shared_experts": 1,
                    "moe_intermediate_size": 1856,
                }
            },
            68804822016,
        ),
        # some_moe
        (
            {
                "hidden_size": 4096,
                "num_hidden_layers": 32,
                "intermediate_size": 14336,
                "vocab_size": 32000,
                "num_local_experts": 8,
                "moe_intermediate_size": 14336,
            },
            32344637440,
        ),
        ({"hidden_size": 64, "num_layers": 2}, 0),
        ({"hidden_size": 64, "n_layers": 2}, 0),
        ({"hidden_size": -64, "num_hidden_layers": 2}, 0),
        # 64-bit arithmetic wraps around
        ({"hidden_size": 1, "num_hidden_layers": 1, "vocab_size": 2**63 - 1}, -(2**63) + 11),
    ],
)
def test_estimate(fields: dict[str, Any], count: int) -> None:
    assert parse(**fields).estimated_parameters() == count


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('{"hidden_size": "4096"}', "hidden_size is a text, expected a whole number (line 1, column 17)"),
        (
            '{"hidden_size": 4096.0}',
            "hidden_size is the number 4096.0, expected a whole number of at most 64 bits (line 1, column 17)",
        ),
        (
            '{"hidden_size": 1e30}',
            "hidden_size is the number 1e30, expected a whole number of at most 64 bits (line 1, column 17)",
        ),
        (
            '{"hidden_size": 9223372036854775808}',
            "hidden_size is the number 9223372036854775808, expected a whole number of at most 64 bits"
            " (line 1, column 17)",
        ),
        ('{"hidden_size": true}', "hidden_size is true, expected a whole number (line 1, column 17)"),
        ('{\n "architectures": "X"}', "architectures is a text, expected a list (line 2, column 19)"),
        ('{"architectures": ["X", 1]}', "architectures[1] is a number, expected a text (line 1, column 25)"),
        (
            '{"quantization_config": {"bits": "4"}}',
            "quantization_config.bits is a text, expected a whole number (line 1, column 34)",
        ),
        ("[]", "the file is a list, expected an object (line 1, column 1)"),
        ("", "the file ends where a value should stand (line 1, column 1)"),
        ('{"a": [Infinity,Infinity]}', "expected a value, found 'I' (line 1, column 14)"),
    ],
)
def test_wrong_types_name_the_field_and_the_place(text: str, message: str) -> None:
    with pytest.raises(JsonError) as caught:
        parse_config(text.encode())
    assert str(caught.value) == message


def test_special_numbers_are_replaced_also_in_strings() -> None:
    config = parse_config(b'{"model_type": ":NaN,", "a": Infinity, "b": [ -Infinity ], "seq_length": NaN}')
    assert (config.fields.model_type, config.fields.seq_length) == (":null,", 0)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('{"model_type": "a", "model_type": "b"}', ("b", [], None)),
        ('{"model_type": "a", "model_type": null}', ("a", [], None)),
        ('{"architectures": ["X", "Y"], "architectures": ["Z"]}', ("", ["Z"], None)),
        ('{"architectures": ["X"], "architectures": null}', ("", [], None)),
        ('{"architectures": ["X"], "architectures": [null, null]}', ("", ["X", ""], None)),
        ('{"MODEL_TYPE": "a"}', ("a", [], None)),
        ('{"quantization_config": {"bits": 4}, "quantization_config": {"quant_method": "awq"}}', ("", [], ("awq", 4))),
        ('{"quantization_config": {"bits": 4}, "quantization_config": null}', ("", [], None)),
    ],
)
def test_duplicate_keys_and_case(text: str, expected: tuple[str, list[str], tuple[str, int] | None]) -> None:
    fields = parse_config(text.encode()).fields
    quantization = fields.quantization_config
    found = (quantization.quant_method, quantization.bits) if quantization else None
    assert (fields.model_type, fields.architectures, found) == expected
