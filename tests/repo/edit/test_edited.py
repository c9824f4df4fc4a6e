"""Edits of files: what is written, and that nothing else changes."""

from __future__ import annotations

import json
import re
from copy import deepcopy
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from omec.repo.document import Document
from omec.repo.edit import CannotEditError, Change, Drop, Edit, Put, Rename, edited
from omec.repo.objects import read_text
from omec.repo.walk import SourceFile
from omec.repo.yaml import dump

HEAD = "apiVersion: v1\nkind: X\n"


def documents(text: str, path: str = "x.yaml") -> list[Document]:
    return read_text(SourceFile(path, path, lambda _: text.encode()), text).documents


def change(text: str, *edits: Edit, document: int = 0) -> str:
    return edited("x.yaml", text, [Change(documents(text)[document], edits)])


@pytest.mark.parametrize(
    ("body", "edit", "expected"),
    [
        # A value keeps its quotes and its comment.
        ("a: 4b # small\n", Put(("a",), "4B"), "a: 4B # small\n"),
        ("a: '4b'\n", Put(("a",), "it's"), "a: 'it''s'\n"),
        ('a: "4b"\n', Put(("a",), 'x"y'), 'a: "x\\"y"\n'),
        ("a: yes\n", Put(("a",), "true"), 'a: "true"\n'),
        ("a: 5\n", Put(("a",), "5"), 'a: "5"\n'),
        ("a: {b: 1, c: [x, y]}\n", Put(("a", "c", 1), "z"), "a: {b: 1, c: [x, z]}\n"),
        ("a: &x 1\nb: *x\n", Put(("a",), 2), "a: 2\nb: &x 1\n"),
        ("a: |\n  text\nb: 1\n", Put(("a",), "other"), "a: |-\n  other\nb: 1\n"),
        ("a: &x 4b # anchored\nb:   1\n", Put(("a",), "4B"), "a: &x 4B # anchored\nb:   1\n"),
        # A field that is not there goes below the key of its mapping.
        ("a:\n  # about b\n  b: 1\n", Put(("a", "c"), "d"), "a:\n  c: d\n  # about b\n  b: 1\n"),
        ("a: {b: 1}\n", Put(("a", "c"), "d"), "a: {c: d, b: 1}\n"),
        ("a:\n- b: 1\n  x: 2\n", Put(("a", 0, "c"), "d"), "a:\n- c: d\n  b: 1\n  x: 2\n"),
        ("a:\n  b: 1\n", Put(("a", "c", "d"), 5), "a:\n  c:\n    d: 5\n  b: 1\n"),
        ("a: {} # empty\nb:   1\n", Put(("a", "c"), 5), "a: {c: 5} # empty\nb:   1\n"),
        ("a: {b: {}, c: 1}\n", Put(("a", "b", "d", "e"), "f,g"), 'a: {b: {d: {e: "f,g"}}, c: 1}\n'),
        # A field that goes takes its lines along, and no comment of another field.
        ("a: 1 # one\n# about b\nb: 2\n", Drop(("a",)), "# about b\nb: 2\n"),
        ("a:\n  b: 1\n  c:\n  - x\n  # about d\n  d: 2\n", Drop(("a", "c")), "a:\n  b: 1\n  # about d\n  d: 2\n"),
        ("a: {b: 1, c: 2, d: 3}\n", Drop(("a", "c")), "a: {b: 1, d: 3}\n"),
        ("a: {b: 1, c: 2}\n", Drop(("a", "c")), "a: {b: 1}\n"),
        ("a:\n- b: 1\n  c: 2\n", Drop(("a", 0, "b")), "a:\n- c: 2\n"),
        ("a:\n  b: |\n    text\n\n  c: 2\n", Drop(("a", "b")), "a:\n\n  c: 2\n"),
        # The last field of a mapping leaves {}.
        ("a:\n  b: 1 # one\n# about c\nc:   2\n", Drop(("a", "b")), "a: {}\n# about c\nc:   2\n"),
        ("a: # first\n  b: 1\nc:   2\n", Drop(("a", "b")), "a: # first\n  {}\nc:   2\n"),
        ("a:\n- b:\n    x: 1\n- c: 2\n", Drop(("a", 0, "b")), "a:\n- {}\n- c: 2\n"),
        ("a: { b: 1 } # one\n", Drop(("a", "b")), "a: {} # one\n"),
        ("a:\n- b: 1 # one\n  # about c\n  c:   2\n", Drop(("a", 0, "b")), "a:\n-\n  # about c\n  c:   2\n"),
        # A key is renamed in its place, in its quotes.
        ("a:\n  minReplica: 1 # one\n", Rename(("a", "minReplica"), "minReplicas"), "a:\n  minReplicas: 1 # one\n"),
        ("a: {'b': 1}\n", Rename(("a", "b"), "c"), "a: {'c': 1}\n"),
        ("a: {b: 1, c: 2}\n", Rename(("a", "b"), "c"), None),
    ],
)
def test_edits(body: str, edit: Edit, expected: str | None) -> None:
    if expected is None:
        with pytest.raises(CannotEditError):
            change(HEAD + body, edit)
    else:
        assert change(HEAD + body, edit) == HEAD + expected


