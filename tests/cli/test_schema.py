"""``omec schema`` as a person uses it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import yaml

from omec.api.kinds import KINDS
from tests.cli.conftest import Omec
from tests.conftest import ROOT

SCHEMAS = ROOT / "schemas"


def test_without_a_kind_it_says_what_there_is_and_how_to_use_it(omec: Omec) -> None:
    outcome = omec("schema")
    assert outcome.code == 0
    assert all(f"\n  {kind}\n" in outcome.out for kind in KINDS)
    assert "\n  # yaml-language-server: $schema=schemas/ome.io/inferenceservice_v1beta1.json\n" in outcome.out


@pytest.mark.parametrize(
    ("name", "file"),
    [
        ("InferenceService", "ome.io/inferenceservice_v1beta1.json"),
        ("servingruntime", "ome.io/servingruntime_v1beta1.json"),
        ("all", "all.json"),
        ("omec.toml", "omec.toml.json"),
    ],
)
def test_it_prints_the_committed_schema(omec: Omec, name: str, file: str) -> None:
    assert omec("schema", name).out == (SCHEMAS / file).read_text(encoding="utf-8")


def test_as_yaml(omec: Omec) -> None:
    printed = yaml.safe_load(omec("schema", "RolloutPolicy", "-o", "yaml").out)
    assert printed == json.loads((SCHEMAS / "ome.io" / "rolloutpolicy_v1beta1.json").read_text(encoding="utf-8"))


def test_it_writes_all(omec: Omec, tmp_path: Path) -> None:
    outcome = omec("schema", "--write", tmp_path / "a" / "b")
    assert (outcome.code, outcome.out) == (0, "")
    assert f"\n# yaml-language-server: $schema={tmp_path}/a/b/ome.io/inferenceservice_v1beta1.json\n" in outcome.err
    written = {path.relative_to(tmp_path / "a" / "b"): path.read_bytes() for path in tmp_path.rglob("*.json")}
    assert written == {path.relative_to(SCHEMAS): path.read_bytes() for path in SCHEMAS.rglob("*.json")}


def test_a_folder_that_cannot_be_written(omec: Omec, tmp_path: Path) -> None:
    (tmp_path / "ome.io").write_text("in the way")
    outcome = omec("schema", "--write", tmp_path)
    assert outcome.code == 2
    assert "cannot write" in outcome.err


def test_definitions(omec: Omec) -> None:
    one = omec("schema", "--crd", "RolloutPolicy")
    assert one.out.startswith("apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\n")
    definition = yaml.safe_load(one.out)
    assert definition["spec"]["names"]["kind"] == "RolloutPolicy"
    assert json.loads(omec("schema", "--crd", "rolloutpolicy", "-o", "json").out) == definition


def test_all_definitions(omec: Omec) -> None:
    documents = list(yaml.load_all(omec("schema", "--crd", "all").out, yaml.CSafeLoader))
    assert [document["spec"]["names"]["kind"] for document in documents] == list(KINDS)
    listed = json.loads(omec("schema", "--crd", "all", "-o", "json").out)
    assert (listed["kind"], listed["items"]) == ("List", documents)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            ("InferenceServic",),
            "there is no schema of InferenceServic [OME002]\n  help: did you mean InferenceService?",
        ),
        (("Deployment",), "there is no schema of Deployment [OME002]\n  help: known: InferenceService, "),
        (("--crd", "omec.toml"), "there is no schema of omec.toml [OME002]"),
        (("all", "--write", "x"), "KIND, --crd and --write exclude each other [OME002]"),
    ],
)
def test_wrong_usage(omec: Omec, arguments: tuple[str, ...], message: str) -> None:
    outcome = omec("schema", *arguments)
    assert (outcome.code, outcome.out) == (2, "")
    assert message in outcome.err
