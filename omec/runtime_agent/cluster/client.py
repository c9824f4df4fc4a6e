"""One API server: requests with plain JSON objects, refusals as exceptions."""

from __future__ import annotations

import copy
import json
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

from omec.runtime_agent.cluster.errors import ApiError, FencedError, UnreachableError
from omec.runtime_agent.cluster.resources import Object, Resource
from omec.version import __version__

if TYPE_CHECKING:
    from urllib3 import PoolManager
    from urllib3.response import BaseHTTPResponse

JSON_PATCH = "application/json-patch+json"
MERGE_PATCH = "application/merge-patch+json"
_APPLY_PATCH = "application/apply-patch+yaml"

_CONNECT_SECONDS = 10.0
_READ_SECONDS = 60.0
_PAGE = 500
_BUSY_ATTEMPTS = 4
_LONGEST_BUSY_WAIT = 10.0
_CONFLICT_WAIT = 0.05


class Cluster:
    """One API server with one identity. Safe for several threads.

    Methods raise :class:`ApiError` for a refusal and :class:`UnreachableError` where no answer came. Only an answer of
    429 is waited out here; everything else is for the caller, who knows whether another attempt makes sense. A write
    that is fenced raises :class:`FencedError`, which is an :class:`UnreachableError`.
    """

    def __init__(
        self,
        pool: PoolManager,
        host: str,
        headers: Callable[[], dict[str, str]] = dict,
        field_manager: str = "omec-agent",
    ) -> None:
        self._pool = pool
        self._host = host.rstrip("/")
        self._headers = headers
        self._read_seconds = _READ_SECONDS
        self._may_write: Callable[[], bool] = lambda: True
        self.field_manager = field_manager

    def impatient(self, seconds: float) -> Cluster:
        """The same API server, which is held for unreachable after ``seconds`` without a piece of an answer."""
        hurried = copy.copy(self)
        hurried._read_seconds = seconds
        return hurried

    def fenced(self, may_write: Callable[[], bool]) -> Cluster:
        """The same API server, to which nothing is written unless ``may_write`` says so at that very moment."""
        fenced = copy.copy(self)
        fenced._may_write = may_write
        return fenced

    def get(self, resource: Resource, name: str, namespace: str | None = None) -> Object:
        """One object; raises :class:`ApiError` where it does not exist."""
        return self.request("GET", resource.path(name, namespace))

    def find(self, resource: Resource, name: str, namespace: str | None = None) -> Object | None:
        """One object, ``None`` where neither it nor its kind exists."""
        try:
            return self.get(resource, name, namespace)
        except ApiError as error:
            if error.not_found:
                return None
            raise

    def list(self, resource: Resource, namespace: str | None = None, *, labels: str = "") -> Iterator[Object]:
        """All objects, page by page, with ``apiVersion`` and ``kind``, which lists leave out."""
        for page in self.pages(resource, namespace, labels=labels):
            yield from page["items"]

    def pages(
        self, resource: Resource, namespace: str | None = None, *, labels: str = "", fields: str = ""
    ) -> Iterator[Object]:
        """The pages of a list; ``metadata.resourceVersion`` of each is where a watch goes on."""
        query = {"limit": str(_PAGE), "labelSelector": labels, "fieldSelector": fields}
        while True:
            page = self.request("GET", resource.path(namespace=namespace), query=query)
            for item in page.get("items") or ():
                item.setdefault("apiVersion", resource.api_version)
                item.setdefault("kind", resource.kind)
            page["items"] = page.get("items") or []
            yield page
            following = page["metadata"].get("continue")
            if not following:
                return
            query["continue"] = following

    def create(self, resource: Resource, obj: Object, namespace: str | None = None) -> Object:
        return self.request("POST", resource.path(namespace=namespace), obj, query=self._manager)

    def replace(self, resource: Resource, obj: Object, *, subresource: str = "") -> Object:
        """Put ``obj`` in the place of the object; its resource version, where it has one, must be the current one."""
        metadata = obj["metadata"]
        path = resource.path(metadata["name"], metadata.get("namespace"), subresource)
        return self.request("PUT", path, obj, query=self._manager)

    def apply(self, resource: Resource, obj: Object, *, force: bool = False, subresource: str = "") -> Object:
        """Server-side apply: ``obj`` holds exactly the fields that this manager owns.

        Raises :class:`ApiError` (a conflict) where another manager owns one of them, unless ``force``.
        """
        metadata = obj["metadata"]
        path = resource.path(metadata["name"], metadata.get("namespace"), subresource)
        query = {**self._manager, "force": "true" if force else "false"}
        body = {"apiVersion": resource.api_version, "kind": resource.kind, **obj}
        return self.request("PATCH", path, body, query=query, content_type=_APPLY_PATCH)

    def patch(
        self,
        resource: Resource,
        name: str,
        patch: Object | Sequence[Object],
        namespace: str | None = None,
        *,
        subresource: str = "",
    ) -> Object:
        """A JSON patch where ``patch`` is a list of operations, else a merge patch."""
        content_type = MERGE_PATCH if isinstance(patch, Mapping) else JSON_PATCH
        path = resource.path(name, namespace, subresource)
        return self.request("PATCH", path, patch, query=self._manager, content_type=content_type)

    def delete(
        self, resource: Resource, name: str, namespace: str | None = None, *, options: Object | None = None
    ) -> None:
        """Delete an object; nothing where it is gone already."""
        try:
            self.request("DELETE", resource.path(name, namespace), options or {})
        except ApiError as error:
            if not error.not_found:
                raise

    def request(
        self,
        method: str,
        path: str,
        body: Any = None,
        *,
        query: Mapping[str, str] | None = None,
        content_type: str = "application/json",
    ) -> Object:
        """Send one request; the JSON of the answer. A server that is busy is asked again."""
        for attempt in range(1, _BUSY_ATTEMPTS + 1):
            if method != "GET" and not self._may_write():
                raise FencedError("not written: this process may not write any more")
            try:
                response = self._send(method, path, body, query or {}, content_type, self._read_seconds)
                return _json(response)
            except ApiError as error:
                if error.status != 429 or attempt == _BUSY_ATTEMPTS:
                    raise
                time.sleep(min(_LONGEST_BUSY_WAIT, error.retry_after or 1.0))
        raise AssertionError  # the last attempt returns or raises

    def stream(self, path: str, query: Mapping[str, str], read_seconds: float) -> Iterator[Object]:
        """The lines of an answer that goes on, as JSON; ends when the server ends it."""
        response = self._send("GET", path, None, query, "application/json", read_seconds)
        try:
            for line in _lines(response):
                yield json.loads(line)
        except ValueError as error:
            raise UnreachableError(f"the API server's answer is cut: {error}") from None
        finally:
            response.close()

    @property
    def _manager(self) -> dict[str, str]:
        return {"fieldManager": self.field_manager}

    def _send(
        self, method: str, path: str, body: Any, query: Mapping[str, str], content_type: str, read_seconds: float
    ) -> BaseHTTPResponse:
        import urllib3  # noqa: PLC0415

        given = urlencode({key: value for key, value in query.items() if value})
        url = f"{self._host}{path}{f'?{given}' if given else ''}"
        headers = {
            "User-Agent": f"omec/{__version__}",
            "Accept": "application/json",
            **({"Content-Type": content_type} if body is not None else {}),
            **self._headers(),
        }
        data = None if body is None else json.dumps(body, ensure_ascii=False).encode()
        timeout = urllib3.Timeout(connect=min(_CONNECT_SECONDS, read_seconds), read=read_seconds)
        try:
            response = self._pool.urlopen(
                method, url, body=data, headers=headers, timeout=timeout, retries=False, preload_content=False
            )
            if response.status >= 300:
                raise _refusal(response)
        except (urllib3.exceptions.HTTPError, OSError) as error:
            raise UnreachableError(f"{self._host} does not answer: {error}") from None
        return response


