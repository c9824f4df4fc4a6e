"""Streams to documents: the table of reference 11 §1.1."""

from __future__ import annotations

import pytest

from omec.repo.yaml import load
from omec.repo.yaml.splitter import is_json_stream, split


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("a: 1\n---\nb: 2\n", [{"a": 1}, {"b": 2}]),
        ("---\na: 1\n", [{"a": 1}]),
        ("---\n---\na: 1\n", [None, {"a": 1}]),
        ("a: 1\n---\n---\nb: 2\n", [{"a": 1}, {"b": 2}]),
        ("# c\n---\na: 1\n", [None, {"a": 1}]),
        ("a: 1\n--- # note\nb: 2\n", [{"a": 1}, {"b": 2}]),
        ("a: 1\n---   \nb: 2\n", [{"a": 1}, {"b": 2}]),
        ("a: 1\n...\n---\nb: 2\n", [{"a": 1}, {"b": 2}]),
        ("a: |\n  x\n  ---\n  y\n", [{"a": "x\n---\ny\n"}]),
        ("a: 1\r\n---\r\nb: 2\r\n", [{"a": 1}, {"b": 2}]),
        ("a: 1\n---\n", [{"a": 1}]),
        ("a: 1\n---", [{"a": 1}]),
        ("\ufeffa: 1\n---\n\ufeffb: 2\n", [{"a": 1}, {"b": 2}]),
        ("", [None]),
        ("\n\n", [None]),
        ("---\n", [None]),
        # kubectl's line reader completes the last line.
        ("a: |\n  x", [{"a": "x\n"}]),
    ],
)
def test_documents(text: str, values: list[object]) -> None:
    assert [load(chunk.text) for chunk in split(text)] == values


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("a: 1\n--- b: 2\n", "--- b: 2"),
        ("a: 1\n----\nb: 2\n", "----"),
        ("--- |\n  x\n", "--- |"),
        ("---foo: 1\n", "---foo: 1"),
        ("a: 1\n--- {a: 1}", "--- {a: 1}"),
    ],
)
def test_bad_separators(text: str, place: str) -> None:
    (problem,) = [chunk.problem for chunk in split(text) if chunk.problem]
    assert text[slice(*problem.span)] == place
    assert problem.rule.slug == "yaml-syntax"


def test_a_bad_separator_costs_one_document_only() -> None:
    chunks = split("a: 1\n--- b: 2\nc: 3\n---\nd: 4\n")
    assert [load(chunk.text) for chunk in chunks if not chunk.problem] == [{"a": 1}, {"d": 4}]


def test_offsets() -> None:
    text = "\ufeffa: ü\n---\n\ufeffb: 2\n--- # c\nc: 3"
    for chunk in split(text):
        assert text.startswith(chunk.text.rstrip("\n"), chunk.offset)


@pytest.mark.parametrize(
    ("text", "expected"),
    [("{", True), (" \n\t{}", True), ("\u00a0{}", True), ("\ufeff{}", False), ("a: {}", False), ("", False)],
)
def test_json_streams(text: str, expected: bool) -> None:
    assert is_json_stream(text) is expected
