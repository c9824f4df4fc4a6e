"""Facts beyond the manifests: where they come from, and the model that they make."""

from __future__ import annotations

import subprocess
from pathlib import Path
from typing import Any

import pytest

from omec.catalog import Catalog, Resource
from omec.errors import OmecError
from omec.facts.lock import LOCK_NAME, Lock, render_lock
from omec.facts.locked import LockedModel
from omec.repo.config import Config
from omec.resolve.filled_model import FilledModel, Knowledge
from omec.resolve.known_facts import KnownFacts, model_of, needs_facts, source_of
from omec.resolve.locks import lock_path, read_locks
from tests.facts.models import LLAMA, write_model
from tests.resolve.builders import bare_model, model, model_spec, resource, service

URI = "hf://meta-llama/Llama"
FACTS = {**model_spec(), "modelParameterSize": "8.03B", "quantization": "fp8", "maxTokens": 8192}
LOCKED = LockedModel(URI, "sha256:0", "c" * 40, FACTS)
LOCK = Lock({"ClusterBaseModel/m": LOCKED})


def filled(body: dict[str, Any], *locks: Lock, root: Path | None = None) -> Resource:
    return KnownFacts(locks, root).filled(resource(body))


def test_a_bare_model_gets_its_facts_from_the_lock() -> None:
    known = filled(bare_model(), LOCK)
    assert isinstance(known, FilledModel)
    assert known.spec == FACTS | {"storage": {"storageUri": URI, "path": "/models/m"}}
    assert known.facts_from == dict.fromkeys(FACTS, "omec.lock")
    assert "modelFormat" not in known.body["spec"]
    assert known.ref == resource(bare_model()).ref


def test_the_manifest_comes_first() -> None:
    known = filled(bare_model(modelArchitecture="Mine", quantization="int4", modelFormat={"name": "gguf"}), LOCK)
    assert isinstance(known, FilledModel)
    assert known.spec["modelArchitecture"] == "Mine"
    assert known.spec["quantization"] == "int4"
    assert known.spec["modelFormat"].items() >= {"name": "gguf", "version": "1.0.0"}.items()
    added = ("modelFramework", "modelParameterSize", "maxTokens", "modelFormat.version")
    assert known.facts_from == dict.fromkeys(added, "omec.lock")


def test_the_lock_comes_before_a_directory(tmp_path: Path) -> None:
    write_model(tmp_path / "models" / "m", {"config.json": LLAMA})
    assert filled(bare_model(), LOCK, root=tmp_path).spec["modelParameterSize"] == "8.03B"
    known = filled(bare_model(), root=tmp_path)
    assert isinstance(known, FilledModel)
    assert known.facts_from["modelArchitecture"] == str(tmp_path / "models" / "m")


def test_a_model_that_ome_does_not_fill_is_left_alone(tmp_path: Path) -> None:
    skipped = bare_model()
    skipped["metadata"]["annotations"] = {"ome.oracle.com/skip-config-parsing": "True"}
    spec = model_spec(quantization="fp8") | {"modelParameterSize": "8B", "diffusionPipeline": {"className": "x"}}
    complete = bare_model(**spec)
    for body in (skipped, complete, model(), service()):
        assert not isinstance(filled(body, LOCK), FilledModel)


def test_a_block_about_another_uri_is_of_no_use() -> None:
    known = KnownFacts([LOCK])
    moved = resource(bare_model(uri=f"{URI}@v2"))
    assert known.filled(moved) is moved
    assert known.stale(moved) == LOCKED
    assert known.remedy(moved) == f"omec.lock has the facts of {URI}: run omec facts update ClusterBaseModel/m"
    unknown = resource(bare_model("other"))
    assert known.stale(unknown) is None
    assert known.remedy(unknown) == "run omec facts update ClusterBaseModel/other"


def test_other_locks_come_after_the_own() -> None:
    other = Lock({"ClusterBaseModel/m": LockedModel(URI, "", facts={"modelType": "theirs"})})
    assert filled(bare_model(), LOCK, other).spec["modelParameterSize"] == "8.03B"
    assert filled(bare_model(), Lock(), other).spec["modelType"] == "theirs"


def test_models_on_a_claim_are_filled_by_the_controller() -> None:
    lock = Lock({"ClusterBaseModel/m": LockedModel("pvc://ns:c/m", "", facts=FACTS | {"modelConfiguration": {"x": 1}})})
    body = bare_model(uri="pvc://ns:c/m")
    body["metadata"]["annotations"] = {"ome.oracle.com/skip-config-parsing": "true"}  # which the Job does not look at
    assert filled(body, lock).spec == FACTS | {"storage": {"storageUri": "pvc://ns:c/m", "path": "/models/m"}}


