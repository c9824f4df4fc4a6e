"""The grammar of ``spec.storage.storageUri``, with OME's own error texts (reference 07 §2).

The scheme is decided by a plain, case-sensitive prefix; each scheme has a parser of its own. OME checks at admission
only ``pvc://`` URIs; a wrong one of any other scheme shows up on the nodes.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import ClassVar

import msgspec
from msgspec.structs import fields

from omec.api.gotext import quoted

_AZURE_ENDPOINT = ".blob.core.windows.net/"
_DEFAULT_REVISION = "main"
_DEFAULT_TAG = "latest"
_NAMESPACE = re.compile(r"[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?")
_GO_SPACE = "\t\n\v\f\r \x85\xa0\u1680\u2028\u2029\u202f\u205f\u3000" + "".join(map(chr, range(0x2000, 0x200B)))


class StorageUriError(ValueError):
    """A storage URI that OME cannot parse; the text is OME's."""


class StorageUri(msgspec.Struct, frozen=True):
    """The parts of a parsed storage URI; the subclass says of which scheme."""

    type: ClassVar[str]
    """OME's name of the scheme."""

    def components(self) -> dict[str, str]:
        """The parts by OME's names (``pvcName``, ``subPath``, …)."""
        return {_camel(part.name): getattr(self, part.name) for part in fields(self)}


def _camel(name: str) -> str:
    first, *rest = name.split("_")
    return first + "".join(word.capitalize() for word in rest)


class OciUri(StorageUri, frozen=True):
    """``oci://n/{namespace}/b/{bucket}/o/{prefix}``: OCI Object Storage (never a container registry)."""

    type: ClassVar[str] = "OCI"
    namespace: str
    bucket: str
    prefix: str


class PvcUri(StorageUri, frozen=True):
    """``pvc://[{namespace}:]{pvc_name}/{sub_path}``: a PersistentVolumeClaim; no namespace gives ``""``."""

    type: ClassVar[str] = "PVC"
    namespace: str
    pvc_name: str
    sub_path: str


class VendorUri(StorageUri, frozen=True):
    """``vendor://{vendor_name}/{resource_type}/{resource_path}``: weights that something else brings to the nodes."""

    type: ClassVar[str] = "VENDOR"
    vendor_name: str
    resource_type: str
    resource_path: str


class HuggingFaceUri(StorageUri, frozen=True):
    """``hf://{model_id}[@{revision}]``: the Hugging Face hub; ``main`` unless a revision is given."""

    type: ClassVar[str] = "HUGGINGFACE"
    model_id: str
    revision: str


class S3Uri(StorageUri, frozen=True):
    """``s3://{bucket}[@{region}][/{prefix}]``: S3, which OME 1.3 does not download from."""

    type: ClassVar[str] = "S3"
    bucket: str
    region: str
    prefix: str


class AzureUri(StorageUri, frozen=True):
    """``az://{account}[.blob.core.windows.net]/{container}[/{blob_path}]``; OME 1.3 does not download from it."""

    type: ClassVar[str] = "AZURE"
    account: str
    container: str
    blob_path: str


class GcsUri(StorageUri, frozen=True):
    """``gs://{bucket}[/{object}]``: Google Cloud Storage, which OME 1.3 does not download from."""

    type: ClassVar[str] = "GCS"
    bucket: str
    object: str


class GithubUri(StorageUri, frozen=True):
    """``github://{owner}/{repository}[@{tag}]``; OME 1.3 does not download from it."""

    type: ClassVar[str] = "GITHUB"
    owner: str
    repository: str
    tag: str


class LocalUri(StorageUri, frozen=True):
    """``local://{path}``: a directory that is on the nodes already."""

    type: ClassVar[str] = "LOCAL"
    path: str


class ModelPackUri(StorageUri, frozen=True):
    """``modelpack://{registry}/{repository}[:{tag}|@{digest}]``: known to newer code, not supported by OME 1.3."""

    type: ClassVar[str] = "MODELPACK"
    reference: str


def parse_storage_uri(uri: str) -> StorageUri:
    """The parts of ``uri``; raises :class:`StorageUriError` with OME's text where OME cannot parse it."""
    for scheme in PARSERS:
        if uri.startswith(f"{scheme}://"):
            return parse_with_scheme(scheme, uri)
    raise StorageUriError(f"unknown storage type for URI: {uri}")


def storage_type(uri: str) -> str | None:
    """OME's name of the scheme of ``uri``, whether or not the rest parses; ``None`` for an unknown scheme."""
    return next((parser.type for scheme, parser in PARSERS.items() if uri.startswith(f"{scheme}://")), None)


def parse_with_scheme(scheme: str, uri: str) -> StorageUri:
    """``uri`` as the parser of ``scheme`` reads it; raises :class:`StorageUriError`."""
    parser = PARSERS[scheme]
    if not uri.startswith(f"{scheme}://"):
        raise StorageUriError(f"{parser.error}: missing {scheme}:// prefix")
    return parser.parse(uri.removeprefix(f"{scheme}://"), uri)


def _oci(rest: str, _uri: str) -> OciUri:
    parts = rest.split("/")
    if len(parts) < 6 or (parts[0], parts[2], parts[4]) != ("n", "b", "o"):
        raise StorageUriError(
            "invalid OCI storage URI format. Expected: oci://n/{namespace}/b/{bucket}/o/{object_path}"
        )
    return OciUri(namespace=parts[1], bucket=parts[3], prefix="/".join(parts[5:]))


