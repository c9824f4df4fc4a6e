"""What a value overrode, in order: the losing values with the places where they stand."""

from __future__ import annotations

from pathlib import Path

import pytest

from omec.compile.provenance.answer import FieldAnswer
from omec.session import Repo, open_repo
from tests.compile.provenance.worlds import PLATFORMS

REPOSITORY = """\
apiVersion: ome.io/v1beta1
kind: ClusterServingRuntime
metadata: {name: grandparent, annotations: {ome.io/runtime-profile: "true"}}
spec:
  disabled: true
  engineConfig:
    tolerations: [{key: gpu, operator: Exists}]
    runner:
      name: ome-container
      image: registry.example/grandparent:1
      args: [--grand, --old=1, --third]
      env: [{name: LEVEL, value: grandparent}, {name: ONLY, value: grandparent}]
      resources: {limits: {nvidia.com/gpu: "1", memory: 10Gi}}
---
apiVersion: ome.io/v1beta1
kind: ClusterServingRuntime
metadata: {name: parent, annotations: {ome.io/inherit-from: grandparent, ome.io/runtime-profile: "true"}}
spec:
  disabled: true
  engineConfig:
    labels: {tier: parent}
    runner:
      name: ome-container
      image: registry.example/parent:1
      env: [{name: LEVEL, value: parent}]
---
apiVersion: ome.io/v1beta1
kind: ServingRuntime
metadata: {name: child, namespace: llm, annotations: {ome.io/inherit-from: parent}}
spec:
  disabled: false
  supportedModelFormats:
  - modelFormat: {name: safetensors, version: "1"}
    modelFramework: {name: transformers, version: "4"}
    modelArchitecture: LlamaForCausalLM
    autoSelect: false
  engineConfig:
    minReplicas: 2
    runner:
      name: ome-container
      image: registry.example/child:1
      args: [--child]
      env: [{name: LEVEL, value: child}]
      resources: {limits: {nvidia.com/gpu: "2"}}
---
apiVersion: ome.io/v1beta1
kind: BaseModel
metadata: {name: llama, namespace: llm}
spec:
  vendor: meta
  modelFormat: {name: safetensors, version: "1"}
  modelFramework: {name: transformers, version: "4"}
  modelArchitecture: LlamaForCausalLM
  modelParameterSize: 1B
  storage: {storageUri: "hf://meta/llama", path: /raid/llama}
---
apiVersion: ome.io/v1beta1
kind: InferenceService
metadata: {name: chat, namespace: llm, labels: {tier: service}}
spec:
  model: {name: llama, kind: BaseModel}
  runtime: {name: child}
  engine:
    minReplicas: 3
    maxReplicas: 4
    labels: {tier: engine}
    runner:
      name: ome-container
      image: registry.example/service:1
      env: [{name: LEVEL, value: service}, {name: MODEL_PATH, value: /mine}]
"""

CONTAINER = "spec.template.spec.containers[name=ome-container]"


