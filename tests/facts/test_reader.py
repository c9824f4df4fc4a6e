"""Whole models: what is read, where it came from, what OME's users should know."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

from omec.facts import FactsError, read_facts
from omec.facts.config import parse_config
from omec.facts.locate import NEVER_READ
from omec.facts.reader import SKIP_ANNOTATION
from tests.conftest import require_external_data
from tests.facts.models import ESTIMATE_OF_LLAMA, LLAMA, safetensors, write_model

WEIGHTS = safetensors({"a.weight": ("BF16", [1500])})


def test_to_dict(tmp_path: Path) -> None:
    config = LLAMA | {
        "torch_dtype": "bfloat16",
        "transformers_version": "4.40.0",
        "text_config": {"max_position_embeddings": 2048},
        "quantization_config": {"quant_method": "fp8"},
    }
    facts = read_facts(write_model(tmp_path, {"config.json": config, "model.safetensors": WEIGHTS}))
    assert facts.to_dict() == {
        "modelType": "llama",
        "modelArchitecture": "LlamaForCausalLM",
        "modelFormat": {"name": "safetensors", "version": "1.0.0"},
        "modelFramework": {"name": "transformers", "version": "4.40.0"},
        "modelParameterSize": "1.5K",
        "maxTokens": 2048,
        "modelCapabilities": ["TEXT_TO_TEXT"],
        "quantization": "fp8",
        "modelConfiguration": {
            "model_type": "llama",
            "architecture": "LlamaForCausalLM",
            "context_length": 2048,
            "parameter_count": "1.5K",
            "has_vision": False,
            "is_embedding": False,
            "transformers_version": "4.40.0",
            "torch_dtype": "bfloat16",
            "model_size_bytes": 3000,
        },
        "configFile": "config.json",
        "parameterCount": 1500,
        "memory": {"weights": {"BF16": 3000}},
        "factsFrom": {
            "modelType": "config.json: model_type",
            "modelArchitecture": "config.json: architectures",
            "modelFormat": "config.json",
            "modelFramework": "config.json: transformers_version",
            "modelParameterSize": "model.safetensors",
            "maxTokens": "config.json: text_config.max_position_embeddings",
            "modelCapabilities": "config.json: text rule",
            "quantization": "config.json: quantization_config.quant_method",
            "modelConfiguration": "config.json",
        },
        "warnings": [],
    }


def test_what_is_not_known_is_left_out(tmp_path: Path) -> None:
    facts = read_facts(write_model(tmp_path, {"config.json": {"model_type": "x", "max_position_embeddings": 2**31}}))
    result = facts.to_dict()
    assert not {"maxTokens", "quantization", "diffusionPipeline"} & (result.keys() | result["factsFrom"].keys())
    assert facts.max_tokens == -(2**31)
    assert (result["modelArchitecture"], result["modelCapabilities"]) == ("", [""])


@pytest.mark.parametrize(
    ("files", "count", "origin", "warnings"),
    [
        ({}, ESTIMATE_OF_LLAMA, "config.json: estimate from the dimensions", []),
        ({"a.safetensors": WEIGHTS, "b.safetensors": WEIGHTS}, 3000, "a.safetensors and 1 more", []),
        (
            {"a.safetensors": WEIGHTS[:-1]},
            ESTIMATE_OF_LLAMA,
            "config.json: estimate from the dimensions",
            [
                f"a.safetensors: the file should have {len(WEIGHTS)} bytes or more, but has {len(WEIGHTS) - 1};"
                " the size comes from config.json: estimate from the dimensions"
            ],
        ),
        (
            {"hf_quant_config.json": {"quantization": {"quant_algo": "NVFP4"}}, "a.safetensors": WEIGHTS},
            1500,
            "a.safetensors",
            [],
        ),
        (
            {"hf_quant_config.json": "{", "a.safetensors": WEIGHTS},
            1500,
            "a.safetensors",
            ["hf_quant_config.json is ignored: the file ends where a key should stand (line 1, column 2)"],
        ),
        # Only calibration tensors: they count when the quantization is left out of account.
        (
            {
                "hf_quant_config.json": {"quantization": {"quant_algo": "NVFP4"}},
                "a.safetensors": safetensors({"a.weight_scale": ("F32", [9])}),
            },
            9,
            "a.safetensors",
            [],
        ),
    ],
)
def test_sources_of_the_size(
    tmp_path: Path, files: dict[str, Any], count: int, origin: str, warnings: list[str]
) -> None:
    facts = read_facts(write_model(tmp_path, files | {"config.json": LLAMA}))
    assert (facts.parameter_count, facts.origins["modelParameterSize"]) == (count, origin)
    assert [warning.message for warning in facts.warnings] == warnings


def test_warnings_say_what_to_set(tmp_path: Path) -> None:
    config = {"model_type": "x", "architectures": ["Foo"], "quantization_config": {"quant_method": "bitsandbytes"}}
    facts = read_facts(write_model(tmp_path, {"config.json": config}))
    assert [warning.message for warning in facts.warnings] == [
        "the size is 0, which fits no range of sizes; set modelParameterSize yourself",
        "OME does not know what the architecture 'Foo' can do; set modelCapabilities yourself",
        "OME has no name for the quantization 'bitsandbytes'; set quantization yourself",
    ]


@pytest.mark.parametrize("value", ["true", "True", "TRUE", "tRuE"])
def test_the_annotation_skips_the_model(tmp_path: Path, value: str) -> None:
    facts = read_facts(write_model(tmp_path, {"config.json": "{"}), {SKIP_ANNOTATION: value})
    assert facts.to_dict() == {
        "skipped": "the model's annotation ome.oracle.com/skip-config-parsing says so",
        "factsFrom": {},
        "warnings": [],
    }


@pytest.mark.parametrize("value", ["false", "", " true", "yes", "1"])
def test_other_values_do_not_skip(tmp_path: Path, value: str) -> None:
    assert not read_facts(write_model(tmp_path, {"config.json": LLAMA}), {SKIP_ANNOTATION: value}).skipped


def test_a_directory_that_does_not_exist(tmp_path: Path) -> None:
    facts = read_facts(tmp_path / "gone")
    assert facts.skipped == f"the model's directory {tmp_path}/gone does not exist"
    assert [warning.reported for warning in facts.warnings] == ["model directory does not exist"]
    assert facts.spec() == {}


@pytest.mark.parametrize(
    ("content", "message", "reported"),
    [
        (
            '{"architectures": ["X"]}',
            "model_type is missing or empty, so nobody can tell what model it is",
            "model_type field is missing or empty in config file '{file}'",
        ),
        (
            '{"model_type": "x", "hidden_size": "64"}',
            "hidden_size is a text, expected a whole number (line 1, column 36)",
            "failed to parse config JSON from '{file}': hidden_size is a text, expected",
        ),
        (
            '{"model_type": "x"',
            "the file ends where a comma or } should stand (line 1, column 19)",
            "failed to parse config JSON from '{file}': the file ends",
        ),
    ],
)
def test_errors_name_the_file_and_the_reason(tmp_path: Path, content: str, message: str, reported: str) -> None:
    with pytest.raises(FactsError) as caught:
        read_facts(write_model(tmp_path, {"config.json": content}))
    file = tmp_path / "config.json"
    assert caught.value.message == f"{file}: {message}"
    assert caught.value.reported.startswith(f"parse config.json at {file}: {reported.replace('{file}', str(file))}")
    assert caught.value.hint


def test_a_folder_with_the_name_of_the_file(tmp_path: Path) -> None:
    file = tmp_path / "config.json"
    file.mkdir()
    with pytest.raises(FactsError) as caught:
        read_facts(tmp_path)
    assert caught.value.reported == (
        f"parse config.json at {file}: read model config {file}: read {file}: is a directory"
    )


@pytest.mark.timeout(20)
def test_nothing_else_is_opened(tmp_path: Path) -> None:
    write_model(tmp_path, {"config.json": LLAMA})
    for name in (*NEVER_READ, "pytorch_model.bin", "model.gguf", "modeling.py", "README.md"):
        os.mkfifo(tmp_path / name)  # would be refused
    assert read_facts(tmp_path).warnings == ()


@pytest.mark.timeout(20)
def test_weights_are_not_read(tmp_path: Path) -> None:
    write_model(tmp_path, {"config.json": LLAMA, "model.safetensors": WEIGHTS})
    with (tmp_path / "model.safetensors").open("r+b") as file:
        file.truncate(2**40)  # a hole of a terabyte
    assert read_facts(tmp_path).parameter_count == 1500


def corpus_rows() -> list[dict[str, str]]:
    """The table of reference 08 §10."""
    lines = Path(__file__).with_name("corpus_configs.md").read_text(encoding="utf-8").splitlines()
    header, _, *rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines if line.startswith("|")]
    return [dict(zip(header, row, strict=True)) for row in rows]


@pytest.mark.parametrize("row", corpus_rows(), ids=lambda row: row["Config"])
def test_corpus_configs(tmp_path: Path, row: dict[str, str]) -> None:
    corpus = require_external_data() / "corpus" / "ome-v0.1.5" / "model-configs"
    content = (corpus / f"{row['Config']}.json").read_bytes()
    facts = read_facts(write_model(tmp_path, {"config.json": content}))
    fields = parse_config(content).fields
    dimensions = (fields.hidden_size, fields.num_hidden_layers, fields.intermediate_size, fields.vocab_size)
    experts = (fields.n_routed_experts, fields.n_shared_experts, fields.moe_intermediate_size)
    assert {
        "model_type": facts.model_type,
        "architecture": facts.architecture or "(none)",
        "h/L/i/V": "/".join(map(str, dimensions)),
        "E/S/m": "/".join(map(str, experts)),
        "maxTokens": str(facts.max_tokens) if facts.max_tokens > 0 else "-",
        "estimate": str(facts.parameter_count),
        "size": facts.parameter_size,
        "capability": ", ".join(facts.capabilities) or '`""`',
        "quantization": facts.quantization or "-",
    } == {name: cell for name, cell in row.items() if name != "Config"}


def test_every_corpus_config_is_read(tmp_path: Path) -> None:
    corpus = require_external_data() / "corpus" / "ome-v0.1.5" / "model-configs"
    for file in sorted(corpus.glob("*.json")):
        write_model(tmp_path, {"config.json": file.read_bytes()})
        if file.stem == "config_sentence_transformers":
            with pytest.raises(FactsError, match="model_type is missing"):
                read_facts(tmp_path)
        else:
            assert read_facts(tmp_path).model_type


@pytest.mark.parametrize(
    ("config", "expected"),
    [
        (
            {
                "model_type": "falcon",
                "architectures": ["FalconForCausalLM"],
                "hidden_size": 4544,
                "num_hidden_layers": 32,
                "intermediate_size": 18176,
                "vocab_size": 65024,
                "max_position_embeddings": 2048,
                "torch_dtype": "bfloat16",
                "transformers_version": "4.30.0",
            },
            {"parameter_count": "8.22B", "context_length": 2048, "model_size_bytes": 16448552960},
        ),
        (
            {
                "model_type": "Reasoning_V3",
                "architectures": ["Reasoning_V3"],
                "vision_config": {},
                "llm_config": {
                    "architectures": ["Other"],
                    "hidden_size": 2688,
                    "num_hidden_layers": 52,
                    "intermediate_size": 1856,
                    "vocab_size": 131072,
                    "n_routed_experts": 128,
                    "n_shared_experts": 1,
                    "moe_intermediate_size": 1856,
                    "max_position_embeddings": 262144,
                    "transformers_version": "4.55.4",
                },
            },
            {
                "transformers_version": "4.55.4",
                "context_length": 262144,
                "has_vision": True,
                "parameter_count": "68.80B",
                "architecture": "Reasoning_V3",
            },
        ),
        (
            {
                "model_type": "some_moe",
                "hidden_size": 4096,
                "num_hidden_layers": 32,
                "intermediate_size": 14336,
                "vocab_size": 32000,
                "num_local_experts": 8,
                "moe_intermediate_size": 14336,
            },
            {"parameter_count": "32.34B"},
        ),
        (
            {
                "model_type": "some_vision_model",
                "vision_config": {},
                "text_config": {
                    "hidden_size": 4096,
                    "num_hidden_layers": 32,
                    "max_position_embeddings": 4096,
                    "torch_dtype": "float16",
                    "transformers_version": "4.40.0",
                },
            },
            {"transformers_version": "4.40.0", "context_length": 4096, "torch_dtype": "float16", "has_vision": True},
        ),
        (
            {
                "model_type": "some_vl_model",
                "language_config": {
                    "hidden_size": 2048,
                    "num_hidden_layers": 24,
                    "max_position_embeddings": 4096,
                    "transformers_version": "4.38.0",
                },
            },
            {"transformers_version": "4.38.0", "context_length": 4096},
        ),
    ],
)
def test_synthetic_configs(tmp_path: Path, config: dict[str, Any], expected: dict[str, Any]) -> None:
    configuration = read_facts(write_model(tmp_path, {"config.json": config})).configuration
    assert {name: configuration[name] for name in expected} == expected
