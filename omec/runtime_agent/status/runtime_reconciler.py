"""Runtimes: the health of their chains into their status, and an event where one has just broken (reference 02 §7)."""

from __future__ import annotations

import threading
from collections.abc import Iterable, Sequence

from omec.runtime_agent.cluster.client import Cluster
from omec.runtime_agent.cluster.clock import now
from omec.runtime_agent.cluster.events import WARNING, record
from omec.runtime_agent.cluster.resources import CLUSTER_SERVING_RUNTIMES, SERVING_RUNTIMES, Object
from omec.runtime_agent.cluster.watch import Change, key_of
from omec.runtime_agent.process.logs import logger
from omec.runtime_agent.status import slim
from omec.runtime_agent.status.inheritance import ChainStatus, changed_chains
from omec.runtime_agent.status.reconciler import Key, Source

log = logger(__name__)

_ALL: Key = ("runtimes",)
_RESOURCES = {resource.kind: resource for resource in (SERVING_RUNTIMES, CLUSTER_SERVING_RUNTIMES)}


class RuntimeReconciler:
    """Keeps ``inheritanceChain`` and ``InheritanceReady`` of every runtime at what is the case."""

    def __init__(self, cluster: Cluster, instance: str) -> None:
        self._cluster = cluster
        self._instance = instance
        self._runtimes: dict[tuple[str, str, str], Object] = {}
        self._lock = threading.RLock()

    @property
    def sources(self) -> Sequence[Source]:
        return tuple(Source(resource, self._runtime) for resource in _RESOURCES.values())

    def owns(self, key: Key) -> bool:
        return key == _ALL

    def everything(self) -> Iterable[Key]:
        return (_ALL,)

    def reconcile(self, key: Key) -> None:  # noqa: ARG002 - there is one
        with self._lock:
            runtimes = [self._runtimes[place] for place in sorted(self._runtimes)]
        for changed in changed_chains(runtimes, now()):
            self._write(changed)

    def _write(self, changed: ChainStatus) -> None:
        runtime = changed.runtime
        metadata = {name: runtime["metadata"][name] for name in ("name", "namespace") if name in runtime["metadata"]}
        applied = self._cluster.apply(
            _RESOURCES[runtime["kind"]],
            {"metadata": metadata, "status": changed.status},
            force=True,
            subresource="status",
        )
        with self._lock:
            self._runtimes[_place(runtime)] = slim.whole(applied)
        if changed.failure is not None:
            log.warning("chain broken", runtime="/".join(_place(runtime)), error=changed.failure["message"])
            record(
                self._cluster,
                runtime,
                WARNING,
                changed.failure["reason"],
                changed.failure["message"],
                action="ResolveInheritance",
                instance=self._instance,
            )

    def _runtime(self, change: Change, runtime: Object) -> Iterable[Key]:
        with self._lock:
            if change is Change.DELETED:
                return (_ALL,) if self._runtimes.pop(_place(runtime), None) else ()
            self._runtimes[_place(runtime)] = slim.whole(runtime)
        return (_ALL,)


def _place(runtime: Object) -> tuple[str, str, str]:
    return (runtime["kind"], *key_of(runtime))
