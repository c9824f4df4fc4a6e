"""Model directories for tests."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

Content = str | bytes | Mapping[str, Any] | list[Any]

LLAMA = {
    "model_type": "llama",
    "architectures": ["LlamaForCausalLM"],
    "hidden_size": 64,
    "num_hidden_layers": 2,
    "vocab_size": 1000,
}
ESTIMATE_OF_LLAMA = 1000 * 64 + 12 * 2 * 64 * 64


def write_model(directory: Path, files: Mapping[str, Content]) -> Path:
    """Write ``files`` (relative path -> text, bytes, or a value to encode as JSON) and return ``directory``."""
    for name, content in files.items():
        path = directory / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(encode(content))
    return directory


def encode(content: Content) -> bytes:
    if isinstance(content, bytes):
        return content
    return (content if isinstance(content, str) else json.dumps(content)).encode()


def safetensors(tensors: Mapping[str, tuple[str, list[int]]]) -> bytes:
    """A safetensors file without its weights: tensor name -> type and shape."""
    header = {
        name: {"dtype": dtype, "shape": shape, "data_offsets": [0, 0]} for name, (dtype, shape) in tensors.items()
    }
    return framed(json.dumps(header, separators=(",", ":")).encode())


def framed(header: bytes, length: int | None = None) -> bytes:
    """``header`` behind the length field that announces it, or announces ``length``."""
    return (len(header) if length is None else length).to_bytes(8, "little") + header
