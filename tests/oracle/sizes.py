"""Judge of ``sizes.jsonl``: parameter-size texts and ranges."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

from omec.api.size import SizeRange, parse_size
from tests.oracle.interface import Answer, Row

KIND = "sizes"


def accepts(row: Row) -> bool:
    expected = row.get("expected")
    return isinstance(expected, dict) and (set(expected) == {"value"} or "inRange" in expected)


def judge(row: Row, data: Path | None) -> dict[str, Answer]:
    expected = row["expected"]
    if "parse" in row:
        return {"value": Answer(expected["value"], number(parse_size(row["parse"])))}
    size_range, size = SizeRange.of(row["min"], row["max"]), parse_size(row["size"])
    return {
        "inRange": Answer(expected["inRange"], size_range.contains(size)),
        "label": Answer(expected["label"], size_range.label),
        "distance": Answer(expected["distance"], number(size_range.distance(size))),
    }


def number(value: float) -> Any:
    """``value`` as the oracle writes it: what JSON cannot hold is a text."""
    if math.isnan(value):
        return "NaN"
    if math.isinf(value):
        return "+Inf" if value > 0 else "-Inf"
    return value
