"""The dimensions of the KV cache, from real configurations and from damaged ones."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from omec.facts.attention import Attention, read_attention

BASE = {"num_hidden_layers": 4, "num_attention_heads": 8, "hidden_size": 1024}
MHA = Attention(layers=4, heads=8, kv_heads=8, head_size=128)


def read(config: dict[str, Any]) -> Attention | None:
    return read_attention(json.dumps(config).encode())


@pytest.mark.parametrize(
    ("config", "attention"),
    [
        (BASE, MHA),
        (BASE | {"num_key_value_heads": 2}, Attention(4, 8, 2, 128)),
        (BASE | {"head_dim": 64}, Attention(4, 8, 8, 64)),
        (BASE | {"head_dim": None, "num_key_value_heads": None}, MHA),
        ({"text_config": BASE, "num_hidden_layers": 99}, MHA),
        ({"text_config": {"num_hidden_layers": 4}} | BASE, MHA),
        ({"n_layers": 4, "n_heads": 8, "d_model": 1024, "attn_config": {"kv_n_heads": 2}}, Attention(4, 8, 2, 128)),
        ({"n_layer": 4, "n_head": 8, "n_embd": 1024}, MHA),
        (BASE | {"kv_lora_rank": 512, "qk_rope_head_dim": 64}, Attention(4, 8, 1, 0, latent=576)),
        # A window that only some layers have, and one that nobody says which layers have.
        (
            BASE | {"sliding_window": 128, "layer_types": ["sliding_attention", "full_attention"] * 2},
            Attention(2, 8, 8, 128, windowed_layers=2, window=128),
        ),
        (BASE | {"sliding_window": None, "layer_types": ["sliding_attention", "full_attention"] * 2}, MHA),
        (
            BASE | {"sliding_window": 128, "sliding_window_pattern": 2},
            Attention(2, 8, 8, 128, windowed_layers=2, window=128),
        ),
        (BASE | {"sliding_window": 128}, MHA),
        # Hybrids: other layers keep a state of fixed size.
        (BASE | {"layer_types": ["linear_attention"] * 3 + ["full_attention"]}, Attention(1, 8, 8, 128)),
        (BASE | {"layers_block_type": ["mamba", "attention", "mamba", "attention"]}, Attention(2, 8, 8, 128)),
        (BASE | {"hybrid_override_pattern": "M-M*"}, Attention(1, 8, 8, 128)),
    ],
)
def test_dimensions(config: dict[str, Any], attention: Attention) -> None:
    assert read(config) == attention
    assert Attention.from_dict(attention.to_dict()) == attention


@pytest.mark.parametrize(
    "config",
    [
        {},
        {"num_hidden_layers": 4, "hidden_size": 1024},
        BASE | {"num_attention_heads": "8"},
        BASE | {"num_attention_heads": 8.0},
        BASE | {"num_hidden_layers": -4},
        BASE | {"num_hidden_layers": 10**7},
        BASE | {"hidden_size": 10**30},
    ],
)
def test_too_little_is_unknown(config: dict[str, Any]) -> None:
    assert read(config) is None


def test_numbers_per_layer() -> None:
    assert MHA.numbers_per_layer == 2 * 8 * 128
    assert Attention(61, 128, 1, 0, latent=576).numbers_per_layer == 576


def test_published_models(testdata: Path) -> None:
    """DeepSeek V3 keeps 576 numbers a layer, Llama 3.1 405B 2 x 8 x 128, every second layer of gpt-oss a window."""
    folder = testdata / "corpus" / "ome-v0.1.5" / "model-configs"
    known = {
        "deepseek_v3": Attention(61, 128, 1, 0, latent=576),
        "llama3_1_405b": Attention(126, 128, 8, 128),
        "gpt_oss_120b": Attention(18, 64, 8, 64, windowed_layers=18, window=128),
    }
    for name, attention in known.items():
        assert read_attention((folder / f"{name}.json").read_bytes()) == attention


@given(st.binary(max_size=40) | st.recursive(st.none() | st.integers() | st.text(), st.lists).map(json.dumps))
def test_damage_means_unknown(config: str | bytes) -> None:
    data = config if isinstance(config, bytes) else config.encode("utf-8", "surrogatepass")
    assert read_attention(data) is None


@given(st.sampled_from(sorted(BASE)), st.none() | st.booleans() | st.floats() | st.integers() | st.lists(st.integers()))
def test_any_value_of_a_key(key: str, value: object) -> None:
    attention = read(BASE | {key: value})
    assert attention is None or 0 <= attention.numbers_per_layer <= 2 * 10**12
