"""A JSON Schema of ``omec.toml`` for editors; what it refuses, :mod:`omec.repo.config` refuses, too."""

from __future__ import annotations

from typing import Any

from omec.api.kinds import KINDS
from omec.repo.settings import EMIT, FAIL_ON, OME_VERSIONS, PLATFORMS
from omec.repo.settings_environments import NAME_PATTERN, SHARED_KEYS
from omec.repo.settings_operator import OPERATOR_FIELDS, FieldType, ListOf, MapOf, Shape
from omec.repo.settings_tables import BENCHMARK_KEYS

Schema = dict[str, Any]

_TEXT: Schema = {"type": "string", "pattern": r"\S"}
_TEXTS: Schema = {"type": "array", "items": _TEXT}
_SELECTORS: Schema = {
    "type": "array",
    "items": {"type": "string", "pattern": r"^(ALL|OME\d{0,3}|[a-z0-9]+(-[a-z0-9]+)*)$"},
}
_KEYS_BY_KIND: Schema = {
    "type": "object",
    "properties": dict.fromkeys(["*", *sorted(KINDS)], _TEXTS),
    "additionalProperties": False,
}
_AMOUNTS: dict[str, Schema] = {
    key: {"type": "integer", "minimum": 0} for key in ("max-gpus", "max-replicas", "max-replicas-per-component")
}
_NAMESPACE: Schema = {"type": "string", "pattern": "^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$"}


def _choice(default: str, *choices: str) -> Schema:
    return {"enum": list(choices), "default": default}


def _table(properties: dict[str, Schema], *required: str) -> Schema:
    table: Schema = {"type": "object", "properties": properties, "additionalProperties": False}
    return table | ({"required": list(required)} if required else {})


def _operator(shape: Shape) -> Schema:
    """A value of ConfigMap ``inferenceservice-config`` of the type that OME knows."""
    if isinstance(shape, FieldType):
        return dict(shape.schema)
    if isinstance(shape, ListOf):
        return {"type": "array", "items": _operator(shape.item)}
    if isinstance(shape, MapOf):
        return {"type": "object", "additionalProperties": _operator(shape.item)}
    return _table({name: _operator(below) for name, below in shape.items()})


def _operator_keys() -> Schema:
    """As :func:`_operator`; the value of a key may also be the JSON text that the ConfigMap holds."""
    shapes = {**{key: _operator(shape) for key, shape in OPERATOR_FIELDS.items()}, "acceleratorResources": _TEXTS}
    return _table({key: {"anyOf": [schema, {"type": "string"}]} for key, schema in shapes.items()})


