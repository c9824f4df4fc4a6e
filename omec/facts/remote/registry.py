"""An OCI registry: manifests and blobs by the distribution API, with its tokens.

Source: OCI distribution specification; Docker's token authentication.
"""

from __future__ import annotations

import base64
import hashlib
import json
import os
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any
from urllib.parse import urlencode, urlsplit

import msgspec

from omec.facts.display import shown
from omec.facts.remote.client import Client
from omec.facts.remote.errors import ConnectionFailedError, HttpError, RemoteError
from omec.facts.remote.wire import Answer, Request

MANIFEST = "application/vnd.oci.image.manifest.v1+json"
INDEX = "application/vnd.oci.image.index.v1+json"

_REPOSITORY = re.compile(r"[a-z0-9]+(?:(?:\.|_|__|-+)[a-z0-9]+)*(?:/[a-z0-9]+(?:(?:\.|_|__|-+)[a-z0-9]+)*)*")
_HOST = re.compile(r"[A-Za-z0-9.-]+(?::[0-9]{1,5})?|\[[0-9a-fA-F:]+\](?::[0-9]{1,5})?")
_TAG = re.compile(r"[A-Za-z0-9_][A-Za-z0-9._-]{0,127}")
DIGEST = re.compile(r"sha256:[0-9a-f]{64}")

_LOOPBACK = ("localhost", "127.0.0.1", "::1")
_ALIASES = {"docker.io": "registry-1.docker.io"}
_LONGEST_MANIFEST = 4 * 1024 * 1024
_LONGEST_TOKEN = 256 * 1024
_UNAUTHORIZED, _FORBIDDEN, _NOT_FOUND = 401, 403, 404


class Reference(msgspec.Struct, frozen=True):
    """``registry/repository[:tag|@digest]``; ``version`` is the tag or the digest."""

    host: str
    repository: str
    version: str

    @classmethod
    def parse(cls, text: str) -> Reference:
        """The parts of ``text``; raises :class:`RemoteError`."""
        host, _, rest = text.partition("/")
        name, at, digest = rest.partition("@")
        repository, colon, tag = name.rpartition(":")
        if not colon:
            repository, tag = name, "latest"
        version = digest if at else tag
        wanted = DIGEST if at else _TAG
        if not (_HOST.fullmatch(host) and _REPOSITORY.fullmatch(repository) and wanted.fullmatch(version)):
            raise RemoteError(
                f"modelpack://{shown(text)} names no artifact",
                hint="write modelpack://REGISTRY/REPOSITORY:TAG, or @sha256:DIGEST instead of the tag",
            )
        return cls(host, repository, version)

    @property
    def is_digest(self) -> bool:
        return DIGEST.fullmatch(self.version) is not None

    def __str__(self) -> str:
        return f"{self.host}/{self.repository}{'@' if self.is_digest else ':'}{self.version}"


