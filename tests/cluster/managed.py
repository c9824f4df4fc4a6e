"""The part of a live object that one field manager owns, by its ``managedFields`` entry.

``fieldsV1`` is a tree whose keys say how to walk: ``f:NAME`` a field, ``k:{…}`` the list item with these keys,
``v:…`` the item of a set, ``.`` the place itself. A place without children is owned as a whole.
"""

from __future__ import annotations

import json
from typing import Any

Object = dict[str, Any]
Fields = dict[str, Any]


def managed_part(live: Object, emitted: Object, manager: str) -> Object:
    """``live`` restricted to the fields that ``manager`` applied as ``emitted``, and without its identity.

    ``apiVersion``, ``kind``, ``metadata.name`` and ``metadata.namespace`` are in no ``managedFields`` entry.
    """
    for entry in live["metadata"].get("managedFields", ()):
        if entry["manager"] == manager and entry["operation"] == "Apply":
            part = _restrict(live, emitted, entry["fieldsV1"])
            assert isinstance(part, dict)
            return part
    return {}


def without_identity(emitted: Object) -> Object:
    """``emitted`` without the fields that :func:`managed_part` leaves out."""
    metadata = {key: value for key, value in emitted["metadata"].items() if key not in ("name", "namespace")}
    rest = {key: value for key, value in emitted.items() if key not in ("apiVersion", "kind", "metadata")}
    return ({"metadata": metadata} if metadata else {}) | rest


def _restrict(live: Any, emitted: Any, fields: Fields) -> Any:
    below = {key: tree for key, tree in fields.items() if key != "."}
    if not below:
        return _without_defaults(live, emitted)
    if isinstance(live, dict):
        # A field that the server dropped is in ``fields`` but not in ``live``, and so shows as a difference.
        owned = {key.removeprefix("f:"): tree for key, tree in below.items()}
        return {name: _restrict(item, emitted.get(name), owned[name]) for name, item in live.items() if name in owned}
    restricted = []
    for item in live:
        key, tree = _owner(item, below)
        if tree is not None:
            restricted.append(_restrict(item, _counterpart(key, emitted), tree))
    return restricted


def _without_defaults(live: Any, emitted: Any) -> Any:
    """``live``, owned as a whole, without the fields that the server added inside (``fieldRef.apiVersion``)."""
    if isinstance(live, dict) and isinstance(emitted, dict):
        return {name: _without_defaults(item, emitted[name]) for name, item in live.items() if name in emitted}
    if isinstance(live, list) and isinstance(emitted, list) and len(live) == len(emitted):
        return [_without_defaults(*pair) for pair in zip(live, emitted, strict=True)]
    return live


def _owner(item: Any, trees: Fields) -> tuple[Any, Fields | None]:
    """The key and the tree of list item ``item``; no tree where the manager does not own it."""
    for text, tree in trees.items():
        kind, _, key_text = text.partition(":")
        key = json.loads(key_text)
        if (kind == "v" and item == key) or (kind == "k" and _has_key(item, key)):
            return key, tree
    return None, None


def _has_key(item: Object, key: Object) -> bool:
    return all(item.get(name) == part for name, part in key.items())


def _counterpart(key: Any, emitted: Any) -> Any:
    """The emitted item with ``key``, in which the server may have completed a part (``protocol``)."""
    if not isinstance(key, dict):
        return key
    return next((item for item in emitted if _has_key(key | item, key)), None)
