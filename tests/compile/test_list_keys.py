"""Lists whose items have keys, by the extensions of the OpenAPI document."""

from __future__ import annotations

from typing import Any

import pytest

from omec.compile.list_keys import KeyedLists, keyed_lists, repetitions
from omec.finding import field_text

_TEXT = {"type": "string"}
_PORT = {"properties": {"port": {"type": "integer"}, "protocol": {**_TEXT, "default": "TCP"}}}
_PORTS = {
    "items": {"$ref": "#/definitions/Port"},
    "x-kubernetes-list-type": "map",
    "x-kubernetes-list-map-keys": ["port", "protocol"],
}
_DEFINITIONS: dict[str, Any] = {"Port": _PORT, "Rule": {"properties": {"ports": _PORTS, "name": _TEXT}}}
SCHEMA = {
    "properties": {
        "ports": _PORTS,
        "names": {"items": _TEXT, "x-kubernetes-list-type": "set"},
        "words": {"items": _TEXT},
        "rules": {"items": {"$ref": "#/definitions/Rule"}, "x-kubernetes-list-type": "atomic"},
    }
}


@pytest.mark.parametrize(
    ("value", "found"),
    [
        ({"names": ["a"], "ports": [{"port": 1}]}, []),
        ({"names": ["a", "b", "a", "a"]}, [("names[2]", "a", 0), ("names[3]", "a", 0)]),
        ({"words": ["a", "a"]}, []),
        # A key that is not given has its default.
        ({"ports": [{"port": 1}, {"port": 1, "protocol": "TCP"}]}, [("ports[1]", "port 1, protocol TCP", 0)]),
        ({"ports": [{"port": 1}, {"port": 1, "protocol": "UDP"}]}, []),
        # The items of an atomic list may be alike; a list inside one of them has keys all the same.
        ({"rules": [{"name": "a"}, {"name": "a"}]}, []),
        (
            {"rules": [{"name": "a"}, {"ports": [{"port": 1}, {"port": 2}, {"port": 2}]}]},
            [("rules[1].ports[2]", "port 2, protocol TCP", 1)],
        ),
    ],
)
def test_repetitions(value: dict[str, Any], found: list[tuple[str, str, int]]) -> None:
    lists = keyed_lists(SCHEMA, _DEFINITIONS)
    assert [(field_text(each.path), each.key, each.first) for each in repetitions(lists, value)] == found


def test_what_holds_no_such_list_is_left_out() -> None:
    lists = keyed_lists(SCHEMA, _DEFINITIONS)
    assert lists.fields.keys() == {"ports", "names", "rules"}
    assert lists.fields["ports"].items is None
    assert not KeyedLists()