@pytest.fixture(scope="module", params=PLATFORMS)
def repo(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Repo:
    folder = tmp_path_factory.mktemp("repository")
    (folder / "all.yaml").write_text(REPOSITORY, encoding="utf-8")
    return open_repo(folder, config={"platform": request.param})


def one(repo: Repo, name: str, field: str) -> FieldAnswer:
    answer = repo.why(name, field)
    assert len(answer.fields) == 1
    return answer.fields[0]


def line_of(text: str) -> int:
    """The line of the repository that has ``text``, the only one."""
    (number,) = [number for number, line in enumerate(REPOSITORY.splitlines(), start=1) if text in line]
    return number


def placed(answer: FieldAnswer) -> list[tuple[object, int | None]]:
    """The values from the winner down, each with its line."""
    return [
        (origin.value, None if origin.position is None else origin.position.line)
        for origin in (answer.origins[0], *answer.overrode)
    ]


def test_service_over_child_over_parent_over_grandparent(repo: Repo) -> None:
    answer = one(repo, "deploy/llm/chat-engine", f"{CONTAINER}.image")
    assert placed(answer) == [
        (f"registry.example/{name}:1", line_of(f"example/{name}:1"))
        for name in ("service", "child", "parent", "grandparent")
    ]
    assert [origin.role.value for origin in (answer.origins[0], *answer.overrode)] == [
        "InferenceService",
        "runtime",
        "parent runtime",
        "parent runtime",
    ]


def test_items_of_keyed_lists(repo: Repo) -> None:
    answer = one(repo, "deploy/llm/chat-engine", f"{CONTAINER}.env[name=LEVEL].value")
    assert [value for value, _ in placed(answer)] == ["service", "child", "parent", "grandparent"]
    assert placed(one(repo, "deploy/llm/chat-engine", f"{CONTAINER}.env[name=ONLY].value")) == [
        ("grandparent", line_of("name: ONLY"))
    ]


def test_lists_of_plain_values_override_as_a_whole(repo: Repo) -> None:
    answer = one(repo, "deploy/llm/chat-engine", f"{CONTAINER}.args[0]")
    assert placed(answer) == [
        ("--child", line_of("[--child]")),
        (["--grand", "--old=1", "--third"], line_of("[--grand")),
    ]
    assert answer.overrode[0].field == "spec.engineConfig.runner.args"


def test_items_of_mappings(repo: Repo) -> None:
    assert placed(one(repo, "deploy/llm/chat-engine", f"{CONTAINER}.resources.limits[nvidia.com/gpu]")) == [
        ("2", line_of('nvidia.com/gpu: "2"')),
        ("1", line_of('nvidia.com/gpu: "1"')),
    ]
    assert placed(one(repo, "deploy/llm/chat-engine", f"{CONTAINER}.resources.limits.memory")) == [
        ("10Gi", line_of("memory: 10Gi"))
    ]


def test_a_component_over_its_runtime_over_the_service(repo: Repo) -> None:
    """Labels of the component come after those of the service (reference 04 §7.2)."""
    answer = one(repo, "deploy/llm/chat-engine", "metadata.labels.tier")
    assert placed(answer) == [
        ("engine", line_of("tier: engine")),
        ("parent", line_of("tier: parent")),
        ("service", line_of("tier: service")),
    ]


def test_a_setting_over_the_operators_default(repo: Repo) -> None:
    answer = one(repo, "hpa/llm/chat-engine", "spec.minReplicas")
    assert placed(answer) == [(3, line_of("minReplicas: 3")), (2, line_of("minReplicas: 2")), (1, None)]
    assert answer.overrode[-1].role.value == "operator default"
    assert answer.overrode[-1].field == "operator.deploy.replicas.defaultMinReplicas"


def test_a_variable_of_ones_own_over_omes(repo: Repo) -> None:
    """OME adds MODEL_PATH unless the container has it (reference 04 §8.2)."""
    answer = one(repo, "deploy/llm/chat-engine", f"{CONTAINER}.env[name=MODEL_PATH].value")
    assert answer.origins[0].position is not None
    assert answer.origins[0].position.line == line_of("value: /mine")
    assert answer.rule is None


def test_the_settings_of_omec_toml_over_the_chart(tmp_path: Path) -> None:
    (tmp_path / "all.yaml").write_text(REPOSITORY, encoding="utf-8")
    (tmp_path / "omec.toml").write_text(
        'source = "."\n[operator.deploy]\nterminationGracePeriodSeconds = 45\n', encoding="utf-8"
    )
    answer = one(open_repo(tmp_path), "deploy/llm/chat-engine", "spec.template.spec.terminationGracePeriodSeconds")
    origin = answer.origins[0]
    assert (origin.role.value, origin.field) == ("omec.toml", "operator.deploy.terminationGracePeriodSeconds")
    assert origin.position is not None
    assert (origin.position.line, origin.position.column) == (3, 1)
    assert [(lost.role.value, lost.value) for lost in answer.overrode] == [("operator default", 600)]


def test_the_operators_config_map(tmp_path: Path) -> None:
    settings = (
        "---\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: inferenceservice-config, namespace: ome}\ndata:\n"
        '  deploy: \'{"defaultDeploymentMode": "RawDeployment", "terminationGracePeriodSeconds": 45}\'\n'
    )
    (tmp_path / "all.yaml").write_text(REPOSITORY + settings, encoding="utf-8")
    answer = one(
        open_repo(tmp_path, config={}), "deploy/llm/chat-engine", "spec.template.spec.terminationGracePeriodSeconds"
    )
    origin = answer.origins[0]
    assert (origin.role.value, origin.field) == (
        "operator configuration",
        "data.deploy.terminationGracePeriodSeconds",
    )
    assert origin.position is not None
    assert origin.position.line == (REPOSITORY + settings).splitlines().index(settings.splitlines()[-1]) + 1
    assert [(lost.role.value, lost.value) for lost in answer.overrode] == [("OME", 30)]


def test_default_namespace(tmp_path: Path) -> None:
    (tmp_path / "all.yaml").write_text(REPOSITORY.replace(", namespace: llm", ""), encoding="utf-8")
    (tmp_path / "omec.toml").write_text('source = "."\ndefault-namespace = "llm"\n', encoding="utf-8")
    origin = one(open_repo(tmp_path), "deploy/llm/chat-engine", "metadata.namespace").origins[0]
    assert (origin.role.value, origin.field, str(origin.position).rpartition("/")[2]) == (
        "omec.toml",
        "default-namespace",
        "omec.toml:2:1",
    )
