"""Two renderings beside each other."""

from __future__ import annotations

from typing import Any

import pytest

from omec.compile.provenance.align import GONE, RENAMED, Appeared, counterpart, differences
from omec.finding import FieldPath


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ({"a": 1}, {"a": 1}, {}),
        ({"a": 1}, {"a": 2}, {("a",): 2}),
        ({"a": 1, "b": 2}, {"b": 2}, {("a",): GONE}),
        ({"a": 1}, {"c": 1}, {("a",): RENAMED}),
        ({"a": {}}, {"a": {"b": 1}}, {("a",): {"b": 1}}),
        ({"a": {"b": {"c": 1}}}, {}, {("a", "b", "c"): GONE}),
        # Items of keyed lists are the same wherever they stand.
        (
            [{"name": "x", "v": 1}, {"name": "y", "v": 2}],
            [{"name": "y", "v": 3}],
            {(0, "name"): GONE, (0, "v"): GONE, (1, "v"): 3},
        ),
        ([{"name": "x", "v": 1}], [{"name": "z", "v": 1}], {(0, "name"): "z"}),
        # Of plain lists what is left over keeps its order.
        (["a", "b", "c"], ["b", "c"], {(0,): GONE}),
        (["a", "b"], ["a", "x"], {(1,): "x"}),
    ],
)
def test_differences(old: Any, new: Any, expected: dict[FieldPath, Any]) -> None:
    assert {path: value for path, _, value in differences(old, new)} == expected


def test_a_new_item_in_the_place_of_one_that_is_still_there() -> None:
    old = [{"name": "x", "v": 1}]
    new = [{"name": "new", "v": 1}, {"name": "x", "v": 1}]
    ((path, was, now),) = differences(old, new)
    assert (path, was) == ((0, "name"), "x")
    assert isinstance(now, Appeared)
    assert now.value == "new"


@pytest.mark.parametrize(
    ("new", "path", "expected"),
    [
        ({"l": [{"name": "y", "v": 2}, {"name": "x", "v": 1}]}, ("l", 0, "v"), ("l", 1, "v")),
        ({"l": [{"name": "y", "v": 2}]}, ("l", 0, "v"), None),
        ({"args": ["b"]}, ("args", 1), ("args", 0)),
        ({"args": []}, ("args", 1), None),
    ],
)
def test_counterpart(new: Any, path: FieldPath, expected: FieldPath | None) -> None:
    old = {"l": [{"name": "x", "v": 1}, {"name": "y", "v": 2}], "args": ["a", "b"]}
    assert counterpart(old, new, path) == expected
