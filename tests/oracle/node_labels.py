"""Judge of ``node-labels.jsonl``: the names under which a model is known in a cluster."""

from __future__ import annotations

import json
from pathlib import Path

from omec.runtime_agent.contract.names import ModelKey, metadata_config_map, metadata_job, parse_entry_key, uid_label
from omec.runtime_agent.node.labels import label_patch
from tests.oracle.interface import Answer, Row

KIND = "node-labels"


def accepts(row: Row) -> bool:
    expected = row.get("expected")
    return isinstance(expected, dict) and (
        "nodeLabelKey" in expected or {*expected} == {"cluster", "name", "namespace", "ok"}
    )


def judge(row: Row, data: Path | None) -> dict[str, Answer]:
    expected = row["expected"]
    if "key" in row:
        return {"parsed": Answer(expected, _parsed(row["key"]))}
    key = ModelKey(None if row["kind"] == "ClusterBaseModel" else row.get("namespace", ""), row["name"])
    actual = {
        "nodeLabelKey": key.label,
        "configMapKey": key.entry,
        "configMapKeyParsed": _parsed(key.entry),
        "podNodeSelector": {key.label: "Ready"},
        "patchReady": _text(label_patch(key.label, "Ready")),
        "patchDeleted": _text(label_patch(key.label, None)),
        "pvcMetadataConfigMap": metadata_config_map(key),
    }
    if "storageUri" in row:
        actual["pvcMetadataJob"] = metadata_job(row["name"], row["storageUri"])
    if "uid" in row:
        actual["uidLabel"] = uid_label(row["uid"])
    return {name: Answer(value, actual.get(name)) for name, value in expected.items()}


def _text(patch: object) -> str:
    return json.dumps(patch, separators=(",", ":"))


def _parsed(key: str) -> dict[str, object]:
    parsed = parse_entry_key(key)
    if parsed is None:
        return {"cluster": False, "name": "", "namespace": "", "ok": False}
    return {
        "cluster": parsed.namespace is None,
        "name": parsed.name,
        "namespace": parsed.namespace or "",
        "ok": True,
    }
