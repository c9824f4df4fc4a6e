"""List and watch: every object of one kind, and from then on every change, whatever happens to the connection.

The protocol: list, remember the list's resource version, watch from there; bookmarks move the version on while
nothing changes; a version that is too old (410 Gone) or a lost connection leads to the next attempt, after a pause
that grows. Source: Kubernetes documentation, API concepts, "Efficient detection of changes".
"""

from __future__ import annotations

import random
import threading
import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import Enum

from omec.runtime_agent.cluster.backoff import Backoff
from omec.runtime_agent.cluster.client import Cluster
from omec.runtime_agent.cluster.errors import ApiError, UnreachableError
from omec.runtime_agent.cluster.resources import Object, Resource
from omec.runtime_agent.process.logs import logger

log = logger(__name__)

_WATCH_SECONDS = 300
_SILENT_SECONDS = 90.0
"""A server sends a bookmark about once a minute; after this much silence the connection is held for dead."""
_DEAF_SECONDS = 300.0
_REFUSED_SECONDS = 60.0
"""An API server that starts refuses everybody until it has read its roles; rights that were lost stay lost."""

Key = tuple[str, str]
"""Namespace (empty for cluster-scoped objects) and name."""


class Change(Enum):
    """What happened to an object; ``SYNCED`` comes once after every complete list, without one."""

    PRESENT = "PRESENT"
    DELETED = "DELETED"
    SYNCED = "SYNCED"


@dataclass(frozen=True, slots=True)
class Event:
    """One change. ``object`` is the object as it is (``PRESENT``) or was last known to be (``DELETED``).

    A deletion that happened while nobody watched is told with an object of ``metadata`` alone.
    """

    change: Change
    object: Object


class Watch:
    """Follows the objects of one resource.

    ``synced`` is set after the first list; ``last_contact`` (of :func:`time.monotonic`) tells when the server was last
    heard of, ``failure`` what went wrong since, for health endpoints.
    """

    def __init__(
        self,
        cluster: Cluster,
        resource: Resource,
        namespace: str | None = None,
        *,
        labels: str = "",
        fields: str = "",
        backoff: Backoff | None = None,
    ) -> None:
        self.resource = resource
        self.synced = threading.Event()
        self.last_contact = 0.0
        self.failure = ""
        self._cluster = cluster
        self._namespace = namespace
        self._query = {"labelSelector": labels, "fieldSelector": fields}
        self._backoff = backoff or Backoff()
        self._known: set[Key] = set()
        self._refused_at: float | None = None
        self._version = ""

    def events(self, stop: threading.Event) -> Iterator[Event]:
        """All changes until ``stop`` is set (noticed at the next event or within ``_SILENT_SECONDS``).

        Raises :class:`ApiError` where the server does not allow to list or watch at all, or not any more.
        """
        while not stop.is_set():
            try:
                if not self._version:
                    yield from self._listed()
                yield from self._watched(stop)
            except ApiError as error:
                if error.forbidden and not self._may_be_a_start():
                    raise
                self._version = ""
                if not error.gone or self._backoff.failures:
                    self._pause(error, stop)
                self._backoff.failures += error.gone
            except UnreachableError as error:
                if error.silent:
                    self._refused_at = None  # it was accepted, and nothing happened
                else:
                    self._pause(error, stop)

    def _listed(self) -> Iterator[Event]:
        """Every object, then the deletions that were missed, then ``SYNCED``."""
        seen: set[Key] = set()
        version = ""
        pages = self._cluster.pages(
            self.resource,
            self._namespace,
            labels=self._query["labelSelector"],
            fields=self._query["fieldSelector"],
        )
        for page in pages:
            version = page["metadata"]["resourceVersion"]
            self._heard()
            for item in page["items"]:
                seen.add(key_of(item))
                self._known.add(key_of(item))  # told, so that its end is told, too, should this list break off
                yield Event(Change.PRESENT, item)
        for namespace, name in sorted(self._known - seen):
            metadata = {"name": name, **({"namespace": namespace} if namespace else {})}
            yield Event(Change.DELETED, {"kind": self.resource.kind, "metadata": metadata})
        self._known, self._version = seen, version
        self._backoff.reset()
        self.synced.set()
        yield Event(Change.SYNCED, {})

    def _watched(self, stop: threading.Event) -> Iterator[Event]:
        """Changes until the server or the connection ends the watch; the version stays that of the last event."""
        seconds = random.randint(_WATCH_SECONDS, 2 * _WATCH_SECONDS)  # noqa: S311 - so that not all end at once
        query = {
            **self._query,
            "watch": "true",
            "allowWatchBookmarks": "true",
            "resourceVersion": self._version,
            "timeoutSeconds": str(seconds),
        }
        for line in self._cluster.stream(self.resource.path(namespace=self._namespace), query, _SILENT_SECONDS):
            self._heard()
            self._refused_at = None  # only here: who may list may still be refused to watch
            if stop.is_set():
                return
            event = self._understood(line)
            if event is not None:
                yield event
        self._heard()
        self._refused_at = None

    def _understood(self, line: Object) -> Event | None:
        kind, obj = line.get("type"), line.get("object") or {}
        if kind == "ERROR":
            code = obj.get("code")
            raise ApiError(code if isinstance(code, int) else 500, obj.get("reason", ""), obj.get("message", ""))
        self._version = obj["metadata"]["resourceVersion"]
        self._backoff.reset()
        if kind == "BOOKMARK":
            return None
        if kind == "DELETED":
            self._known.discard(key_of(obj))
            return Event(Change.DELETED, obj)
        self._known.add(key_of(obj))
        return Event(Change.PRESENT, obj)

    def _heard(self) -> None:
        self.last_contact = time.monotonic()
        self.failure = ""

    def _may_be_a_start(self) -> bool:
        """Whether a refusal may be one of an API server that has just started, after it has answered before."""
        now = time.monotonic()
        self._refused_at = self._refused_at or now
        return self.synced.is_set() and now - self._refused_at < _REFUSED_SECONDS

    def _pause(self, error: Exception, stop: threading.Event) -> None:
        wait = self._backoff.next()
        self.failure = str(error)
        log.warning("watch interrupted", resource=self.resource.plural, error=str(error), wait=round(wait, 2))
        stop.wait(wait)


def key_of(obj: Object) -> Key:
    metadata = obj["metadata"]
    return metadata.get("namespace") or "", metadata["name"]


def unsynced(watches: Iterable[Watch]) -> str:
    """What of ``watches`` was not read to its end yet; empty where all was."""
    waiting = [watch.resource.plural for watch in watches if not watch.synced.is_set()]
    return f"not read yet: {', '.join(waiting)}" if waiting else ""


def deaf(watches: Iterable[Watch]) -> str:
    """Of what in ``watches`` the server was not heard for long; empty where it was of everything."""
    since = time.monotonic() - _DEAF_SECONDS
    silent = [watch.resource.plural for watch in watches if 0 < watch.last_contact < since]
    return f"nothing heard for minutes of {', '.join(silent)}" if silent else ""