class Registry:
    """One repository of one registry; asks for a token when the registry wants one."""

    def __init__(self, reference: Reference, client: Client, basic: str | None = None) -> None:
        """``basic`` is the value of ``Authorization`` to log in with; by default that of Docker's configuration."""
        self._reference = reference
        self._client = client
        self._basic = docker_login(reference.host) if basic is None else basic
        self._authorization = self._basic

    def manifest(self, version: str) -> tuple[str, bytes]:
        """The digest and the bytes of a manifest or index, checked against the digest where ``version`` is one."""
        url = self._url(f"manifests/{version}")
        body = self._get(Request(url, _LONGEST_MANIFEST, {"Accept": f"{MANIFEST}, {INDEX}"})).body
        return self._verified(body, version), body

    def blob(self, digest: str, most: int) -> bytes:
        """A whole blob of at most ``most`` bytes, checked against its digest."""
        body = self._get(Request(self._url(f"blobs/{digest}"), most)).body
        self._verified(body, digest)
        return body

    def blob_range(self, digest: str, start: int, length: int) -> bytes:
        """Exactly ``length`` bytes of a blob; raises :class:`omec.facts.remote.client.BeyondEndError`."""
        return self._get(Request(self._url(f"blobs/{digest}"), length, start=start)).body

    def blob_url(self, digest: str) -> str:
        """Where a blob is; to be asked with :attr:`headers`."""
        return self._url(f"blobs/{digest}")

    @property
    def headers(self) -> dict[str, str]:
        """What a request to the registry itself carries: how to log in, once it is known."""
        return {"Authorization": self._authorization} if self._authorization else {}

    def _url(self, path: str) -> str:
        host = _ALIASES.get(self._reference.host, self._reference.host)
        scheme = "http" if urlsplit(f"//{host}").hostname in _LOOPBACK else "https"
        return f"{scheme}://{host}/v2/{self._reference.repository}/{path}"

    def _get(self, request: Request) -> Answer:
        try:
            try:
                return self._send(request)
            except HttpError as error:
                if error.status != _UNAUTHORIZED or not self.authorize(error.challenge):
                    raise
                return self._send(request)
        except HttpError as error:
            refused = self._refused(error)
            refused.status = error.status
            raise refused from None
        except ConnectionFailedError as error:
            raise RemoteError(
                f"{self._reference.host} cannot be reached for {self._reference}: {error}",
                hint="check the network and HTTPS_PROXY",
                status=0,
            ) from None

    def _send(self, request: Request) -> Answer:
        request = Request(request.url, request.most, {**request.headers, **self.headers}, request.start)
        return self._client.whole(request) if request.start is None else self._client.part(request)

    def authorize(self, challenge: str) -> bool:
        """Get the token that the registry's ``challenge`` asks for; whether there is anything new to try."""
        scheme, _, rest = challenge.partition(" ")
        given = dict(re.findall(r'(\w+)="([^"]*)"', rest))
        realm = given.get("realm", "")
        if scheme.lower() != "bearer" or urlsplit(realm).scheme not in ("http", "https"):
            return False
        scope = given.get("scope") or f"repository:{self._reference.repository}:pull"
        query = urlencode({"service": given.get("service", ""), "scope": scope})
        login = {"Authorization": self._basic} if self._basic else {}
        request = Request(f"{realm}?{query}", _LONGEST_TOKEN, login)
        answer = _json(self._client.whole(request).body)
        token = answer.get("token") or answer.get("access_token")
        self._authorization = f"Bearer {token}" if isinstance(token, str) else ""
        return bool(self._authorization)

    def _verified(self, body: bytes, version: str) -> str:
        """The digest of ``body``; raises :class:`RemoteError` where ``version`` is another one."""
        digest = f"sha256:{hashlib.sha256(body).hexdigest()}"
        if DIGEST.fullmatch(version) and digest != version:
            raise RemoteError(
                f"{self._reference.host} answers with other content than {version} of {self._reference}",
                hint="push the artifact again; somebody changed it on the way",
            )
        return digest

    def _refused(self, error: HttpError) -> RemoteError:
        if error.status in (_UNAUTHORIZED, _FORBIDDEN):
            return RemoteError(
                f"{self._reference.host} does not give {self._reference} to this user",
                hint=f"run docker login {self._reference.host}, which writes the credentials that omec uses",
            )
        if error.status == _NOT_FOUND:
            return RemoteError(f"{self._reference.host} has no {self._reference}", hint="check the name and the tag")
        return RemoteError(
            f"{self._reference.host} answers HTTP {error.status} for {self._reference}",
            hint="run the command again later; what was read is kept",
        )


def docker_login(host: str, configuration: bytes | None = None) -> str:
    """The value of ``Authorization`` that a configuration of Docker holds for a registry; empty where it has none.

    Without ``configuration`` the user's own is read. Credential helpers are programs, which omec does not run.
    """
    try:
        if configuration is None:
            folder = Path(os.environ.get("DOCKER_CONFIG") or Path.home() / ".docker")
            configuration = (folder / "config.json").read_bytes()
        auths = _json(configuration).get("auths", {})
        auth = auths[host]["auth"]
        base64.b64decode(auth, validate=True)
    except (OSError, RuntimeError, KeyError, TypeError, ValueError):
        return ""
    return f"Basic {auth}"


def _json(data: bytes) -> Mapping[str, Any]:
    try:
        value = json.loads(data)
    except (ValueError, RecursionError):
        return {}
    return value if isinstance(value, dict) else {}
