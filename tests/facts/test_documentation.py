"""What docs/facts.md shows is what the commands print, against a hub and a repository made for it.

``pytest tests/facts/test_documentation.py --update-golden`` writes the present output into the page.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.conftest import ROOT
from tests.console import rewritten
from tests.facts.hub_server import HubServer
from tests.facts.models import safetensors, write_model

PAGE = ROOT / "docs" / "facts.md"

CONFIG = {
    "architectures": ["LlamaForCausalLM"],
    "model_type": "llama",
    "hidden_size": 4096,
    "num_hidden_layers": 32,
    "num_attention_heads": 32,
    "num_key_value_heads": 8,
    "vocab_size": 128256,
    "max_position_embeddings": 131072,
    "torch_dtype": "bfloat16",
    "transformers_version": "4.45.0.dev0",
}
MODEL = """\
apiVersion: ome.io/v1beta1
kind: ClusterBaseModel
metadata:
  name: acme-8b
spec:
  storage:
    storageUri: hf://acme/acme-8b
    path: /raid/models/acme/acme-8b
"""
CLASS = """\
apiVersion: ome.io/v1beta1
kind: AcceleratorClass
metadata:
  name: {name}
spec:
  discovery: {{}}
  capabilities:
    memoryGB: {memory}
"""


def test_the_page_shows_real_output(
    hub: HubServer, tmp_path: Path, request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch
) -> None:
    index = {"weight_map": {f"layer.{i}": f"model-{i}-of-2.safetensors" for i in (1, 2)}}
    shards = {f"model-{i}-of-2.safetensors": safetensors({f"layer.{i}": ("BF16", [4096, 980_256])}) for i in (1, 2)}
    files = {"config.json": CONFIG, "model.safetensors.index.json": index, **shards}
    hub.repository("acme/acme-8b", files)
    write_model(tmp_path / "models" / "acme-8b", files)
    write_model(tmp_path / "llm", {"acme-8b.yaml": MODEL})
    for name, memory in (("a10", "24Gi"), ("h100", "80Gi")):
        write_model(tmp_path / "llm", {f"{name}.yaml": CLASS.format(name=name, memory=memory)})
    monkeypatch.setenv("HF_ENDPOINT", hub.endpoint)
    shown = PAGE.read_text(encoding="utf-8")
    real = rewritten(shown, tmp_path)
    if request.config.getoption("--update-golden"):
        PAGE.write_text(real, encoding="utf-8")
    assert shown == real
