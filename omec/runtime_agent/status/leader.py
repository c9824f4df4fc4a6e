"""Leader election by a Lease: of several replicas of the status role one writes (Kubernetes, coordination.k8s.io/v1).

Clocks of different machines are never compared: a lease is free when it has not changed for its duration by the own
clock. Intervals are those of Kubernetes' own components.

Whoever cannot renew stops writing before anybody else may start: what is held runs out by the own clock, however long
a request hangs.
"""

from __future__ import annotations

import threading
import time
from datetime import UTC, datetime
from typing import Any

from omec.runtime_agent.cluster.client import Cluster
from omec.runtime_agent.cluster.errors import ApiError, UnreachableError
from omec.runtime_agent.cluster.resources import LEASES, Object
from omec.runtime_agent.process.logs import logger

log = logger(__name__)

LEASE = "omec-agent-status"

DURATION = 15.0
RENEW_WITHIN = 10.0
RETRY_AFTER = 2.0
_ANSWER_WITHIN = 5.0


class Leadership:
    """The lease ``name`` as ``identity`` sees it."""

    def __init__(self, cluster: Cluster, namespace: str, name: str, identity: str) -> None:
        self.holder = ""
        self._held_until = 0.0
        self._cluster = cluster.impatient(_ANSWER_WITHIN)
        self._namespace, self._name, self._identity = namespace, name, identity
        self._seen: tuple[Any, ...] = ()
        self._seen_at = 0.0

    @property
    def held(self) -> bool:
        """Whether this process may write, now: it had the lease less than ``RENEW_WITHIN`` seconds ago."""
        return time.monotonic() < self._held_until

    def run(self, stop: threading.Event) -> bool:
        """Acquire the lease, then renew it until ``stop``; ``False`` where it was lost before.

        A lost lease is not acquired again: whoever was in the middle of writing must start anew. The lease is not
        given back here, but by :meth:`release` when nobody of this process writes any more.
        """
        while not stop.is_set() and not self.attempt():
            stop.wait(RETRY_AFTER)
        if stop.is_set():
            return True
        log.info("leading", lease=self._name, identity=self._identity)
        while not stop.wait(RETRY_AFTER):
            if not self.attempt() and not (self.held and self.holder in ("", self._identity)):
                self._held_until = 0.0
                log.error("lease lost", lease=self._name, holder=self.holder)
                return False
        return True

    def attempt(self) -> bool:
        """Try once to acquire or renew the lease; whether this process holds it afterwards."""
        began = time.monotonic()
        if not self._taken():
            return False
        self.holder = self._identity
        self._held_until = began + RENEW_WITHIN
        return True

    def _taken(self) -> bool:
        try:
            lease = self._cluster.find(LEASES, self._name, self._namespace)
            if lease is None:
                self._cluster.create(LEASES, self._lease({}, 0), self._namespace)
                return True
            spec = lease.get("spec") or {}
            self.holder = spec.get("holderIdentity") or ""
            if self.holder != self._identity and not self._is_free(spec):
                return False
            transitions = (spec.get("leaseTransitions") or 0) + (self.holder != self._identity)
            self._cluster.replace(LEASES, self._lease(lease, transitions))
        except ApiError as error:
            if not (error.conflict or error.already_exists):
                log.warning("lease refused", lease=self._name, error=str(error))
            return False
        except UnreachableError as error:
            log.warning("lease not renewed", lease=self._name, error=str(error))
            return False
        return True

    def release(self) -> None:
        """Give the lease back, so that the next one need not wait until it runs out."""
        self._held_until = 0.0
        try:
            lease = self._cluster.find(LEASES, self._name, self._namespace)
            if lease is not None and lease["spec"].get("holderIdentity") == self._identity:
                lease["spec"]["holderIdentity"] = ""
                self._cluster.replace(LEASES, lease)
        except (ApiError, UnreachableError) as error:
            log.warning("lease not released", lease=self._name, error=str(error))

    def _is_free(self, spec: Object) -> bool:
        if not self.holder:
            return True
        now = time.monotonic()  # not when it was asked for: it may have been renewed since
        record = (self.holder, spec.get("renewTime"), spec.get("leaseTransitions"))
        if record != self._seen:
            self._seen, self._seen_at = record, now
        return now - self._seen_at > (spec.get("leaseDurationSeconds") or DURATION)

    def _lease(self, former: Object, transitions: int) -> Object:
        time_text = datetime.now(UTC).isoformat(timespec="microseconds").replace("+00:00", "Z")
        spec = former.get("spec") or {}
        own = spec.get("holderIdentity") == self._identity
        return {
            "apiVersion": LEASES.api_version,
            "kind": LEASES.kind,
            "metadata": former.get("metadata") or {"name": self._name, "namespace": self._namespace},
            "spec": {
                "holderIdentity": self._identity,
                "leaseDurationSeconds": int(DURATION),
                "acquireTime": spec.get("acquireTime") if own else time_text,
                "renewTime": time_text,
                "leaseTransitions": transitions,
            },
        }