def modify(change: Callable[[], Any], attempts: int = 12) -> Any:
    """The result of ``change``, which reads, changes and writes an object; again while others write in between."""
    for attempt in range(1, attempts + 1):
        try:
            return change()
        except ApiError as error:
            if not (error.conflict or error.already_exists) or attempt == attempts:
                raise
            time.sleep(_CONFLICT_WAIT * attempt)
    raise AssertionError  # the last attempt returns or raises


def _json(response: BaseHTTPResponse) -> Object:
    import urllib3  # noqa: PLC0415

    try:
        data = response.read()
        value: Object = json.loads(data) if data else {}
    except (urllib3.exceptions.HTTPError, OSError, ValueError) as error:
        raise UnreachableError(f"the API server's answer is cut: {error}") from None
    finally:
        response.release_conn()
    return value


def _lines(response: BaseHTTPResponse) -> Iterator[bytes]:
    import urllib3  # noqa: PLC0415

    rest = b""
    try:
        for chunk in response.stream(None if response.chunked else 65536):
            *lines, rest = (rest + chunk).split(b"\n")
            yield from (line for line in lines if line)
    except urllib3.exceptions.ReadTimeoutError:
        raise UnreachableError("nothing was heard of the API server", silent=True) from None
    except (urllib3.exceptions.HTTPError, OSError) as error:
        raise UnreachableError(f"the watch is cut: {error}") from None


def _refusal(response: BaseHTTPResponse) -> ApiError:
    data = response.read()
    response.release_conn()
    try:
        status = json.loads(data)
    except ValueError:
        status = {"message": data.decode(errors="replace")[:500].strip()}
    after = response.headers.get("Retry-After", "")
    return ApiError(
        response.status,
        str(status.get("reason") or ""),
        str(status.get("message") or ""),
        retry_after=float(after) if after.isascii() and after.isdigit() else None,
    )
