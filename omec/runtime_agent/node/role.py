"""The process of ``omec agent node``: follows models and its Node, and keeps both the disk and the reports in step."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable
from pathlib import Path

from omec.runtime_agent.cluster.backoff import Backoff
from omec.runtime_agent.cluster.client import Cluster
from omec.runtime_agent.cluster.errors import ApiError, UnreachableError
from omec.runtime_agent.cluster.resources import BASE_MODELS, CLUSTER_BASE_MODELS, CONFIG_MAPS, NODES, Object
from omec.runtime_agent.cluster.watch import Change as Seen
from omec.runtime_agent.cluster.watch import Event, Watch, deaf, unsynced
from omec.runtime_agent.coexistence import Rivals
from omec.runtime_agent.contract.entry import READY
from omec.runtime_agent.contract.names import ModelKey
from omec.runtime_agent.node.changes import Action, action_for, same_files
from omec.runtime_agent.node.eligibility import NodeIdentity
from omec.runtime_agent.node.garbage import collect
from omec.runtime_agent.node.lock import NodeLock
from omec.runtime_agent.node.metrics import NodeMetrics
from omec.runtime_agent.node.model import NodeModel
from omec.runtime_agent.node.processor import Processor
from omec.runtime_agent.node.queue import TaskQueue
from omec.runtime_agent.node.removal import empty_trash
from omec.runtime_agent.node.reporter import Reporter
from omec.runtime_agent.node.settings import Settings
from omec.runtime_agent.process.health import HealthServer
from omec.runtime_agent.process.logs import logger
from omec.runtime_agent.process.metrics import Metrics

log = logger(__name__)

_POLL_SECONDS = 1.0
_AFTER_BUG_SECONDS = 600.0
_ANSWER_WITHIN = 5.0
"""How long a single answer is waited for while nothing works yet, so that the process can end in the meantime."""


class NodeRole:
    """One agent on one node; :meth:`run` returns when it was asked to stop, or must start anew."""

    def __init__(self, cluster: Cluster, settings: Settings) -> None:
        metrics = Metrics()
        self._cluster = cluster
        self._settings = settings
        self._queue = TaskQueue()
        self._metrics = NodeMetrics(metrics.registry, lambda: float(len(self._queue)))
        self._reporter = Reporter(cluster, settings.node, settings.namespace)
        self._models: dict[ModelKey, NodeModel] = {}
        self._node = NodeIdentity(settings.node)
        self._guard = threading.RLock()
        self._may_write = threading.Event()
        self._lock = NodeLock(settings.models_root)
        self._failure = ""
        self._waiting_for = ""
        self._rivals = Rivals(cluster, takeover=settings.takeover, on_change=self._decide_to_write)
        self._processor = Processor(
            cluster, settings, self._reporter, self._metrics, self._all_models, lambda: self._node.labels
        )
        self._model_watches = [Watch(cluster, each) for each in (CLUSTER_BASE_MODELS, BASE_MODELS)]
        self._node_watch = Watch(cluster, NODES, fields=f"metadata.name={settings.node}")
        self._map_watch = Watch(cluster, CONFIG_MAPS, settings.namespace, fields=f"metadata.name={settings.node}")
        self._watches = [*self._model_watches, self._node_watch, self._map_watch]
        self.health = HealthServer(
            settings.port,
            # An API server that is away is no reason to end: downloads go on, and a restart would stop them.
            health={"model-agent-health": self._unwritable},
            ready={
                "model-agent-health": self._unwritable,
                "watches": lambda: deaf(self._watches),
                "started": lambda: self._waiting_for,
                "synced": self._unsynced,
                "coexistence": lambda: self._rivals.reason,
                "lock": lambda: self._lock.problem,
                "reports": lambda: self._reporter.problem,
            },
            metrics=metrics,
        )

    def run(self, stop: threading.Event) -> bool:
        """Work until ``stop`` is set; ``False`` where something forces a new start (a watch that is refused)."""
        self.health.start()
        try:
            if self._adopt(stop):
                workers = self._start(stop)
                stop.wait()
                self._queue.stop_all()
                deadline = time.monotonic() + self._settings.grace_seconds
                for worker in workers:
                    worker.join(timeout=max(0.0, deadline - time.monotonic()))
        finally:
            self._lock.release()
            self.health.stop()
        return not self._failure

    def _adopt(self, stop: threading.Event) -> bool:
        """Wait for the lock of the node and read what is reported already; ``False`` where ``stop`` came first."""
        backoff, cluster = Backoff(0.5, 15.0), self._cluster.impatient(_ANSWER_WITHIN)
        while not stop.is_set():
            try:
                if self._lock.take():
                    node = cluster.get(NODES, self._settings.node)
                    found = cluster.find(CONFIG_MAPS, self._settings.node, self._settings.namespace)
                    self._saw_node(node)
                    self._reporter.adopt(node, found)
                    empty_trash(self._settings.roots)
                    self._waiting_for = ""
                    return True
            except (ApiError, UnreachableError) as error:
                self._waiting_for = str(error)
                if isinstance(error, ApiError) and error.forbidden:
                    self._failure = str(error)
                    log.error("refused by the API server", error=str(error))
                    return False
                log.warning("not started yet", error=str(error))
            stop.wait(backoff.next())
        return False

    def _start(self, stop: threading.Event) -> list[threading.Thread]:
        """Start all threads; those whose end is waited for."""
        self._decide_to_write()
        for watch in self._rivals.watches:
            self._thread(self._guarded, stop, lambda watch=watch: self._rivals.follow(watch, stop))
        follow: list[tuple[Watch, Callable[[Event], None]]] = [
            (self._node_watch, self._on_node),
            (self._map_watch, self._on_config_map),
            *((watch, self._on_model) for watch in self._model_watches),
        ]
        for watch, handle in follow:
            self._thread(self._guarded, stop, lambda watch=watch, handle=handle: self._follow(watch, handle, stop))
        self._thread(self._guarded, stop, lambda: self._housekeeping(stop))
        reporting = self._thread(self._guarded, stop, lambda: self._reporter.run(stop, self._may_write))
        workers = [self._thread(self._guarded, stop, lambda: self._work(stop)) for _ in range(self._settings.workers)]
        return [*workers, reporting]

    def _follow(self, watch: Watch, handle: Callable[[Event], None], stop: threading.Event) -> None:
        for event in watch.events(stop):
            handle(event)

    def _on_model(self, event: Event) -> None:
        if event.change is Seen.SYNCED:
            self._withdraw_unknown()
            return
        with self._guard:
            new = NodeModel.of(event.object)
            old = self._models.get(new.key)
            if event.change is Seen.DELETED:
                self._models.pop(new.key, None)
                if old is not None and not old.is_going and self._has_anything_of(old):
                    self._queue.submit(old, Action.DELETE)
                return
            self._models[new.key] = new
            action = self._first_action(new) if old is None else self._next_action(old, new)
            if action is not Action.NONE:
                log.info("model changed" if old else "model seen", model=str(new.key), action=action.value)
                self._queue.submit(new, action)

    def _first_action(self, model: NodeModel) -> Action:
        if model.is_going:
            return Action.DELETE if self._has_anything_of(model) else Action.NONE
        return Action.DOWNLOAD if model.is_for(self._node) else Action.NONE

    def _next_action(self, old: NodeModel, new: NodeModel) -> Action:
        """What a change asks for; a node that is not selected any more keeps what it has as long as that is right."""
        action = action_for(old.body, new.body, self._node)
        ended = new.is_going or not same_files(old.body, new.body)
        if action is Action.NONE and ended and not new.is_for(self._node) and self._has_anything_of(new):
            return Action.DELETE
        return action

    def _has_anything_of(self, model: NodeModel) -> bool:
        return model.is_for(self._node) or self._reporter.tells_of(model.key) or model.key in self._queue

    def _on_node(self, event: Event) -> None:
        if event.change is Seen.SYNCED:
            return
        if event.change is Seen.DELETED:
            self._reporter.saw_node(None)
            return
        before = self._node
        self._saw_node(event.object)
        self._reporter.saw_node(event.object)
        if before.labels == self._node.labels:
            return
        with self._guard:
            for model in self._models.values():
                if model.is_for(self._node) and not model.is_for(before) and not model.is_going:
                    log.info("node selected", model=str(model.key))
                    self._queue.submit(model, Action.DOWNLOAD)

    def _on_config_map(self, event: Event) -> None:
        if event.change is not Seen.SYNCED:
            self._reporter.saw_config_map(event.object if event.change is Seen.PRESENT else None)

    def _saw_node(self, node: Object) -> None:
        labels = node["metadata"].get("labels") or {}
        self._node = NodeIdentity(self._settings.node, {key: str(value) for key, value in labels.items()})

    def _withdraw_unknown(self) -> None:
        """Withdraw what is said of models that were deleted while the agent was away."""
        if all(watch.synced.is_set() for watch in self._model_watches):
            with self._guard:
                known = {key for key, model in self._models.items() if self._may_speak_of(model)}
            withdrawn = self._reporter.forget_all_but(known)
            if withdrawn:
                log.info("reports withdrawn", keys=withdrawn)

    def _may_speak_of(self, model: NodeModel) -> bool:
        """Whether the node has, or is to have, the model; a copy that is there counts as long as it is whole."""
        if model.is_for(self._node):
            return True
        return self._reporter.status(model.key) == READY and os.path.exists(model.place)  # noqa: PTH110 - never raises

    def _work(self, stop: threading.Event) -> None:
        while not stop.is_set():
            if not self._may_write.wait(_POLL_SECONDS):
                continue
            with self._queue.next(_POLL_SECONDS) as task:
                if task is None or stop.is_set():
                    continue
                try:
                    again = self._processor.do(task)
                except Exception as error:  # one strange model must not keep all others from the node
                    log.error("bug", traceback=True, model=str(task.model.key), error=str(error))
                    again = _AFTER_BUG_SECONDS
                if again is not None and not stop.is_set():
                    log.info("to be done again", model=str(task.model.key), seconds=round(again))
                    self._queue.retry(task, again)

    def _decide_to_write(self) -> None:
        """Write while nobody else writes."""
        reason = self._rivals.reason
        if reason and self._may_write.is_set():
            log.warning("holding back", reason=reason)
            self._may_write.clear()
        elif not reason and not self._may_write.is_set():
            log.info("writing")
            self._may_write.set()

    def _housekeeping(self, stop: threading.Event) -> None:
        """Look for garbage now and then."""
        wait = min(self._settings.collect_every, 600.0)
        while not stop.wait(wait):
            wait = self._settings.collect_every
            if self._may_write.is_set():
                self._collect()

    def _collect(self) -> None:
        settings = self._settings
        if settings.collect == "off" or self._unsynced():
            return
        found = collect(settings.roots, self._places, grace=settings.collect_grace, delete=settings.collect == "delete")
        self._metrics.garbage.set(sum(each.size for each in found if each.path.exists()))

    def _places(self) -> list[str]:
        return [model.place for model in self._all_models()]

    def _guarded(self, stop: threading.Event, work: Callable[[], None]) -> None:
        """Run ``work``; an end other than the one that was asked for ends the process, to start anew."""
        try:
            work()
        except ApiError as error:
            self._failure = str(error)
            log.error("refused by the API server", error=str(error))
            stop.set()
        except Exception as error:
            self._failure = str(error)
            log.error("bug", traceback=True, error=str(error))
            stop.set()

    def _all_models(self) -> list[NodeModel]:
        with self._guard:
            return list(self._models.values())

    def _unwritable(self) -> str:
        for root in self._settings.roots:
            if not Path(root).is_dir():
                return f"{root} is not a directory"
            if not os.access(root, os.W_OK):
                return f"{root} is not writable"
        return ""

    def _unsynced(self) -> str:
        return unsynced(self._watches)

    @staticmethod
    def _thread(target: Callable[..., None], *arguments: object) -> threading.Thread:
        thread = threading.Thread(target=target, args=arguments, daemon=True)
        thread.start()
        return thread
