"""What OME's webhook answers to a BenchmarkJob (reference 16 §1.2, §7)."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from omec.compile.benchmark.admission import denial_of
from omec.compile.benchmark.gofloat import float_problem
from tests.compile.benchmarking import benchmark


def denial(**spec: Any) -> str | None:
    found = denial_of(benchmark(**spec)["spec"])
    return None if found is None else found.message


def refused(task: str, scenario: str) -> str:
    problem = f"invalid scenario format for task '{task}': {scenario}"
    return f"invalid traffic scenarios: failed to validate scenario '{scenario}': {problem}"


TEXT, IMAGE, EMBEDDINGS = "text-to-text", "image-to-text", "text-to-embeddings"


@pytest.mark.parametrize(
    ("task", "scenarios", "at"),
    [
        (TEXT, ["D(100)"], "D(100)"),  # vector 1
        (TEXT, ["junkU(1,2)junk", "N(1,2)/(3,4)junk", "junkD(1,2)"], None),  # vector 2
        (TEXT, ["junkN(1,2)/(3,4)"], "junkN(1,2)/(3,4)"),  # vector 3
        (TEXT, ["D(1,2)junk"], "D(1,2)junk"),
        (TEXT, ["d(1,2)"], "d(1,2)"),
        (TEXT, ["D(1, 2)"], "D(1, 2)"),
        (TEXT, ["D(-1,2)"], "D(-1,2)"),
        (TEXT, ["D(1,2)\n"], "D(1,2)\n"),
        (TEXT, ["D(\u0661,2)"], "D(\u0661,2)"),
        (TEXT, ["D(1,2)", "bad", "worse"], "bad"),
        (TEXT, [], None),
        (IMAGE, ["I(512,512,4)"], None),  # vector 4
        (IMAGE, ["I(512)"], "I(512)"),
        (IMAGE, ["xI(1,2)"], "xI(1,2)"),
        (IMAGE, [], None),
        ("image-to-embeddings", ["I(1,2,3)"], None),
        ("image-to-embeddings", [], None),
        (EMBEDDINGS, ["E(64,64)"], None),  # vector 5
        (EMBEDDINGS, ["E(64)"], "E(64)"),
        (EMBEDDINGS, [], "E(64)"),
    ],
)
def test_scenarios(task: str, scenarios: list[str], at: str | None) -> None:
    assert denial(task=task, trafficScenarios=scenarios) == (None if at is None else refused(task, at))


def test_a_task_without_a_pattern() -> None:
    assert denial(task="audio-to-text") is None
    assert (denial(task="audio-to-text", trafficScenarios=["x"]) or "").endswith(
        "no validation pattern defined for task: audio-to-text"
    )


@pytest.mark.parametrize(
    ("endpoint", "message"),
    [
        ({}, "invalid endpoint: endpoint or InferenceService must be specified"),
        (
            {"endpoint": {"url": "http://x"}, "inferenceService": {"name": "a", "namespace": "b"}},
            "invalid endpoint: endpoint and InferenceService cannot be specified together",
        ),
        ({"inferenceService": {"name": "a", "namespace": "b"}}, None),
    ],
)
def test_endpoints(endpoint: dict[str, Any], message: str | None) -> None:
    assert denial(endpoint=endpoint) == message


def test_the_first_failure_is_told() -> None:
    spec = {"trafficScenarios": ["bad"], "additionalRequestParams": {"ignore_eos": "x"}, "outputLocation": {}}
    assert denial(endpoint={}, **spec) == "invalid endpoint: endpoint or InferenceService must be specified"
    assert denial(**spec) == refused(TEXT, "bad")
    spec["trafficScenarios"] = []
    assert denial(**spec) == "invalid additional request parameters: ignore_eos must be 'true' or 'false'"
    spec["additionalRequestParams"] = {}
    assert denial(**spec) == "invalid storage: storageUri cannot be empty"


@pytest.mark.parametrize(
    ("uri", "reason"),
    [
        ("", "unknown storage type for URI: "),
        ("OCI://n/a/b/c/o/d", "unknown storage type for URI: OCI://n/a/b/c/o/d"),
        (
            "oci://n/ns/b/bkt/x",
            "invalid OCI storage URI format. Expected: oci://n/{namespace}/b/{bucket}/o/{object_path}",
        ),
        ("pvc://c", "invalid PVC storage URI format: missing subpath"),
        ("pvc://c/a/../b", "invalid PVC storage URI format: subpath must not contain '..' segments"),
        ("s3:///p", "invalid S3 storage URI format: bucket name cannot be empty"),
        ("az://a", "invalid Azure storage URI format: missing container name"),
        ("gs://", "invalid GCS storage URI format: missing bucket name"),
        ("github://a", "invalid GitHub storage URI format: expected owner/repository"),
    ],
)
def test_storage(uri: str, reason: str) -> None:
    assert denial(outputLocation={"storageUri": uri}) == f"invalid storage: error parsing storage URI: {reason}"


@pytest.mark.parametrize("uri", ["hf://a/b", "vendor://a/b/c", "local:///x"])
def test_locations_that_fail_later(uri: str) -> None:
    assert denial(outputLocation={"storageUri": uri}) is None


@pytest.mark.parametrize(
    "text",
    [
        "0.7",
        "-1",
        "+.5",
        "5.",
        "1e3",
        "1E-400",
        "NaN",
        "nan",
        "Inf",
        "+infinity",
        "0x1p-2",
        "0X.8P1",
        "1_000",
        "0x_1p0",
    ],
)
def test_go_floats(text: str) -> None:
    assert denial(additionalRequestParams={"temperature": text}) is None


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("", "invalid syntax"),
        (" 0.7", "invalid syntax"),
        ("1__0", "invalid syntax"),
        ("_1", "invalid syntax"),
        ("1_", "invalid syntax"),
        ("1_.5", "invalid syntax"),
        ("0x1", "invalid syntax"),
        ("+nan", "invalid syntax"),
        ("infin", "invalid syntax"),
        (".", "invalid syntax"),
        ("1e", "invalid syntax"),
        ("\u0663", "invalid syntax"),
        ("1e400", "value out of range"),
        ("-0x1p1024", "value out of range"),
    ],
)
def test_texts_that_are_no_go_floats(text: str, problem: str) -> None:
    assert denial(additionalRequestParams={"temperature": text}) == (
        f'invalid additional request parameters: invalid temperature: strconv.ParseFloat: parsing "{text}": {problem}'
    )


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_every_float_that_python_prints_is_one(number: float) -> None:
    assert float_problem(repr(number)) is None
    assert float_problem(number.hex()) is None
