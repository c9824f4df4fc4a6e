"""Flatten OpenAPI schemas of CRDs and omec's own schemas to the same facts, so that they can be compared."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import yaml

from omec.api import schema

Facts = dict[str, dict[str, Any]]

_COMPARED = (
    "enum",
    "pattern",
    "minimum",
    "maximum",
    "minLength",
    "maxLength",
    "minItems",
    "maxItems",
    "maxProperties",
    "default",
)
_GO_BOUNDS = {sign * 2**bits + offset for bits in (31, 63) for sign, offset in ((-1, 0), (1, -1))}


@cache
def crd_facts(file: Path) -> Facts:
    """The facts of a CustomResourceDefinition's only version."""
    definition = yaml.load(file.read_text(), yaml.CSafeLoader)
    (version,) = definition["spec"]["versions"]
    return dict(_flatten(version["schema"]["openAPIV3Schema"]["properties"]["spec"], "spec"))


@cache
def own_facts(kind: str) -> Facts:
    """The facts of omec's schema of a kind."""
    return dict(_flatten(schema.root(kind)["properties"]["spec"], "spec"))


def _flatten(node: dict[str, Any], path: str) -> Iterator[tuple[str, dict[str, Any]]]:
    node = {**schema.resolved(node), **{k: v for k, v in node.items() if k != "$ref"}}
    for part in node.get("allOf", ()):
        node = {**node, **part}
    facts = {key: node[key] for key in _COMPARED if key in node and not _is_go_bound(key, node[key])}
    facts["type"] = "int-or-string" if _is_int_or_string(node) else node.get("type")
    facts["required"] = sorted(node.get("required", ()))
    facts["open"] = bool(node.get("x-kubernetes-preserve-unknown-fields"))
    facts["keys"] = node.get("x-kubernetes-list-map-keys")
    facts["set"] = node.get("uniqueItems", node.get("x-kubernetes-list-type") == "set")
    yield path, facts
    for name, child in node.get("properties", {}).items():
        yield from _flatten(child, f"{path}.{name}")
    if isinstance(node.get("items"), dict):
        yield from _flatten(node["items"], f"{path}[]")
    if isinstance(node.get("additionalProperties"), dict):
        yield from _flatten(node["additionalProperties"], f"{path}{{}}")


def _is_int_or_string(node: dict[str, Any]) -> bool:
    return bool(node.get("x-kubernetes-int-or-string")) or node.get("type") == ["integer", "string"]


def _is_go_bound(key: str, value: Any) -> bool:
    return key in ("minimum", "maximum") and value in _GO_BOUNDS
