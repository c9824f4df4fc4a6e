"""Judge of ``spec-fill.jsonl``: a spec after the agent or the controller has filled it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from omec.facts.filling import fill_as_agent, fill_as_controller
from omec.runtime_agent.contract.entry import Entry
from tests.oracle.interface import Answer, Row, skip

KIND = "spec-fill"


def accepts(row: Row) -> bool:
    return row.get("path") in ("agent", "configmap") and isinstance(row.get("expected"), dict)


def judge(row: Row, data: Path | None) -> dict[str, Answer]:
    expected = row["expected"]
    if row["path"] == "configmap":
        try:
            entry = Entry.parse(row["entry"])
        except ValueError:
            return {"skipped": Answer(expected.get("skipped"), True)}
        filled = fill_as_controller(row["spec"], entry.config or {})
        return {"spec": Answer(expected["spec"], _as_encoded(filled))}
    derived = dict(row["metadata"])
    if "modelConfiguration" in derived:
        derived["modelConfiguration"] = json.loads(derived["modelConfiguration"])
    answer = Answer(expected["spec"], _as_encoded(fill_as_agent(row["spec"], derived)))
    if not answer.agrees and "modelConfiguration" in row["spec"]:
        return {"spec": skip("omec keeps a modelConfiguration, as the documentation promises; OME's code replaces it")}
    return {"spec": answer}


def _as_encoded(spec: dict[str, Any]) -> dict[str, Any]:
    """``spec`` as Go prints it: two fields are always there."""
    return {"modelFormat": {"name": ""}, "modelConfiguration": None, **spec}
