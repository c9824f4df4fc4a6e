"""Rules on volumes whose files come from other objects: ConfigMaps, Secrets, the pod itself, tokens."""

from __future__ import annotations

from typing import Any

from omec.compile.admission.fielderror import Object, Refusals, forbidden, invalid, not_empty, required
from omec.compile.admission.references import FILE_FIELDS, field_reference, resource_reference
from omec.finding import FieldPath

_SOURCES = ("configMap", "downwardAPI", "projected", "secret")
_LARGEST_MODE = 0o777
_SHORTEST_TOKEN, _LONGEST_TOKEN = 600, 2**32


def files(kind: str, source: Object, path: FieldPath) -> Refusals:
    """A volume's ``source`` of the ``kind`` ``configMap``, ``downwardAPI``, ``projected`` or ``secret``."""
    yield from _mode(source, path, "defaultMode")
    if kind == "projected":
        yield from _projected(source.get("sources", ()), path)
    else:
        yield from _items(kind, source, path)


def _items(kind: str, source: Object, path: FieldPath) -> Refusals:
    check = _pod_file if kind == "downwardAPI" else _key
    for index, item in enumerate(source.get("items", ())):
        at = (*path, "items", index)
        yield from check(item, at)
        yield from not_empty(item, at, ("path",))
        yield from _file_path(item["path"], (*at, "path"))
        yield from _mode(item, at, "mode")


def _key(item: Object, path: FieldPath) -> Refusals:
    yield from not_empty(item, path, ("key",))


def _pod_file(item: Object, path: FieldPath) -> Refusals:
    field, resource = item.get("fieldRef"), item.get("resourceFieldRef")
    if field is not None and resource is not None:
        yield invalid(path, "resource", "fieldRef and resourceFieldRef can not be specified simultaneously")
    elif field is not None:
        yield from field_reference(field, (*path, "fieldRef"), FILE_FIELDS)
    elif resource is not None:
        yield from not_empty(resource, (*path, "resourceFieldRef"), ("containerName",))
        yield from resource_reference(resource, (*path, "resourceFieldRef"))
    else:
        yield required(path, "one of fieldRef and resourceFieldRef is required")


def _projected(sources: Any, path: FieldPath) -> Refusals:
    taken: set[str] = set()
    for index, source in enumerate(sources):
        at = (*path, "sources", index)
        if len(source) > 1:
            yield forbidden(at, "may not specify more than 1 volume type per source")
        for kind, value in source.items():
            if kind in ("configMap", "secret"):
                yield from not_empty(value, (*at, kind), ("name",))
            if kind in _SOURCES:
                yield from _items(kind, value, (*at, kind))
            elif kind == "serviceAccountToken":
                yield from _token(value, (*at, kind))
            for file, place in _paths(kind, value, (*at, kind)):
                if file in taken:
                    yield invalid(place, file, "conflicting duplicate paths")
                taken.add(file)


def _paths(kind: str, source: Object, path: FieldPath) -> list[tuple[str, FieldPath]]:
    """The files that one source of a projection makes, and where that is said."""
    if kind not in _SOURCES:
        return [(source["path"], (*path, "path"))] if source.get("path") else []
    items = enumerate(source.get("items", ()))
    return [(item["path"], (*path, "items", index, "path")) for index, item in items if item["path"]]


def _token(token: Object, path: FieldPath) -> Refusals:
    yield from not_empty(token, path, ("path",))
    yield from _file_path(token["path"], (*path, "path"))
    seconds, at = token.get("expirationSeconds", _SHORTEST_TOKEN), (*path, "expirationSeconds")
    if seconds < _SHORTEST_TOKEN:
        yield invalid(at, seconds, "may not specify a duration less than 10 minutes")
    elif seconds > _LONGEST_TOKEN:
        yield invalid(at, seconds, "may not specify a duration larger than 2^32 seconds")


def _file_path(text: str, path: FieldPath) -> Refusals:
    """A file inside the volume, whose own files start with two dots."""
    if text.startswith("/"):
        yield invalid(path, text, "must be a relative path")
    if ".." in text.split("/"):
        yield invalid(path, text, "must not contain '..'")
    if text.startswith(".."):
        yield invalid(path, text, "must not start with '..'")


def _mode(owner: Object, path: FieldPath, name: str) -> Refusals:
    if not 0 <= owner.get(name, 0) <= _LARGEST_MODE:
        yield invalid((*path, name), owner[name], "must be a number between 0 and 0777 (octal), both inclusive")
