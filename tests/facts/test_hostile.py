"""Damaged models: whatever is done to a file, there are facts, or an error that names the model."""

from __future__ import annotations

import copy
import json
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from omec.facts import Facts, FactsError, read_facts
from tests.facts.models import LLAMA, Content, encode, framed, safetensors, write_model

HEADER = {
    "__metadata__": {"format": "pt"},
    "model.layers.0.mlp.gate_proj.weight": {"dtype": "U8", "shape": [8, 8], "data_offsets": [0, 64]},
    "model.layers.0.mlp.gate_proj.weight_scale": {"dtype": "F32", "shape": [8], "data_offsets": [64, 96]},
}
QUANTIZED = LLAMA | {
    "text_config": {"max_position_embeddings": 4096, "num_experts": 4, "dtype": "bfloat16"},
    "quantization_config": {"quant_method": "gptq", "bits": 4, "ignore": ["lm_head", "model.layers.*.self_attn"]},
    "vision_config": {"x": [1, 2, {"y": None}]},
}
PIPELINE = {
    "_class_name": "FluxPipeline",
    "_diffusers_version": "0.30.0",
    "transformer": ["diffusers", "FluxTransformer2DModel"],
    "vae": {"_class_name": "AutoencoderKL", "_library": "diffusers"},
    "image_encoder": ["transformers", "CLIPVisionModel"],
}
SHARD = framed(encode(HEADER))
MODELS: list[dict[str, Content]] = [
    {"config.json": QUANTIZED, "model.safetensors": SHARD},
    {
        "config.json": LLAMA,
        "hf_quant_config.json": {"quantization": {"quant_algo": "NVFP4", "exclude_modules": ["lm_head"]}},
        "model.safetensors.index.json": {"weight_map": {"a": "m1.safetensors", "b": "m2.safetensors"}},
        "m1.safetensors": SHARD,
        "m2.safetensors": safetensors({"w": ("F16", [3])}),
    },
    {
        "model_index.json": PIPELINE,
        "text_encoder/config.json": {"max_position_embeddings": 77},
        **{
            f"{part}/{name}": content
            for part in ("text_encoder", "transformer", "vae", "image_encoder")
            for name, content in (("config.json", {}), ("m.safetensors", SHARD))
        },
    },
]

values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.sampled_from(
        [
            2**31,
            2**63 - 1,
            2**63,
            -(2**63),
            10**400,
            1e308,
            -0.0,
            "",
            "\0",
            "../x",
            "/etc/passwd",
            "\ud800",
            "x/" * 5000,
        ]
    )
    | st.floats()
    | st.text(max_size=8),
    lambda child: (
        st.lists(child, max_size=3) | st.dictionaries(st.sampled_from(["shape", "dtype", "a"]), child, max_size=3)
    ),
    max_leaves=6,
)


@st.composite
def damaged_models(draw: st.DrawFn) -> Mapping[str, Content]:
    """One of the models with one file cut, overwritten, or given a value of any kind somewhere."""
    model = dict(draw(st.sampled_from(MODELS)))
    name = draw(st.sampled_from(sorted(model)))
    content = model[name]
    if isinstance(content, Mapping) and draw(st.booleans()):
        model[name] = with_value(content, draw(st.lists(st.integers(0, 9), min_size=1, max_size=4)), draw(values))
    elif name.endswith(".safetensors") and draw(st.booleans()):
        header = with_value(HEADER, draw(st.lists(st.integers(0, 9), min_size=1, max_size=4)), draw(values))
        model[name] = framed(encode(header), draw(st.none() | st.integers(0, 2**64 - 1)))
    else:
        data = encode(content)
        at = draw(st.integers(0, len(data)))
        piece = draw(
            st.binary(max_size=8)
            | st.sampled_from([b"[" * 20_000, b'{"a":' * 20_000, b"NaN", b"\xff\xfe", b"9" * 5000])
        )
        model[name] = data[:at] + piece + draw(st.sampled_from([b"", data[at:], data[at + len(piece) :]]))
    return model


def with_value(document: Mapping[str, Any], path: list[int], value: Any) -> dict[str, Any]:
    """A copy of ``document`` in which the member that ``path`` leads to is ``value``."""
    root = node = copy.deepcopy(dict(document))
    for step in path:
        keys = list(node) if isinstance(node, dict) else list(range(len(node)))
        if not keys:
            break
        key = keys[step % len(keys)]
        if step is path[-1] or not isinstance(node[key], (dict, list)):
            node[key] = value
            break
        node = node[key]
    return root


@settings(max_examples=300, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(damaged_models())
def test_facts_or_a_clear_error(model: Mapping[str, Content]) -> None:
    facts = read(model)
    if isinstance(facts, FactsError):
        assert facts.message
        assert facts.hint
        assert len(facts.message) < 1000
        return
    result = facts.to_dict()
    assert json.loads(json.dumps(result)) == result
    assert result["modelType"]
    assert -(2**63) <= facts.parameter_count < 2**63
    assert all(len(message) < 1000 for message in result["warnings"])
    assert facts.fill({"modelType": "mine"})["modelType"] == "mine"


@settings(max_examples=200, deadline=None)
@given(st.binary(max_size=64), st.sampled_from(["config.json", "model_index.json", "hf_quant_config.json"]))
def test_any_bytes_in_any_file(content: bytes, name: str) -> None:
    facts = read({"config.json": LLAMA} | {name: content})
    assert name in facts.message if isinstance(facts, FactsError) else facts.model_type


def read(model: Mapping[str, Content]) -> Facts | FactsError:
    with tempfile.TemporaryDirectory() as scratch:
        try:
            return read_facts(write_model(Path(scratch), model))
        except FactsError as error:
            return error
