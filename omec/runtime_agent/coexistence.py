"""Living beside OME: whether OME's own manager or model agent works in the cluster.

Both write the same labels, ConfigMap entries and status as omec's agent. Two writers would undo each other's work for
ever, so that the agent only watches while one of them is available.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from typing import Any

from omec.runtime_agent.cluster.client import Cluster
from omec.runtime_agent.cluster.resources import DAEMON_SETS, DEPLOYMENTS, Resource
from omec.runtime_agent.cluster.watch import Change, Event, Key, Watch, key_of

MANAGER = "ome-controller-manager"
MODEL_AGENT = "ome-model-agent-daemonset"

_WHAT = {MANAGER: "OME's manager", MODEL_AGENT: "OME's model agent"}
_WATCHED: tuple[tuple[Resource, str], ...] = ((DEPLOYMENTS, MANAGER), (DAEMON_SETS, MODEL_AGENT))


def available_pods(workload: Mapping[str, Any]) -> int:
    """How many pods of a Deployment or DaemonSet are available."""
    status = workload.get("status") or {}
    return status.get("availableReplicas") or status.get("numberAvailable") or 0


class Rivals:
    """Follows OME's own workloads; ``on_change`` is called after each change of :attr:`reason`.

    With ``takeover`` there is never a reason to hold back.
    """

    def __init__(
        self, cluster: Cluster, *, takeover: bool = False, on_change: Callable[[], None] = lambda: None
    ) -> None:
        self._takeover = takeover
        self._on_change = on_change
        self._available: dict[tuple[str, Key], int] = {}
        self._lock = threading.Lock()
        self._telling = threading.Lock()
        self._watches = [Watch(cluster, resource, fields=f"metadata.name={name}") for resource, name in _WATCHED]
        self._told = self.reason

    @property
    def watches(self) -> list[Watch]:
        return list(self._watches)

    @property
    def synced(self) -> bool:
        """Whether it is known what runs; until then the agent holds back."""
        return all(watch.synced.is_set() for watch in self._watches)

    @property
    def manager_runs(self) -> bool:
        """Whether OME's manager is available, takeover or not."""
        with self._lock:
            return any(name == MANAGER and count for (_, (_, name)), count in self._available.items())

    @property
    def reason(self) -> str:
        """Why the agent must not write, empty where it may."""
        if self._takeover:
            return ""
        if not self.synced:
            return "not known yet whether OME's manager or model agent runs"
        with self._lock:
            running = sorted((kind, key, count) for (kind, key), count in self._available.items() if count)
        if not running:
            return ""
        kind, (namespace, name), count = running[0]
        return (
            f"{_WHAT[name]} runs ({kind} {namespace}/{name}, {count} available) and writes the same labels and status; "
            "remove it, or start the agent with --takeover"
        )

    def follow(self, watch: Watch, stop: threading.Event) -> None:
        """Follow one of :attr:`watches` until ``stop`` is set."""
        for event in watch.events(stop):
            self._take(event)

    def _take(self, event: Event) -> None:
        if event.change is not Change.SYNCED:
            present = event.change is Change.PRESENT
            with self._lock:
                place = (event.object["kind"], key_of(event.object))
                self._available[place] = available_pods(event.object) if present else 0
        with self._telling:
            reason = self.reason
            if reason != self._told:
                self._told = reason
                self._on_change()
