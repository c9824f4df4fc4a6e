"""Judge of ``configmap-entries.jsonl``: the text of an entry after each operation."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from omec.runtime_agent.contract.entry import Change, Entry, Progress, config_of
from omec.runtime_agent.contract.names import entry_key
from tests.oracle.interface import Answer, Row

KIND = "configmap-entries"

LOST_ON_RESTORE = ("modelFramework", "modelFormat", "decodedModelConfiguration")
"""What OME's agent forgets of an entry that it writes anew from memory; omec's keeps all of it."""


def accepts(row: Row) -> bool:
    return isinstance(row.get("ops"), list) and isinstance(row.get("model"), dict)


def judge(row: Row, data: Path | None) -> dict[str, Answer]:
    model, expected = row["model"], row["expected"]
    text: str | None = row.get("existing")
    namespace = None if model["kind"] == "ClusterBaseModel" else model.get("namespace", "")
    steps = []
    for op, step in zip(row["ops"], expected["steps"], strict=True):
        changed, taken = _applied(model["name"], op, text)
        actual: dict[str, Any] = {"changed": changed != text, "value": changed} | taken
        steps.append(actual if "percentage" in step else {key: actual[key] for key in ("changed", "value")})
        text = changed
    return {
        "key": Answer(expected["key"], entry_key(model["name"], namespace)),
        "steps": Answer(expected["steps"], steps),
    }


def _applied(name: str, op: dict[str, Any], text: str | None) -> tuple[str | None, dict[str, Any]]:
    if op["op"] == "status":
        return Change(name, status=op["status"]).applied(text), {}
    metadata = op.get("metadata")
    config = None if metadata is None else config_of(metadata, metadata.get("artifact"))
    if op["op"] == "restore":
        kept = None if config is None else {key: each for key, each in config.items() if key not in LOST_ON_RESTORE}
        return Entry(name, op["status"], kept).text(), {}
    if op["op"] == "metadata":
        return Change(name, config=config).applied(text), {}
    given = op.get("progress")
    if given is None:
        return Change(name, clears_progress=True).applied(text), {}
    progress = Progress(
        given["phase"],
        given["totalBytes"],
        given["completedBytes"],
        given["totalFiles"],
        given["completedFiles"],
        given["speedBytesPerSec"],
        given["lastUpdated"],
    )
    return Change(name, progress=progress).applied(text), {"percentage": progress.percentage}
