"""JSON Schemas of ome.io kinds for editors and CI tools, in draft-07, which these understand best.

They are the schemas that the linter validates with (:mod:`omec.api.schema`) in another form: with descriptions, with
the conditions of OME's CRDs where JSON Schema can say them, and with ``null`` wherever the API server takes it for an
absent field. What JSON Schema cannot say at all (items of a list with the same name, most comparisons of two fields),
``omec lint`` says.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

from omec.api import schema as document
from omec.api.editor.texts import texts_of
from omec.api.editor.violations import forbidden
from omec.api.kinds import API_VERSION, GROUP, KINDS

Schema = dict[str, Any]

DRAFT = "http://json-schema.org/draft-07/schema#"

_DEFS = "#/$defs/"
_DEFINITIONS = "#/definitions/"
_COPIED = (
    "const",
    "default",
    "enum",
    "maxItems",
    "maxLength",
    "maxProperties",
    "maximum",
    "minItems",
    "minLength",
    "minimum",
    "pattern",
    "required",
    "uniqueItems",
)


def file_name(kind: str) -> str:
    """Where the schema of ``kind`` lies in a folder of schemas, as kubeconform and the CRD catalogs name it."""
    return f"{GROUP}/{kind.lower()}_{API_VERSION.rpartition('/')[2]}.json"


def editor_schema(kind: str) -> Schema:
    """The schema of ``kind``, complete in itself; raises ``KeyError`` for a kind that is not of ome.io."""
    names = _reachable([kind])
    names.remove(kind)
    return {
        "$schema": DRAFT,
        "title": kind,
        **_definition(kind),
        "type": "object",
        "definitions": {name: _definition(name) for name in sorted(names)},
    }


def schema_of_all_kinds() -> Schema:
    """The schema that judges an object of ome.io by its kind, and lets every other object pass.

    For folders that hold other objects, too.
    """
    is_ome = {"properties": {"apiVersion": {"type": "string", "pattern": f"^{re.escape(GROUP)}/"}}}
    kinds: Schema = {
        "properties": {"apiVersion": {"const": API_VERSION}, "kind": {"enum": list(KINDS)}},
        "required": ["kind", "metadata"],
        "allOf": [
            {
                "if": {"properties": {"kind": {"const": kind}}, "required": ["kind"]},
                "then": {"$ref": f"{_DEFINITIONS}{kind}"},
            }
            for kind in KINDS
        ],
    }
    return {
        "$schema": DRAFT,
        "title": f"{API_VERSION}",
        "description": "Any object of ome.io; objects of other groups are not judged.",
        "if": {**is_ome, "required": ["apiVersion"]},
        "then": kinds,
        "definitions": {name: _definition(name) for name in sorted(_reachable(KINDS))},
    }


def _reachable(kinds: Iterable[str]) -> set[str]:
    """The types of objects that ``kinds`` are made of; scalars stand where they are used."""
    found: set[str] = set()
    pending = list(kinds)
    while pending:
        name = pending.pop()
        if name not in found:
            found.add(name)
            definition = document.root(name)
            pending += (target for target in _references(definition) if not _is_scalar(target))
    return found


def _references(schema: Any) -> Iterable[str]:
    if isinstance(schema, list):
        for item in schema:
            yield from _references(item)
    elif isinstance(schema, dict):
        if "$ref" in schema:
            yield schema["$ref"].removeprefix(_DEFS)
        for value in schema.values():
            yield from _references(value)


def _is_scalar(name: str) -> bool:
    return bool(document.root(name).get("type") != "object")


def _definition(name: str) -> Schema:
    """A type of objects. It admits ``null``, so that an optional field can refer to it; see :func:`_value`."""
    source = document.root(name)
    texts = texts_of(name)
    result: Schema = {"description": texts.type} if texts.type else {}
    result |= _object(source, texts.field)
    result["type"] = ["object", "null"]
    rules = [rule for check in source.get("x-omec-checks", ()) if (rule := forbidden(check)) is not None]
    return result | ({"allOf": rules} if rules else {})


def _object(source: Schema, describe: Any) -> Schema:
    result = _copied(source)
    required = source.get("required", ())
    for key, field in source.get("properties", {}).items():
        optional = key not in required and key not in source.get("x-omec-keeps-null", ())
        value = _value(field, nullable=optional)
        text = describe(key) + (f"\n\nSince OME {field['x-omec-since']}." if "x-omec-since" in field else "")
        result.setdefault("properties", {})[key] = ({"description": text} if text else {}) | value
    others = source.get("additionalProperties")
    if isinstance(others, dict):
        result["additionalProperties"] = _value(others, nullable=True)
    elif others is False:
        result["additionalProperties"] = False
    return result


def _value(source: Schema, *, nullable: bool) -> Schema:
    """What stands in a field or a list; ``nullable`` where a null is as good as nothing."""
    if "$ref" in source:
        name = source["$ref"].removeprefix(_DEFS)
        if not _is_scalar(name):
            reference: Schema = {"$ref": f"{_DEFINITIONS}{name}"}
            return reference if nullable else {"type": "object", "allOf": [reference]}
        source = {**document.root(name), **{k: v for k, v in source.items() if k != "$ref"}}
    result = _object(source, lambda _: "") if source.get("type") == "object" else _copied(source)
    if "items" in source:
        result["items"] = _value(source["items"], nullable=False)
    if "type" in source:
        result["type"] = _with_null(source["type"]) if nullable else source["type"]
    if nullable and "enum" in result:
        result["enum"] = [*result["enum"], None]
    return result


def _with_null(types: str | list[str]) -> list[str]:
    return [*([types] if isinstance(types, str) else types), "null"]


def _copied(source: Schema) -> Schema:
    return {key: source[key] for key in _COPIED if key in source}
