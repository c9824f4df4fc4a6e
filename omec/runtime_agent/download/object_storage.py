"""Oracle object storage, asked by Oracle's SDK (the extra ``omec[oci]``) under one of four identities."""

from __future__ import annotations

import base64
import binascii
import importlib
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from omec.facts.remote.errors import ConnectionFailedError, HttpError
from omec.runtime_agent.download.digests import BY_SIZE, Digest
from omec.runtime_agent.download.errors import DownloadError, Kind

_DEFAULT_AUTH = "InstancePrincipal"
_PIECE = 1 << 18


class Bucket:
    """One bucket. ``parameters`` are ``auth`` and ``region``, and ``endpoint`` where it is not that of the region.

    Raises :class:`DownloadError` where there is no SDK or no such identity here.
    """

    def __init__(self, namespace: str, bucket: str, parameters: Mapping[str, str], region: str = "") -> None:
        self._sdk = _sdk()
        self.client = _client(self._sdk, parameters, region)
        self._where = (namespace, bucket)

    def open(self, name: str, start: int, etag: str = "") -> ObjectStream:
        """The object from the byte ``start``; with ``etag`` only as long as it has not changed (412 then).

        Raises :class:`HttpError` and :class:`ConnectionFailedError`.
        """
        more = {**({"range": f"bytes={start}-"} if start else {}), **({"if_match": etag} if etag else {})}
        answer = self.asked(lambda: self.client.get_object(*self._where, name, **more))
        return ObjectStream(answer, start)

    def head(self, name: str) -> Mapping[str, str]:
        """The headers of an object; raises as :meth:`open`."""
        headers: Mapping[str, str] = self.asked(lambda: self.client.head_object(*self._where, name)).headers
        return headers

    def asked(self, ask: Callable[[], Any]) -> Any:
        """The SDK's answer, its errors in the terms of this package."""
        try:
            return ask()
        except self._sdk.exceptions.ServiceError as error:
            raise HttpError(error.status, code=str(error.code), reason=str(error.message)) from None
        except (self._sdk.exceptions.RequestException, self._sdk.exceptions.ClientError, OSError) as error:
            raise ConnectionFailedError(str(error) or type(error).__name__) from None


class ObjectStream:
    """The body of one object."""

    etag = ""

    def __init__(self, answer: Any, start: int) -> None:
        self.start = start if answer.status == 206 else 0
        self._raw = answer.data.raw
        self._pieces: Iterator[bytes] = self._raw.stream(_PIECE, decode_content=False)
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


def refused(error: HttpError) -> DownloadError:
    """The error of a question that object storage says no to."""
    kind = Kind.REFUSED if error.status in (401, 403) else Kind.NOT_FOUND
    kind = Kind.NETWORK if error.status >= 500 or error.status == 429 else kind
    return DownloadError(kind, f"object storage answers HTTP {error.status}: {error.reason}")


def unreachable(error: ConnectionFailedError) -> DownloadError:
    """The error of a question that found no answer."""
    return DownloadError(Kind.NETWORK, f"object storage cannot be reached: {error}")


def md5_digest(text: str | None) -> Digest | None:
    """An MD5 as object storage writes it, in base64; ``None`` for anything else."""
    try:
        raw = base64.b64decode(text or "", validate=True)
    except (binascii.Error, ValueError):
        return None
    return Digest("md5", raw.hex()) if len(raw) == 16 else None


def digest_of(headers: Mapping[str, str]) -> Digest:
    """What a file is verified by: its MD5, the one that its owner wrote into the metadata, or only its size."""
    return md5_digest(headers.get("content-md5")) or md5_digest(headers.get("opc-meta-md5")) or BY_SIZE


def _sdk() -> Any:
    try:
        return importlib.import_module("oci")
    except ImportError:
        message = "oci:// needs Oracle's SDK, which is not in this image (pip install 'omec[oci]')"
        raise DownloadError(Kind.UNSUPPORTED, message) from None


def _client(sdk: Any, parameters: Mapping[str, str], region: str) -> Any:
    """The client of object storage under the identity that ``auth`` names."""
    auth = parameters.get("auth") or _DEFAULT_AUTH
    region = parameters.get("region") or region
    endpoint = parameters.get("endpoint")
    address = {"service_endpoint": endpoint} if endpoint else {}
    signers = {
        "InstancePrincipal": sdk.auth.signers.InstancePrincipalsSecurityTokenSigner,
        "ResourcePrincipal": sdk.auth.signers.get_resource_principals_signer,
        "OkeWorkloadIdentity": sdk.auth.signers.get_oke_workload_identity_resource_principal_signer,
    }
    try:
        if auth == "UserPrincipal":
            config = {**sdk.config.from_file(), **({"region": region} if region else {})}
            return sdk.object_storage.ObjectStorageClient(config, **address)
        if auth in signers:
            config = {"region": region} if region else {}
            return sdk.object_storage.ObjectStorageClient(config, signer=signers[auth](), **address)
    except Exception as error:  # whatever keeps the SDK from finding an identity here
        raise DownloadError(Kind.REFUSED, f"no identity for object storage ({auth}): {error}") from None
    known = ", ".join([*signers, "UserPrincipal"])
    raise DownloadError(Kind.URI, f"the identity for object storage is {auth}, but must be one of {known}")
