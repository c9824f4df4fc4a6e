"""What a failed JSON Schema keyword means, in words for the person who wrote the manifest.

The messages are made from the schema and the object alone, so that any JSON Schema implementation which reports a path
and a keyword gives the same ones.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from omec.finding import FieldPath, field_text

Schema = Mapping[str, Any]

_TYPES = {
    "array": "a list",
    "boolean": "true or false",
    "integer": "an integer",
    "number": "a number",
    "object": "a map",
    "string": "a string",
}
_SHOWN_LENGTH = 60


def schema_at(root: Schema, path: FieldPath) -> Schema | bool:
    """The part of ``root`` that the value at ``path`` has to satisfy, references followed."""
    schema: Schema | bool = _follow(root, root)
    for step in path:
        if isinstance(schema, bool):
            break
        if isinstance(step, int):
            schema = schema["items"]
        else:
            schema = schema.get("properties", {}).get(step, schema.get("additionalProperties", True))
        schema = _follow(root, schema)
    return schema


def _follow(root: Schema, schema: Schema | bool) -> Schema | bool:
    if isinstance(schema, Mapping) and "$ref" in schema:
        definition: Schema = root["$defs"][schema["$ref"].rpartition("/")[2]]
        return definition
    return schema


def messages(schema: Schema | bool, keyword: str, value: Any, path: FieldPath) -> Iterator[tuple[FieldPath, str]]:
    """Place and text of each fault that ``keyword`` of ``schema`` finds in ``value``, which stands at ``path``."""
    if isinstance(schema, bool):
        yield path, f"{field_text(path)} is written by the cluster, never by a manifest"
        return
    match keyword:
        case "additionalProperties":
            known = schema.get("properties", {})
            for name in value:
                if name not in known:
                    yield (*path, name), _unknown_field((*path, name), name, known)
        case "required":
            for name in schema["required"]:
                if name not in value:
                    yield path, f"missing field {field_text((*path, name))}"
        case "type":
            yield path, f"{field_text(path)} must be {_expected(schema['type'])}, not {_shown(value)}"
        case "pattern":
            yield path, f"{field_text(path)} must be a quantity such as 500m, 8 or 16Gi, not {_shown(value)}"
        case "minimum" | "maximum":
            bounds = f"between {schema['minimum']} and {schema['maximum']}"
            yield path, f"{field_text(path)} must be {bounds}, not {_shown(value)}"
        case _:
            yield path, f"{field_text(path)} breaks the rule {keyword} of the Kubernetes schema"


def _unknown_field(path: FieldPath, name: str, known: Mapping[str, Any]) -> str:
    from difflib import get_close_matches  # noqa: PLC0415

    by_lower_case = {field.lower(): field for field in known}
    nearest = get_close_matches(name.lower(), by_lower_case, n=1, cutoff=0.7)
    hint = f", did you mean {by_lower_case[nearest[0]]}?" if nearest else ""
    return f"unknown field {field_text(path)}{hint}"


def _expected(types: str | list[str]) -> str:
    return " or ".join(_TYPES[name] for name in ([types] if isinstance(types, str) else types))


def _shown(value: Any) -> str:
    match value:
        case None:
            return "null"
        case dict():
            return "a map"
        case list():
            return "a list"
    text = json.dumps(value, ensure_ascii=False)
    shown = text if len(text) <= _SHOWN_LENGTH else f"{text[:_SHOWN_LENGTH]}…"
    return f"the string {shown}" if isinstance(value, str) else shown
