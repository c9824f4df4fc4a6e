"""What one tensor counts: the vectors of reference 08 §5.2 and §5.3."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from omec.facts.quantization import Quantization
from omec.facts.tensors import Exclusion, TensorCounter, elements, is_calibration, packing_factor

CALIBRATION = "weight_scale weight_scale_2 weight_scale_inv input_scale k_scale v_scale kv_scale weight_zero_point"
CALIBRATION += " kv_cache_scaling_factor scales zeros qzeros g_idx"
CALIBRATION_SUFFIXES = "_scale _scales _scale_2 _scale_inv _input_scale _weight_scale _weight_scale_2 _weight_scale_inv"
CALIBRATION_SUFFIXES += " _weight_zero_point _kv_scale _kv_cache_scaling_factor"


@pytest.mark.parametrize("name", CALIBRATION.split() + ["x" + suffix for suffix in CALIBRATION_SUFFIXES.split()])
def test_calibration_tensors(name: str) -> None:
    assert is_calibration(name)
    assert is_calibration(f"model.layers.0.{name}")
    assert not is_calibration(f"{name}.weight")


@pytest.mark.parametrize("name", ["qweight", "x.gate_up_proj_blocks", "a.scaled_weight", "a.scales.b", "A.SCALES", ""])
def test_other_tensors(name: str) -> None:
    assert not is_calibration(name)


@pytest.mark.parametrize(
    ("algorithms", "dtypes", "factor"),
    [
        ("nvfp4 mxfp4 fp4 FP4", "U8 I8 UINT8 INT8 u8", 2),
        ("nvfp4 mxfp4 fp4", "I32 I16 BF16 F4", 1),
        ("int4 INT4_AWQ INT44_GPTQ w4a16 W4A8_MXFP4_FP8", "I32 U32 INT32 UINT32", 8),
        ("int4 INT4_AWQ w4a16", "I16 U16 INT16 UINT16", 4),
        ("int4 INT4_AWQ w4a16", "U8 I8 UINT8 INT8", 2),
        ("int4", "BF16 I64 F4", 1),
        ("fp8 int8 compressed-tensors nvfp4_x gptq INT8_GPTQ", "U8 I32 I16", 1),
    ],
)
def test_packing_factor(algorithms: str, dtypes: str, factor: int) -> None:
    found = {packing_factor(algorithm, dtype) for algorithm in algorithms.split() for dtype in dtypes.split()}
    assert found == {factor}


@pytest.mark.parametrize(("algorithm", "dtype"), [(" nvfp4 ", " U8 "), ("int4", ""), ("", "U8")])
def test_packing_factor_with_white_space_and_without_names(algorithm: str, dtype: str) -> None:
    assert packing_factor(algorithm, dtype) == (2 if algorithm.strip() and dtype.strip() else 1)


@pytest.mark.parametrize(
    ("pattern", "name", "expected"),
    [
        ("self_attn", "model.layers.0.self_attn.k_proj.weight", True),
        ("model.layers.*.self_attn", "model.layers.3.self_attn.q_proj.weight", True),
        ("model.*.self_attn", "model.layers.3.self_attn.q_proj.weight", False),
        ("*", "lm_head.weight", True),
        ("*", "...", False),
        ("*lm_head", "lm_head.weight", False),
        ("lm_head*", "lm_head.weight", False),
        ("lm_head*", "lm_head2.weight", True),
        ("a**b", "axb", False),
        ("a**b", "axxb", True),
        ("modelxlayers", "model.layers.0", False),
        ("layers.1", "model.layers.10.mlp", True),
        ("LM_HEAD", "lm_head.weight", False),
        ("re:.*self_attn.*", "model.self_attn.q", False),
        ("(lm_head", "lm_head.weight", False),
        ("", "lm_head.weight", False),
    ],
)
def test_excluded_modules(pattern: str, name: str, expected: bool) -> None:
    assert Exclusion([pattern]).matches(name) is expected


@given(st.text("ab.*", min_size=1, max_size=6), st.text("ab.", max_size=10))
def test_patterns_mean_what_the_regular_expression_means(pattern: str, name: str) -> None:
    if "*" in pattern:
        expression = "[^.]+".join(re.escape(part) for part in pattern.split("*"))
        assert Exclusion([pattern]).matches(name) is bool(re.search(expression, name, re.DOTALL))


def test_a_pattern_cannot_take_exponential_time() -> None:
    assert not Exclusion(["a*" * 200 + "b" + "*" * 200]).matches("a" * 500 + "b")


@pytest.mark.parametrize(
    ("shape", "expected"),
    [
        ([4, 8], 32),
        ([1], 1),
        ([0, 4], None),
        ([-1], None),
        ([-1, -1], None),
        ([2**63 - 1], 2**63 - 1),
        ([2**63 - 1, 2], None),
        ([3037000499, 3037000499], 9223372030926249001),
    ],
)
def test_elements(shape: list[int], expected: int | None) -> None:
    assert elements(shape) == expected


def test_unpacking_beyond_64_bits_counts_nothing() -> None:
    assert TensorCounter(Quantization("nvfp4")).count("a", "U8", 2**62) == 0
    assert TensorCounter(Quantization("nvfp4", ("a",))).count("a", "U8", 2**62) == 2**62
    assert TensorCounter(Quantization("fp8")).count("a", "U8", 2**63 - 1) == 2**63 - 1


def test_without_quantization_every_element_counts() -> None:
    assert TensorCounter(None).count("a.weight_scale", "U8", 8) == 8
    assert TensorCounter(Quantization("")).count("a.weight_scale", "U8", 8) == 0
