"""A client of the API server, just large enough for tests: one connection, JSON in and out."""

from __future__ import annotations

import json
import ssl
from collections.abc import Iterable
from dataclasses import dataclass, field
from http.client import HTTPSConnection
from typing import Any
from urllib.parse import quote, urlencode

from tests.cluster.control_plane import Endpoint

Object = dict[str, Any]

FIELD_MANAGER = "omec"


@dataclass(frozen=True, slots=True)
class Answer:
    """What the API server said to one request: the stored (or would-be stored) object, or its refusal."""

    status: int
    body: Object
    warnings: tuple[str, ...] = ()

    @property
    def accepted(self) -> bool:
        return self.status < 300

    @property
    def message(self) -> str:
        return "" if self.accepted else str(self.body.get("message", self.body))


@dataclass(frozen=True, slots=True)
class Resource:
    """The REST resource of a kind."""

    path: str
    plural: str
    namespaced: bool

    def url(self, namespace: str | None, name: str = "") -> str:
        scope = f"/namespaces/{quote(namespace or 'default', safe='')}" if self.namespaced else ""
        return f"{self.path}{scope}/{self.plural}" + (f"/{quote(name, safe='')}" if name else "")


@dataclass(slots=True)
class ApiServer:
    """An API server as the field manager ``omec`` sees it."""

    endpoint: Endpoint
    _connection: HTTPSConnection = field(init=False)
    _resources: dict[tuple[str, str], Resource] = field(default_factory=dict)

    def __post_init__(self) -> None:
        trusted = ssl.create_default_context(cafile=str(self.endpoint.certificate))
        self._connection = HTTPSConnection(self.endpoint.host, self.endpoint.port, context=trusted, timeout=30)

    @property
    def version(self) -> str:
        """The Kubernetes version of the server, for example ``v1.35.4``."""
        return str(self.request("GET", "/version").body["gitVersion"])

    def restart(self) -> None:
        """Kill the server and start it again; other tests may go on with this client."""
        self.endpoint.restart()
        self._connection.close()

    def apply(self, obj: Object, *, dry_run: bool = False) -> Answer:
        """Server-side apply ``obj``, unknown fields refused."""
        query = {"fieldManager": FIELD_MANAGER, "fieldValidation": "Strict"} | ({"dryRun": "All"} if dry_run else {})
        metadata = obj["metadata"]
        url = self._resource(obj).url(metadata.get("namespace"), metadata["name"])
        return self.request("PATCH", f"{url}?{urlencode(query)}", obj, "application/apply-patch+yaml")

    def create(self, obj: Object, *, dry_run: bool = False) -> Answer:
        """Create ``obj`` as a controller does."""
        query = {"fieldManager": FIELD_MANAGER, "fieldValidation": "Strict"} | ({"dryRun": "All"} if dry_run else {})
        url = self._resource(obj).url(obj["metadata"].get("namespace"))
        return self.request("POST", f"{url}?{urlencode(query)}", obj)

    def get(self, obj: Object) -> Object:
        """The live object with the identity of ``obj``."""
        metadata = obj["metadata"]
        answer = self.request("GET", self._resource(obj).url(metadata.get("namespace"), metadata["name"]))
        assert answer.accepted, answer.message
        return answer.body

    def ensure_namespaces(self, objects: Iterable[Object]) -> None:
        """Create the namespaces in which ``objects`` lie, where they do not exist yet."""
        for name in sorted({namespace for obj in objects if (namespace := obj["metadata"].get("namespace"))}):
            answer = self.apply({"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": name}})
            assert answer.accepted, answer.message

    def request(self, method: str, url: str, body: Any = None, content_type: str = "application/json") -> Answer:
        headers = {"Authorization": f"Bearer {self.endpoint.token}", "Content-Type": content_type}
        self._connection.request(method, url, None if body is None else json.dumps(body), headers)
        response = self._connection.getresponse()
        text = response.read()
        warnings = tuple(value for name, value in response.getheaders() if name.lower() == "warning")
        return Answer(response.status, _value(text), warnings)

    def _resource(self, obj: Object) -> Resource:
        key = (obj["apiVersion"], obj["kind"])
        if key not in self._resources:
            self._discover(obj["apiVersion"])
        assert key in self._resources, f"the API server does not serve {key[1]} of {key[0]}"
        return self._resources[key]

    def _discover(self, api_version: str) -> None:
        path = f"/apis/{api_version}" if "/" in api_version else f"/api/{api_version}"
        for entry in self.request("GET", path).body.get("resources", ()):
            if "/" not in entry["name"]:
                resource = Resource(path, entry["name"], entry["namespaced"])
                self._resources[api_version, entry["kind"]] = resource


def _value(text: bytes) -> Any:
    """The JSON value; an answer in plain text, as about a group that is not served, as a message."""
    try:
        return json.loads(text) if text else {}
    except ValueError:
        return {"message": text.decode(errors="replace")}
