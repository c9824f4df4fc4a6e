"""``omec facts``: reading, checking, showing, and what a runtime must declare."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.conftest import Omec
from tests.facts.conftest import hub  # noqa: F401 - a fixture
from tests.facts.hub_server import COMMIT, HubServer
from tests.facts.models import LLAMA, safetensors, write_model

CONFIG = LLAMA | {"max_position_embeddings": 4096, "num_attention_heads": 8, "transformers_version": "4.40.0"}
FILES = {"config.json": CONFIG, "model.safetensors": safetensors({"a.weight": ("BF16", [3000, 1000])})}
MANIFEST = """\
apiVersion: ome.io/v1beta1
kind: ClusterBaseModel
metadata:
  name: llama
spec:
  modelType: mine
  storage:
    storageUri: {uri}
    path: /raid/llama
"""


@pytest.fixture
def repo(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A repository with one model on a node, a copy of which lies beside it."""
    (tmp_path / "repo").mkdir()
    (tmp_path / "repo" / "model.yaml").write_text(MANIFEST.format(uri="local:///mnt/llama"))
    write_model(tmp_path / "models" / "llama", FILES)
    monkeypatch.chdir(tmp_path)
    return Path("repo")


# --- read --------------------------------------------------------------------------------------------------------


def test_read(omec: Omec, repo: Path) -> None:
    outcome = omec("facts", "read", "models/llama")
    assert (outcome.code, outcome.err) == (0, "")
    assert outcome.out == (
        "  modelType           llama                config.json: model_type\n"
        "  modelArchitecture   LlamaForCausalLM     config.json: architectures\n"
        "  modelFormat         safetensors 1.0.0    config.json\n"
        "  modelFramework      transformers 4.40.0  config.json: transformers_version\n"
        "  modelParameterSize  3M                   model.safetensors\n"
        "  maxTokens           4096                 config.json: max_position_embeddings\n"
        "  modelCapabilities   TEXT_TO_TEXT         config.json: text rule\n"
    )


def test_read_as_json(omec: Omec, repo: Path) -> None:
    facts = json.loads(omec("facts", "read", "models/llama", "-o", "json").out)
    assert facts["modelFormat"] == {"name": "safetensors", "version": "1.0.0"}
    assert facts["factsFrom"]["modelParameterSize"] == "model.safetensors"
    assert facts["memory"]["weights"] == {"BF16": 6_000_000}
    assert "modelConfiguration:" in omec("facts", "read", "models/llama", "-o", "yaml").out


def test_read_a_pipeline(omec: Omec, tmp_path: Path) -> None:
    write_model(tmp_path, {"model_index.json": {"_class_name": "FluxPipeline", "vae": ["diffusers", "AutoencoderKL"]}})
    outcome = omec("facts", "read", tmp_path)
    assert "className=FluxPipeline, vae=library=diffusers, type=AutoencoderKL" in outcome.out
    assert "warning: the size is 0" in outcome.err


@pytest.mark.parametrize(
    ("files", "code", "text"),
    [
        ({}, 1, "no model_index.json or config.json found"),
        ({"config.json": "{"}, 1, "config.json: the file ends where a key should stand"),
        ({"config.json": LLAMA | {"hidden_size": "64"}}, 1, "hidden_size is a text, expected a whole number"),
    ],
)
def test_read_what_says_nothing(omec: Omec, tmp_path: Path, files: dict[str, object], code: int, text: str) -> None:
    write_model(tmp_path, files)  # type: ignore[arg-type]
    outcome = omec("facts", "read", tmp_path)
    assert (outcome.code, outcome.out) == (code, "")
    assert text in outcome.err
    assert "[OME042]" in outcome.err
    assert "help: " in outcome.err


def test_read_what_is_not_there(omec: Omec, tmp_path: Path) -> None:
    outcome = omec("facts", "read", tmp_path / "absent")
    assert outcome.code == 1
    assert "does not exist" in outcome.err


def test_read_a_file(omec: Omec, repo: Path) -> None:
    """A file that describes a model may have any name; the weights are those beside it."""
    write_model(Path("configs"), {"odd.json": {"model_type": "odd"}, "flux_model_index.json": {"_class_name": "Flux"}})
    assert (
        '  modelCapabilities   ""                 odd.json: none rule\n'
        in omec("facts", "read", "configs/odd.json").out
    )
    assert "modelArchitecture   Flux" in omec("facts", "read", "configs/flux_model_index.json").out
    assert omec("facts", "read", "models/llama/config.json").out == omec("facts", "read", "models/llama").out
    assert omec("facts", "runtime-entry", "models/llama/config.json").out == ENTRY
    Path("configs/odd.json").write_text("[]")
    assert "configs/odd.json: the file is a list" in omec("facts", "read", "configs/odd.json").err


def test_read_from_the_hub(omec: Omec, hub: HubServer) -> None:  # noqa: F811
    hub.repository("org/llama", FILES)
    assert "LlamaForCausalLM" in omec("facts", "read", "hf://org/llama").out
    outcome = omec("facts", "read", "hf://org/absent")
    assert outcome.code == 2
    assert "has no model org/absent" in outcome.err


