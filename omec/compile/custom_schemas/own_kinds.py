"""Objects of ome.io by omec's own schemas, which are closed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from omec.api import schema
from omec.api.conditions import DuplicateItem, FailedCheck, violations
from omec.api.kinds import API_VERSION, KINDS
from omec.compile.custom_schemas.wording import repeated, worded
from omec.compile.validate import SchemaError
from omec.finding import FieldPath, field_text


def is_own_kind(obj: Mapping[str, Any]) -> bool:
    """Whether ``obj`` is of a kind of ome.io."""
    return obj.get("apiVersion") == API_VERSION and obj.get("kind") in KINDS


def own_errors(obj: dict[str, Any]) -> Iterator[SchemaError]:
    """What the schema of ``obj``, an object of ome.io, refuses, its conditions and keyed lists included."""
    kind = obj["kind"]
    body = schema.without_nulls(schema.root(kind), obj)
    validator = schema.validator(kind)
    if not validator.is_valid(body):
        for error in validator.iter_errors(body):
            path = tuple(error.instance_path)
            yield from worded(schema.at(kind, path), str(error.schema_path[-1]), error.instance, path)
        return
    for violation in violations(kind, body):
        match violation:
            case FailedCheck(path, check):
                message = f"{field_text(path)}: {check.message}" if path else check.message
                yield SchemaError(path, message, "x-kubernetes-validations")
            case DuplicateItem(path, first, second, keys):
                item = _at(body, (*path, second))
                named = ", ".join(f"{key} {item[key]}" for key in keys if key in item)
                yield repeated((*path, second), named, first)


def _at(value: Any, path: FieldPath) -> Any:
    for step in path:
        value = value[step]
    return value
