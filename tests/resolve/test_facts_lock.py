"""The models of a repository beside its lock: what is missing, stale or left over."""

from __future__ import annotations

from pathlib import Path

import pytest

from omec.catalog import Catalog
from omec.errors import OmecError
from omec.facts.lock import Lock
from omec.facts.locked import LockedModel
from omec.facts.sources import ModelSource, Sources, open_directory
from omec.finding import Finding
from omec.resolve.facts_lock import check, find_models, jobs_for, models_of, to_lock
from omec.resolve.known_facts import KnownFacts
from tests.facts.models import LLAMA, write_model
from tests.resolve.builders import bare_model, catalog, model, model_spec, resource

HUB = "hf://org/name"


def locked(uri: str = HUB, revision: str = "c" * 40) -> LockedModel:
    return LockedModel(uri, "sha256:0", revision, model_spec())


Told = tuple[str, str, str]


def checked(found: Catalog, lock: Lock | None = None, *others: Lock, root: Path | None = None) -> list[Told]:
    """Code, severity and message of what is wrong."""
    findings = check(found, lock or Lock(), others, Sources(root))
    return [(finding.rule.code, finding.severity.label, finding.message) for finding in findings]


def test_missing() -> None:
    findings = check(catalog(bare_model(uri=HUB)), Lock(), (), Sources())
    assert [(finding.rule.code, finding.severity.label) for finding in findings] == [("OME320", "error")]
    (finding,) = findings
    assert finding.message == (
        "ClusterBaseModel m leaves modelFormat, modelFramework, modelArchitecture, modelParameterSize to its files, "
        "and nothing has read them"
    )
    assert finding.help == "run omec facts update ClusterBaseModel/m and commit the lock"
    assert finding.position.path.endswith("#spec.storage.storageUri")


@pytest.mark.parametrize("uri", ["local:///m", "pvc://ns:c/m", "oci://n/a/b/c/o/m"])
def test_models_that_omec_cannot_read_are_a_warning(uri: str) -> None:
    (finding,) = check(catalog(bare_model(uri=uri)), Lock(), (), Sources())
    assert (finding.rule.code, finding.severity.label) == ("OME320", "warning")
    assert "--models-root" in finding.help


def test_models_that_need_nothing() -> None:
    complete = bare_model("a", uri=HUB, **model_spec(), modelParameterSize="8B")
    vendor = bare_model("b", uri="vendor://v/models/x")
    assert checked(catalog(complete, vendor, model("c"))) == []


def test_current() -> None:
    assert checked(catalog(bare_model(uri=HUB)), Lock({"ClusterBaseModel/m": locked()})) == []


def test_stale() -> None:
    ((code, severity, message),) = checked(catalog(bare_model(uri=f"{HUB}@v2")), Lock({"ClusterBaseModel/m": locked()}))
    assert (code, severity) == ("OME321", "error")
    assert message == f"omec.lock has the facts of {HUB}, and the manifest names {HUB}@v2"


def test_left_over() -> None:
    assert checked(catalog(), Lock({"BaseModel/team/gone": locked()})) == [
        ("OME322", "warning", "no manifest defines BaseModel/team/gone")
    ]
    twice = Catalog([resource(bare_model(uri=HUB)), resource(bare_model(uri=HUB))])
    assert checked(twice, Lock({"ClusterBaseModel/m": locked()})) == []


def test_models_of_other_catalogs_are_theirs_to_lock() -> None:
    found = Catalog([resource(bare_model(uri=HUB), context=True)])
    assert checked(found) == []
    own = catalog(bare_model(uri=HUB))
    assert checked(own, Lock(), Lock({"ClusterBaseModel/m": locked()})) == []
    assert len(checked(own, Lock(), Lock({"ClusterBaseModel/m": locked("hf://org/other")}))) == 1


def test_a_directory_whose_files_changed(tmp_path: Path) -> None:
    write_model(tmp_path / "m", {"config.json": LLAMA})
    uri = "local:///m"
    now, _ = open_directory(tmp_path / "m").locked(uri)
    found, lock = catalog(bare_model(uri=uri)), Lock({"ClusterBaseModel/m": now})
    assert checked(found, lock) == checked(found, lock, root=tmp_path) == []
    write_model(tmp_path / "m", {"config.json": {**LLAMA, "x": 1}})
    ((code, _, message),) = checked(found, lock, root=tmp_path)
    assert code == "OME321"
    assert "are not those that omec.lock was made from" in message
    write_model(tmp_path / "m", {"config.json": ""})
    ((_, _, message),) = checked(found, lock, root=tmp_path)
    assert "tell no facts" in message


def test_findings_are_ordered_by_place() -> None:
    found = catalog(*(bare_model(name, uri=HUB) for name in "cab"))
    findings: list[Finding] = check(found, Lock(), (), Sources())
    assert [finding.object.name for finding in findings if finding.object] == ["a", "b", "c"]


def test_models_to_lock(tmp_path: Path) -> None:
    write_model(tmp_path / "d", {"config.json": LLAMA})
    found = catalog(
        bare_model("a", uri=HUB),
        bare_model("b", uri=HUB, **model_spec(), modelParameterSize="8B"),
        bare_model("c", uri="local:///c"),
        bare_model("d", uri="local:///d"),
        bare_model("e", uri="vendor://v/m/x"),
        bare_model("f", uri="modelpack://registry.example.com/f:v1"),
    )
    assert [each.name for each in to_lock(found, Sources())] == ["a", "f"]
    assert [each.name for each in to_lock(found, Sources(tmp_path))] == ["a", "d", "f"]


@pytest.mark.parametrize(
    ("name", "found"),
    [
        ("m", ["BaseModel/team/m", "ClusterBaseModel/m"]),
        ("team/m", ["BaseModel/team/m"]),
        ("BaseModel/team/m", ["BaseModel/team/m"]),
        ("ClusterBaseModel/m", ["ClusterBaseModel/m"]),
    ],
)
def test_models_by_name(name: str, found: list[str]) -> None:
    models = catalog(bare_model(uri=HUB), model(namespace="team", uri=HUB), bare_model("n"))
    assert [job.key for job in jobs_for(find_models(models, [name, name]))] == found


def test_a_name_that_no_model_has() -> None:
    with pytest.raises(OmecError, match="no model is called llam") as error:
        find_models(catalog(bare_model("llama")), ["llam"])
    assert error.value.hint == "did you mean llama?"


def test_filled_models_are_judged_by_their_manifests() -> None:
    lock = Lock({"ClusterBaseModel/m": locked()})
    filled = KnownFacts([lock]).fill(catalog(bare_model(uri=HUB)))
    assert "modelFormat" not in models_of(filled)[0].spec
    assert [code for code, _, _ in checked(filled)] == ["OME320"]
    assert jobs_for(models_of(filled))[0].source == ModelSource(HUB, "/models/m")
