"""Where keys and values stand: spans in the text, lines and columns in the file."""

from __future__ import annotations

import io
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from omec.finding import FieldPath
from omec.repo.read import read
from omec.repo.yaml import dump, load
from omec.repo.yaml.document import locate
from omec.repo.yaml.problem import LineIndex

TEXT = """\
apiVersion: v1
kind: "Übung"
metadata: {name: é日本, labels: {a: 'x y', b: [1,\t2]}}
spec:
  list:
  - one: 1
    two: &t
      deep: yes
  -   three: *t
  merged:
    <<: *t
    own: 1
  text: |
    line one
    line two

  # a comment
  folded: >-
    x
  empty:
  "quoted key" : 2
"""


@pytest.mark.parametrize(
    ("path", "key", "value"),
    [
        (("kind",), "kind", '"Übung"'),
        (("metadata", "name"), "name", "é日本"),
        (("metadata", "labels"), "labels", "{a: 'x y', b: [1,\t2]}"),
        (("metadata", "labels", "a"), "a", "'x y'"),
        (("metadata", "labels", "b"), "b", "[1,\t2]"),
        (("metadata", "labels", "b", 1), "2", "2"),
        (("spec", "list", 0), "one: 1\n    two: &t\n      deep: yes", "one: 1\n    two: &t\n      deep: yes"),
        (("spec", "list", 0, "two", "deep"), "deep", "yes"),
        (("spec", "list", 1, "three"), "three", "*t"),
        (("spec", "list", 1, "three", "deep"), "deep", "yes"),
        (("spec", "merged", "deep"), "deep", "yes"),
        (("spec", "merged", "own"), "own", "1"),
        (("spec", "text"), "text", "|\n    line one\n    line two"),
        (("spec", "folded"), "folded", ">-\n    x"),
        (("spec", "empty"), "empty", ""),
        (("spec", "quoted key"), '"quoted key"', "2"),
        (("spec", "empty", "absent"), "empty", ""),
        (("spec", "absent", 0, "x"), "spec", None),
        ((), None, TEXT.rstrip("\n")),
    ],
)
def test_spans(path: FieldPath, key: str | None, value: str | None) -> None:
    outline = locate(TEXT)
    if key is not None:
        assert TEXT[slice(*outline.find(path, key=True))] == key
    if value is not None:
        assert TEXT[slice(*outline.find(path, key=False))] == value


def paths(value: Any, path: FieldPath = ()) -> Iterator[tuple[FieldPath, Any]]:
    yield path, value
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for step, item in items:
        yield from paths(item, (*path, step))


LINE = st.text(st.characters(exclude_categories=["Cs", "Cc", "Zl", "Zp"], exclude_characters="\ufeff\ufffe\uffff"))
VALUES = st.dictionaries(
    LINE,
    st.recursive(LINE | st.integers(0, 99), lambda i: st.lists(i, max_size=3) | st.dictionaries(LINE, i, max_size=3)),
    max_size=4,
)


@given(VALUES)
def test_every_key_and_scalar_is_where_its_span_says(value: dict[str, Any]) -> None:
    text = dump(value)
    outline, index, lines = locate(text), LineIndex(text), text.split("\n")
    for path, item in paths(value):
        span = outline.find(path, key=False)
        if not isinstance(item, (dict, list)):
            assert load(text[slice(*span)]) == item
        if path and isinstance(path[-1], str):
            span = outline.find(path, key=True)
            assert load(text[slice(*span)]) == path[-1]
            line, column = index.place(span.start)
            assert lines[line - 1].startswith(text[slice(*span)].partition("\n")[0], column - 1)


def test_lines_end_as_editors_count_them() -> None:
    index = LineIndex("a\r\nb\rc\u2028d\x85e\nf")
    assert [index.place(i) for i in (0, 3, 5, 7, 9, 11)] == [(1, 1), (2, 1), (3, 1), (3, 3), (3, 5), (4, 1)]


@pytest.mark.parametrize(
    ("stream", "path", "place"),
    [
        ("apiVersion: v1\nkind: A\nname: x\n", ("name",), (3, 7, 3, 8)),
        ("\ufeffapiVersion: v1\nkind: A\n", ("apiVersion",), (1, 13, 1, 15)),
        ("apiVersion: v1\r\nkind: A\r\nname: x\r\n", ("name",), (3, 7, 3, 8)),
        ("# é\n---\napiVersion: v1\nkind: é\nname:\t😀 # c\n", ("name",), (5, 7, 5, 8)),
        ("apiVersion: v1\x85kind: A\x85name: x\n", ("name",), (1, 30, 1, 31)),
        ('{"apiVersion": "v1",\n "kind": "A", "é": {"name": "x"}}', ("é", "name"), (2, 29, 2, 32)),
        ('{"apiVersion": "v1", "kind": "A", "\\u00e9": [1,\n\t{"name": "\\/"}]}', ("é", 1, "name"), (2, 11, 2, 15)),
        ("apiVersion: v1\nkind: List\nitems:\n- apiVersion: v1\n  kind: A\n  name: x\n", ("name",), (6, 9, 6, 10)),
        ("apiVersion: v1\nkind: AList\nitems:\n- name: x\n", ("name",), (4, 9, 4, 10)),
        ("apiVersion: v1\nkind: AList\nitems:\n- name: x\n", ("kind",), (4, 3, 4, 10)),
    ],
)
def test_positions_in_the_file(stream: str, path: FieldPath, place: tuple[int, ...]) -> None:
    (document,) = read(["-"], stdin=io.BytesIO(stream.encode())).documents
    position = document.locate(path)
    assert (position.line, position.column, position.end_line, position.end_column) == place
