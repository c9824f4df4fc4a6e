"""The Kubernetes types inside of ome.io kinds, as schemas of a CustomResourceDefinition.

They come from the definitions that omec carries to check rendered objects. Every reference is replaced by what it
refers to, because a CRD knows no references.
"""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

from omec.api.models.base import LIST_MAP_KEYS, LIST_TYPE
from omec.api.models.kubernetes import KUBERNETES_VERSION
from omec.api.models.scalars import QUANTITY_PATTERN

Schema = dict[str, Any]

MAP_TYPE = "x-kubernetes-map-type"

_FILE = Path(__file__).resolve().parents[2] / "data" / "kubernetes" / f"{KUBERNETES_VERSION}.json"
_CORE = "io.k8s.api.core.v1."
_KEPT = ("enum", "required", "type", LIST_MAP_KEYS, LIST_TYPE)
_INTEGER_FORMATS = {2**31 - 1: "int32", 2**63 - 1: "int64"}

INT_OR_STRING: Schema = {"anyOf": [{"type": "integer"}, {"type": "string"}], "x-kubernetes-int-or-string": True}
QUANTITY: Schema = {**INT_OR_STRING, "pattern": QUANTITY_PATTERN}

_SPECIAL: dict[str, Schema] = {
    "io.k8s.apimachinery.pkg.api.resource.Quantity": QUANTITY,
    "io.k8s.apimachinery.pkg.util.intstr.IntOrString": INT_OR_STRING,
    # The generator of CRDs leaves metadata of embedded objects untyped; the API server then drops what is in it.
    "io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta": {"type": "object"},
    # No kind that omec renders has one, so the definitions do not include it.
    f"{_CORE}SecretReference": {
        "properties": {"name": {"type": "string"}, "namespace": {"type": "string"}},
        "type": "object",
        MAP_TYPE: "atomic",
    },
}
_ATOMIC = {
    "io.k8s.apimachinery.pkg.apis.meta.v1.LabelSelector",
    *(
        f"{_CORE}{name}"
        for name in (
            "ConfigMapKeySelector",
            "FileKeySelector",
            "LocalObjectReference",
            "NodeSelector",
            "NodeSelectorTerm",
            "ObjectFieldSelector",
            "ResourceFieldSelector",
            "SecretKeySelector",
            "TypedLocalObjectReference",
            # These embed LocalObjectReference, whose mark the generator of CRDs passes on.
            "ConfigMapEnvSource",
            "ConfigMapProjection",
            "ConfigMapVolumeSource",
            "SecretEnvSource",
            "SecretProjection",
        )
    ),
}
"""Types that server-side apply replaces as a whole."""

_ATOMIC_FIELDS = {(f"{_CORE}PodSpec", "nodeSelector")}
_KEPT_METADATA: Schema = {"additionalProperties": {"type": "string"}, "type": "object"}


def embedded(facts: Schema) -> Schema:
    """The schema of a Kubernetes type with OME's edits, as :class:`~omec.api.models.kubernetes.KubernetesType` names
    both. It shares nothing with other schemas.
    """
    schema = _expanded(facts["name"])
    for path in facts.get("relaxed", ()):
        _at(schema, path).pop("required", None)
    for *path, name in facts.get("dropped", ()):
        del _at(schema, path)["properties"][name]
    for path, names in facts.get("kept", ()):
        _at(schema, path)["properties"] = {name: _copy(_KEPT_METADATA) for name in names}
    return schema


def _at(schema: Schema, path: list[str]) -> Schema:
    for step in path:
        schema = schema["items"] if step == "*" else schema["properties"][step]
    return schema


@cache
def _definitions() -> Schema:
    loaded: Schema = json.loads(_FILE.read_text(encoding="utf-8"))["$defs"]
    return loaded


def _expanded(name: str) -> Schema:
    if name in _SPECIAL:
        special: Schema = _copy(_SPECIAL[name])
        return special
    schema = _converted(_definitions()[name])
    if name in _ATOMIC:
        schema[MAP_TYPE] = "atomic"
    for type_name, field in _ATOMIC_FIELDS:
        if type_name == name:
            schema["properties"][field][MAP_TYPE] = "atomic"
    return schema


def _converted(schema: Schema) -> Schema:
    if "$ref" in schema:
        return _expanded(schema["$ref"].rpartition("/")[2])
    result = {key: _copy(schema[key]) for key in _KEPT if key in schema}
    if schema.get("type") == "array":
        result.setdefault(LIST_TYPE, "atomic")
    if schema.get("maximum") in _INTEGER_FORMATS:
        result["format"] = _INTEGER_FORMATS[schema["maximum"]]
    if "properties" in schema:
        result["properties"] = {name: _converted(field) for name, field in schema["properties"].items()}
    for key in ("items", "additionalProperties"):
        if isinstance(schema.get(key), dict):
            result[key] = _converted(schema[key])
    return result


def _copy(value: Any) -> Any:
    """``value`` without any part that is there twice, as :func:`copy.deepcopy` would leave it."""
    if isinstance(value, dict):
        return {key: _copy(item) for key, item in value.items()}
    return [_copy(item) for item in value] if isinstance(value, list) else value
