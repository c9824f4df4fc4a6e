"""The schemas for editors accept and refuse what the models and the linter do."""

from __future__ import annotations

import copy
import json
import re
from functools import cache
from typing import Any

import jsonschema
import pydantic
import pytest

from omec.api import schema
from omec.api.checks import CHECKS
from omec.api.editor import editor_schema, file_name, schema_of_all_kinds
from omec.api.editor.texts import texts_of
from omec.api.editor.violations import INEXPRESSIBLE, forbidden
from omec.api.kinds import API_VERSION, KINDS
from omec.api.models import parse
from omec.api.structure import structural_findings
from omec.repo.document import Document
from tests.api.manifests import body
from tests.api.test_model_vectors import EMBEDDED, STORED, VECTORS, Vector
from tests.conftest import ROOT

BEYOND_THE_SCHEMA = {
    "3": "OME's webhook refuses it, or omec",
    "13": "OME's webhook refuses it, or omec",
    "18": "whether a kind has a namespace is not part of its schema",
    "32": "items with the same name",
    "33": "items with the same name",
    "47": "items with the same name",
    "55b": "items with the same name",
    "65": "a comparison of two fields",
    "67": "a comparison of two fields",
    "81a": "items with the same name",
}
"""Vectors that are refused for a reason that JSON Schema cannot know."""


@cache
def validator(kind: str) -> jsonschema.Draft7Validator:
    return jsonschema.Draft7Validator(editor_schema(kind))


@cache
def validator_of_all() -> jsonschema.Draft7Validator:
    return jsonschema.Draft7Validator(schema_of_all_kinds())


def accepted(kind: str, value: Any) -> bool:
    """The answer of the schema of ``kind``, which the schema of all kinds must give, too."""
    answer = validator(kind).is_valid(value)
    assert validator_of_all().is_valid(value) is answer
    return answer


@pytest.mark.parametrize("kind", KINDS)
def test_schemas_are_valid_and_complete_in_themselves(kind: str) -> None:
    built = editor_schema(kind)
    jsonschema.Draft7Validator.check_schema(built)
    references = set(re.findall(r'"#/definitions/([^"]+)"', json.dumps(built)))
    assert references == built["definitions"].keys()
    assert built["additionalProperties"] is False


@pytest.mark.parametrize("vector", VECTORS, ids=lambda vector: vector.number)
def test_vectors(vector: Vector) -> None:
    value = body(vector.kind, vector.spec, vector.metadata)
    assert accepted(vector.kind, value) is (not vector.expect or vector.number in BEYOND_THE_SCHEMA)


@pytest.mark.parametrize("vector", VECTORS, ids=lambda vector: vector.number)
def test_the_models_answer_alike(vector: Vector) -> None:
    """But for what only the models can see (above), and for Kubernetes' types, which only the schema looks into."""
    value = body(vector.kind, vector.spec, vector.metadata)
    if vector.number in BEYOND_THE_SCHEMA or vector.why == EMBEDDED:
        return
    if accepted(vector.kind, value):
        parse(value)
    else:
        with pytest.raises(pydantic.ValidationError):
            parse(value)


@pytest.mark.parametrize(("kind", "spec"), [row[1:3] for row in STORED], ids=[row[0] for row in STORED])
def test_what_is_stored_is_accepted(kind: str, spec: str) -> None:
    value = body(kind, spec)
    assert accepted(kind, value)
    assert accepted(kind, parse(value).to_dict())


@pytest.mark.parametrize(
    "vector", [vector for vector in VECTORS if not vector.expect], ids=lambda vector: vector.number
)
def test_single_faults(vector: Vector) -> None:
    """Each value of an accepted object replaced by others: the schema and the linter see the same faults.

    Where they differ, the linter looks at values that no schema can judge, or at a release.
    """
    value = body(vector.kind, vector.spec, vector.metadata)
    for faulty in faults(value):
        document = Document("faulty.yaml", 0, faulty)
        codes = {finding.rule.code for finding in structural_findings(vector.kind, document)}
        seen = {code for code in codes if code < "OME140" and code != "OME127"}
        if accepted(vector.kind, faulty):
            assert not seen or _compares(vector.kind, faulty), (faulty, seen)
        else:
            assert codes, faulty


def _compares(kind: str, value: Any) -> bool:
    """Whether ``value`` breaks a condition that JSON Schema cannot say, or the shape of a duration or a name does."""
    from omec.api.conditions import FailedCheck, violations  # noqa: PLC0415

    broken = {item.check.name for item in violations(kind, value) if isinstance(item, FailedCheck)}
    return bool(broken) and broken <= INEXPRESSIBLE


