"""From the models of a kind to the structural schema of its CustomResourceDefinition.

A structural schema spells everything out: no references, a type at every place, no ``additionalProperties: false``
(the API server drops and, under strict validation, refuses what it does not know anyway).
Sources: https://kubernetes.io/docs/tasks/extend-kubernetes/custom-resources/custom-resource-definitions, reference 06.
"""

from __future__ import annotations

from copy import deepcopy
from typing import Any

from omec.api.crd.cel import CelRule, rules_of
from omec.api.crd.kubernetes import INT_OR_STRING, MAP_TYPE, QUANTITY, embedded
from omec.api.models.base import CHECKS, KEEPS_NULL, LIST_MAP_KEYS, LIST_TYPE
from omec.api.models.kubernetes import TYPE
from omec.api.models.scalars import DURATION_PATTERN
from omec.api.shapes.model import ListOf, MapOf, Shape, Struct

Schema = dict[str, Any]

_REFERENCE = "#/$defs/"
_COPIED = (
    "enum",
    "format",
    "maxItems",
    "maxLength",
    "maxProperties",
    "minItems",
    "minLength",
    "pattern",
    "type",
    LIST_MAP_KEYS,
    "x-kubernetes-preserve-unknown-fields",
)
_INT32, _INT64 = (-(2**31), 2**31 - 1), (-(2**63), 2**63 - 1)

_GO_INTS = frozenset(
    {
        "failedCopies",
        "gpuCount",
        "maxReplicas",
        "maxRequestsPerIteration",
        "maxTimePerIteration",
        "minReplicas",
        "numConcurrency",
        "size",
        "totalCopies",
    }
)
"""64-bit integers that are ``int`` in Go, for which the generator writes no format."""

_TIMES = frozenset({"lastProbeTime"})
"""Times of a spec, which the models hold as plain text."""

_ATOMIC_MAPS = frozenset({"additionalComponents", "nodeSelector"})
_GRANULAR_MAPS = frozenset({"AcceleratorDiscovery", "SelectedAccelerator", "ServingRuntimeSpec"})
"""Types whose ``nodeSelector`` is merged key by key in server-side apply."""


class StructuralSchemas:
    """Converts the JSON Schemas that pydantic makes of the models; ``definitions`` are all of them by name."""

    def __init__(self, definitions: Schema) -> None:
        self._definitions = definitions

    def of(self, model: str, shape: Shape | None) -> Schema:
        """The schema of the model called ``model``; ``shape`` knows defaults of its fields that it does not know."""
        return self._convert({"$ref": f"{_REFERENCE}{model}"}, shape, "")

    def _convert(self, schema: Schema, shape: Shape | None, field: str) -> Schema:
        schema, model = self._resolved(schema)
        if TYPE in schema:
            result = _with_defaults(embedded(schema[TYPE]), shape)
        elif schema.get("type") == ["integer", "string"]:
            result = deepcopy(QUANTITY if "pattern" in schema else INT_OR_STRING)
        elif schema.get("type") == "integer":
            result = _integer(schema, field)
        elif schema.get("type") == "array":
            result = self._list(schema, shape, field)
        elif schema.get("type") == "object":
            result = self._object(schema, shape, model)
        else:
            result = _scalar(schema, field)
        if schema.get("default") is not None:
            result["default"] = schema["default"]
        return result

    def _resolved(self, schema: Schema) -> tuple[Schema, str]:
        """``schema`` without references and without the option of being null, and the name of the model it is of."""
        model = ""
        while "$ref" in schema or "anyOf" in schema:
            if "$ref" in schema:
                model = schema["$ref"].removeprefix(_REFERENCE)
                target = self._definitions[model]
            else:
                (target,) = (option for option in schema["anyOf"] if option != {"type": "null"})
            schema = {**target, **{key: value for key, value in schema.items() if key not in ("$ref", "anyOf")}}
        return schema, model

    def _list(self, schema: Schema, shape: Shape | None, field: str) -> Schema:
        result = _copied(schema)
        result[LIST_TYPE] = schema.get(LIST_TYPE, "atomic")
        result["items"] = self._convert(schema["items"], shape.item if isinstance(shape, ListOf) else None, field)
        return result

    def _object(self, schema: Schema, shape: Shape | None, model: str) -> Schema:
        result = _copied(schema)
        if isinstance(schema.get("additionalProperties"), dict) and "properties" not in schema:
            value_shape = shape.value if isinstance(shape, MapOf) else None
            result["additionalProperties"] = self._convert(schema["additionalProperties"], value_shape, "")
        if "properties" in schema:
            result["properties"] = self._properties(schema, shape, model)
        if "required" in schema:
            result["required"] = sorted(schema["required"])
        for rule in rules_of(model, schema.get(CHECKS, ())):
            _add_rule(result, rule)
        return result

    def _properties(self, schema: Schema, shape: Shape | None, model: str) -> Schema:
        fields = shape.fields if isinstance(shape, Struct) else {}
        properties = {}
        for name, value in sorted(schema["properties"].items()):
            below = fields.get(name)
            converted = self._convert(value, below.shape if below else None, name)
            if name in schema.get(KEEPS_NULL, ()):
                converted["nullable"] = True
            if name in _ATOMIC_MAPS and model not in _GRANULAR_MAPS:
                converted[MAP_TYPE] = "atomic"
            properties[name] = converted
        return properties


def _copied(schema: Schema) -> Schema:
    return {key: deepcopy(schema[key]) for key in _COPIED if key in schema}


def _scalar(schema: Schema, field: str) -> Schema:
    result = _copied(schema)
    if "const" in schema:
        result["enum"] = [schema["const"]]
    if result.get("pattern") == DURATION_PATTERN:
        del result["pattern"]  # any text is stored; OME itself fails on what is no duration
    if field in _TIMES:
        result["format"] = "date-time"
    return result


def _integer(schema: Schema, field: str) -> Schema:
    result: Schema = {"type": "integer"}
    if schema["maximum"] != _INT64[1]:
        result["format"] = "int32"
    elif field not in _GO_INTS:
        result["format"] = "int64"
    for key, bounds in (("minimum", (_INT32[0], _INT64[0])), ("maximum", (_INT32[1], _INT64[1]))):
        if schema[key] not in bounds:
            result[key] = schema[key]
    return result


def _add_rule(schema: Schema, rule: CelRule) -> None:
    target = schema["properties"][rule.field] if rule.field else schema
    target.setdefault("x-kubernetes-validations", []).append(rule.to_dict())


def _with_defaults(schema: Schema, shape: Shape | None) -> Schema:
    """``schema`` of a Kubernetes type with the defaults that its Go type has in a CRD, which ``shape`` lists."""
    if isinstance(shape, Struct):
        for name, field in shape.fields.items():
            if name in schema.get("properties", {}):
                below = _with_defaults(schema["properties"][name], field.shape)
                if field.default is not None:
                    below["default"] = field.default
    elif isinstance(shape, ListOf) and "items" in schema:
        _with_defaults(schema["items"], shape.item)
    elif isinstance(shape, MapOf) and "additionalProperties" in schema:
        _with_defaults(schema["additionalProperties"], shape.value)
    return schema
