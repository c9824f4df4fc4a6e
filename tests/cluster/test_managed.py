"""The restriction of live objects to managed fields, on hand-made ``managedFields``; no cluster needed."""

from __future__ import annotations

from typing import Any

import pytest

from tests.cluster.managed import managed_part, without_identity


def live(spec: Any, fields: Any) -> dict[str, Any]:
    entries = [
        {"manager": "other", "operation": "Apply", "fieldsV1": {"f:spec": {"f:foreign": {}}}},
        {"manager": "omec", "operation": "Update", "fieldsV1": {"f:spec": {"f:updated": {}}}},
        {"manager": "omec", "operation": "Apply", "fieldsV1": {"f:spec": fields}},
    ]
    return {"kind": "X", "metadata": {"name": "n", "uid": "u", "managedFields": entries}, "spec": spec}


CASES: list[tuple[str, Any, Any, Any, Any]] = [
    ("fields of others stay out", {"a": 1, "foreign": 2, "updated": 3}, {"a": 1}, {"f:a": {}}, {"a": 1}),
    ("a dropped field is missed", {"a": 1}, {"a": 1, "b": False}, {"f:a": {}, "f:b": {}}, {"a": 1}),
    ("values are the server's", {"cpu": "1500m"}, {"cpu": "1.5"}, {"f:cpu": {}}, {"cpu": "1500m"}),
    ("an owned empty map", {"a": {"b": 1}}, {"a": {}}, {"f:a": {}}, {"a": {}}),
    (
        "defaults inside an atomic value stay out",
        {"ref": {"apiVersion": "v1", "path": "x"}, "list": [{"k": 1, "d": 0}]},
        {"ref": {"path": "x"}, "list": [{"k": 1}]},
        {"f:ref": {}, "f:list": {}},
        {"ref": {"path": "x"}, "list": [{"k": 1}]},
    ),
    (
        "items by key, in the live order",
        {"c": [{"name": "b", "x": 1, "d": 0}, {"name": "sidecar"}, {"name": "a", "x": 2}]},
        {"c": [{"name": "a", "x": 2}, {"name": "b", "x": 1}]},
        {"f:c": {f'k:{{"name":"{n}"}}': {".": {}, "f:name": {}, "f:x": {}} for n in "ab"}},
        {"c": [{"name": "b", "x": 1}, {"name": "a", "x": 2}]},
    ),
    (
        "a key that the server completed",
        {"ports": [{"port": 80, "protocol": "TCP", "targetPort": 80}]},
        {"ports": [{"port": 80}]},
        {"f:ports": {'k:{"port":80,"protocol":"TCP"}': {".": {}, "f:port": {}}}},
        {"ports": [{"port": 80}]},
    ),
    ("items of a set", {"s": ["x", "y"]}, {"s": ["y"]}, {"f:s": {'v:"y"': {}}}, {"s": ["y"]}),
]


@pytest.mark.parametrize(("spec", "emitted", "fields", "expected"), [c[1:] for c in CASES], ids=[c[0] for c in CASES])
def test_restriction(spec: Any, emitted: Any, fields: Any, expected: Any) -> None:
    part = managed_part(live(spec, fields), {"spec": emitted}, "omec")["spec"]
    assert part == expected
    assert list(part) == list(expected)


def test_identity_is_left_out() -> None:
    assert without_identity({"kind": "X", "apiVersion": "v1", "metadata": {"name": "n", "namespace": "m"}}) == {}
    labelled = {"kind": "X", "metadata": {"name": "n", "labels": {"a": "b"}}, "spec": {}}
    assert without_identity(labelled) == {"metadata": {"labels": {"a": "b"}}, "spec": {}}


def test_nothing_is_managed_without_an_entry() -> None:
    assert managed_part({"metadata": {"name": "n"}, "spec": {"a": 1}}, {"spec": {"a": 1}}, "omec") == {}