OTHER_VALUES = ("", "x", 0, -1, 1.5, True, None, [], {}, ["x"], {"x": "y"}, 2**70)


def faults(value: Any) -> list[Any]:
    """Copies of an object, each with one field of its spec given another value, taken away, or beside one unknown."""
    made = []
    for path in paths(value.get("spec"), ("spec",)):
        for other in OTHER_VALUES:
            made.append(changed(value, path, other))
        made.append(changed(value, (*path[:-1], "unheardOf"), 1) if isinstance(path[-1], str) else value)
        taken = copy.deepcopy(value)
        del at(taken, path[:-1])[path[-1]]
        made.append(taken)
    return made


def paths(value: Any, path: tuple[Any, ...]) -> list[tuple[Any, ...]]:
    below: list[tuple[Any, Any]] = []
    if isinstance(value, dict):
        below = list(value.items())
    elif isinstance(value, list):
        below = list(enumerate(value))
    return [path, *(deeper for key, item in below for deeper in paths(item, (*path, key)))]


def at(value: Any, path: tuple[Any, ...]) -> Any:
    for step in path:
        value = value[step]
    return value


def changed(value: Any, path: tuple[Any, ...], other: Any) -> Any:
    result = copy.deepcopy(value)
    at(result, path[:-1])[path[-1]] = other
    return result


@pytest.mark.parametrize(
    ("value", "answer"),
    [
        ({"apiVersion": "v1", "kind": "Service", "anything": 1}, True),
        ({"no": "object"}, True),
        ({"apiVersion": "ome.io/v1beta1", "kind": "TrainingJob", "metadata": {"name": "x"}}, False),
        ({"apiVersion": "ome.io/v1alpha1", "kind": "BaseModel", "metadata": {"name": "x"}}, False),
        ({"apiVersion": "ome.io/v1beta1", "metadata": {"name": "x"}}, False),
        ({"apiVersion": "ome.io/v1beta1", "kind": "ServingRuntime", "metadata": {"name": "x"}}, True),
    ],
)
def test_objects_of_other_groups_and_kinds(value: dict[str, Any], answer: bool) -> None:
    assert validator_of_all().is_valid(value) is answer


def test_every_field_is_described() -> None:
    silent = {
        f"{name}.{field}"
        for name, definition in schema_of_all_kinds()["definitions"].items()
        for field, value in definition.get("properties", {}).items()
        if not value.get("description")
    }
    assert silent == set()


def test_descriptions_are_plain_markdown() -> None:
    assert "``" not in json.dumps([texts_of(name).type for name in schema.document()["$defs"]])
    assert texts_of("StorageSpec").field("storageUri").startswith("Source, for example `hf://org/repo")
    assert texts_of("core.v1.Container.ServiceRunner").field("image").startswith("Container image name.")
    engine = editor_schema("InferenceService")["definitions"]["ServiceEngineSpec"]
    assert engine["properties"]["lifecycle"]["description"].endswith("\n\nSince OME 1.3.")


def test_conditions_are_forbidden_with_their_text() -> None:
    assert set(INEXPRESSIBLE) < CHECKS.keys()
    for name, check in CHECKS.items():
        rule = forbidden(name)
        assert (
            rule is None
            if name in INEXPRESSIBLE
            else rule is not None and rule["then"]["errorMessage"] == check.message
        )


@pytest.mark.parametrize("kind", KINDS)
def test_a_null_of_an_optional_field_is_nothing(kind: str) -> None:
    nothing = {"apiVersion": API_VERSION, "kind": kind, "metadata": {"name": "x"}, "spec": None, "status": None}
    assert accepted(kind, nothing)


def test_file_names() -> None:
    assert file_name("InferenceService") == "ome.io/inferenceservice_v1beta1.json"


def test_the_committed_files_are_current() -> None:
    pytest.importorskip("kubernetes_validate", reason="the generator needs the development dependencies")
    from omec.api.editor import texts  # noqa: PLC0415
    from omec.cli.schema import editor_files  # noqa: PLC0415
    from schemas import build_editor  # noqa: PLC0415

    assert texts.FILE.read_text(encoding="utf-8") == build_editor.kubernetes_texts()
    folder = ROOT / "schemas"
    written = editor_files()
    assert {name: (folder / name).read_text(encoding="utf-8") for name in written} == written
    assert {str(path.relative_to(folder)) for path in folder.rglob("*.json")} == written.keys()
