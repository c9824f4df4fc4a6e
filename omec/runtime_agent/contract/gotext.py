"""JSON text as Go's encoder writes values that it has decoded without a type.

Numbers are 64-bit floats there, written without an exponent between 1e-6 and 1e21; keys of maps are sorted.
Source: Go documentation, encoding/json.
"""

from __future__ import annotations

from decimal import Decimal
from typing import Any

from omec.api.gojson import dumps
from omec.facts.jsonscan import Value

_SMALLEST_PLAIN, _LARGEST_PLAIN = 1e-6, 1e21


def encode(value: Any) -> str:
    """``value`` in the order in which its members stand; dictionaries of maps must be sorted by the caller."""
    if isinstance(value, dict):
        return "{" + ",".join(f"{dumps(key)}:{encode(item)}" for key, item in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ",".join(map(encode, value)) + "]"
    return number(value) if isinstance(value, float) else dumps(value)


def number(value: float) -> str:
    """A 64-bit float as Go writes it."""
    if value == 0:
        return "-0" if str(value).startswith("-") else "0"
    shortest = Decimal(repr(value))
    if _SMALLEST_PLAIN <= abs(value) < _LARGEST_PLAIN:
        text = f"{shortest:f}"
        return text.rstrip("0").rstrip(".") if "." in text else text
    digits = "".join(map(str, shortest.as_tuple().digits)).rstrip("0") or "0"
    fraction = f".{digits[1:]}" if len(digits) > 1 else ""
    exponent = shortest.adjusted()
    return f"{'-' if value < 0 else ''}{digits[0]}{fraction}e{'+' if exponent > 0 else '-'}{abs(exponent):d}"


def untyped(value: Value) -> Any:
    """A JSON value as Go decodes it into ``any``, maps sorted; of duplicate keys the last wins.

    Raises :class:`ValueError` for a number that no float holds.
    """
    kind = value.kind
    if kind == "an object":
        return dict(
            sorted(((key, untyped(item)) for key, item in value.members()), key=lambda member: member[0].encode())
        )
    if kind == "a list":
        return [untyped(item) for item in value.items()]
    if kind == "a number":
        held = float(value.literal)
        if held in (float("inf"), float("-inf")):
            raise ValueError(f"{value.literal[:24].decode()} is too large")
        return held
    return value.text() if kind == "a text" else {"true": True, "false": False, "null": None}[kind]
