"""Turn the errors of the schema validator into findings that say where, what and how to fix."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, cast

from omec.api import schema, suggestions
from omec.api.former_fields import former_field
from omec.api.redact import quoted, redact
from omec.api.rules import (
    BAD_PATTERN,
    DROPPED_FIELD,
    DUPLICATE_ITEM,
    MISSING_FIELD,
    OUT_OF_RANGE,
    UNKNOWN_FIELD,
    UNSUPPORTED_VALUE,
    WRONG_TYPE,
)
from omec.api.source import Subject
from omec.finding import FieldPath, Finding, Related, field_text

if TYPE_CHECKING:
    from jsonschema_rs import ValidationError

_TYPE_NAMES = {
    "array": "a list",
    "boolean": "true or false",
    "integer": "an integer",
    "null": "null",
    "number": "a number",
    "object": "a map",
    "string": "text",
}
_INT32 = (-(2**31), 2**31 - 1)
_INT64 = (-(2**63), 2**63 - 1)

_DURATION = "^[+-]?(0|(("

_PATTERN_TEXTS = (
    # What a pattern of the schema means, by how the pattern begins.
    (r"^(\+|-)?((", "a Kubernetes quantity, such as 8, 500m, 1.5k or 80Gi"),
    (_DURATION, "a duration with units, such as 30s, 5m or 1h30m"),
    ("^(http|https)://", "a URL that begins with http:// or https:// in lower case"),
    ("^/", "a path that begins with /"),
    ("^[a-f0-9]{64}$", "64 hexadecimal digits"),
    ("^sha256:", "sha256: and 64 hexadecimal digits"),
    ("^[A-Za-z0-9]([-A-Za-z0-9_.]*", "letters, digits, '-', '_' and '.', beginning and ending with a letter or digit"),
)
_RESOURCE_NAME_TEXT = "a resource name such as nvidia.com/gpu, with its domain in lower case"
_SUBDOMAIN_TEXT = "lower-case letters, digits, '-' and '.', beginning and ending with a letter or digit"


def schema_findings(subject: Subject, body: dict[str, Any], ome_version: str) -> Iterator[Finding]:
    """Findings for every error of ``body``, an object of a known kind without nulls."""
    errors = list(schema.validator(subject.kind).iter_errors(body))
    mistyped = {tuple(error.instance_path) for error in errors if error.kind.name == "type"}
    for error in errors:
        name = error.kind.name
        if name == "additionalProperties":
            yield from _unknown_fields(subject, error, ome_version)
        elif name == "type":
            yield _wrong_type(subject, error)
        elif tuple(error.instance_path) not in mistyped:
            yield _WRITERS.get(name, _other)(subject, error)


def _unknown_fields(subject: Subject, error: ValidationError, ome_version: str) -> Iterator[Finding]:
    parent: FieldPath = tuple(error.instance_path)
    allowed = schema.at(subject.kind, parent).get("properties", {})
    for name in error.kind.value:
        path = (*parent, name)
        known = former_field(subject.kind, path)
        if known is not None and known.last_in:
            if known.last_in != ome_version:
                yield _dropped_field(subject, path, known.replacement)
            continue
        if known is not None:
            advice = f"use {known.replacement}" if known.replacement else "delete it; no field has this meaning"
        else:
            advice = suggestions.for_unknown_field(subject.kind, path, allowed)
        message = f"{subject.kind} has no field {field_text(path)}"
        yield subject.finding(UNKNOWN_FIELD, message, path, key=True, help=advice)


def _dropped_field(subject: Subject, path: FieldPath, replacement: str) -> Finding:
    advice = f"use {replacement}" if replacement else "delete it; nothing replaces it"
    message = f"{field_text(path)} is a field of older OME releases that OME 1.3 drops silently"
    return subject.finding(DROPPED_FIELD, message, path, key=True, help=advice)


def _wrong_type(subject: Subject, error: ValidationError) -> Finding:
    path: FieldPath = tuple(error.instance_path)
    value = error.instance
    expected: list[str] = error.kind.value
    wanted = "an integer or quoted text" if len(expected) > 1 else _TYPE_NAMES[expected[0]]
    found = _described(value, path[-1] if path else None)
    message = f"{field_text(path) or 'The document'} must be {wanted}, not {found}"
    advice = _type_advice(schema.at(subject.kind, path), path, value, expected)
    return subject.finding(WRONG_TYPE, message, path, help=advice)


def _described(value: Any, key: str | int | None) -> str:
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, dict):
        return "a map"
    if isinstance(value, list):
        return "a list"
    if isinstance(value, str):
        return f"the text {quoted(value, key)}"
    return f"the number {value!r}"


def _type_advice(place: schema.Schema, path: FieldPath, value: Any, expected: list[str]) -> str:
    name = f"{path[-1]}: " if path and isinstance(path[-1], str) else "- "
    if "string" in expected and isinstance(value, bool | int | float):
        return _quoting_advice(place, name, value)
    if isinstance(value, str) and _reads_as(value, expected):
        return f"remove the quotes: {name}{value}"
    if expected == ["array"]:
        return 'write a list: begin each item with "- "'
    if expected == ["object"]:
        if isinstance(value, str) and "name" in place.get("properties", {}):
            return f"write a map: {name}{{name: {redact(value)}}}"
        return 'remove the "- " before the fields' if isinstance(value, list) else "write a map of fields"
    return "write a whole number" if expected == ["integer"] else "write a single value"


def _quoting_advice(place: schema.Schema, name: str, value: Any) -> str:
    """Text was expected; YAML read a number or a boolean because there are no quotes."""
    if place.get("pattern", "").startswith(_DURATION) and not isinstance(value, bool):
        return f"add the unit: {name}{value}s for seconds"
    # Not with the value as YAML reads it: the text may have been on, 1.10 or 010.
    if isinstance(value, bool):
        return "quote it as you wrote it: without quotes YAML reads a boolean, out of on, no and y too"
    return "quote it as you wrote it: without quotes YAML reads a number, and 1.10 becomes 1.1"


def _reads_as(text: str, expected: list[str]) -> bool:
    if "integer" in expected:
        return text.removeprefix("-").isdecimal()
    return "boolean" in expected and text in ("true", "false")


def _missing_field(subject: Subject, error: ValidationError) -> Finding:
    parent: FieldPath = tuple(error.instance_path)
    name = error.kind.value
    field: FieldPath = (*parent, name)
    at_key = bool(parent) and isinstance(parent[-1], str)
    advice = f"add {name} to {field_text(parent) or 'the document'}"
    return subject.finding(
        MISSING_FIELD, f"{field_text(field)} is missing", parent, key=at_key, field=field, help=advice
    )


def _unsupported_value(subject: Subject, error: ValidationError) -> Finding:
    path: FieldPath = tuple(error.instance_path)
    options: list[str] = error.kind.value
    listed = ", ".join(options)
    message = f"{field_text(path)} does not take {quoted(error.instance, path[-1])}"
    meant = suggestions.closest(str(error.instance), options)
    advice = f"did you mean {meant}? supported: {listed}" if meant else f"supported: {listed}"
    return subject.finding(UNSUPPORTED_VALUE, message, path, help=advice)


def _bad_pattern(subject: Subject, error: ValidationError) -> Finding:
    path: FieldPath = tuple(error.instance_path)
    pattern: str = error.kind.value
    message = f"{field_text(path)}: {quoted(error.instance, path[-1])} does not have the form that the field asks for"
    return subject.finding(BAD_PATTERN, message, path, help=f"write {_pattern_text(pattern)}")


def _pattern_text(pattern: str) -> str:
    if pattern.startswith("^[a-z0-9]([-a-z0-9]*"):
        return _RESOURCE_NAME_TEXT if "(/" in pattern else _SUBDOMAIN_TEXT
    for beginning, text in _PATTERN_TEXTS:
        if pattern.startswith(beginning):
            return text
    return f"text that matches {pattern}"


_LIMITS = {
    "minimum": ("is below", "at least"),
    "maximum": ("is above", "at most"),
    "minLength": ("is shorter than", "at least"),
    "maxLength": ("is longer than", "at most"),
    "minItems": ("has fewer items than", "at least"),
    "maxItems": ("has more items than", "at most"),
    "maxProperties": ("has more keys than", "at most"),
}
_UNITS = {"minLength": " characters", "maxLength": " characters", "minItems": " items", "maxItems": " items"}


def _out_of_range(subject: Subject, error: ValidationError) -> Finding:
    path: FieldPath = tuple(error.instance_path)
    name, limit = error.kind.name, error.kind.value
    relation, bound = _LIMITS[name]
    if limit in (*_INT32, *_INT64) and name in ("minimum", "maximum"):
        bits = 32 if limit in _INT32 else 64
        message = f"{field_text(path)}: {error.instance} does not fit into {bits} bits, and OME cannot read it"
        return subject.finding(OUT_OF_RANGE, message, path, help=f"allowed: {bound} {limit}")
    unit = _UNITS.get(name, "")
    shown = f" {error.instance}" if name in ("minimum", "maximum") else ""
    message = f"{field_text(path)}{shown} {relation} the limit of {limit}"
    unit = unit.removesuffix("s") if limit == 1 else unit
    return subject.finding(OUT_OF_RANGE, message, path, help=f"allowed: {bound} {limit}{unit}")


def _repeated_item(subject: Subject, error: ValidationError) -> Finding:
    path: FieldPath = tuple(error.instance_path)
    seen: dict[str, int] = {}
    first = second = 0
    items = cast("list[Any]", error.instance)
    for index, item in enumerate(items):
        first, second = seen.setdefault(repr(item), index), index
        if first != second:
            break
    message = f"{field_text(path)} holds {quoted(items[second])} twice"
    related = Related(subject.document.locate((*path, first)), "first here")
    return subject.finding(DUPLICATE_ITEM, message, (*path, second), help="delete one of the two", related=(related,))


def _other(subject: Subject, error: ValidationError) -> Finding:
    """A kind of error that no schema of ours has today; never silent."""
    path: FieldPath = tuple(error.instance_path)
    return subject.finding(BAD_PATTERN, f"{field_text(path)} is not valid ({error.kind.name})", path)


_WRITERS = {
    "required": _missing_field,
    "enum": _unsupported_value,
    "const": _other,
    "pattern": _bad_pattern,
    "uniqueItems": _repeated_item,
    **dict.fromkeys(_LIMITS, _out_of_range),
}
