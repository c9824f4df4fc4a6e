"""Storage URIs as OME's download path reads them: more leniently than its validation (reference 07 §2.2)."""

from __future__ import annotations

from dataclasses import dataclass

from omec.api.storage_uri import (
    HuggingFaceUri,
    LocalUri,
    PvcUri,
    StorageUriError,
    parse_storage_uri,
    storage_type,
)

_HUB, _LOCAL = "huggingface", "local"
_DOCUMENTED = 5
"""The parts of ``n/NAMESPACE/b/BUCKET/o``."""


@dataclass(frozen=True, slots=True)
class ObjectUri:
    """Where objects are. For the hub, ``bucket`` is the model and ``prefix`` the revision; for others see OME."""

    namespace: str
    bucket: str
    prefix: str
    region: str = ""


def parse_object_uri(uri: str) -> ObjectUri:
    """The place that ``uri`` names for a download; raises :class:`StorageUriError` with OME's text."""
    kind = storage_type(uri)
    if kind == "OCI":
        return _object_storage(uri.removeprefix("oci://"))
    if kind not in ("HUGGINGFACE", "PVC", "LOCAL") and kind is not None:
        raise StorageUriError(f"unsupported storage type for object URI: {kind}")
    parsed = parse_storage_uri(uri)
    if isinstance(parsed, HuggingFaceUri):
        return ObjectUri(_HUB, parsed.model_id, parsed.revision)
    if isinstance(parsed, LocalUri):
        return ObjectUri(_LOCAL, "", parsed.path)
    assert isinstance(parsed, PvcUri)
    return ObjectUri(parsed.namespace, parsed.pvc_name, parsed.sub_path)


def _object_storage(rest: str) -> ObjectUri:
    """``n/NS/b/BUCKET/o[/PREFIX]``, ``NS@REGION/BUCKET[/PREFIX]`` or ``BUCKET[/PREFIX]``."""
    if rest.startswith("n/"):
        parts = rest.split("/")
        if len(parts) < _DOCUMENTED or parts[2] != "b" or parts[4] != "o":
            raise StorageUriError(f"invalid OCI URI format, expected 'oci://n/namespace/b/bucket/o/prefix': {rest}")
        return ObjectUri(parts[1], parts[3], "/".join(parts[_DOCUMENTED:]))
    namespace, region, place = "", "", rest
    if "@" in rest:
        namespace, _, located = rest.partition("@")
        region, _, place = located.partition("/")
    bucket, _, prefix = place.partition("/")
    if not bucket:
        raise StorageUriError(f"invalid URI format, missing bucket name: {rest}")
    return ObjectUri(namespace, bucket, prefix, region)
