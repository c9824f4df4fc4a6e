"""Models in Oracle object storage, by Oracle's SDK (the extra ``omec[oci]``). Source: reference 07 §6.2, §7.4.

Objects are verified by their MD5. One that was uploaded in parts has none, unless its owner wrote it into the object's
metadata; it is then taken by its size, as OME does.
"""

from __future__ import annotations

import base64
import binascii
import importlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from hashlib import sha256
from pathlib import Path
from typing import Any

from omec.facts.remote.errors import ConnectionFailedError, HttpError
from omec.runtime_agent.download.digests import BY_SIZE, Digest
from omec.runtime_agent.download.errors import DownloadError, Kind
from omec.runtime_agent.download.object_uri import ObjectUri
from omec.runtime_agent.download.source import Item

GPU_PARAMETER = "omec.gpu"
"""The parameter of a job that names the GPU of the node, where a TensorRT-LLM engine is wanted."""

_DEFAULT_AUTH = "InstancePrincipal"
_FIELDS = "name,size,md5,etag"
_PIECE = 1 << 18


class ObjectSource:
    """A :class:`omec.runtime_agent.download.source.Source` over the objects with one prefix.

    ``parameters`` are those of the model's storage: ``auth`` and ``region``.
    """

    def __init__(self, place: ObjectUri, parameters: Mapping[str, str]) -> None:
        self._place = place
        self._sdk = _sdk()
        self._client = _client(self._sdk, parameters, place.region)
        prefix = place.prefix if place.prefix.endswith("/") or not place.prefix else f"{place.prefix}/"
        self.name = f"oci://n/{place.namespace}/b/{place.bucket}/o/{prefix}"
        objects = _for_gpu(list(self._listed(prefix)), parameters.get(GPU_PARAMETER, ""))
        if not objects:
            message = (
                f"no objects found under namespace {place.namespace}, bucket {place.bucket}, object prefix {prefix}"
            )
            raise DownloadError(Kind.NOT_FOUND, message)
        self.items: Sequence[Item] = [self._item(each, prefix) for each in objects]
        state = "\n".join(sorted(f"{each.name} {each.size} {each.etag}" for each in objects))
        self.revision = sha256(state.encode()).hexdigest()

    def open(self, item: Item, start: int) -> _ObjectStream:
        span = {"range": f"bytes={start}-"} if start else {}
        answer = self._asked(
            lambda: self._client.get_object(self._place.namespace, self._place.bucket, item.key, **span)
        )
        return _ObjectStream(answer, start, self._sdk)

    def fetch_otherwise(self, item: Item, folder: Path) -> Path | None:  # noqa: ARG002 - the protocol's
        return None

    def _listed(self, prefix: str) -> Iterator[Any]:
        """The objects below ``prefix``; those that only stand for a folder are left out."""
        where = (self._place.namespace, self._place.bucket)
        start: str | None = None
        while True:
            more = {"start": start} if start else {}
            try:
                answer = self._asked(partial(self._client.list_objects, *where, prefix=prefix, fields=_FIELDS, **more))
            except HttpError as error:
                kind = Kind.REFUSED if error.status in (401, 403) else Kind.NOT_FOUND
                kind = Kind.NETWORK if error.status >= 500 or error.status == 429 else kind
                raise DownloadError(kind, f"object storage answers HTTP {error.status}: {error.reason}") from None
            except ConnectionFailedError as error:
                raise DownloadError(Kind.NETWORK, f"object storage cannot be reached: {error}") from None
            yield from (each for each in answer.data.objects if not each.name.endswith("/"))
            start = answer.data.next_start_with
            if not start:
                return

    def _item(self, listed: Any, prefix: str) -> Item:
        digest = _md5(listed.md5) or self._md5_in_metadata(listed.name) or BY_SIZE
        return Item(listed.name.removeprefix(prefix), listed.size or 0, digest, key=listed.name)

    def _md5_in_metadata(self, name: str) -> Digest | None:
        try:
            answer = self._asked(lambda: self._client.head_object(self._place.namespace, self._place.bucket, name))
        except (HttpError, ConnectionFailedError) as error:
            raise DownloadError(Kind.NETWORK, f"object storage does not tell of {name}: {error}") from None
        return _md5(answer.headers.get("opc-meta-md5"))

    def _asked(self, ask: Callable[[], Any]) -> Any:
        """The SDK's answer, its errors in the terms of this package."""
        try:
            return ask()
        except self._sdk.exceptions.ServiceError as error:
            raise HttpError(error.status, code=str(error.code), reason=str(error.message)) from None
        except (self._sdk.exceptions.RequestException, self._sdk.exceptions.ClientError, OSError) as error:
            raise ConnectionFailedError(str(error) or type(error).__name__) from None


class _ObjectStream:
    """The body of one object."""

    etag = ""

    def __init__(self, answer: Any, start: int, sdk: Any) -> None:
        self.start = start if answer.status == 206 else 0
        self._raw = answer.data.raw
        self._pieces: Iterator[bytes] = self._raw.stream(_PIECE, decode_content=False)
        self._sdk = sdk
        self._rest = b""

    def read(self, most: int) -> bytes:
        try:
            data = self._rest or next(self._pieces, b"")
        except Exception as error:  # the SDK brings an HTTP library of its own, with errors of its own
            raise ConnectionFailedError(str(error) or type(error).__name__) from None
        self._rest = data[most:]
        return data[:most]

    def close(self) -> None:
        self._raw.close()


def _sdk() -> Any:
    try:
        return importlib.import_module("oci")
    except ImportError:
        message = "oci:// models need Oracle's SDK, which is not in this image (pip install 'omec[oci]')"
        raise DownloadError(Kind.UNSUPPORTED, message) from None


def _client(sdk: Any, parameters: Mapping[str, str], region: str) -> Any:
    """The client of object storage under the identity that ``auth`` names."""
    auth = parameters.get("auth") or _DEFAULT_AUTH
    region = parameters.get("region") or region
    signers = {
        "InstancePrincipal": sdk.auth.signers.InstancePrincipalsSecurityTokenSigner,
        "ResourcePrincipal": sdk.auth.signers.get_resource_principals_signer,
        "OkeWorkloadIdentity": sdk.auth.signers.get_oke_workload_identity_resource_principal_signer,
    }
    try:
        if auth == "UserPrincipal":
            config = {**sdk.config.from_file(), **({"region": region} if region else {})}
            return sdk.object_storage.ObjectStorageClient(config)
        if auth in signers:
            config = {"region": region} if region else {}
            return sdk.object_storage.ObjectStorageClient(config, signer=signers[auth]())
    except Exception as error:  # whatever keeps the SDK from finding an identity here
        raise DownloadError(Kind.REFUSED, f"no identity for object storage ({auth}): {error}") from None
    known = ", ".join([*signers, "UserPrincipal"])
    raise DownloadError(Kind.URI, f"parameters.auth is {auth}, but must be one of {known}")


def _for_gpu(objects: list[Any], gpu: str) -> list[Any]:
    """Of a TensorRT-LLM engine, the objects for this node's GPU (reference 07 §7.5)."""
    if not gpu:
        return objects
    kept = [each for each in objects if f"/{gpu}/" in each.name]
    if not kept:
        raise DownloadError(Kind.NOT_FOUND, f"no suitable objects found for shape {gpu}")
    return kept


def _md5(text: str | None) -> Digest | None:
    """An MD5 as object storage writes it, in base64."""
    try:
        raw = base64.b64decode(text or "", validate=True)
    except (binascii.Error, ValueError):
        return None
    return Digest("md5", raw.hex()) if len(raw) == 16 else None
