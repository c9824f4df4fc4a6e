"""InferenceServices: from what was rendered and runs to the status of the object, or to the agent's own list.

Compiled output holds no InferenceService on most platforms. Its state is on the page ``/status`` then, and events are
recorded about the workload of the engine.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

from omec.runtime_agent.cluster.client import Cluster
from omec.runtime_agent.cluster.clock import now
from omec.runtime_agent.cluster.events import NORMAL, WARNING, record
from omec.runtime_agent.cluster.resources import (
    DEPLOYMENTS,
    INFERENCE_REPLICAS,
    INFERENCE_SERVICES,
    LEADER_WORKER_SETS,
    PODS,
    SERVICES,
    Object,
    Resource,
)
from omec.runtime_agent.cluster.watch import Change, key_of
from omec.runtime_agent.process.logs import logger
from omec.runtime_agent.status import slim
from omec.runtime_agent.status.conditions import find
from omec.runtime_agent.status.exposure import Doors
from omec.runtime_agent.status.reconciler import Key, Source
from omec.runtime_agent.status.services import Parts, is_ready, service_status
from omec.runtime_agent.status.workloads import (
    COMPONENTS,
    ENGINE_READY,
    SERVICE_LABEL,
    WORKLOAD_KINDS,
    component_of,
    service_of,
)

log = logger(__name__)

INGRESSES = Resource("networking.k8s.io/v1", "Ingress", "ingresses")
HTTP_ROUTES = Resource("gateway.networking.k8s.io/v1", "HTTPRoute", "httproutes")

_SERVICE = "service"
_SUFFIXES = ("", *(f"-{component}" for component in COMPONENTS))

Name = tuple[str, str]
"""Namespace and name of an InferenceService."""


class ServiceReconciler:
    """Follows the workloads of every InferenceService.

    ``may_write_objects`` tells whether the status of InferenceService objects is this agent's to write, which it is not
    as long as OME's manager runs.
    """

    def __init__(self, cluster: Cluster, instance: str, may_write_objects: Callable[[], bool]) -> None:
        self._cluster = cluster
        self._instance = instance
        self._may_write_objects = may_write_objects
        self._lock = threading.RLock()
        self._objects: dict[str, dict[Name, Object]] = {}
        self._members: dict[Name, set[tuple[str, Name]]] = {}
        self._known: dict[Name, Object] = {}

    @property
    def sources(self) -> Sequence[Source]:
        return (
            Source(INFERENCE_SERVICES, self._service),
            Source(DEPLOYMENTS, self._member, labels=SERVICE_LABEL),
            Source(INFERENCE_REPLICAS, self._member, labels=SERVICE_LABEL, optional=True),
            Source(LEADER_WORKER_SETS, self._member, labels=SERVICE_LABEL, optional=True),
            Source(PODS, self._member, labels=f"{SERVICE_LABEL},component=engine"),
            Source(SERVICES, self._door, labels=SERVICE_LABEL),
            Source(INGRESSES, self._door),
            Source(HTTP_ROUTES, self._door, optional=True),
        )

    def owns(self, key: Key) -> bool:
        return key[0] == _SERVICE

    def everything(self) -> Iterable[Key]:
        with self._lock:
            names = {*self._members, *self._of(INFERENCE_SERVICES.kind), *self._known}
            return [(_SERVICE, *name) for name in sorted(names)]

    def statuses(self) -> dict[Name, Object]:
        """The status of every service that has workloads, as last worked out."""
        with self._lock:
            return dict(self._known)

    def reconcile(self, key: Key) -> None:
        name = (key[1], key[2])
        with self._lock:
            service = self._of(INFERENCE_SERVICES.kind).get(name)
            parts = self._parts(name)
            former = self._known.get(name) if service is None else service.get("status")
        if not parts.workloads and not _had_workloads(former):
            with self._lock:
                self._known.pop(name, None)
            return
        status = service_status(parts, service, former, now())
        self._publish(name, parts, service, former or {}, status)

    def _publish(self, name: Name, parts: Parts, service: Object | None, former: Object, status: Object) -> None:
        if service is not None and self._may_write_objects() and not _covers(former, status):
            metadata = {"namespace": name[0], "name": name[1]}
            self._cluster.apply(
                INFERENCE_SERVICES, {"metadata": metadata, "status": status}, force=True, subresource="status"
            )
        with self._lock:
            if parts.workloads:
                self._known[name] = status
            else:
                self._known.pop(name, None)
        # Without an object nothing is known from before a restart, and what is first seen is no news.
        if former if service is None else self._may_write_objects():
            self._tell(name, service or parts.workloads.get("engine"), former, status)

    def _tell(self, name: Name, about: Any, former: Object, status: Object) -> None:
        """Record that the service has become ready, or is no longer (OME's own reasons and texts)."""
        was, is_now = is_ready(former), is_ready(status)
        if was == is_now or about is None:
            return
        if is_now == "True":
            reason, type_, note = "InferenceServiceReady", NORMAL, f"InferenceService [{name[1]}] is Ready"
        elif was == "True":
            reason, type_, note = (
                "InferenceServiceNotReady",
                WARNING,
                f"InferenceService [{name[1]}] is no longer Ready",
            )
        else:
            return
        log.info("service", service="/".join(name), ready=is_now)
        record(self._cluster, about, type_, reason, note, action="ReportReadiness", instance=self._instance)

    def _parts(self, name: Name) -> Parts:
        namespace, service = name
        members = [self._of(kind)[place] for kind, place in sorted(self._members.get(name, ()))]
        workloads = {c: each for each in members if each["kind"] in WORKLOAD_KINDS and (c := component_of(each))}
        doors = Doors(
            services=dict(self._named(SERVICES.kind, name)),
            ingress=self._of(INGRESSES.kind).get(name),
            routes=dict(self._named(HTTP_ROUTES.kind, name)),
        )
        pods = [each for each in members if each["kind"] == PODS.kind]
        return Parts(namespace, service, workloads, doors, pods)

    def _named(self, kind: str, name: Name) -> Iterator[tuple[str, Object]]:
        for suffix in _SUFFIXES:
            obj = self._of(kind).get((name[0], name[1] + suffix))
            if obj is not None:
                yield name[1] + suffix, obj

    def _of(self, kind: str) -> dict[Name, Object]:
        return self._objects.setdefault(kind, {})

    def _service(self, change: Change, service: Object) -> Iterable[Key]:
        with self._lock:
            self._store(change, service, slim.whole)
        return ((_SERVICE, *key_of(service)),)

    def _member(self, change: Change, obj: Object) -> Iterable[Key]:
        place = (obj["kind"], key_of(obj))
        with self._lock:
            former = self._of(obj["kind"]).get(key_of(obj))
            self._store(change, obj, slim.pod if obj["kind"] == PODS.kind else slim.workload)
            touched = {name for each in (former, obj) if each is not None and (name := service_of(each))}
            for name in touched:
                members = self._members.setdefault(name, set())
                is_member = change is Change.PRESENT and service_of(obj) == name
                (members.add if is_member else members.discard)(place)
                if not members:
                    del self._members[name]
        return [(_SERVICE, *name) for name in sorted(touched)]

    def _door(self, change: Change, door: Object) -> Iterable[Key]:
        namespace, name = key_of(door)
        with self._lock:
            self._store(change, door, slim.door)
            bases = {name.removesuffix(suffix) for suffix in _SUFFIXES}
            return [(_SERVICE, namespace, base) for base in sorted(bases) if (namespace, base) in self._members]

    def _store(self, change: Change, obj: Object, made_slim: Callable[[Object], Object]) -> None:
        kept = self._of(obj["kind"])
        if change is Change.DELETED:
            kept.pop(key_of(obj), None)
        else:
            kept[key_of(obj)] = made_slim(obj)


def _had_workloads(status: Object | None) -> bool:
    """Whether a status tells of an engine, so that it must not stay as it is when the engine is gone."""
    engine = find((status or {}).get("conditions"), ENGINE_READY)
    return engine is not None and engine.get("reason") != "NoDeployments"


def _covers(former: Object, status: Object) -> bool:
    return all(former.get(key) == value for key, value in status.items())
