"""What renders, but hardly as meant (reference 04 §22)."""

from __future__ import annotations

from typing import Any

import pytest

from omec.compile import rules
from omec.compile.inputs import ServiceInputs
from omec.compile.problems import Origin
from omec.compile.render import render
from omec.finding import Rule
from tests.compile.rendering import RUNNER, inputs

Object = dict[str, Any]

WITH_PATH: Object = {"storage": {"storageUri": "hf://a/b", "path": "/m"}}
WITHOUT_PATH: Object = {"storage": {"storageUri": "hf://a/b"}}
NEEDS_PATH: Object = {"engineConfig": {"runner": {**RUNNER, "args": ["--model-path=$(MODEL_PATH)"]}}}


def found(given: ServiceInputs) -> list[tuple[Rule, Origin]]:
    return [(problem.rule, problem.place.origin) for problem in render(given).problems]


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        (inputs(model=WITH_PATH, runtime=NEEDS_PATH), []),
        (inputs(model=WITHOUT_PATH), [(rules.MODEL_WITHOUT_FILES, Origin.MODEL)]),
        (inputs(model={}), [(rules.MODEL_WITHOUT_FILES, Origin.MODEL)]),
        (inputs(runtime=NEEDS_PATH), [(rules.MODEL_PATH_UNSET, Origin.RUNTIME)]),
        (
            inputs({"engine": {"runner": {"env": [{"name": "MODEL_PATH", "value": "/x"}]}}}, NEEDS_PATH),
            [],
        ),
        (
            inputs({"engine": {"containers": [RUNNER]}}, {}, WITH_PATH),
            [(rules.RUNNER_MISSING, Origin.SERVICE)],
        ),
        (
            inputs({"engine": {}}, {"engineConfig": {"runner": RUNNER, "containers": [{"name": "s", "image": "x"}]}}),
            [(rules.SERVICE_BEFORE_RUNNER, Origin.RUNTIME)],
        ),
        (inputs({"engine": {}, "router": {"containers": [{"name": "r", "image": "x"}]}}), []),
    ],
)
def test_problems(given: ServiceInputs, expected: list[tuple[Rule, Origin]]) -> None:
    assert found(given) == expected
