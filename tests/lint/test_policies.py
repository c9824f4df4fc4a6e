"""Team policies: what they find, where, and how the configuration is checked."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import omec
from omec.errors import OmecError
from omec.finding import Finding
from omec.lint.rules.policies.images import repository
from omec.repo.config import Config

PARENT = """\
apiVersion: ome.io/v1beta1
kind: ClusterServingRuntime
metadata: {name: parent}
spec:
  disabled: true
  engineConfig:
    hostNetwork: true
    runner:
      name: ome-container
      image: quay.io/team/sglang:v1
      args: [--model-path=$(MODEL_PATH), --port=8080]
      ports: [{containerPort: 8080}]
      resources: {limits: {nvidia.com/gpu: 4}}
"""
CHILD = """\
apiVersion: ome.io/v1beta1
kind: ServingRuntime
metadata:
  name: child
  namespace: llm
  annotations: {ome.io/inherit-from: parent}
spec:
  disabled: false
  supportedModelFormats:
  - modelFormat: {name: safetensors, version: "1.0.0"}
    modelFramework: {name: transformers, version: "4.45.0"}
    modelArchitecture: LlamaForCausalLM
"""
MODEL = """\
apiVersion: ome.io/v1beta1
kind: BaseModel
metadata: {name: llama, namespace: llm}
spec:
  modelFormat: {name: safetensors, version: "1.0.0"}
  modelFramework: {name: transformers, version: "4.45.0"}
  modelArchitecture: LlamaForCausalLM
  storage: {storageUri: "hf://meta-llama/Llama-3.2-1B", path: /raid/models/llama}
"""


def service(name: str, replicas: int) -> str:
    return f"""\
apiVersion: ome.io/v1beta1
kind: InferenceService
metadata: {{name: {name}, namespace: llm}}
spec:
  model: {{name: llama, kind: BaseModel}}
  runtime: {{name: child}}
  engine: {{minReplicas: 1, maxReplicas: {replicas}}}
"""


@pytest.fixture
def found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.chdir(tmp_path)
    manifests = {"parent": PARENT, "child": CHILD, "model": MODEL, "a": service("a", 2), "b": service("b", 3)}
    for name, text in manifests.items():
        Path(f"{name}.yaml").write_text(text, encoding="utf-8")

    def lint(policy: str) -> list[Finding]:
        Path("omec.toml").write_text(f'[lint]\nselect = ["OME93"]\n{policy}\n', encoding="utf-8")
        return list(omec.open(".").lint().findings)

    return lint


def places(finding: Finding) -> list[str]:
    return [f"{related.position}: {related.message}" for related in finding.related]


def test_an_inherited_image_is_told_in_the_parent(found: Any) -> None:
    (finding,) = found('[policy]\nallowed-registries = ["registry.example.com"]')
    assert str(finding.position) == "parent.yaml:10:14"
    assert "quay.io/team/sglang, which is in none of registry.example.com" in finding.message
    assert "omec.toml:4:1: the policy" in places(finding)


def test_an_image_without_digest(found: Any) -> None:
    (finding,) = found("[policy]\nrequire-digest = true")
    assert str(finding.position) == "parent.yaml:10:14"


def test_required_labels(found: Any) -> None:
    findings = found('[policy.required-labels]\nInferenceService = ["team", "cost"]')
    assert [(str(f.position), f.message) for f in findings] == [
        ("a.yaml:3:18", "InferenceService llm/a lacks the labels team, cost"),
        ("b.yaml:3:18", "InferenceService llm/b lacks the labels team, cost"),
    ]
    assert places(findings[0]) == ["omec.toml:4:1: the policy"]


def test_an_object_with_errors_of_its_own_is_judged_all_the_same(found: Any) -> None:
    found("")
    Path("a.yaml").write_text(service("a", 2).replace("runtime:", "runtim:"), encoding="utf-8")
    assert len(found('[policy.required-labels]\nInferenceService = ["team"]')) == 2


def test_a_forbidden_field_of_a_parent_is_told_through_the_child(found: Any) -> None:
    policy = """\
