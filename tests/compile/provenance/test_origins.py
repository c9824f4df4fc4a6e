"""Origins are true: of every leaf there is one, and what it says, decides the leaf (docs/why.md)."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any
from zlib import crc32

import pytest

from omec.compile.layout import OutputObject, identity
from omec.compile.provenance.answer import FieldAnswer
from omec.compile.provenance.citations import KINDS
from omec.compile.provenance.experiments import How
from omec.session import Repo, from_objects, open_repo
from tests.compile.provenance.worlds import EXAMPLES, PLATFORMS, WRITTEN, answers, changed_leaf, consistent, example

CASES = [(name, platform) for name in EXAMPLES for platform in PLATFORMS]
SAMPLE = 12
"""Of so many leaves with an origin in a manifest one is tried."""

ONE_CONTAINER = """\
apiVersion: ome.io/v1beta1
kind: ClusterServingRuntime
metadata: {name: sglang}
spec:
  supportedModelFormats: [{modelFormat: {name: safetensors}, modelFramework: {name: transformers}}]
  engineConfig:
    runner:
      name: ome-container
      image: registry.example/sglang:1
      ports: [{containerPort: 8080, name: http, protocol: TCP}]
---
apiVersion: ome.io/v1beta1
kind: ClusterBaseModel
metadata: {name: llama}
spec:
  modelFormat: {name: safetensors}
  modelFramework: {name: transformers}
  modelParameterSize: 8B
  storage: {storageUri: "hf://meta/llama", path: /raid/llama}
---
apiVersion: ome.io/v1beta1
kind: InferenceService
metadata: {name: chat, namespace: llm}
spec:
  model: {name: llama}
  runtime: {name: sglang}
  engine:
    containers: [{name: ome-container}]
"""


@pytest.fixture(scope="module", params=CASES, ids="-".join)
def case(request: pytest.FixtureRequest) -> tuple[list[dict[str, Any]], dict[str, Any], Repo]:
    objects, config = example(*request.param)
    return objects, config, from_objects(objects, config=config)


@pytest.fixture(scope="module")
def found(case: tuple[Any, Any, Repo]) -> list[tuple[OutputObject, FieldAnswer]]:
    return list(answers(case[2]))


@pytest.mark.usefixtures("found")
def test_experiments_render_what_compile_renders(case: tuple[Any, Any, Repo]) -> None:
    repo = case[2]
    compiled = {identity(body): body for service in repo.compile().services for body in service.objects}
    rendered = [body for laboratory in repo.asker.laboratories() for body in laboratory.objects]
    assert {identity(body): body for body in rendered if identity(body) in compiled} == compiled


def test_every_leaf_has_an_origin(found: list[tuple[OutputObject, FieldAnswer]]) -> None:
    for item, answer in found:
        assert answer.origins or answer.rule, (item.body["kind"], answer.field)
        if not answer.origins:
            assert item.body["kind"] in KINDS


def test_values_agree_with_their_origins(found: list[tuple[OutputObject, FieldAnswer]]) -> None:
    wrong = [
        (answer.field, answer.value, answer.origins[0])
        for _, answer in found
        if answer.origins and not consistent(answer)
    ]
    assert not wrong


def test_changing_the_origin_changes_the_leaf(
    case: tuple[list[dict[str, Any]], dict[str, Any], Repo], found: list[tuple[OutputObject, FieldAnswer]]
) -> None:
    """All of omec renders the manifests anew, selection and checks included; the experiments know none of that."""
    objects, config, _ = case
    outcomes: Counter[bool | None] = Counter()
    for item, answer in found:
        where = (identity(item.body), answer.path)
        if not answer.origins or answer.origins[0].role not in WRITTEN or crc32(repr(where).encode()) % SAMPLE:
            continue
        outcome = changed_leaf(objects, config, answer.origins[0], where, answer.value)
        assert outcome is not False, (answer.field, answer.origins[0])
        outcomes[outcome] += 1
    assert outcomes[True] >= 4


def test_what_is_omes_own_has_no_other_origin(found: list[tuple[OutputObject, FieldAnswer]]) -> None:
    types = [answer for item, answer in found if item.body["kind"] == "Service" and answer.field == "spec.type"]
    assert types
    assert all(not answer.origins and answer.rule for answer in types)
    assert {origin.how for _, answer in found for origin in answer.origins} <= {How.COPY, How.PART, How.DERIVED}


def test_what_may_take_the_place_of_a_value_is_no_copy_of_it(tmp_path: Path) -> None:
    """Under another name the service's container is one more, comes first, and gives the Service's port its name."""
    (tmp_path / "all.yaml").write_text(ONE_CONTAINER, encoding="utf-8")
    repo = open_repo(tmp_path, config={})
    (answer,) = repo.why("svc/llm/chat-engine", "spec.ports[0].name").fields
    assert [(origin.source, origin.field, origin.how) for origin in answer.origins] == [
        ("ClusterServingRuntime sglang", "spec.engineConfig.runner.ports[0].name", How.COPY)
    ]
