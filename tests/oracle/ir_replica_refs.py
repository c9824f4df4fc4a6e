"""Judge of ``ir-replica-refs.jsonl``: services in front of standalone InferenceReplicas (INFERENCEREPLICA.md)."""

from __future__ import annotations

from itertools import chain
from pathlib import Path
from typing import Any

from omec.compile.inputs import Service
from omec.compile.native.fronting import (
    FIXED,
    fronting_services,
    reference_refusals,
    role_conditions,
    same_references,
    shape_refusals,
)
from tests.oracle.comparison import comparable
from tests.oracle.interface import Answer, Row

KIND = "ir-refs"

Object = dict[str, Any]


def accepts(row: Row) -> bool:
    return "op" in row and row.get("object", {}).get("kind") == "InferenceService"


def judge(row: Row, data: Path | None) -> dict[str, Answer]:
    service = _service(row["object"])
    message = _message(row, service)
    expected = row["expected"]
    answers = {
        "allowed": Answer(expected["allowed"], message is None),
        "message": Answer(expected.get("message"), message),
    }
    if row["op"] == "CREATE":
        services = [] if message is not None else fronting_services(service, row.get("irs") or ())
        answers["services"] = Answer([comparable(obj) for obj in expected.get("services") or ()], services)
    if row["op"] == "CREATE" and (message is None or "conditions" in expected):
        answers["conditions"] = Answer(expected.get("conditions") or [], role_conditions(service, row.get("irs") or ()))
    return answers


def _message(row: Row, service: Service) -> str | None:
    if row["op"] == "UPDATE":
        changed = not same_references(row["old"].get("spec") or {}, service.spec)
        return next((text for _, text in shape_refusals(service.spec)), FIXED if changed else None)
    others = [_service(other) for other in row.get("others") or ()]
    refusals = chain(shape_refusals(service.spec), reference_refusals(service, row.get("irs") or (), others))
    return next((text for _, text in refusals), None)


def _service(body: Object) -> Service:
    return Service.of(body, body["metadata"]["namespace"])