[[policy.forbidden-fields]]
path = "spec.engineConfig.hostNetwork"
kinds = ["ServingRuntime"]
values = [true]
reason = "the network team owns the hosts"
"""
    (finding,) = found(policy)
    assert str(finding.position) == "parent.yaml:7:5"
    assert finding.message == "the policy forbids spec.engineConfig.hostNetwork = true: the network team owns the hosts"
    assert places(finding) == ["child.yaml:4:9: via child ServingRuntime llm/child", "omec.toml:4:1: the policy"]
    assert found(policy.replace("[true]", "[false, 1]")) == []


@pytest.mark.parametrize(
    ("path", "position"),
    [
        ("spec.*.runner.ports[*].containerPort", "parent.yaml:12:16"),
        ("spec.engineConfig.runner.resources.limits[nvidia.com/gpu]", "parent.yaml:13:28"),
        ("metadata.annotations[ome.io/inherit-from]", "child.yaml:6:17"),
    ],
)
def test_paths_of_forbidden_fields(found: Any, path: str, position: str) -> None:
    (finding,) = found(f'[[policy.forbidden-fields]]\npath = "{path}"')
    assert str(finding.position) == position


def test_gpus_of_a_namespace(found: Any) -> None:
    (finding,) = found('[[policy.limits]]\nnamespaces = ["l*"]\nmax-gpus = 19')
    assert str(finding.position) == "b.yaml:7:3"
    assert finding.message == "namespace llm can have 20 GPUs, and the policy allows 19: a 2*4 + b 3*4"
    assert places(finding) == ["a.yaml:3:18: InferenceService llm/a counts, too", "omec.toml:5:1: the policy"]
    assert found("[[policy.limits]]\nmax-gpus = 20") == []
    assert found('[[policy.limits]]\nnamespaces = ["other"]\nmax-gpus = 1') == []


def test_replicas(found: Any) -> None:
    (finding,) = found("[[policy.limits]]\nmax-replicas = 4")
    assert finding.message == "namespace llm can have 5 replicas, and the policy allows 4: a 2 + b 3"
    (finding,) = found("[[policy.limits]]\nmax-replicas-per-component = 2")
    assert (str(finding.position), finding.message) == (
        "b.yaml:7:41",
        "the engine can have 3 replicas, and the policy allows 2",
    )


def test_gated_models(found: Any) -> None:
    (finding,) = found('[policy]\ngated-models = ["meta-llama/*"]')
    assert str(finding.position) == "model.yaml:8:25"
    assert found('[policy]\ngated-models = ["mistralai/*"]') == []


def test_a_policy_can_be_a_warning(found: Any) -> None:
    findings = found('severity = {gated-model-without-token = "warning"}\n[policy]\ngated-models = ["*"]')
    assert [finding.severity.label for finding in findings] == ["warning"]


@pytest.mark.parametrize(
    ("image", "place"),
    [
        ("vllm", "docker.io/library/vllm"),
        ("vllm/vllm-openai:v1", "docker.io/vllm/vllm-openai"),
        ("localhost/x", "localhost/x"),
        ("registry:5000/a/b:v1", "registry:5000/a/b"),
        ("quay.io/a@sha256:00", "quay.io/a"),
    ],
)
def test_where_an_image_is(image: str, place: str) -> None:
    assert repository(image) == place


@pytest.mark.parametrize(
    ("policy", "told"),
    [
        ({"alowed-registries": []}, "did you mean 'allowed-registries'?"),
        ({"require-digest": "yes"}, "must be true or false"),
        ({"required-labels": {"InferenceServise": ["x"]}}, "did you mean 'InferenceService'?"),
        ({"required-labels": ["x"]}, "must be a table"),
        ({"forbidden-fields": [{}]}, "has no path"),
        ({"forbidden-fields": {"path": "x"}}, "write it as [[policy.forbidden-fields]]"),
        ({"forbidden-fields": [{"path": "spec..x"}]}, "which is no path of a field"),
        ({"forbidden-fields": [{"path": "spec.x", "values": []}]}, "is an empty list"),
        ({"forbidden-fields": [{"path": "spec.x", "kind": ["BaseModel"]}]}, "did you mean 'kinds'?"),
        ({"limits": [{"namespaces": ["x"]}]}, "limits nothing"),
        ({"limits": [{"max-gpu": 1}]}, "did you mean 'max-gpus'?"),
        ({"limits": [{"max-gpus": -1}]}, "is -1"),
        ({"limits": [{"max-gpus": True}]}, "must be a whole number"),
    ],
)
def test_a_wrong_policy_is_told(policy: dict[str, Any], told: str) -> None:
    with pytest.raises(OmecError) as caught:
        Config.from_dict({"policy": policy})
    assert told in str(caught.value)


def test_a_policy_round_trips() -> None:
    policy = {
        "allowed-registries": ["a"],
        "require-digest": True,
        "required-labels": {"*": ["x"]},
        "forbidden-fields": [{"path": "spec.a[*].b[c.d/e]", "kinds": ["BaseModel"], "values": [1]}],
        "limits": [{"namespaces": ["x"], "max-gpus": 1}],
    }
    told = Config.from_dict({"policy": policy}).to_dict()["policy"]
    assert Config.from_dict({"policy": told}).policy == Config.from_dict({"policy": policy}).policy
