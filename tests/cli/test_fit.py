"""``omec fit``: the arithmetic as it is shown, and the exit codes."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.conftest import Omec
from tests.facts.conftest import hub  # noqa: F401 - a fixture
from tests.facts.hub_server import HubServer
from tests.facts.models import safetensors, write_model

CONFIG = {
    "model_type": "llama",
    "architectures": ["LlamaForCausalLM"],
    "num_hidden_layers": 32,
    "num_attention_heads": 32,
    "num_key_value_heads": 8,
    "hidden_size": 4096,
    "max_position_embeddings": 131072,
}
# 8.59e9 parameters of two bytes: 16 GiB
FILES = {"config.json": CONFIG, "model.safetensors": safetensors({"w": ("BF16", [2**17, 2**16])})}
CLASSES = """\
apiVersion: ome.io/v1beta1
kind: AcceleratorClass
metadata: {{name: {name}}}
spec:
  discovery: {{}}
  capabilities: {{memoryGB: {memory}}}
---
"""


@pytest.fixture
def repo(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "repo").mkdir()
    text = "".join(CLASSES.format(name=name, memory=memory) for name, memory in (("a10", "24Gi"), ("h100", "80Gi")))
    (tmp_path / "repo" / "classes.yaml").write_text(text)
    (tmp_path / "repo" / "model.yaml").write_text(
        "apiVersion: ome.io/v1beta1\nkind: BaseModel\nmetadata: {name: llama, namespace: team}\n"
        "spec: {modelParameterSize: 8B, storage: {storageUri: 'local:///m/llama', path: /m}}\n"
    )
    write_model(tmp_path / "models" / "llama", FILES)
    monkeypatch.chdir(tmp_path)
    return Path("repo")


def test_fit(omec: Omec, repo: Path) -> None:
    outcome = omec("fit", "models/llama", repo)
    assert (outcome.code, outcome.err) == (0, "")
    assert outcome.out == (
        "models/llama (facts from models/llama)\n"
        "  weights      16.00 GiB  BF16 16.00 GiB\n"
        "  KV cache     16.00 GiB  1 x 131072 tokens x 32 layers x 2 x 8 x 128 x 2 bytes\n"
        "  reserve       2.00 GiB  a GPU, for activations and graphs\n"
        "  usable            90%   of a GPU's memory\n"
        "\n"
        "ACCELERATOR   MEMORY      USABLE      GPUS   PER GPU                            SPLIT\n"
        "a10           24.00 GiB   21.60 GiB   2      8.00 + 8.00 + 2.00 = 18.00 GiB     tensor 2\n"
        "h100          80.00 GiB   72.00 GiB   1      16.00 + 16.00 + 2.00 = 34.00 GiB   tensor 1\n"
    )


def test_a_number_of_gpus(omec: Omec, repo: Path) -> None:
    outcome = omec("fit", "models/llama", repo, "--gpus", "1", "--accelerator", "a10")
    assert outcome.code == 1
    assert (
        "a10           24.00 GiB   21.60 GiB   1: does not fit   16.00 + 16.00 + 2.00 = 34.00 GiB   tensor 1"
        in outcome.out
    )
    arguments = ["--gpus", "1", "--accelerator", "a10", "--context-length", "8192", "--concurrency", "2"]
    outcome = omec("fit", "models/llama", repo, *arguments)
    assert outcome.code == 0
    assert "KV cache      2.00 GiB  2 x 8192 tokens" in outcome.out
    arguments[4:6] = ["--max-tokens", "16384"]
    assert "KV cache      2.00 GiB" in omec("fit", "models/llama", repo, *arguments, "--kv-cache-dtype", "fp8").out


def test_what_no_number_of_gpus_holds(omec: Omec, repo: Path) -> None:
    outcome = omec("fit", "models/llama", "--memory", "2Gi")
    assert outcome.code == 1
    assert "does not fit" in outcome.out


def test_as_json(omec: Omec, repo: Path) -> None:
    answer = json.loads(omec("fit", "models/llama", repo, "-o", "json").out)
    assert answer["weights"] == {"bytes": 2**34, "byType": {"BF16": 2**34}, "estimate": ""}
    assert answer["kvCache"]["bytes"] == 2**34
    assert [(each["name"], each["gpus"], each["fits"]) for each in answer["accelerators"]] == [
        ("a10", 2, True),
        ("h100", 1, True),
    ]


def test_a_model_of_the_source(omec: Omec, repo: Path) -> None:
    outcome = omec("fit", "llama", repo)
    assert "BaseModel team/llama (facts from the manifest)" in outcome.out
    assert "8B parameters x 2 bytes (16 bit), estimated" in outcome.out
    assert "KV cache       unknown  not counted" in outcome.out
    outcome = omec("fit", "llama", repo, "--models-root", "models")
    assert "BF16 16.00 GiB" in outcome.out
    omec("facts", "update", "--source", repo, "--models-root", "models")
    assert "(facts from omec.lock)" in omec("fit", "team/llama", repo).out


def test_a_model_on_the_hub(omec: Omec, repo: Path, hub: HubServer) -> None:  # noqa: F811
    hub.repository("org/llama", FILES)
    outcome = omec("fit", "hf://org/llama", repo)
    assert outcome.code == 0
    assert outcome.out.startswith("hf://org/llama (facts from hf://org/llama@0123456789abcdef")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["absent"], "no model is called absent"),
        (["llama", "--accelerator", "h200"], "no AcceleratorClass is called h200"),
        (["llama", "--memory", "80 GB"], '--memory: "80 GB" is not a quantity'),
        (["llama", "--reserve", "x"], "--reserve: "),
    ],
)
def test_wrong_questions(omec: Omec, repo: Path, arguments: list[str], message: str) -> None:
    outcome = omec("fit", arguments[0], repo, *arguments[1:])
    assert outcome.code == 2
    assert message in outcome.err
    assert "help: " in outcome.err


def test_a_model_of_unknown_size(omec: Omec, repo: Path) -> None:
    (repo / "model.yaml").write_text((repo / "model.yaml").read_text().replace("modelParameterSize: 8B, ", ""))
    outcome = omec("fit", "llama", repo)
    assert outcome.code == 2
    assert "nothing tells the size of BaseModel team/llama [OME045]" in outcome.err


def test_two_models_of_one_name(omec: Omec, repo: Path) -> None:
    text = (repo / "model.yaml").read_text()
    (repo / "other.yaml").write_text(text.replace("namespace: team", "namespace: other"))
    outcome = omec("fit", "llama", repo)
    assert outcome.code == 2
    assert "llama names 2 models: BaseModel other/llama, BaseModel team/llama" in outcome.err
    assert omec("fit", "llama", repo, "-n", "team").code == 0


def test_classes_that_say_too_little(omec: Omec, repo: Path) -> None:
    (repo / "classes.yaml").write_text(CLASSES.format(name="h100", memory="80"))
    outcome = omec("fit", "models/llama", repo)
    assert outcome.code == 1
    assert "note: memoryGB of h100 is a quantity, and says 80 bytes: write 80Gi" in outcome.err
    (repo / "classes.yaml").unlink()
    outcome = omec("fit", "models/llama", repo)
    assert outcome.code == 0
    assert "note: the source has no AcceleratorClass" in outcome.err
