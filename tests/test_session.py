"""The Python API: the shapes that the issue of record fixes, and what they hold for the worked examples."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

import omec
from omec.finding import Finding, Severity
from omec.session import Repo, open_repo
from tests.conftest import ROOT

SELECTION = ROOT / "examples" / "selection"
INHERITANCE = ROOT / "examples" / "inheritance"


def keys(value: dict[str, Any]) -> set[str]:
    return set(value)


def test_explain_has_its_shape() -> None:
    answer = omec.open(SELECTION).explain(isvc="llama-demo/chat").to_dict()
    assert keys(answer) >= {
        "model", "namespace", "selected", "automatic", "error", "errorKind", "advisory", "warnings", "runtimes",
        "named", "admission", "acceleratorEntry", "factsFrom",
    }  # fmt: skip
    assert keys(answer["runtimes"][0]) >= {
        "name", "kind", "namespace", "compatible", "autoSelectable", "rank", "score", "priority", "weight", "reasons",
        "warnings", "unknown",
    }  # fmt: skip
    assert keys(answer["admission"]) == {"allowed", "warnings", "message"}
    assert answer["model"] == {"name": "llama-3-2-3b-instruct", "kind": "BaseModel", "namespace": "llama-demo"}
    assert answer["selected"] == answer["automatic"]
    assert answer["selected"] == {"name": "team-llama", "kind": "ServingRuntime", "namespace": "llama-demo"}
    assert [row["name"] for row in answer["runtimes"]] == [
        "team-llama",
        "vllm-llama",
        "srt-llama-small",
        "srt-llama-large",
    ]
    assert [row["rank"] for row in answer["runtimes"]] == [1, 2, 3, 4]
    assert answer["factsFrom"]["modelParameterSize"].endswith("models/llama-3-2-3b-instruct.yaml:21")


def test_a_named_runtime_is_selected_beside_the_automatic_choice() -> None:
    answer = omec.open(INHERITANCE).explain(isvc="llama-demo/llama-3-2-3b-instruct").to_dict()
    assert answer["named"] == {"name": "sglang-llama-3-2-3b", "kind": "ServingRuntime", "disabled": False}
    assert answer["selected"]["name"] == "sglang-llama-3-2-3b"
    assert answer["automatic"] is None
    assert (answer["error"], answer["advisory"]) == (None, None)


def test_a_model_is_explained_from_its_own_namespace() -> None:
    repo = omec.open(SELECTION)
    assert repo.explain(model="llama-3-2-3b-instruct").to_dict() == (
        repo.explain(model="llama-3-2-3b-instruct", namespace="llama-demo").to_dict()
    )


def test_effective_has_its_shape() -> None:
    """The hash is that of the inheritance example in the documentation (reference 02 §8.3)."""
    answer = omec.open(INHERITANCE).effective(runtime="sglang-llama-3-2-3b", namespace="llama-demo").to_dict()
    assert keys(answer) == {"runtime", "chain", "spec", "hash", "error", "reason"}
    assert [member["name"] for member in answer["chain"]] == ["sglang-profile", "sglang-llama-3-2-3b"]
    assert answer["hash"].startswith("96645246")
    assert answer["spec"]["engineConfig"]["runner"]["args"] == ["--tp-size=1", "--mem-frac=0.9"]


def test_a_broken_chain_is_an_answer() -> None:
    documents = [document.value for document in omec.open(INHERITANCE).reading.documents]
    child = [value for value in documents if value["kind"] == "ServingRuntime"]
    answer = omec.from_objects(child).effective(runtime="sglang-llama-3-2-3b").to_dict()
    assert answer["spec"] is None
    assert answer["error"] == 'inherit-from parent "sglang-profile" not found (chain so far: [sglang-llama-3-2-3b])'
    assert answer["reason"] == "ParentNotFound"


def test_objects_in_memory_are_a_repository() -> None:
    documents = [document.value for document in omec.open(SELECTION).reading.documents]
    from_disk = omec.open(SELECTION, config={}).compile()
    in_memory = omec.from_objects(documents).compile()
    assert list(in_memory.objects) == list(from_disk.objects)
    assert [finding.position.path for finding in omec.from_objects([{**documents[0], "spek": {}}]).lint().findings] == [
        "objects[0]"
    ]


def test_lint_has_its_shape() -> None:
    (finding,) = (
        omec.from_objects(
            [
                {
                    "apiVersion": "ome.io/v1beta1",
                    "kind": "ClusterServingRuntime",
                    "metadata": {"name": "a"},
                    "spec": {"x": 1},
                }
            ]
        )
        .lint()
        .to_dict()["findings"]
    )
    assert keys(finding) == {
        "code", "rule", "severity", "message", "path", "line", "column", "endLine", "endColumn", "object", "field",
        "help", "related", "fingerprint",
    }  # fmt: skip
    assert finding["object"] == {"kind": "ClusterServingRuntime", "namespace": None, "name": "a"}


def test_configuration_can_be_given() -> None:
    service = {
        "apiVersion": "ome.io/v1beta1",
        "kind": "InferenceService",
        "metadata": {"name": "chat"},
        "spec": {"runtime": {"name": "r"}, "engine": {}},
    }
    without = omec.from_objects([service]).lint().findings
    assert [finding.rule.slug for finding in without] == ["missing-namespace"]
    given = omec.from_objects([service], config={"default-namespace": "team-a"})
    assert [str(resource.ref) for resource in given.catalog] == ["InferenceService team-a/chat"]
    with pytest.raises(omec.OmecError, match="did you mean 'default-namespace'"):
        omec.from_objects([service], config={"default_namespce": "team-a"})


def test_inputs_are_never_modified() -> None:
    import copy  # noqa: PLC0415

    documents = [document.value for document in omec.open(INHERITANCE).reading.documents]
    before = copy.deepcopy(documents)
    repo = omec.from_objects(documents)
    repo.lint()
    repo.compile()
    list(repo.explain_all())
    assert documents == before


def test_findings_do_not_keep_explain_from_answering(tmp_path: Path) -> None:
    for path in (SELECTION / "runtimes").glob("*.yaml"):
        (tmp_path / path.name).write_text(path.read_text().replace("    runner:\n", "    runner:\n      imge: x\n"))
    (tmp_path / "model.yaml").write_text((SELECTION / "models" / "llama-3-2-3b-instruct.yaml").read_text())
    (tmp_path / "broken.yaml").write_text("a: [\n")
    repo = omec.open(tmp_path)
    codes = [finding.rule.code for finding in repo.lint().findings]
    assert (codes.count("OME120"), codes.count("OME101")) == (4, 1)
    assert repo.explain(model="llama-3-2-3b-instruct").to_dict()["selected"]["name"] == "team-llama"


def test_explain_all_answers_for_every_model_and_service() -> None:
    def named(answers: Iterable[Any]) -> list[str]:
        return [str(answer.service or answer.model) for answer in answers]

    assert named(omec.open(SELECTION).explain_all()) == [
        "BaseModel llama-demo/llama-3-2-3b-instruct",
        "InferenceService llama-demo/chat",
    ]


def test_sources_are_context_only(tmp_path: Path) -> None:
    """Catalogs elsewhere are used; they have no output and no findings."""
    (tmp_path / "catalog").mkdir()
    (tmp_path / "team").mkdir()
    for path in (SELECTION / "runtimes").glob("*.yaml"):
        (tmp_path / "catalog" / path.name).write_text(path.read_text())
    for folder in ("models", "services"):
        for path in (SELECTION / folder).glob("*.yaml"):
            (tmp_path / "team" / path.name).write_text(path.read_text())
    (tmp_path / "team" / "omec.toml").write_text('[[sources]]\npath = "../catalog"\n')
    repo = omec.open(tmp_path / "team")
    compilation = repo.compile()
    assert [finding.message for finding in repo.lint().findings] == []
    kinds = {obj["kind"] for obj in compilation.objects}
    assert kinds >= {"BaseModel", "Deployment", "Service"}
    assert not kinds & {"ServingRuntime", "ClusterServingRuntime"}


def test_external_runtimes_are_known_but_cannot_be_compiled() -> None:
    service = {
        "apiVersion": "ome.io/v1beta1",
        "kind": "InferenceService",
        "metadata": {"name": "chat", "namespace": "team-a"},
        "spec": {"runtime": {"name": "elsewhere"}, "engine": {}},
    }
    repo = omec.from_objects([service], config={"external-runtimes": ["elsewhere"]})
    assert repo.lint().findings == ()
    (finding,) = repo.compile().findings
    assert "elsewhere" in finding.message
    assert "[[sources]]" in finding.help or "source" in finding.help


def errors(repo: Repo) -> list[Finding]:
    return [finding for finding in repo.lint().findings if finding.severity is Severity.ERROR]


def test_a_models_root_answers_what_the_manifest_leaves_open(tmp_path: Path) -> None:
    files = tmp_path / "root" / "llama"
    files.mkdir(parents=True)
    config = {
        "architectures": ["LlamaForCausalLM"],
        "model_type": "llama",
        "transformers_version": "4.45.0.dev0",
        "torch_dtype": "bfloat16",
        **dict.fromkeys(("hidden_size", "vocab_size", "intermediate_size"), 2048),
        **dict.fromkeys(("num_hidden_layers", "num_attention_heads", "num_key_value_heads"), 16),
    }
    (files / "config.json").write_text(json.dumps(config))
    source = tmp_path / "source"
    source.mkdir()
    for folder in ("runtimes", "services"):
        for path in (SELECTION / folder).glob("*.yaml"):
            (source / path.name).write_text(path.read_text())
    (source / "model.yaml").write_text(
        "apiVersion: ome.io/v1beta1\nkind: BaseModel\n"
        "metadata: {name: llama-3-2-3b-instruct, namespace: llama-demo}\n"
        'spec: {storage: {storageUri: "local:///raid/llama", path: /raid/llama}}\n'
    )
    (finding,) = errors(open_repo(source))
    assert finding.rule.slug == "facts-unknown"
    assert "omec facts update BaseModel/llama-demo/llama-3-2-3b-instruct" in finding.help
    repo = open_repo(source, models_root=tmp_path / "root")
    assert errors(repo) == []
    answer = repo.explain(isvc="llama-demo/chat").to_dict()
    assert answer["selected"]["name"] == "team-llama"
    assert set(answer["factsFrom"].values()) == {str(files)}
    assert {obj["kind"] for obj in repo.compile().objects} >= {"Deployment", "Service"}
