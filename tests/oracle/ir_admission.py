"""Judge of ``ir-admission.jsonl``: what the API server and OME's webhook answer to an InferenceReplica.

omec has words of its own for what breaks the schema, so those rows are compared by reason and field; the webhook's
messages are compared word for word, except where the row itself says that its text is not certain.
"""

from __future__ import annotations

import copy
import re
from pathlib import Path
from typing import Any

from omec.api import rules
from omec.api.defaults import admitted
from omec.api.structure import structural_findings
from omec.compile.native.admission import Actor, Write, refusal
from omec.compile.native.surroundings import Surroundings
from omec.finding import Finding
from omec.repo.document import Document
from omec.resolve.inherit import INHERIT_FROM, ChainResolver
from tests.oracle.interface import Answer, Row
from tests.oracle.objects import catalog_of

KIND = "ir-admission"

Object = dict[str, Any]

_REASONS = {
    rules.BAD_NAME: "FieldValueInvalid",
    rules.BAD_PATTERN: "FieldValueInvalid",
    rules.DUPLICATE_ITEM: "FieldValueDuplicate",
    rules.MISSING_FIELD: "FieldValueRequired",
    rules.OUT_OF_RANGE: "FieldValueInvalid",
    rules.UNSUPPORTED_VALUE: "FieldValueNotSupported",
    rules.WRONG_TYPE: "FieldValueTypeInvalid",
}
_MISTYPED = _REASONS[rules.WRONG_TYPE]
_OUT_OF_RANGE = {"FieldValueTooLong": "FieldValueInvalid", "FieldValueTooMany": "FieldValueInvalid"}


def accepts(row: Row) -> bool:
    return "op" in row and row.get("object", {}).get("kind") == "InferenceReplica"


def judge(row: Row, data: Path | None) -> dict[str, Answer]:
    expected = row["expected"]
    findings = structural_findings("InferenceReplica", Document("oracle.yaml", 0, row["object"]))
    unknown = sorted(finding.field or "" for finding in findings if finding.rule is rules.UNKNOWN_FIELD)
    broken = [finding for finding in findings if finding.rule is not rules.UNKNOWN_FIELD]
    if expected.get("messageExact") is False:
        # Go cannot decode the object that the schema lets pass; omec sees it with the schema.
        return {"allowed": Answer(expected=False, actual=not broken and refusal(_write(row)) is None)}
    fault = None if broken else refusal(_write(row))
    message = None if fault is None else fault[1]
    webhook = expected.get("stage") == "webhook"
    answers = {
        "allowed": Answer(expected["allowed"], not broken and message is None),
        "causes": Answer(_causes(expected), sorted({(_REASONS[found.rule], _place(found)) for found in broken})),
        "message": Answer(expected["message"] if webhook else None, message),
    }
    if expected["allowed"]:
        warnings = [text.removeprefix('unknown field "').removesuffix('"') for text in expected.get("warnings") or ()]
        answers["warnings"] = Answer(sorted(warnings), unknown)
        answers["stored"] = Answer(expected.get("stored", row["object"]), _stored(row["object"], unknown))
    return answers


def _causes(expected: Object) -> list[tuple[str, str]]:
    """The violations, without those that the server repeats for one field, or reports as of no field.

    A value of the wrong type breaks the other rules of its field and of what should be below it as well, and the server
    says so.
    """
    causes = [cause for cause in expected.get("causes") or () if cause["field"] != "<nil>"]
    found = {(_OUT_OF_RANGE.get(cause["reason"], cause["reason"]), _keyed(cause["field"])) for cause in causes}
    mistyped = tuple(field for reason, field in found if reason == _MISTYPED)
    below = tuple(f"{field}." for field in mistyped)
    return sorted(
        (reason, field)
        for reason, field in found
        if reason == _MISTYPED or not (field in mistyped or field.startswith(below))
    )


def _keyed(field: str) -> str:
    """``field`` with the keys of maps behind dots, as the server writes it, and without the dot of its range rules."""
    return re.sub(r"\[([^]\d][^]]*)\]", r".\1", field).removeprefix(".")


def _place(finding: Finding) -> str:
    """The field of a finding; that of a repeated item is its key, where the server names the item."""
    field = _keyed(finding.field or "")
    return field.rpartition(".")[0] if finding.rule is rules.DUPLICATE_ITEM else field


def _stored(body: Object, unknown: list[str]) -> Object:
    """``body`` as stored: defaults filled in, unknown fields and empty metadata dropped."""
    stored = copy.deepcopy(admitted("InferenceReplica", body))
    stored["metadata"] = {key: value for key, value in stored["metadata"].items() if value not in ([], {}, "")}
    for field in unknown:
        *parents, last = [int(step) if step.isdigit() else step for step in re.findall(r"[^.\[\]]+", field)]
        value: Any = stored
        for step in parents:
            value = value[step]
        value.pop(last, None)
    return stored


def _write(row: Row) -> Write:
    identity, user = row.get("identity") or [], row.get("user", "alice")
    annotation = (row["object"]["metadata"].get("annotations") or {}).get("ome.io/controller-write")
    controller = user in identity if identity else annotation == "true"
    old = row.get("old")
    return Write(
        admitted("InferenceReplica", row["object"]),
        None if old is None else admitted("InferenceReplica", old),
        Actor(user, controller=controller, identified=bool(identity)),
        _surroundings(row.get("cluster") or {}, row["object"]["metadata"]["namespace"]),
    )


def _surroundings(cluster: Object, namespace: str) -> Surroundings:
    objects: list[Object] = [
        {"kind": "InferenceService", "metadata": {"name": name, "namespace": namespace}}
        for name in cluster.get("isvcs") or ()
    ]
    for runtime in cluster.get("runtimes") or ():
        metadata: Object = {"name": runtime["name"], "annotations": {INHERIT_FROM: runtime.get("inheritFrom") or ""}}
        if runtime.get("namespace"):
            metadata["namespace"] = runtime["namespace"]
        pieces: Object = {f"{piece}Config": {} for piece in runtime.get("pieces") or ()}
        objects.append({"kind": runtime["kind"], "metadata": metadata, "spec": pieces})
    catalog = catalog_of(objects)
    return Surroundings(catalog, ChainResolver(catalog))
