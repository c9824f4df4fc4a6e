"""CustomResourceDefinitions, and the schemas that they give the versions of their kind."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import msgspec

Schema = dict[str, Any]

_API_VERSION = "apiextensions.k8s.io/v1"


class Definition(msgspec.Struct, frozen=True):
    """One kind of custom resource; ``schemas`` are the structural schemas of its served versions."""

    group: str
    kind: str
    schemas: Mapping[str, Schema] = msgspec.field(default_factory=dict)


def definitions(objects: Iterable[Any]) -> Iterator[Definition]:
    """The definitions among ``objects``, whatever else these are; those without a schema are none."""
    for obj in objects:
        if isinstance(obj, dict) and obj.get("apiVersion") == _API_VERSION:
            spec = _mapping(obj.get("spec"))
            group, kind = spec.get("group"), _mapping(spec.get("names")).get("kind")
            schemas = dict(_schemas(spec))
            if isinstance(group, str) and isinstance(kind, str) and schemas:
                yield Definition(group, kind, schemas)


def _schemas(spec: Mapping[str, Any]) -> Iterator[tuple[str, Schema]]:
    versions = spec.get("versions")
    for version in versions if isinstance(versions, list) else ():
        entry = _mapping(version)
        schema = _mapping(entry.get("schema")).get("openAPIV3Schema")
        if isinstance(schema, dict) and isinstance(entry.get("name"), str) and entry.get("served") is not False:
            yield entry["name"], schema


def _mapping(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, Mapping) else {}
