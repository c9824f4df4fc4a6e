"""Judge of ``quant-algo.jsonl``: OME's name for a quantization algorithm."""

from __future__ import annotations

from pathlib import Path

from omec.facts.quantization import quantization_name
from tests.oracle.interface import Answer, Row

KIND = "quant-algo"


def accepts(row: Row) -> bool:
    return "algo" in row and "quantization" in row


def judge(row: Row, data: Path | None) -> dict[str, Answer]:
    return {"quantization": Answer(row["quantization"], quantization_name(row["algo"]) or None)}
