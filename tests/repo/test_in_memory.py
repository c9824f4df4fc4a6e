"""Objects in memory as documents."""

from __future__ import annotations

import datetime as dt
from typing import Any

import pytest

from omec.errors import OmecError
from omec.repo.in_memory import documents_of


def nested(depth: int) -> Any:
    value: Any = 1
    for _ in range(depth):
        value = {"a": value}
    return value


def test_documents_share_nothing_with_the_objects() -> None:
    body: dict[str, Any] = {"kind": "x", "spec": {"list": (1, 2.5, None, True)}}
    (document,) = documents_of([body])
    assert document.value == {"kind": "x", "spec": {"list": [1, 2.5, None, True]}}
    assert document.value["spec"] is not body["spec"]
    assert document.path == "objects[0]"


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ({"spec": {"day": dt.date(2026, 1, 1)}}, "objects[1]: spec.day is of type date, which is no JSON value"),
        ({"spec": [{"a": {1, 2}}]}, "objects[1]: spec[0].a is of type set, which is no JSON value"),
        ({"spec": {1: 2}}, "objects[1]: spec has the key 1, which is no JSON value"),
        ({"spec": float("nan")}, "objects[1]: spec is nan, which is no JSON value"),
        ("text", "objects[1] is of type str, not a mapping"),
        (nested(100_000), "objects[1] is nested too deeply"),
    ],
)
def test_values_that_are_none_of_json(body: Any, message: str) -> None:
    with pytest.raises(OmecError) as caught:
        documents_of([{}, body])
    assert caught.value.message == message
    assert caught.value.code == "OME002"
