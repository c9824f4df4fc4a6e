"""Judge of ``eligibility.jsonl``: whether a node gets a model, and what a change of the model asks of the node."""

from __future__ import annotations

from pathlib import Path

from omec.runtime_agent.node.changes import action_for
from omec.runtime_agent.node.eligibility import NodeIdentity, is_eligible
from tests.oracle.interface import Answer, Row

KIND = "eligibility"


def accepts(row: Row) -> bool:
    expected = row.get("expected")
    return (
        isinstance(row.get("node"), dict) and isinstance(expected, dict) and bool({"eligible", "action"} & {*expected})
    )


def judge(row: Row, data: Path | None) -> dict[str, Answer]:
    node = NodeIdentity(row["node"]["name"], row["node"].get("labels") or {})
    if "old" in row:
        return {"action": Answer(row["expected"]["action"], action_for(row["old"], row["new"], node).value)}
    return {"eligible": Answer(row["expected"]["eligible"], is_eligible(row["storage"], node))}