_KEYS: dict[str, tuple[str, Schema]] = {
    "source": (
        "The files and folders that `lint` and `compile` read when none is named.",
        {"anyOf": [_TEXT, {**_TEXTS, "minItems": 1}]},
    ),
    "kustomize": ("A kustomize overlay, whose build is read in place of any path that contains it.", _TEXT),
    "output": ("The folder that `compile` writes to when `-o` is not given.", _TEXT),
    "emit": (
        "What `compile` writes beside the objects: nothing, or a `kustomization.yaml` that lists them.",
        _choice(EMIT[0], *EMIT),
    ),
    "required-version": ("The versions of omec that may be used, such as `>=0.1,<0.2`, or one exact version.", _TEXT),
    "ome-version": ("The OME release to follow.", _choice(OME_VERSIONS[0], *OME_VERSIONS)),
    "platform": ("Whether OME's manager runs in the cluster.", _choice(PLATFORMS[0], *PLATFORMS)),
    "kubernetes-version": ("The version whose schemas rendered objects must satisfy, such as `1.35`.", _TEXT),
    "default-namespace": ("The namespace of namespaced objects that name none.", _NAMESPACE),
    "exclude": ("Files to leave out, as patterns of `.gitignore`.", _TEXTS),
    "sources": (
        "Catalogs of runtimes and models that live elsewhere.",
        {"type": "array", "items": _table({"path": {"description": "Folder or file.", **_TEXT}}, "path")},
    ),
    "external-runtimes": ("Runtimes that are known to exist in the cluster.", _TEXTS),
    "metadata": ("Whether rendered objects carry omec's own label.", {"type": "boolean", "default": True}),
    "provenance": (
        "Whether `compile` also writes an index of where each field comes from.",
        {"type": "boolean", "default": False},
    ),
    "capabilities": (
        "The optional APIs of the cluster, by CustomResourceDefinition (`scaledobjects.keda.sh`) or group.",
        _TEXTS,
    ),
    "model-config": (
        "Whether the ConfigMap that OME writes about each served model is rendered.",
        {"type": "boolean", "default": False},
    ),
    "fail-on": ("The lowest severity that makes a command exit with 1.", _choice(FAIL_ON[0], *FAIL_ON)),
    "include": ("Further kinds to copy to the output, by plural name.", _TEXTS),
    "allow-unpinned": (
        "Whether a service that pins a revision is rendered from the live runtime instead of being refused.",
        {"type": "boolean", "default": False},
    ),
    "operator": (
        "The settings of OME's operator, under the keys of its ConfigMap `inferenceservice-config`.",
        _operator_keys(),
    ),
    "nodes": (
        "The nodes of the cluster, in groups that are alike.",
        {
            "type": "array",
            "items": _table(
                {
                    "name": _TEXT,
                    "count": {"type": "integer", "minimum": 1, "default": 1},
                    "labels": {"type": "object", "additionalProperties": {"type": "string"}},
                    "capacity": {"type": "object", "additionalProperties": {"type": ["string", "number"]}},
                },
                "name",
            ),
        },
    ),
    "schema-dir": ("A folder of CustomResourceDefinitions or JSON Schemas that custom resources must satisfy.", _TEXT),
    "quota": (
        "The settings of OME's quota manager, and which quotas exist in the cluster only.",
        _table(
            {
                "max-depth": {"description": "The deepest tree; 0 is no limit.", "type": "integer", "minimum": 0},
                "enrolled-namespaces": {"anyOf": [_TEXTS, {"type": "string"}]},
                "cover-resources": {"type": ["object", "string"]},
                "default-distribution-policy": {"enum": ["Explicit", "Proportional"]},
                "known-quotas": _TEXTS,
                "accelerator-resources": _TEXTS,
            }
        ),
    ),
    "benchmark": (
        "The image and resources of benchmark pods, as in OME's ConfigMap `benchmarkjob-config`.",
        _table(dict.fromkeys(BENCHMARK_KEYS, _TEXT)),
    ),
    "lint": (
        "Which rules report, and how severe they are.",
        _table(
            {
                "select": {"description": "The rules that report: codes, beginnings of codes, names.", **_SELECTORS},
                "extend-select": {"description": "Rules that report beside those of `select`.", **_SELECTORS},
                "ignore": {"description": "Rules that do not report.", **_SELECTORS},
                "severity": {
                    "description": "Other severities of single rules.",
                    "type": "object",
                    "patternProperties": {
                        r"^(OME\d{3}|[a-z0-9]+(-[a-z0-9]+)*)$": {"enum": ["error", "warning", "info"]}
                    },
                    "additionalProperties": False,
                },
                "per-file-ignores": {
                    "description": "Rules that do not report in files that match a glob.",
                    "type": "object",
                    "additionalProperties": _SELECTORS,
                },
                "preview": {"description": "Whether rules in preview report.", "type": "boolean", "default": False},
                "skip-kinds": {"description": "Kinds of objects about which nothing is reported.", **_TEXTS},
                "baseline": {"description": "A file of findings that are accepted.", **_TEXT},
                "gpu-taints": {"description": "Keys of the taints of GPU nodes.", **_TEXTS},
            }
        ),
    ),
    "policy": (
        "What the team allows in its manifests.",
        _table(
            {
                "allowed-registries": {"description": "Registries, or folders of them, of images.", **_TEXTS},
                "require-digest": {"description": "Whether images must be pinned by digest.", "type": "boolean"},
                "required-labels": {"description": "Labels by kind; `*` is every kind.", **_KEYS_BY_KIND},
                "required-annotations": {"description": "Annotations by kind; `*` is every kind.", **_KEYS_BY_KIND},
                "allowed-accelerator-classes": {"description": "Names or globs of accelerator classes.", **_TEXTS},
                "gated-models": {"description": "Globs of Hugging Face models that need a token.", **_TEXTS},
                "forbidden-fields": {
                    "description": "Fields that manifests must not set.",
                    "type": "array",
                    "items": _table(
                        {
                            "path": {"type": "string", "pattern": r"^[^.\[\]]+(\.[^.\[\]]+|\[[^\[\]]+\])*$"},
                            "kinds": {"type": "array", "items": {"enum": sorted(KINDS)}},
                            "values": {"type": "array", "minItems": 1},
                            "reason": _TEXT,
                        },
                        "path",
                    ),
                },
                "limits": {
                    "description": "The most that a namespace may have.",
                    "type": "array",
                    "items": {
                        **_table({"namespaces": _TEXTS, **_AMOUNTS}),
                        "anyOf": [{"required": [key]} for key in _AMOUNTS],
                    },
                },
            }
        ),
    ),
    "cache": (
        "Whether `lint` may answer from what an earlier run has found.",
        {"type": "boolean", "default": True},
    ),
}


def config_schema() -> Schema:
    """The schema of ``omec.toml``, and of ``[tool.omec]`` in a ``pyproject.toml``."""
    return {
        "$schema": "http://json-schema.org/draft-07/schema#",
        "title": "omec.toml",
        "description": "Configuration of omec.",
        **_table({**_described(_KEYS), "environments": _environments()}),
    }


def _described(keys: dict[str, tuple[str, Schema]]) -> dict[str, Schema]:
    return {key: {"description": text, **schema} for key, (text, schema) in keys.items()}


def _environments() -> Schema:
    own = _described({key: described for key, described in _KEYS.items() if key not in SHARED_KEYS})
    without_defaults = {
        key: {name: part for name, part in schema.items() if name != "default"} for key, schema in own.items()
    }
    return {
        "description": "Settings of single clusters, over those at the top; each has a folder of the output.",
        "type": "object",
        "minProperties": 1,
        "patternProperties": {f"^{NAME_PATTERN}$": _table(without_defaults)},
        "additionalProperties": False,
    }