def test_several_edits_of_several_documents() -> None:
    text = f"# top\n---\n{HEAD}a: 1\n---\n{HEAD}b: 2 # two\nc: 3\n"
    first, second = documents(text)
    changes = [Change(first, [Put(("a",), 4)]), Change(second, [Drop(("c",)), Put(("b",), 5)])]
    assert edited("x.yaml", text, changes) == f"# top\n---\n{HEAD}a: 4\n---\n{HEAD}b: 5 # two\n"


def test_line_ends_and_byte_order_mark() -> None:
    text = f"\ufeff{HEAD}a:\n  b: 1\n  c: 2\n".replace("\n", "\r\n")
    new = edited(
        "x.yaml", text, [Change(documents(text.removeprefix("\ufeff"))[0], [Drop(("a", "b")), Put(("a", "d"), 1)])]
    )
    assert new == f"\ufeff{HEAD}a:\n  d: 1\n  c: 2\n".replace("\n", "\r\n")


def test_line_ends_and_byte_order_mark_of_a_file_that_is_written_anew() -> None:
    """A value with an alias has no place of its own: ruamel.yaml writes the file."""
    text = f"\ufeff{HEAD}# one\na: &x 1\nb: *x".replace("\n", "\r\n")
    new = edited("x.yaml", text, [Change(documents(text.removeprefix("\ufeff"))[0], [Put(("a",), 2)])])
    assert new == f"\ufeff{HEAD}# one\na: 2\nb: &x 1".replace("\n", "\r\n")


def test_a_comment_beside_a_field_that_goes_stays(monkeypatch: pytest.MonkeyPatch) -> None:
    """No way of writing may lose it, only those inside of the field."""
    text = f"{HEAD}# above\na:\n  b: 1 # inside\n# below\nc: 2\n"
    for lost in ("# above\n", "# below\n"):
        monkeypatch.setattr("omec.repo.edit.file.spliced", lambda text, _, lost=lost: text.replace(lost, ""))
        monkeypatch.setattr("omec.repo.edit.file.rewritten", lambda text, _: text)
        with pytest.raises(CannotEditError):
            change(text, Drop(("a",)))


def test_json() -> None:
    text = '{"apiVersion": "v1", "kind": "X", "a": {"b": "1"}, "c": 2}'
    assert change(text, Put(("a", "d"), {"e": [1]}), Drop(("c",)), Rename(("a", "b"), "f")) == (
        '{"apiVersion": "v1", "kind": "X", "a": {"d": {"e": [1]}, "f": "1"}}'
    )


def test_a_file_that_has_changed_since() -> None:
    with pytest.raises(CannotEditError):
        edited("x.yaml", f"{HEAD}b: 1\n", [Change(documents(f"{HEAD}a: {{b: 1}}\n")[0], [Drop(("a", "b"))])])


# --- Nothing but what is named changes -----------------------------------------------------------------------------

KEYS = st.sampled_from(["a", "b", "c d", "on", "x.y/z", "1"])
SCALARS = st.one_of(
    st.integers(-5, 500),
    st.booleans(),
    st.sampled_from(["", "x", "yes", "4b", "a: b", "# no", "it's", 'q"', "1e3"]),
)
VALUES = st.recursive(
    SCALARS,
    lambda inner: st.one_of(
        st.lists(inner, min_size=1, max_size=3), st.dictionaries(KEYS, inner, min_size=1, max_size=3)
    ),
    max_leaves=12,
)


def paths(value: Any, path: tuple[str | int, ...] = ()) -> list[tuple[str | int, ...]]:
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [found for step, item in items for found in [(*path, step), *paths(item, (*path, step))]]


def flow(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)


@settings(max_examples=60, deadline=None)
@given(st.dictionaries(KEYS, VALUES, min_size=1, max_size=4), st.data())
def test_only_what_is_named_changes(body: dict[str, Any], data: st.DataObject) -> None:
    """For any values, written in any mixture of styles, with a comment on every line that can bear one."""
    text = HEAD
    for key, value in body.items():
        block = dump({key: value}) if data.draw(st.booleans()) else f"{dump(key).strip()}: {flow(value)}\n"
        text += "".join(
            (line if re.search(r"[|>\"]", line) else line[:-1] + f"  # {n}\n")
            for n, line in enumerate(block.splitlines(keepends=True))
        )
    (document,) = documents(text)
    path = data.draw(st.sampled_from(paths(body)))
    edit: Edit = data.draw(st.sampled_from([Put(path, "new"), Put((*path[:-1], "fresh"), 7), Drop(path)]))
    if isinstance(edit.path[-1], int) or (isinstance(edit, Put) and isinstance(path[-1], int)):
        return
    expected = deepcopy(document.value)
    mapping = expected
    for step in edit.path[:-1]:
        mapping = mapping[step]
    if isinstance(edit, Drop):
        del mapping[edit.path[-1]]
    else:
        mapping[edit.path[-1]] = edit.value
    try:
        new = change(text, edit)
    except CannotEditError:
        return
    assert documents(new)[0].value == expected
    if isinstance(edit, Put):
        # A file that is written anew can have another number of spaces before a comment.
        before, after = (re.findall(r" (# \d+)$", each, re.MULTILINE) for each in (text, new))
        assert sorted(before) == sorted(after)
