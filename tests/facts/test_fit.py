"""The arithmetic of memory, against numbers worked out by hand."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from omec.facts.attention import Attention
from omec.facts.fit import GIB, Cache, Demand, Weights, share, smallest, weights_of

# Llama 3.1 70B: 70.55e9 parameters of 2 bytes; 80 layers, 64 heads, 8 of them for keys and values, 128 numbers each.
LLAMA_70B = Attention(layers=80, heads=64, kv_heads=8, head_size=128)
WEIGHTS_70B = Weights({"BF16": 141_107_412_992})
DEEPSEEK = Attention(layers=61, heads=128, kv_heads=1, head_size=0, latent=576)


def demand(tokens: int = 131072, sequences: int = 1, attention: Attention = LLAMA_70B) -> Demand:
    return Demand(WEIGHTS_70B, Cache(attention, tokens, sequences, 2), 2 * GIB)


@pytest.mark.parametrize(
    ("cache", "size"),
    [
        # 2 (K and V) x 8 heads x 128 x 2 bytes x 80 layers = 320 KiB a token
        (Cache(LLAMA_70B, 1, 1, 2), 320 * 1024),
        (Cache(LLAMA_70B, 131072, 1, 2), 40 * GIB),
        (Cache(LLAMA_70B, 8192, 16, 1), 20 * GIB),
        # 576 numbers a layer whatever the heads: 68.6 KiB a token
        (Cache(DEEPSEEK, 1, 1, 2), 61 * 576 * 2),
        # every second layer keeps 128 tokens
        (Cache(Attention(18, 64, 8, 64, windowed_layers=18, window=128), 1000, 2, 2), 2 * 18 * 1128 * 1024 * 2),
        (Cache(Attention(18, 64, 8, 64, windowed_layers=18, window=128), 100, 1, 2), 36 * 100 * 1024 * 2),
    ],
)
def test_cache(cache: Cache, size: int) -> None:
    assert cache.total == size


def test_a_share() -> None:
    """Of 4 GPUs each holds a quarter of 131.42 GiB and of 40 GiB, and its own reserve."""
    each = share(demand(), 4)
    assert (each.tensor, each.stages) == (4, 1)
    assert (each.weights, each.cache, each.reserve) == (35_276_853_248, 10 * GIB, 2 * GIB)
    assert each.total == 35_276_853_248 + 12 * GIB


def test_a_cache_has_no_more_parts_than_heads() -> None:
    assert share(demand(), 16).cache == 5 * GIB  # 8 heads for keys and values: 16 GPUs keep each twice
    deepseek = demand(attention=DEEPSEEK)
    assert deepseek.cache is not None
    assert share(deepseek, 8).cache == deepseek.cache.total  # the latent is on every GPU


def test_heads_that_do_not_divide_become_stages() -> None:
    each = share(demand(attention=Attention(28, 28, 4, 128)), 8)
    assert (each.tensor, each.stages) == (4, 2)
    assert each.cache == 28 * 131072 * 2 * 4 * 128 * 2 // (2 * 4)


@pytest.mark.parametrize(("memory", "gpus"), [(141, 2), (80, 4), (48, 8), (24, 16), (2, None)])
def test_the_fewest(memory: int, gpus: int | None) -> None:
    """72 GiB of an H100 hold 65.7 + 2, but not the cache: 4 of them do; of an H200 (127 GiB) 2 are enough."""
    found = smallest(demand(), int(memory * GIB * 0.9))
    assert (found and found.gpus) == gpus


def test_without_a_cache_only_weights_count() -> None:
    found = smallest(Demand(WEIGHTS_70B, None, 0), 72 * GIB)
    assert found is not None
    assert (found.gpus, found.cache) == (2, 0)


@given(st.integers(1, 1024), st.integers(1, 256), st.integers(1, 64), st.integers(1, 200))
def test_shares_hold_everything(gpus: int, heads: int, kv_heads: int, layers: int) -> None:
    asked = demand(attention=Attention(layers, heads, min(heads, kv_heads), 128))
    each = share(asked, gpus)
    assert each.tensor * each.stages == gpus
    assert heads % each.tensor == 0
    assert asked.cache is not None
    assert each.weights * gpus >= asked.weights.total
    assert each.cache * gpus >= asked.cache.total


@pytest.mark.parametrize(
    ("spec", "total", "estimate"),
    [
        ({"modelParameterSize": "8B"}, 16 * 10**9, "8B parameters x 2 bytes (16 bit), estimated"),
        (
            {"modelParameterSize": "8B", "quantization": "fp8", "modelConfiguration": {"torch_dtype": "bfloat16"}},
            8 * 10**9,
            "8B parameters x 1 byte (fp8), estimated",
        ),
        ({"modelParameterSize": "8B", "quantization": "nvfp4"}, 4 * 10**9, "x 0.5 bytes (nvfp4)"),
        ({"modelParameterSize": "8B", "quantization": "compressed-tensors"}, 16 * 10**9, "x 2 bytes (16 bit)"),
        (
            {"modelParameterSize": "92.56K", "modelConfiguration": {"torch_dtype": "float32"}},
            370_240,
            "x 4 bytes (float32)",
        ),
        ({"modelParameterSize": "1.5T", "modelConfiguration": []}, 3 * 10**12, "x 2 bytes"),
    ],
)
def test_weights_that_nobody_saw(spec: dict[str, Any], total: int, estimate: str) -> None:
    weights = weights_of(spec, {})
    assert weights is not None
    assert weights.total == total
    assert estimate in weights.estimate


def test_weights_that_somebody_saw() -> None:
    weights = weights_of({"modelParameterSize": "8B"}, {"BF16": 10, "F32": 5})
    assert weights == Weights({"BF16": 10, "F32": 5})
    assert weights.total == 15
    for spec in ({}, {"modelParameterSize": "0"}, {"modelParameterSize": "many"}, {"modelParameterSize": 8}):
        assert weights_of(spec, {}) is None
