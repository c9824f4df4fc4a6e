"""Names of objects and labels (reference 04 §10.3 and §12.3, 10 §6)."""

from __future__ import annotations

import pytest

from omec.compile.names import model_label_key, shortened


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("llama-engine", "llama-engine"),
        ("a" * 56 + "-engine", "a" * 56 + "-engine"),
        ("a" * 57 + "-engine", "f1fbf2e0-" + "a" * 47 + "-engine"),
        ("c" * 57 + "-engine", "a8ff3263-" + "c" * 47 + "-engine"),
        ("b" * 56 + "-decoder", "fa84533c-" + "b" * 46 + "-decoder"),
        ("isvc-" + "c" * 55 + "-router", "ddea86c5-" + "c" * 47 + "-router"),
        (
            "my-very-long-inference-service-name-for-production-use-01-engine",
            "a0fea23e-ng-inference-service-name-for-production-use-01-engine",
        ),
        (
            "meta-llama-3-1-405b-instruct-fp8-production-eu-frankfurt-blue-engine",
            "beba8371--405b-instruct-fp8-production-eu-frankfurt-blue-engine",
        ),
    ],
)
def test_shortened(name: str, expected: str) -> None:
    assert shortened(name) == expected
    assert len(expected) <= 63


@pytest.mark.parametrize(
    ("namespace", "name", "expected"),
    [
        (None, "llama-3-2-1b-instruct", "clusterbasemodel.llama-3-2-1b-instruct"),
        (None, "a" * 32, "clusterbasemodel." + "a" * 32),
        (None, "a" * 33, "clusterbasemodel.852785c8-" + "a" * 23),
        (
            None,
            "deepseek-r1-distill-llama-70b-instruct-fp8",
            "clusterbasemodel.2cf3f06f--llama-70b-instruct-fp8",
        ),
        (None, "qwen3-235b-a22b-instruct-2507-fp8", "clusterbasemodel.772a53f0--a22b-instruct-2507-fp8"),
        ("llama-demo", "llama-3-2-1b-instruct-local", "llama-demo.basemodel.llama-3-2-1b-instruct-local"),
        ("llama-demo", "a" * 28, "llama-demo.basemodel." + "a" * 28),
        ("llama-demo", "a" * 29, "7a3e9ad1.basemodel." + "a" * 29),
        ("prod", "a" * 35, "prod.basemodel.629362af-" + "a" * 25),
        (
            "team-a",
            "deepseek-r1-distill-llama-70b-instruct-fp8",
            "team-a.basemodel.2cf3f06f--llama-70b-instruct-fp8",
        ),
        (
            "long-namespace-name",
            "very-long-model-name-that-exceeds-normal-length-limits-and-should-be-truncated",
            "116791bb.basemodel.be83a233-d-should-be-truncated",
        ),
        ("a" * 30, "m" * 20, "3a54fc0c.basemodel." + "m" * 20),
    ],
)
def test_model_label_key(namespace: str | None, name: str, expected: str) -> None:
    key = model_label_key(name, namespace)
    assert key == "models.ome.io/" + expected
    assert len(key.partition("/")[2]) <= 49
