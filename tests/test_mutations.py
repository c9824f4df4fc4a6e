"""A value of a wrong type, wherever it stands, gives findings and never an exception.

Each position of a few valid repositories gets values of other types in turn. A run takes a sample, the same every time;
``OMEC_MUTATIONS=all`` takes every one:

    OMEC_MUTATIONS=all pytest tests/test_mutations.py
"""

from __future__ import annotations

import copy
import json
import os
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

import omec
from omec.finding import FieldPath, field_text
from tests.conftest import EXAMPLES, ROOT

Objects = list[dict[str, Any]]

VALUES: tuple[Any, ...] = (
    None,
    [],
    [None],
    [[]],
    [{}],
    ["a"],
    {},
    {"a": None},
    {"a": {"b": 1}},
    0,
    -1,
    10**30,
    1.5,
    "",
    "x",
    "{{.Name}}",
    "a\u2028\x00",
    True,
)
SAMPLE = 100
"""Mutants of one repository in a run; each takes some milliseconds."""

OPERATOR: dict[str, Any] = {
    "apiVersion": "v1",
    "kind": "ConfigMap",
    "metadata": {"name": "inferenceservice-config", "namespace": "ome"},
    "data": {
        "deploy": '{"defaultDeploymentMode": "RawDeployment", "terminationGracePeriodSeconds": 60}',
        "ingress": '{"ingressGateway": "a/b", "ingressService": "c", "disableIngressCreation": true}',
        "acceleratorResources": '["nvidia.com/gpu"]',
    },
}

GOLDEN = sorted(folder for folder in (ROOT / "tests" / "golden").iterdir() if (folder / "input.yaml").is_file())


def objects_of(folder: Path) -> Objects:
    """The manifests of an example or a golden case, and the operator's settings."""
    files = sorted(path for path in folder.rglob("*.yaml") if "rendered" not in path.parts)
    texts = [path.read_text(encoding="utf-8") for path in files if path.name != "output.yaml"]
    return [document for text in texts for document in yaml.safe_load_all(text)] + [copy.deepcopy(OPERATOR)]


def positions(value: Any, path: FieldPath = ()) -> Iterator[FieldPath]:
    """The path of everything inside ``value``."""
    if path:
        yield path
    steps = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for step, item in steps:
        yield from positions(item, (*path, step))


def mutants(objects: Objects) -> list[tuple[int, FieldPath, Any]]:
    """Object, position and value of those that this run takes."""
    found = [(i, path, value) for i, body in enumerate(objects) for path in positions(body) for value in VALUES]
    if os.environ.get("OMEC_MUTATIONS") == "all":
        return found
    return random.Random(0).sample(found, min(SAMPLE, len(found)))


def mutated(objects: Objects, number: int, path: FieldPath, value: Any) -> Objects:
    changed = copy.deepcopy(objects)
    parent: Any = changed[number]
    for step in path[:-1]:
        parent = parent[step]
    parent[path[-1]] = value
    return changed


def ask_everything(objects: Objects) -> None:
    """What the commands ask, each answer as its JSON format prints it."""
    lint = omec.from_objects(objects, config={"lint": {"select": ["ALL"]}}).lint()
    json.dumps(lint.to_dict())
    # A rule that fails is a finding of its own.
    assert not lint.incomplete, [finding.message for finding in lint.findings if finding.rule.slug == "rule-failed"]
    json.dumps([answer.to_dict() for answer in omec.from_objects(objects).explain_all()])
    json.dumps(omec.from_objects(objects).compile().to_dict())


@pytest.mark.parametrize(
    "folder",
    [*(ROOT / "examples" / name for name in EXAMPLES), *GOLDEN],
    ids=lambda folder: f"{folder.parent.name}/{folder.name}",
)
def test_wrong_values_are_findings(folder: Path) -> None:
    objects = objects_of(folder)
    ask_everything(objects)
    failures = []
    for number, path, value in mutants(objects):
        try:
            ask_everything(mutated(objects, number, path, value))
        except omec.OmecError:
            pass
        except Exception as error:
            place = f"{objects[number]['kind']} {field_text(path)} = {value!r}"
            failures.append(f"{place}: {type(error).__name__}: {error}")
    assert failures == []
