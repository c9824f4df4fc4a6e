"""Judge of ``size-text.jsonl``: counts as text and as bytes."""

from __future__ import annotations

from pathlib import Path

from omec.facts.size import estimate_bytes, format_bytes, format_count
from tests.oracle.interface import Answer, Row

KIND = "size-text"


def accepts(row: Row) -> bool:
    return isinstance(row.get("count"), int) and ("text" in row or "bytes" in row)


def judge(row: Row, data: Path | None) -> dict[str, Answer]:
    if row.get("kind") == "bytes-estimate":
        return {"bytes": Answer(row["bytes"], estimate_bytes(row["count"], row["dtype"]))}
    if row.get("kind") == "bytes-text":
        return {"bytes text": Answer(row["text"], format_bytes(row["count"]))}
    return {"text": Answer(row["text"], format_count(row["count"]))}
