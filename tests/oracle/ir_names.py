"""Judge of ``ir-names.jsonl``: what OME's replica controller makes of an InferenceReplica (INFERENCEREPLICA.md)."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from omec.compile.names import LABEL_LIMIT
from omec.compile.native.gang import GangTimeout, pod_groups
from omec.compile.native.instances import Instance, fresh_instances, headless_service, pods
from omec.compile.native.labels import pod_selector
from omec.compile.native.names import DerivedNames, truncated
from omec.compile.native.revision import rolls
from tests.oracle.interface import Answer, Row

KIND = "ir-names"


def accepts(row: Row) -> bool:
    return row.get("kind") in ("pods", "revision-pair", "truncate")


def judge(row: Row, data: Path | None) -> dict[str, Answer]:
    expected = row["expected"]
    match row["kind"]:
        case "truncate":
            return {"result": Answer(expected["result"], truncated(row["text"], row["max"]))}
        case "revision-pair":
            excluded = row.get("excluded") or ()
            return {"rolls": Answer(expected["rolls"], rolls(row["old"]["spec"], row["new"]["spec"], excluded))}
    replica = row["ir"]
    instances = [Instance(**item) for item in row.get("instances") or ()] or fresh_instances(replica)
    clamp = GangTimeout(row["clamp"].get("min", 0), row["clamp"].get("max", 0)) if "clamp" in row else None
    names = DerivedNames.of(replica)
    made = pods(replica, instances, revision=row.get("revision"))
    actual: dict[str, Any] = {
        "namePrefix": names.prefix,
        "headlessService": headless_service(replica),
        "controllerRevisionName": names.revision("{hash}"),
        "controllerRevisionLabels": pod_selector(names.prefix, names.component),
        "pods": made,
        "podGroups": pod_groups(replica, instances, clamp),
        "hostnamesTooLong": [name for pod in made if len(name := pod["metadata"]["name"]) > LABEL_LIMIT],
    }
    return {name: Answer(expected.get(name, []), value) for name, value in actual.items()}
