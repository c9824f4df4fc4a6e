"""A real API server gives the verdicts on custom resources that omec predicts from the same definitions."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from omec.compile.custom_schemas import CustomSchemas
from omec.compile.validate import SchemaError, Validator
from tests.cluster.client import ApiServer, Object
from tests.compile.custom_objects import ALL, FILES
from tests.compile.test_validate import faults

FIRST_REFUSED_LATER = ("template", "leaderTemplate", "workerTemplate")
"""What omec holds to the rules for pods, while the API server refuses only the pods themselves."""


@pytest.fixture(scope="module")
def foreign(testdata: Path) -> dict[str, Object]:
    """The definitions of foreign kinds."""
    folder = testdata / "crds"
    return {kind: yaml.load((folder / name).read_bytes(), yaml.CSafeLoader) for kind, name in FILES.items()}


@pytest.fixture(scope="module")
def schemas(full_apiserver: ApiServer, testdata: Path) -> CustomSchemas:
    """omec with the definitions that the API server has, too."""
    full_apiserver.ensure_namespaces(ALL)
    return CustomSchemas(schema_dir=testdata / "crds", validator=Validator(full_apiserver.version))


@pytest.mark.parametrize("obj", ALL, ids=lambda obj: obj["kind"])
def test_verdicts_agree(apiserver: ApiServer, schemas: CustomSchemas, foreign: dict[str, Object], obj: Object) -> None:
    """Whatever value stands at whatever place, but for CEL rules, and for pods, with which omec is stricter."""
    assert apiserver.create(obj, dry_run=True).accepted
    assert schemas.covers(obj)
    assert schemas.errors(obj) == []
    rules = set(messages_of_rules(foreign.get(obj["kind"])))
    refused = 0
    for faulty in changed_objects(obj):
        answer, errors = apiserver.create(faulty, dry_run=True), schemas.errors(faulty)
        refused += not answer.accepted
        if errors and answer.accepted:
            assert all(map(expected_to_be_stricter, errors)), (faulty, errors)
        elif not errors and not answer.accepted:
            assert any(rule in answer.message for rule in rules), (faulty, answer.message)
    assert refused > 50


def changed_objects(obj: Object) -> Iterator[Object]:
    """``obj`` with one fault or change each, of the same kind and in a namespace that exists."""
    rest = {key: value for key, value in obj.items() if key not in ("apiVersion", "kind")}
    for faulty in faults(rest):
        metadata = faulty.get("metadata")
        if isinstance(metadata, dict) and metadata.get("namespace") == obj["metadata"].get("namespace"):
            yield {"apiVersion": obj["apiVersion"], "kind": obj["kind"], **faulty}


def expected_to_be_stricter(error: SchemaError) -> bool:
    too_large = error.keyword == "maximum" and error.message.endswith(f"not {2**40}")  # OME cannot decode it
    return too_large or error.message.endswith("not null") or any(name in error.path for name in FIRST_REFUSED_LATER)


def messages_of_rules(value: Any) -> Iterator[str]:
    """The texts of the CEL rules of a definition."""
    if isinstance(value, list):
        for item in value:
            yield from messages_of_rules(item)
    elif isinstance(value, dict):
        for rule in value.get("x-kubernetes-validations") or ():
            if isinstance(rule, dict) and "message" in rule:
                yield rule["message"]
        for item in value.values():
            yield from messages_of_rules(item)
