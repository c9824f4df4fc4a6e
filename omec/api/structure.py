"""Structural findings: is this object one that the API server would take, and OME could read?

A clean object costs one run of a compiled validator and two short walks; only an object with an error is looked at
closely.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from omec.api import schema
from omec.api.conditions import (
    NEWEST_VERSION,
    DuplicateItem,
    FailedCheck,
    NewerField,
    Violation,
    violations,
)
from omec.api.kinds import API_VERSION, KINDS
from omec.api.metadata import identity_findings, kind_release_finding, metadata_findings
from omec.api.redact import quoted
from omec.api.rules import DUPLICATE_ITEM, NEEDS_NEWER_OME, OUT_OF_RANGE
from omec.api.schema_findings import schema_findings
from omec.api.source import SourceDocument, Subject, object_ref
from omec.api.storage_findings import storage_findings
from omec.finding import FieldPath, Finding, ObjectRef, Related, field_text


def structural_findings(
    kind: str,
    document: SourceDocument,
    *,
    ome_version: str = NEWEST_VERSION,
    ref: ObjectRef | None = None,
) -> list[Finding]:
    """Everything that is wrong with one object of group ome.io by itself.

    ``kind`` is the document's kind, ``ref`` the identity that findings carry (by default the one that the document
    claims), ``ome_version`` the release that the cluster runs (``1.2`` or ``1.3``).
    """
    body = document.value
    subject = Subject(kind, document, ref or object_ref(kind, body))
    if body.get("apiVersion") != API_VERSION or kind not in KINDS:
        return list(identity_findings(subject, body))
    newer_kind = kind_release_finding(subject, ome_version)
    if newer_kind is not None:
        return [newer_kind]
    findings = list(metadata_findings(subject, body))
    if not schema.validator(kind).is_valid(body):
        body = schema.without_nulls(schema.root(kind), body)
        findings += _errors(subject, body, ome_version)
    findings += storage_findings(subject, body)
    findings += [_violation_finding(subject, body, item) for item in violations(kind, body, ome_version)]
    return findings


def _errors(subject: Subject, body: dict[str, Any], ome_version: str) -> Iterator[Finding]:
    try:
        yield from schema_findings(subject, body, ome_version)
    except ValueError:  # the validator's own limit of nesting
        yield subject.finding(
            OUT_OF_RANGE,
            "The object is nested too deeply to be checked",
            help="flatten the free-form part (modelConfiguration, hyperParameters, configuration)",
        )


def _violation_finding(subject: Subject, body: dict[str, Any], violation: Violation) -> Finding:
    match violation:
        case FailedCheck():
            return _failed_check(subject, body, violation)
        case DuplicateItem():
            return _duplicate_item(subject, body, violation)
        case NewerField(path, version):
            message = f"{field_text(path)} exists since OME {version}; an older API server drops it silently"
            advice = f"Delete it, or set ome-version to {version} in omec.toml if the cluster runs it"
            return subject.finding(NEEDS_NEWER_OME, message, path, key=True, help=advice)


def _failed_check(subject: Subject, body: dict[str, Any], failed: FailedCheck) -> Finding:
    check = failed.check
    target = next((path for path in check.points_to if _exists(body, (*failed.path, *path))), ())
    path = (*failed.path, *target)
    at_key = bool(path) and isinstance(path[-1], str)
    message = f"{field_text(failed.path)}: {check.message}" if failed.path else check.message
    return subject.finding(check.rule, message, path, key=at_key, help=check.help)


def _exists(body: Any, path: FieldPath) -> bool:
    for step in path:
        try:
            body = body[step]
        except (KeyError, IndexError, TypeError):
            return False
    return body is not None


def _duplicate_item(subject: Subject, body: Any, duplicate: DuplicateItem) -> Finding:
    value: Any = body
    for step in duplicate.path:
        value = value[step]
    item = value[duplicate.second]
    present = [key for key in duplicate.keys if key in item]
    named = ", ".join(f"{key} {quoted(item[key])}" for key in present)
    path = (*duplicate.path, duplicate.second, *present[:1])
    first = (*duplicate.path, duplicate.first)
    message = f"Two items of {field_text(duplicate.path)} have the same {' and '.join(duplicate.keys)} ({named})"
    related = Related(subject.document.locate(first), "the first one")
    return subject.finding(DUPLICATE_ITEM, message, path, help="rename one of them, or delete it", related=(related,))
