"""What is wrong about where models and fine-tuned weights are kept, on their own manifests (reference 07 §8, §15)."""

from __future__ import annotations

import posixpath
from collections.abc import Container, Iterator
from typing import Any

from omec.api.kinds import MODEL_KINDS
from omec.api.storage_uri import OciUri, StorageUriError, parse_storage_uri
from omec.catalog import Catalog, Resource
from omec.compile import weights_rules as rules
from omec.finding import FieldPath, Finding, ObjectRef, Rule, field_text

_STORAGE: FieldPath = ("spec", "storage")
_STAGE = "stage://"
_MIRROR = ("hf-model-id", "hf-model-sha")
_ARTIFACTS = "_artifacts"


def weights_findings(catalog: Catalog, broken: Container[ObjectRef] = frozenset()) -> Iterator[Finding]:
    """The findings about all models and fine-tuned weights of the repository itself.

    Objects with an error in their structure, the ``broken`` ones, are passed over.
    """
    for kind in (*MODEL_KINDS, "FineTunedWeight"):
        for resource in catalog.of_kind(kind):
            if resource.context or resource.ref in broken:
                continue
            storage = (resource.body.get("spec") or {}).get("storage")
            if not storage:
                continue
            uri = storage.get("storageUri") or ""
            if kind == "FineTunedWeight":
                yield from _tuned_findings(resource, uri)
            elif uri.startswith(_STAGE):
                yield from _stage_findings(resource, uri, storage)
            if kind != "FineTunedWeight" and storage.get("downloadPolicy") == "ReuseIfExists":
                yield from _sharing_findings(resource, uri, storage)


def _tuned_findings(resource: Resource, uri: str) -> Iterator[Finding]:
    path = (*_STORAGE, "storageUri")
    try:
        oci = parse_storage_uri(uri)
    except StorageUriError:
        return  # told as what it is by the check of all storage URIs
    if not isinstance(oci, OciUri):
        expected = "Expected: oci://n/{namespace}/b/{bucket}/o/{object_path}"
        yield _finding(rules.TUNED_URI, f"invalid OCI storage URI format. {expected}", resource, path)
    elif uri.endswith("/") and (resource.spec.get("configuration") or {}).get("merged_weights") is True:
        message = f"the merged weights of {resource.ref} would be fetched from {uri}-merged-weight"
        yield _finding(rules.TUNED_URI, message, resource, path)


def _stage_findings(resource: Resource, uri: str, storage: dict[str, Any]) -> Iterator[Finding]:
    """The webhook's checks, in its order; the first that fails answers."""
    source, target = uri.removeprefix(_STAGE), storage.get("path") or ""
    where: FieldPath = (*_STORAGE, "path") if "path" in storage else _STORAGE
    if not source.startswith("/") or ".." in source.split("/"):
        problem = 'source path must be absolute and free of ".."'
        message = f'invalid stage storage URI "{uri}": {problem}'
        yield _finding(rules.STAGE_REFUSED, message, resource, (*_STORAGE, "storageUri"))
    elif not target:
        message = "stage:// storage requires spec.storage.path to name the node-local destination"
        yield _finding(rules.STAGE_REFUSED, message, resource, where)
    elif not target.startswith("/"):
        message = f'stage:// spec.storage.path must be an absolute path, got "{target}"'
        yield _finding(rules.STAGE_REFUSED, message, resource, where)
    elif _is_inside(posixpath.normpath(target), posixpath.normpath(source)):
        message = f'stage:// spec.storage.path "{target}" must not be inside the source "{source}"'
        yield _finding(rules.STAGE_REFUSED, message, resource, where)


def _is_inside(path: str, folder: str) -> bool:
    return path == folder or path.startswith(folder if folder.endswith("/") else f"{folder}/")


def _sharing_findings(resource: Resource, uri: str, storage: dict[str, Any]) -> Iterator[Finding]:
    mirrored = uri.startswith("oci://") and all(key in resource.annotations for key in _MIRROR)
    if not uri.startswith("hf://") and not mirrored:
        scheme = uri.partition("://")[0]
        message = f"downloadPolicy ReuseIfExists of {resource.ref} has no effect on {scheme}://"
        yield _finding(rules.POLICY_IGNORED, message, resource, (*_STORAGE, "downloadPolicy"))
        return
    target = storage.get("path")
    if target is None:
        return  # a model without a path is a finding of its own
    segments = target.split("/")
    if not target.startswith("/") or ".." in segments:
        message = f"invalid shared Hugging Face artifact child path: {target}"
        yield _finding(rules.SHARED_PATH, message, resource, (*_STORAGE, "path"))
    elif _ARTIFACTS in segments:
        message = f"direct HF child path cannot be inside the shared artifact directory: {target}"
        yield _finding(rules.SHARED_PATH, message, resource, (*_STORAGE, "path"))


def _finding(rule: Rule, message: str, resource: Resource, path: FieldPath) -> Finding:
    return Finding(rule, message, resource.locate(path), object=resource.ref, field=field_text(path), help=rule.remedy)