def _pvc(rest: str, _uri: str) -> PvcUri:
    if not rest:
        raise _pvc_error("missing content after prefix")
    claim, slash, sub_path = rest.partition("/")
    if not slash:
        raise _pvc_error("missing subpath")
    namespace, pvc_name = _pvc_owner(claim) if ":" in claim else ("", claim)
    if not pvc_name:
        raise _pvc_error("missing PVC name")
    if not sub_path:
        raise _pvc_error("missing subpath")
    if ".." in sub_path.split("/"):
        raise _pvc_error("subpath must not contain '..' segments")
    return PvcUri(namespace, pvc_name, sub_path)


def _pvc_owner(claim: str) -> tuple[str, str]:
    namespace, _, pvc_name = claim.partition(":")
    if not namespace:
        raise _pvc_error("empty namespace before colon")
    if not pvc_name:
        raise _pvc_error("empty PVC name after colon")
    if ":" in pvc_name:
        raise _pvc_error("multiple colons not allowed in namespace:pvc-name")
    if not _NAMESPACE.fullmatch(namespace):
        raise _pvc_error(
            f"invalid namespace {quoted(namespace)} (must be lowercase alphanumeric with hyphens, max 63 chars)"
        )
    return namespace, pvc_name


def _pvc_error(problem: str) -> StorageUriError:
    return StorageUriError(f"{PARSERS['pvc'].error}: {problem}")


def _vendor(rest: str, _uri: str) -> VendorUri:
    if not rest:
        raise StorageUriError("invalid vendor storage URI format: missing vendor name")
    parts = rest.split("/", 2)
    if len(parts) < 3 or not all(parts):
        raise StorageUriError(
            "invalid vendor storage URI format. Expected: vendor://{vendor-name}/{resource-type}/{resource-path}"
        )
    return VendorUri(*parts)


def _hugging_face(rest: str, _uri: str) -> HuggingFaceUri:
    if not rest:
        raise StorageUriError("invalid Hugging Face storage URI format: missing model ID")
    model_id, at, revision = rest.partition("@")
    if not model_id:
        raise StorageUriError("invalid Hugging Face storage URI format: model ID cannot be empty")
    return HuggingFaceUri(model_id, revision if at else _DEFAULT_REVISION)


def _s3(rest: str, _uri: str) -> S3Uri:
    if not rest:
        raise StorageUriError("invalid S3 storage URI format: missing bucket name")
    bucket, at, location = rest.partition("@")
    if at:
        region, _, prefix = location.partition("/")
    else:
        region = ""
        bucket, _, prefix = rest.partition("/")
    if not bucket:
        raise StorageUriError("invalid S3 storage URI format: bucket name cannot be empty")
    return S3Uri(bucket, region, prefix)


def _azure(rest: str, _uri: str) -> AzureUri:
    if not rest:
        raise StorageUriError("invalid Azure storage URI format: missing account name")
    separator = _AZURE_ENDPOINT if _AZURE_ENDPOINT in rest else "/"
    account, found, location = rest.partition(separator)
    if not found:
        raise StorageUriError("invalid Azure storage URI format: missing container name")
    container, _, blob_path = location.partition("/")
    if not account or not container:
        raise StorageUriError("invalid Azure storage URI format: account name and container name are required")
    return AzureUri(account, container, blob_path)


def _gcs(rest: str, _uri: str) -> GcsUri:
    if not rest:
        raise StorageUriError("invalid GCS storage URI format: missing bucket name")
    bucket, _, name = rest.partition("/")
    if not bucket:
        raise StorageUriError("invalid GCS storage URI format: bucket name cannot be empty")
    return GcsUri(bucket, name)


def _github(rest: str, _uri: str) -> GithubUri:
    if not rest:
        raise StorageUriError("invalid GitHub storage URI format: missing owner/repository")
    path, at, tag = rest.partition("@")
    owner, slash, repository = path.partition("/")
    if not slash:
        raise StorageUriError("invalid GitHub storage URI format: expected owner/repository")
    if not owner or not repository:
        raise StorageUriError("invalid GitHub storage URI format: owner and repository are required")
    return GithubUri(owner, repository, tag if at else _DEFAULT_TAG)


def _local(rest: str, _uri: str) -> LocalUri:
    if not rest:
        raise StorageUriError("invalid local storage URI format: missing path")
    return LocalUri(rest)


def _model_pack(rest: str, uri: str) -> ModelPackUri:
    reference = rest.strip(_GO_SPACE)
    registry, _, repository = reference.partition("/")
    if not registry or not repository:
        raise StorageUriError(
            f"invalid ModelPack storage URI {quoted(uri)}: expected modelpack://{{registry}}/{{repository}}[:{{tag}}]"
        )
    return ModelPackUri(reference)


class _Parser(msgspec.Struct, frozen=True):
    """How one scheme is parsed: OME's name of it, the beginning of its errors, and the function for the rest."""

    type: str
    error: str
    parse: Callable[[str, str], StorageUri]


PARSERS: dict[str, _Parser] = {
    # In OME's order; no prefix is the beginning of another, so the order shows nowhere.
    "oci": _Parser("OCI", "invalid OCI storage URI format", _oci),
    "pvc": _Parser("PVC", "invalid PVC storage URI format", _pvc),
    "vendor": _Parser("VENDOR", "invalid vendor storage URI format", _vendor),
    "hf": _Parser("HUGGINGFACE", "invalid Hugging Face storage URI format", _hugging_face),
    "s3": _Parser("S3", "invalid S3 storage URI format", _s3),
    "az": _Parser("AZURE", "invalid Azure storage URI format", _azure),
    "gs": _Parser("GCS", "invalid GCS storage URI format", _gcs),
    "github": _Parser("GITHUB", "invalid GitHub storage URI format", _github),
    "local": _Parser("LOCAL", "invalid local storage URI format", _local),
    "modelpack": _Parser("MODELPACK", "invalid ModelPack storage URI format", _model_pack),
}
"""The parser of each scheme, by its prefix without ``://``."""