def test_a_directory_that_cannot_be_read_tells_nothing(tmp_path: Path) -> None:
    write_model(tmp_path / "m", {"config.json": "no JSON"})
    known = KnownFacts(models_root=tmp_path)
    broken = resource(bare_model())
    assert known.filled(broken) is broken
    problem = known.problem(broken)
    assert problem is not None
    assert "config.json" in problem.message


def test_a_catalog_is_filled_as_a_whole() -> None:
    twice = [resource(bare_model("twice")), resource(bare_model("twice"))]
    before = Catalog([resource(bare_model()), resource(service()), *twice])
    after = KnownFacts([LOCK]).fill(before)
    found = after.get("ClusterBaseModel", "m")
    assert isinstance(found, FilledModel)
    assert after.ambiguous == before.ambiguous
    assert len(after) == len(before)
    assert KnownFacts([LOCK]).fill(after).get("ClusterBaseModel", "m") is not None
    again = KnownFacts().fill(after).get("ClusterBaseModel", "m")
    assert again is found.manifest


def test_what_a_complete_reading_does_not_give_is_not_there() -> None:
    complete = Knowledge(LockedModel(URI, "", facts={"modelArchitecture": "A"}), LOCK_NAME)
    partial = Knowledge(LockedModel(URI, "", facts={"modelFormat": {"name": "gguf"}}), LOCK_NAME)
    assert complete.tells("quantization")
    assert partial.tells("modelFormat.version")
    assert not partial.tells("quantization")


@pytest.mark.parametrize(
    ("spec", "needed"),
    [
        ({}, True),
        (model_spec(), True),  # no size
        (model_spec() | {"modelParameterSize": "8B"}, False),
        (model_spec() | {"modelParameterSize": "8B", "modelFormat": {"name": "safetensors"}}, True),
    ],
)
def test_needs_facts(spec: dict[str, Any], needed: bool) -> None:
    assert needs_facts(resource(bare_model(**spec))) is needed


def test_source_of() -> None:
    source = source_of(resource(model(namespace="team", uri="pvc://c/m")))
    assert (source.uri, source.path, source.namespace) == ("pvc://c/m", "/models/m", "team")
    for storage in (None, 5, {"storageUri": 5}):
        assert source_of(resource(bare_model() | {"spec": {"storage": storage}})).uri in ("", "5")


def test_a_model_without_a_manifest() -> None:
    known = model_of("hf://org/name", Knowledge(LOCKED, "hf://org/name@c"))
    assert str(known.ref) == "ClusterBaseModel hf://org/name"
    assert known.spec["modelArchitecture"] == "LlamaForCausalLM"
    assert known.facts_from["modelArchitecture"] == "hf://org/name@c"


# --- Lock files --------------------------------------------------------------------------------------------------


def test_the_lock_stands_beside_the_configuration(tmp_path: Path) -> None:
    (tmp_path / "omec.toml").write_text('source = "models"\n[[sources]]\npath = "platform"\n')
    (tmp_path / "models").mkdir()
    (tmp_path / "platform").mkdir()
    config = Config.load(tmp_path / "models")
    assert lock_path(config) == tmp_path / "omec.lock"
    assert [lock.models for lock in read_locks(config)] == [{}]
    (tmp_path / "omec.lock").write_text(render_lock(LOCK))
    (tmp_path / "platform" / "omec.lock").write_text(render_lock(Lock()))
    assert [len(lock.models) for lock in read_locks(config)] == [1, 0]


def test_the_lock_of_a_revision(tmp_path: Path) -> None:
    def git(*args: str) -> None:
        settings = ("-c", "user.name=x", "-c", "user.email=x@example.com")
        subprocess.run(["git", *settings, *args], cwd=tmp_path, check=True, capture_output=True)

    config = Config.load(tmp_path)
    git("init")
    git("commit", "--allow-empty", "-m", "nothing")
    (tmp_path / "omec.lock").write_text(render_lock(LOCK))
    git("add", ".")
    git("commit", "-m", "the lock")
    (tmp_path / "omec.lock").write_text("")
    assert [len(read_locks(config, rev)[0].models) for rev in (None, "HEAD", "HEAD~")] == [0, 1, 0]
    with pytest.raises(OmecError, match="no revision v9"):
        read_locks(config, "v9")
