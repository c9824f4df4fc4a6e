"""Printing: the order of keys, folding, several documents; the styles are in the vectors."""

from __future__ import annotations

import itertools
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from omec.repo.read import read
from omec.repo.yaml import dump, dump_all, load, writer
from omec.repo.yaml.keyorder import ordered


@pytest.mark.parametrize(
    "keys",
    [
        ["-", "_", "1", "2", "10", "A", "a b", "a-b", "a.b", "a/b", "a2", "a9", "a10", "aB", "ab", "é"],
        ["apiVersion", "data", "kind", "metadata", "spec"],
        ["a10", "a100", "a10x", "a1x"],
        ["x0", "x00", "x1", "x01"],
        ["", "a", "aa"],
    ],
)
def test_the_order_of_keys(keys: list[str]) -> None:
    assert list(ordered(reversed(keys))) == keys


@given(st.lists(st.text("ab019-.é", max_size=4), unique=True, max_size=6))
def test_the_order_does_not_depend_on_the_input(keys: list[str]) -> None:
    assert len({ordered(permutation) for permutation in itertools.islice(itertools.permutations(keys), 20)}) <= 1


def test_several_documents() -> None:
    assert dump_all([{"a": 1}, {"b": "x\n\n"}, {"c": []}]) == "a: 1\n---\nb: |+\n  x\n\n---\nc: []\n"
    assert dump_all([]) == ""


def test_no_end_marker_after_kept_line_breaks() -> None:
    assert dump({"a": "x\n\n"}) == "a: |+\n  x\n\n"
    assert dump({"a": "x\n\u2028"}) == "a: |+\n  x\n\u2028"


@pytest.mark.parametrize("text", ["a...", "please wait...", "“a”...", "a\n...", "a\n...\n", "word " * 30 + "..."])
def test_dots_at_the_end_of_a_text_are_no_end_marker(text: str) -> None:
    for value in ({"k": text}, {"k": text, "z": 1}, {text: 1}, {"k": [{"a": text}], "z": "x\n"}):
        assert load(dump(value)) == value


SCALARS = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-5, 2**70),
    st.floats(allow_nan=False, allow_infinity=False),
    st.from_regex(r"[a-yN][a-y0-9_./-]{0,5}", fullmatch=True),
    st.text("ab :#-'\"\\n|>&*!%@{}[],?0179.~\u2028é\x07", max_size=12),
    st.sampled_from(
        ["word " * 30, "x" * 200, "a: " * 40, "wait ...", "yes", "1e3", "0x1", "<<", "=", "null", "2020-01-01", "1:30"]
    ),
)
KEYS = st.one_of(
    st.from_regex(r"[a-yN][a-y0-9_./-]{0,5}", fullmatch=True),
    st.text("ab :#-'\"\n<0.é", max_size=6),
    st.sampled_from(["x" * 99, "x" * 101, "y " * 60, "<<", "yes", ""]),
)
VALUES = st.recursive(
    SCALARS, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner, max_size=3), max_leaves=12
)


@given(st.dictionaries(KEYS, VALUES, max_size=4))
def test_lines_are_those_of_the_emitter(value: dict[str, Any]) -> None:
    assert dump(value) == writer._emitted(value)


def test_the_value_is_not_sorted_in_place() -> None:
    value = {"b": {"z": 1, "a": 2}, "a": 1}
    dump(value)
    assert [*value, *value["b"]] == ["b", "a", "z", "a"]  # type: ignore[misc]


@pytest.mark.parametrize("value", [{"a": object()}, {"a": (1, 2)}, {"a": b"x"}, {"a": {1, 2}}])
def test_what_is_no_json_value_is_refused(value: Any) -> None:
    with pytest.raises(TypeError, match="has no YAML form"):
        dump(value)


def test_the_pure_emitter_prints_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    value = {"b": "x", "a": ["yes", "1", 1, None, {"c": "a: b"}], "text": "l1\nl2\n", "long": "word " * 30 + "end"}
    expected = dump(value)
    monkeypatch.setattr("omec.repo.yaml.writer._Emitter", yaml.emitter.Emitter)
    assert dump(value) == expected


def test_the_corpus_survives_a_round_trip(testdata: Path) -> None:
    for document in read([testdata / "corpus/ome-v0.1.5/config/samples", testdata / "crds"]).documents:
        assert load(dump(document.value)) == document.value
