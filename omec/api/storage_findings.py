"""Findings about ``storageUri`` fields: the grammar of the URI, and what it needs of the object around it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from omec.api.kinds import MODEL_KINDS
from omec.api.redact import redact
from omec.api.rules import BAD_STORAGE_URI, CLAIM_NAMESPACE, SHARDED_CLAIM
from omec.api.source import Subject
from omec.api.storage_uri import PARSERS, PvcUri, StorageUriError, parse_storage_uri, storage_type
from omec.api.suggestions import closest
from omec.finding import FieldPath, Finding

_PLACES: dict[str, tuple[FieldPath, ...]] = {
    "BaseModel": (("spec", "storage"),),
    "ClusterBaseModel": (("spec", "storage"),),
    "FineTunedWeight": (("spec", "storage"),),
    "BenchmarkJob": (("spec", "outputLocation"), ("spec", "dataset")),
}
_FORMS = {
    "oci": "oci://n/{namespace}/b/{bucket}/o/{object_path}",
    "pvc": "pvc://{claim}/{path}, in a ClusterBaseModel pvc://{namespace}:{claim}/{path}",
    "vendor": "vendor://{vendor}/{type}/{path}",
    "hf": "hf://{organisation}/{repository}[@{revision}]",
    "s3": "s3://{bucket}[@{region}][/{prefix}]",
    "az": "az://{account}/{container}[/{path}]",
    "gs": "gs://{bucket}[/{path}]",
    "github": "github://{owner}/{repository}[@{tag}]",
    "local": "local://{absolute path on the node}",
    "modelpack": "modelpack://{registry}/{repository}[:{tag}]",
}
_ALIASES = {"huggingface": "hf", "azure": "az", "gcs": "gs", "file": "local", "https": "hf", "http": "hf"}
_NEWER_SCHEME = "stage://"  # A webhook of the v1.3 line knows it (reference 09 A7), the documentation of 1.3 does not.


def storage_findings(subject: Subject, body: dict[str, Any]) -> Iterator[Finding]:
    """Findings about every storage URI of an object; wrong types are left to the schema."""
    for place in _PLACES.get(subject.kind, ()):
        storage: Any = body
        for step in place:
            storage = storage.get(step) if isinstance(storage, dict) else None
        uri = storage.get("storageUri") if isinstance(storage, dict) else None
        if isinstance(uri, str) and not uri.startswith(_NEWER_SCHEME):
            yield from _uri_findings(subject, body, (*place, "storageUri"), uri)


def _uri_findings(subject: Subject, body: dict[str, Any], path: FieldPath, uri: str) -> Iterator[Finding]:
    try:
        parsed = parse_storage_uri(uri)
    except StorageUriError as error:
        message = redact(_refusal(subject.kind, path, uri, str(error)))
        yield subject.finding(BAD_STORAGE_URI, message, path, help=_form(uri))
        return
    if subject.kind in MODEL_KINDS and isinstance(parsed, PvcUri):
        yield from _claim_findings(subject, body, path, uri, parsed)


def _refusal(kind: str, path: FieldPath, uri: str, error: str) -> str:
    """The text of the webhook that refuses the URI, where there is one; else of the agent that cannot use it."""
    if kind in MODEL_KINDS and storage_type(uri) == PvcUri.type:
        return f'invalid PVC storage URI "{uri}": {error}'
    if kind == "BenchmarkJob" and path[1] == "outputLocation":
        problem = f"error parsing storage URI: {error}" if uri else "storageUri cannot be empty"
        return f"invalid storage: {problem}"
    return error


def _form(uri: str) -> str:
    scheme = uri.partition("://")[0].strip()
    if scheme not in PARSERS:
        meant = _ALIASES.get(scheme.lower()) or closest(scheme, PARSERS)
        if meant is None:
            return f"supported schemes: {', '.join(f'{name}://' for name in PARSERS)}"
        return f"did you mean {_FORMS[meant]}?"
    return f"write {_FORMS[scheme]}"


def _claim_findings(
    subject: Subject, body: dict[str, Any], path: FieldPath, uri: str, parsed: PvcUri
) -> Iterator[Finding]:
    claim = f"{parsed.pvc_name}/{parsed.sub_path}"
    if subject.kind == "ClusterBaseModel" and not parsed.namespace:
        message = (
            "ClusterBaseModel PVC URI must specify a namespace "
            f'(format: pvc://{{namespace}}:{{pvc-name}}/{{sub-path}}), got "{uri}"'
        )
        yield subject.finding(CLAIM_NAMESPACE, message, path, help=f"write pvc://<namespace of the claim>:{claim}")
    elif subject.kind == "BaseModel" and parsed.namespace:
        message = (
            "namespaced BaseModel PVC URI must not specify a namespace; the BaseModel's own namespace is used, "
            f'got "{uri}"'
        )
        yield subject.finding(CLAIM_NAMESPACE, message, path, help=f"write pvc://{claim}")
    if body["spec"].get("distribution") == "Sharded":
        message = "distribution Sharded is not allowed for a pvc:// model"
        field: FieldPath = ("spec", "distribution")
        yield subject.finding(SHARDED_CLAIM, message, field, help="delete distribution, or write PerNode")
