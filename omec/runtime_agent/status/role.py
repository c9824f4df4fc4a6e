"""The process of ``omec agent status``: follows the cluster, writes while it leads and nobody else does."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

from omec.runtime_agent.claims.reconciler import ClaimReconciler
from omec.runtime_agent.cluster.client import Cluster
from omec.runtime_agent.cluster.errors import ApiError, UnreachableError
from omec.runtime_agent.cluster.watch import Change, Watch, deaf, unsynced
from omec.runtime_agent.coexistence import Rivals
from omec.runtime_agent.process.health import HealthServer
from omec.runtime_agent.process.logs import logger
from omec.runtime_agent.process.metrics import Metrics
from omec.runtime_agent.status.leader import LEASE, Leadership
from omec.runtime_agent.status.metrics import StatusMetrics
from omec.runtime_agent.status.model_reconciler import ModelReconciler
from omec.runtime_agent.status.page import status_page
from omec.runtime_agent.status.queue import WorkQueue
from omec.runtime_agent.status.reconciler import Key, Reconciler, Source
from omec.runtime_agent.status.runtime_reconciler import RuntimeReconciler
from omec.runtime_agent.status.service_reconciler import ServiceReconciler

log = logger(__name__)

_RESYNC_SECONDS = 600.0
_POLL_SECONDS = 0.5
_WORKER_SECONDS = 10.0
_UNKNOWN_KIND_SECONDS = 60.0


@dataclass(frozen=True, slots=True)
class Settings:
    """How the role runs. ``namespace`` is where nodes report; ``identity`` names this process in the lease.

    Changes of one object are gathered for ``gather_seconds`` before it is written: all nodes report a new model at the
    same time. ``metadata_image`` is the agent's image, for Jobs that read models on claims.
    """

    namespace: str
    identity: str
    port: int = 8080
    takeover: bool = False
    gather_seconds: float = 1.0
    metadata_image: str = ""


class StatusRole:
    """One replica of the role; :meth:`run` returns when it was asked to stop, or must start anew."""

    def __init__(self, cluster: Cluster, settings: Settings) -> None:
        metrics = Metrics()
        self._metrics = StatusMetrics(metrics.registry)
        self._leadership = Leadership(cluster, settings.namespace, LEASE, settings.identity)
        self._cluster = cluster = cluster.fenced(self._may_write)
        self._gather_seconds = settings.gather_seconds
        self._queue: WorkQueue[Key] = WorkQueue()
        self._rivals = Rivals(cluster, takeover=settings.takeover, on_change=self._rivals_changed)
        self._services = ServiceReconciler(cluster, settings.identity, lambda: not self._rivals.manager_runs)
        self._reconcilers: Sequence[Reconciler] = (
            ModelReconciler(cluster, settings.namespace),
            ClaimReconciler(cluster, settings.namespace, settings.metadata_image),
            RuntimeReconciler(cluster, settings.identity),
            self._services,
        )
        self._watches: list[Watch] = []
        self._failure = ""
        self.health = HealthServer(
            settings.port,
            health={"watches": lambda: deaf(self._watches)},
            ready={"synced": self._unsynced, "coexistence": lambda: self._rivals.reason},
            metrics=metrics,
            pages={"/status": self._page},
        )

    def run(self, stop: threading.Event) -> bool:
        """Work until ``stop`` is set; ``False`` where something forces a new start (a lost lease, a refused watch)."""
        self.health.start()
        self._start_watches(stop)
        worker = self._thread(self._work, stop)
        kept = self._leadership.run(stop)
        stop.set()
        worker.join(timeout=_WORKER_SECONDS)
        if not worker.is_alive():  # else the lease runs out, and the other replicas wait for that
            self._leadership.release()
        self.health.stop()
        return kept and not self._failure

    def _start_watches(self, stop: threading.Event) -> None:
        for watch in self._rivals.watches:
            self._watches.append(watch)
            self._thread(self._guarded, stop, partial(self._rivals.follow, watch, stop))
        for reconciler in self._reconcilers:
            for source in reconciler.sources:
                watch = Watch(self._cluster, source.resource, source.namespace, labels=source.labels)
                if not source.optional:
                    self._watches.append(watch)
                self._thread(self._guarded, stop, partial(self._follow, watch, source, stop))

    def _follow(self, watch: Watch, source: Source, stop: threading.Event) -> None:
        while source.optional and not self._serves(source) and not stop.wait(_UNKNOWN_KIND_SECONDS):
            pass
        for event in watch.events(stop):
            if event.change is not Change.SYNCED:
                for key in source.handle(event.change, event.object):
                    self._queue.add(key, self._gather_seconds)

    def _serves(self, source: Source) -> bool:
        """Whether the API server knows the kind; ``False`` also where it does not answer, to be asked again."""
        try:
            known = self._cluster.request("GET", source.resource.root)
        except (ApiError, UnreachableError):
            return False
        return any(each.get("name") == source.resource.plural for each in known.get("resources") or ())

    def _guarded(self, stop: threading.Event, follow: Callable[[], None]) -> None:
        """Run ``follow``; an end other than the one that was asked for ends the process, to start anew."""
        try:
            follow()
        except ApiError as error:
            self._failure = str(error)
            log.error("watch refused", error=str(error))
            stop.set()
        except Exception as error:
            self._failure = str(error)
            log.error("watch failed", traceback=True, error=str(error))
            stop.set()

    def _work(self, stop: threading.Event) -> None:
        resync_at = 0.0
        while not stop.is_set():
            if self._unsynced() or not self._may_write():
                stop.wait(_POLL_SECONDS)
                resync_at = 0.0
                continue
            if time.monotonic() >= resync_at:
                self._add_everything()
                resync_at = time.monotonic() + _RESYNC_SECONDS
            key = self._queue.take(_POLL_SECONDS)
            if key is not None:
                self._reconcile(key)

    def _may_write(self) -> bool:
        return self._leadership.held and not self._rivals.reason

    def _reconcile(self, key: Key) -> None:
        reconciler = next(each for each in self._reconcilers if each.owns(key))
        try:
            with self._metrics.timed(key[0]):
                reconciler.reconcile(key)
        except ApiError as error:
            self._metrics.failed(key[0])
            wait = self._queue.retry(key)
            if not (error.conflict or error.not_found):
                log.warning("write refused", key="/".join(key), error=str(error), wait=wait)
        except UnreachableError as error:
            self._metrics.failed(key[0])
            log.warning("not written", key="/".join(key), error=str(error), wait=self._queue.retry(key))
        except Exception as error:
            # One strange object must not keep all others from being reported.
            self._metrics.failed(key[0])
            log.error("bug", traceback=True, key="/".join(key), error=str(error), wait=self._queue.retry(key))
        else:
            self._queue.done(key)

    def _add_everything(self) -> None:
        for reconciler in self._reconcilers:
            for key in reconciler.everything():
                self._queue.add(key)

    def _rivals_changed(self) -> None:
        reason = self._rivals.reason
        if reason:
            log.warning("holding back", reason=reason)
        else:
            log.info("writing")

    def _unsynced(self) -> str:
        return unsynced(self._watches)

    def _page(self) -> tuple[str, bytes]:
        leading = self._leadership.held
        return status_page(self._services.statuses(), leading=leading, held_back=self._rivals.reason)

    @staticmethod
    def _thread(target: Callable[..., None], *arguments: object) -> threading.Thread:
        thread = threading.Thread(target=target, args=arguments, daemon=True)
        thread.start()
        return thread
