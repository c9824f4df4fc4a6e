"""Quick look-ups say what the outline says, or nothing."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given

from omec.finding import FieldPath
from omec.repo.yaml import dump
from omec.repo.yaml.document import locate, parse, seek
from tests.repo.yaml.test_positions import VALUES


def paths(value: Any, path: FieldPath = ()) -> list[FieldPath]:
    """Every path in ``value``, and one beside it that does not exist."""
    found: list[FieldPath] = [path, (*path, "no such key"), (*path, 99)]
    children = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for step, child in children:
        found += paths(child, (*path, step))
    return found


def assert_agree(text: str) -> int:
    """Compare all look-ups in ``text``; how many were quick."""
    outline, quick = locate(text), 0
    for path in paths(parse(text).value):
        for key in (True, False):
            span = seek(text, path, key=key)
            if span is not None:
                quick += 1
                assert span == outline.find(path, key=key), (path, key)
    return quick


@given(VALUES)
def test_quick_look_ups_agree_with_the_outline(value: Any) -> None:
    text = dump(value)
    if not parse(text).problems:
        assert_agree(text)


@pytest.mark.parametrize(
    "text",
    [
        "a: 1\nb: {c: d, e: [f, 'g']}\n",
        "a: &x {b: 1}\nc: *x\nd: {<<: *x, e: 2}\n",
        "yes: 1\n1: 2\n'on': 3\n? a\n: b\n",
        "a: |\n  text\n\nb: >-\n  more\n",
        "a:\nb: ''\nc: !!str 1\n",
        "- - a\n  - b: c\n- d\n",
        "é: ü\nb: ö\n",
        "",
        "text\n",
    ],
)
def test_odd_documents(text: str) -> None:
    assert_agree(text)


def test_the_corpus_is_told_quickly(testdata: Path) -> None:
    folder = testdata / "corpus" / "ome-v0.1.5" / "config" / "models" / "meta"
    for path in sorted(folder.glob("*.yaml")):
        assert assert_agree(path.read_text(encoding="utf-8")) > 10
