"""Quantization: the vectors of reference 08 §6."""

from __future__ import annotations

import json
from typing import Any

import pytest

from omec.facts.config import parse_config
from omec.facts.jsonscan import JsonError
from omec.facts.quantization import from_embedded, parse_standalone, quantization_name


@pytest.mark.parametrize(
    ("algorithms", "name"),
    [
        (["fp8", "FP8", "fp8_per_tensor", "fp8-e4m3", "\tFP8\n"], "fp8"),
        (["fbgemm_fp8", "FBGEMM_FP8"], "fbgemm_fp8"),
        (["int4", "INT4_AWQ", "int4_gptq", "gptq_int4", "W4A8_AWQ", "w4a16_awq"], "int4"),
        (["NVFP4", "nvfp4"], "nvfp4"),
        (["MXFP4"], "mxfp4"),
        (["compressed-tensors", "compressed_tensors", "Compressed-Tensors"], "compressed-tensors"),
        (["", "   ", "some-future-quant-format", "INT8_SQ", "bitsandbytes", "gptq", "awq"], ""),
        # Go does not take the separator characters for white space, Python does.
        (["\x1cnvfp4"], ""),
    ],
)
def test_names(algorithms: list[str], name: str) -> None:
    assert {quantization_name(algorithm) for algorithm in algorithms} == {name}


@pytest.mark.parametrize(
    ("config", "algorithm", "name"),
    [
        ({"quant_method": "gptq", "bits": 4}, "INT4_GPTQ", "int4"),
        ({"quant_method": "awq", "bits": 4}, "INT4_AWQ", "int4"),
        ({"quant_method": "gptq", "bits": 8}, "INT8_GPTQ", ""),
        ({"quant_method": "GPTQ", "bits": 4}, "GPTQ", ""),
        ({"quant_method": " gptq ", "bits": 4}, "INT4_GPTQ", "int4"),
        ({"quant_method": "modelopt", "quant_algo": "NVFP4"}, "NVFP4", "nvfp4"),
        ({"quant_method": "modelopt"}, "modelopt", ""),
        ({"quant_method": "fp8", "activation_scheme": "dynamic", "fmt": "e4m3"}, "fp8", "fp8"),
        ({"quant_method": "fp8", "quant_algo": "  "}, "fp8", "fp8"),
    ],
)
def test_embedded(config: dict[str, Any], algorithm: str, name: str) -> None:
    quantization = embedded(config)
    assert quantization is not None
    assert (quantization.algorithm, quantization_name(quantization.algorithm)) == (algorithm, name)


@pytest.mark.parametrize("config", [None, {}, {"bits": 4}, {"kv_cache_quant_algo": "FP8"}])
def test_no_algorithm_is_no_quantization(config: dict[str, Any] | None) -> None:
    assert embedded(config) is None


@pytest.mark.parametrize(
    ("lists", "expected"),
    [
        ({"modules_to_not_convert": ["a"], "ignore": ["b"], "ignored_layers": ["c"]}, ("a",)),
        ({"modules_to_not_convert": [], "ignore": ["b"], "ignored_layers": ["c"]}, ("b",)),
        ({"ignored_layers": ["c"]}, ("c",)),
        ({"ignore": None}, ()),
    ],
)
def test_the_first_list_of_excluded_modules_counts(lists: dict[str, Any], expected: tuple[str, ...]) -> None:
    quantization = embedded({"quant_method": "fp8", **lists})
    assert quantization is not None
    assert quantization.excluded_modules == expected


def test_standalone() -> None:
    details = {"quant_algo": "NVFP4", "exclude_modules": ["lm_head"], "group_size": 16, "kv_cache_quant_algo": "FP8"}
    quantization = parse_standalone(json.dumps({"producer": 1, "quantization": details}).encode(), "q.json")
    assert quantization is not None
    assert (quantization.algorithm, quantization.excluded_modules) == ("NVFP4", ("lm_head",))
    assert quantization.source == "q.json: quantization.quant_algo"


def test_a_standalone_file_without_algorithm_is_still_one() -> None:
    for text in (b"{}", b"null", b'{"quantization": null}', b'{"quantization": {"quant_algo": null}}'):
        quantization = parse_standalone(text, "q.json")
        assert quantization is not None
        assert quantization.algorithm == ""
    assert parse_standalone(b"", "q.json") is None


@pytest.mark.parametrize(
    "text", ["{", '{"quantization": "FP8"}', '{"quantization": {"group_size": 16.0}}', '{"quant_method": 5}']
)
def test_a_corrupt_standalone_file(text: str) -> None:
    with pytest.raises(JsonError):
        parse_standalone(text.encode(), "q.json")


def test_a_list_of_a_million_modules_is_refused() -> None:
    with pytest.raises(JsonError, match="ignore has more than 10,000 items"):
        embedded({"quant_method": "nvfp4", "ignore": ["a"] * 10_001})


def embedded(config: dict[str, Any] | None) -> Any:
    text = json.dumps({"model_type": "x", "quantization_config": config})
    return from_embedded(parse_config(text.encode()).fields.quantization_config, "config.json")
