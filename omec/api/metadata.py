"""Findings about what every object has: API version, kind, name, namespace, labels, annotations."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any

from omec.api import suggestions
from omec.api.kinds import API_VERSION, GROUP, KINDS
from omec.api.names import dns_label_problem, dns_subdomain_problem, label_key_problem, label_value_problem
from omec.api.redact import quoted
from omec.api.rules import (
    BAD_LABEL,
    BAD_NAME,
    MISSING_NAME,
    NAMESPACE_ON_CLUSTER_KIND,
    NEEDS_NEWER_OME,
    UNKNOWN_KIND,
    UNKNOWN_VERSION,
)
from omec.api.source import Subject
from omec.finding import FieldPath, Finding

_ANNOTATIONS_LIMIT = 256 * 1024
_NAMESPACED_TWIN = {"ClusterBaseModel": "BaseModel", "ClusterServingRuntime": "ServingRuntime"}


def identity_findings(subject: Subject, body: dict[str, Any]) -> Iterator[Finding]:
    """Findings about an ``apiVersion`` and ``kind`` that are missing, or that group ome.io does not have."""
    version, kind = body.get("apiVersion"), body.get("kind")
    if version is None:
        message = f"this {kind} has no apiVersion{_misspelt(body, 'apiVersion')}"
        yield subject.finding(UNKNOWN_VERSION, message, help=f"write apiVersion: {API_VERSION}")
    elif version != API_VERSION:
        message = f"{quoted(version)} is not a version of {GROUP} that OME serves"
        yield subject.finding(UNKNOWN_VERSION, message, ("apiVersion",), help=f"write apiVersion: {API_VERSION}")
    if kind is None:
        message = f"this object of {API_VERSION} has no kind{_misspelt(body, 'kind')}"
        yield subject.finding(UNKNOWN_KIND, message, help=f"write kind: one of {', '.join(KINDS)}")
    elif not isinstance(kind, str) or kind not in KINDS:
        meant = suggestions.closest(str(kind), KINDS)
        help_ = f"did you mean {meant}?" if meant else f"kinds of {API_VERSION}: {', '.join(KINDS)}"
        yield subject.finding(UNKNOWN_KIND, f"{API_VERSION} has no kind {quoted(kind)}", ("kind",), help=help_)


def _misspelt(body: dict[str, Any], name: str) -> str:
    """Says which key of ``body`` was probably meant to be ``name``."""
    meant = suggestions.closest(name, map(str, body))
    return f", but {quoted(meant)}" if meant else ""


def kind_release_finding(subject: Subject, ome_version: str) -> Finding | None:
    """A finding when the kind is newer than the configured OME."""
    since = KINDS[subject.kind].since
    if not since or ome_version >= since:
        return None
    message = f"{subject.kind} exists since OME {since}, but ome-version is {ome_version}"
    return subject.finding(
        NEEDS_NEWER_OME, message, ("kind",), help=f"set ome-version to {since} in omec.toml if the cluster runs it"
    )


def metadata_findings(subject: Subject, body: dict[str, Any]) -> Iterator[Finding]:
    """Findings about ``metadata``; wrong types are left to the schema."""
    metadata = body.get("metadata")
    if metadata is None:
        metadata = {}
    if not isinstance(metadata, dict):
        return
    yield from _name_findings(subject, metadata)
    yield from _namespace_findings(subject, metadata.get("namespace"))
    labels, annotations = metadata.get("labels"), metadata.get("annotations")
    if isinstance(labels, dict):
        yield from _label_findings(subject, labels)
    if isinstance(annotations, dict):
        yield from _annotation_findings(subject, annotations)


def _name_findings(subject: Subject, metadata: dict[str, Any]) -> Iterator[Finding]:
    name = metadata.get("name")
    if name is None or name == "":
        help_ = "add metadata.name"
        if metadata.get("generateName") is not None:
            help_ = "replace metadata.generateName by metadata.name: a repository needs names that stay the same"
        yield subject.finding(
            MISSING_NAME, f"{subject.kind} without metadata.name", ("metadata",), key=True, help=help_
        )
    elif isinstance(name, str):
        yield from _name_finding(subject, "name", name, dns_subdomain_problem)


def _namespace_findings(subject: Subject, namespace: Any) -> Iterator[Finding]:
    if not isinstance(namespace, str):
        return
    if not KINDS[subject.kind].namespaced:
        twin = _NAMESPACED_TWIN.get(subject.kind)
        help_ = f"delete metadata.namespace{f', or use kind {twin}' if twin else ''}"
        message = f"{subject.kind} is cluster-scoped, but the object has the namespace {quoted(namespace)}"
        path: FieldPath = ("metadata", "namespace")
        yield subject.finding(NAMESPACE_ON_CLUSTER_KIND, message, path, key=True, help=help_)
    else:
        yield from _name_finding(subject, "namespace", namespace, dns_label_problem)


def _name_finding(
    subject: Subject, field: str, text: str, problem_of: Callable[[str], str | None]
) -> Iterator[Finding]:
    problem = problem_of(text)
    if problem:
        message = f"metadata.{field} {quoted(text)} {problem}"
        advice = _repaired(text, "." if field == "name" else "", problem_of)
        yield subject.finding(BAD_NAME, message, ("metadata", field), help=advice)


def _repaired(text: str, also_allowed: str, problem_of: Callable[[str], str | None]) -> str:
    """Advice with the nearest valid name, where there is one."""
    proposal = re.sub(f"[^a-z0-9{also_allowed}]+", "-", text.lower()).strip("-.")
    return "choose another name" if problem_of(proposal) else f"for example {proposal}"


def _label_findings(subject: Subject, labels: dict[str, Any]) -> Iterator[Finding]:
    for key, value in labels.items():
        path: FieldPath = ("metadata", "labels", key)
        problem = label_key_problem(key)
        if problem:
            message = f"The label key {quoted(key)} {problem}"
            yield subject.finding(BAD_LABEL, message, path, key=True, help="correct the key")
        problem = label_value_problem(value) if isinstance(value, str) else None
        if problem:
            message = f"The value {quoted(value, key)} of label {key} {problem}"
            yield subject.finding(BAD_LABEL, message, path, help="correct the value, or make it an annotation")


def _annotation_findings(subject: Subject, annotations: dict[str, Any]) -> Iterator[Finding]:
    size = 0
    for key, value in annotations.items():
        problem = label_key_problem(key.lower())
        if problem:
            path: FieldPath = ("metadata", "annotations", key)
            message = f"The annotation key {quoted(key)} {problem}"
            yield subject.finding(BAD_LABEL, message, path, key=True, help="correct the key")
        size += len(key.encode()) + (len(value.encode()) if isinstance(value, str) else 0)
    if size > _ANNOTATIONS_LIMIT:
        message = f"The annotations take {size} bytes together, {_ANNOTATIONS_LIMIT} are allowed"
        yield subject.finding(BAD_LABEL, message, ("metadata", "annotations"), key=True, help="shorten them")