# --- check -------------------------------------------------------------------------------------------------------


def test_check(omec: Omec, repo: Path) -> None:
    outcome = omec("facts", "check", repo)
    assert outcome.code == 0
    assert outcome.out.startswith("repo/model.yaml:8:17: warning[OME320] ClusterBaseModel llama leaves modelFormat, ")
    assert outcome.err == "repo/omec.lock: 0 models, current\n"
    outcome = omec("facts", "check", repo, "--models-root", "models")
    assert outcome.code == 1
    assert "error[OME320]" in outcome.out
    assert "help: run omec facts update ClusterBaseModel/llama and commit the lock" in outcome.out
    assert outcome.err == "repo/omec.lock: 0 models, 1 to update\n"
    assert omec("facts", "update", "--source", repo, "--models-root", "models").code == 0
    outcome = omec("facts", "check", repo, "--models-root", "models")
    assert (outcome.code, outcome.out, outcome.err) == (0, "", "repo/omec.lock: 1 model, current\n")


def test_check_finds_what_changed(omec: Omec, repo: Path) -> None:
    omec("facts", "update", "--source", repo, "--models-root", "models")
    (repo / "model.yaml").write_text(MANIFEST.format(uri="local:///mnt/other"))
    outcome = omec("facts", "check", repo, "-o", "json")
    assert outcome.code == 1
    (finding,) = json.loads(outcome.out)["findings"]
    assert (finding["code"], finding["line"]) == ("OME321", 8)
    renamed = MANIFEST.replace("name: llama", "name: other").format(uri="vendor://v/models/x")
    (repo / "model.yaml").write_text(renamed)
    outcome = omec("facts", "check", repo)
    assert outcome.code == 0
    assert "repo/omec.lock: warning[OME322] no manifest defines ClusterBaseModel/llama" in outcome.out


def test_a_conflict_is_told_with_its_remedy(omec: Omec, repo: Path) -> None:
    (repo / "omec.lock").write_text("version: 1\n<<<<<<< HEAD\nmodels: {}\n=======\nmodels:\n>>>>>>> b\n")
    for command in (["check", repo], ["update", "--source", repo], ["show", "--source", repo]):
        outcome = omec("facts", *command)
        assert outcome.code == 2
        assert "repo/omec.lock:2: the file holds the marks of an unfinished merge [OME021]" in outcome.err
        assert "help: keep the blocks of both sides" in outcome.err


# --- show --------------------------------------------------------------------------------------------------------


def test_show(omec: Omec, repo: Path) -> None:
    omec("facts", "update", "--source", repo, "--models-root", "models")
    outcome = omec("facts", "show", "llama", "--source", repo)
    assert (outcome.code, outcome.err) == (0, "")
    assert outcome.out.startswith(
        "ClusterBaseModel/llama\n"
        "  modelType           mine                 repo/model.yaml:6\n"
        "  modelArchitecture   LlamaForCausalLM     omec.lock\n"
    )
    (shown,) = json.loads(omec("facts", "show", "--source", repo, "-o", "json").out)["models"]
    assert shown["model"] == "ClusterBaseModel/llama"
    assert ["modelParameterSize", "3M", "omec.lock"] in shown["facts"]


def test_show_what_a_directory_tells(omec: Omec, repo: Path) -> None:
    assert "models/llama\n" in omec("facts", "show", "--source", repo, "--models-root", "models").out
    outcome = omec("facts", "show", "lama", "--source", repo)
    assert outcome.code == 2
    assert "no model is called lama" in outcome.err
    assert "did you mean llama?" in outcome.err


# --- runtime-entry -----------------------------------------------------------------------------------------------

ENTRY = """\
modelSizeRange:
  max: 4M
  min: 3M
supportedModelFormats:
- autoSelect: true
  modelArchitecture: LlamaForCausalLM
  modelFormat:
    name: safetensors
    version: 1.0.0
  modelFramework:
    name: transformers
    version: 4.40.0
  priority: 1
"""


def test_runtime_entry(omec: Omec, repo: Path, hub: HubServer) -> None:  # noqa: F811
    hub.repository("org/llama", FILES)
    assert omec("facts", "runtime-entry", "models/llama").out == ENTRY
    assert omec("facts", "runtime-entry", "hf://org/llama").out == ENTRY
    assert omec("facts", "runtime-entry", "llama", repo, "--models-root", "models").out == ENTRY
    assert json.loads(omec("facts", "runtime-entry", "models/llama", "-o", "json").out)["modelSizeRange"]["min"] == "3M"
    assert any(f"/resolve/{COMMIT}/config.json" in path for path in hub.paths())


def test_runtime_entry_of_a_model_that_nobody_knows(omec: Omec, repo: Path) -> None:
    outcome = omec("facts", "runtime-entry", "llama", repo)
    assert outcome.code == 2
    assert "no runtime can accept ClusterBaseModel llama: nothing tells its format [OME045]" in outcome.err
    assert "help: run omec facts update ClusterBaseModel/llama, or set spec.modelFormat on the model" in outcome.err
