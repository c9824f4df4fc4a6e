"""What a failed keyword of a custom resource's schema means, in words.

What Kubernetes' own schemas use, too, is worded by :mod:`omec.compile.schema_messages`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from omec.api.redact import quoted
from omec.compile.schema_messages import messages
from omec.compile.validate import SchemaError
from omec.finding import FieldPath, field_text

Schema = Mapping[str, Any]

_SHARED = ("additionalProperties", "falseSchema", "required", "type")
_SIZES = {
    "maxItems": "at most {} items",
    "maxLength": "at most {} characters",
    "maxProperties": "at most {} entries",
    "minItems": "at least {} items",
    "minLength": "at least {} characters",
    "minProperties": "at least {} entries",
}
_BOUNDS = {
    "exclusiveMaximum": "less than {}",
    "exclusiveMinimum": "more than {}",
    "maximum": "at most {}",
    "minimum": "at least {}",
    "multipleOf": "a multiple of {}",
}
_QUANTITY_BEGINS = r"^(\+|-)?(([0-9]+"


def worded(schema: Schema | bool, keyword: str, value: Any, path: FieldPath) -> Iterator[SchemaError]:
    """The errors that ``keyword`` of ``schema`` finds in ``value``, which stands at ``path``."""
    for place, message in _faults(schema, keyword, value, path):
        yield SchemaError(place, message, keyword)


def repeated(path: FieldPath, key: str, first: int) -> SchemaError:
    """The error that the item at ``path`` has the ``key`` of the item at index ``first`` of the same list."""
    earlier = field_text((*path[:-1], first))
    return SchemaError(path, f"{field_text(path)} repeats {key} of {earlier}", "x-kubernetes-list-map-keys")


def _faults(schema: Schema | bool, keyword: str, value: Any, path: FieldPath) -> Iterator[tuple[FieldPath, str]]:
    if isinstance(schema, bool) or keyword in _SHARED:
        yield from messages(schema, keyword, value, path)
        return
    name = field_text(path) or "the object"
    limit = schema.get(keyword)
    if keyword in _SIZES:
        yield path, f"{name} must have {_SIZES[keyword].format(limit)}, not {len(value)}"
    elif keyword in _BOUNDS:
        yield path, f"{name} must be {_BOUNDS[keyword].format(limit)}, not {_shown(value, path)}"
    elif keyword in ("enum", "const"):
        choices = _alternatives(schema["enum"] if keyword == "enum" else [limit])
        yield path, f"{name} must be {choices}, not {_shown(value, path)}"
    elif keyword == "pattern":
        wanted = "a quantity such as 500m, 8 or 16Gi" if str(limit).startswith(_QUANTITY_BEGINS) else f"like {limit}"
        yield path, f"{name} must be {wanted}, not {_shown(value, path)}"
    else:
        yield path, _combination(schema, keyword, name)


def _combination(schema: Schema, keyword: str, name: str) -> str:
    """Schemas that say which fields go together are put into words, other combinations are only named."""
    fields = _required_fields(schema.get(keyword))
    if fields and keyword in ("anyOf", "oneOf"):
        return f"{name} must have {'one' if keyword == 'oneOf' else 'at least one'} of {', '.join(fields)}"
    if fields and keyword == "not":
        return f"{name} must not have {' and '.join(fields)}" + (" together" if len(fields) > 1 else "")
    return f"{name} breaks the rule {keyword} of the schema of its kind"


def _required_fields(parts: Any) -> list[str]:
    """The fields that every part of a combination does nothing but require; empty where a part says more."""
    parts = parts if isinstance(parts, list) else [parts]
    found = []
    for part in parts:
        if not isinstance(part, Mapping) or part.keys() != {"required"}:
            return []
        found.append(part["required"])
    return [name for names in found for name in names] if len(parts) == 1 else [" and ".join(names) for names in found]


def _alternatives(choices: list[Any]) -> str:
    words = [choice if isinstance(choice, str) and choice else quoted(choice) for choice in choices]
    return words[0] if len(words) == 1 else f"one of {', '.join(words)}"


def _shown(value: Any, path: FieldPath) -> str:
    if isinstance(value, dict | list):
        return "a map" if isinstance(value, dict) else "a list"
    return quoted(value, path[-1] if path else None)
