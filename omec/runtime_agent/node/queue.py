"""What is to be done with models on this node: one thing at a time for each model and each path."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from omec.runtime_agent.contract.names import ModelKey
from omec.runtime_agent.node.changes import Action, same_files
from omec.runtime_agent.node.model import NodeModel


@dataclass(frozen=True, slots=True)
class Task:
    """One thing to do. ``stop`` is set where something newer makes it pointless; ``due`` is when it may begin."""

    model: NodeModel
    action: Action
    due: float = 0.0
    stop: threading.Event = field(default_factory=threading.Event)


class TaskQueue:
    """At most one waiting and one running task for a model; a newer one takes the place of the one that waits.

    A deletion, and a change of the files that are wanted, stop what is running. Other changes wait for its end:
    somebody who writes a model's annotations all the time does not keep it from arriving. Tasks for one path run one
    after the other, whatever models they are for.
    """

    def __init__(self) -> None:
        self._waiting: dict[ModelKey, Task] = {}
        self._running: dict[ModelKey, Task] = {}
        self._changed = threading.Condition()

    def __len__(self) -> int:
        with self._changed:
            return len(self._waiting) + len(self._running)

    def __contains__(self, key: ModelKey) -> bool:
        with self._changed:
            return key in self._waiting or key in self._running

    def submit(self, model: NodeModel, action: Action, delay: float = 0.0) -> None:
        """Have ``action`` done, after ``delay`` seconds at the earliest."""
        with self._changed:
            running = self._running.get(model.key)
            if running is not None and (action is Action.DELETE or not same_files(running.model.body, model.body)):
                running.stop.set()
            self._waiting.pop(model.key, None)
            self._waiting[model.key] = Task(model, action, time.monotonic() + delay)
            self._changed.notify_all()

    def retry(self, task: Task, delay: float) -> None:
        """Have ``task`` done again, unless something newer is waiting."""
        with self._changed:
            self._waiting.setdefault(task.model.key, Task(task.model, task.action, time.monotonic() + delay))

    def stop_all(self) -> None:
        """Stop what is running and forget what is waiting: the process ends."""
        with self._changed:
            self._waiting.clear()
            for task in self._running.values():
                task.stop.set()
            self._changed.notify_all()

    @contextmanager
    def next(self, timeout: float) -> Iterator[Task | None]:
        """The next task, held as running; ``None`` where none may begin within ``timeout`` seconds."""
        task = self._take(time.monotonic() + timeout)
        try:
            yield task
        finally:
            if task is not None:
                with self._changed:
                    del self._running[task.model.key]
                    self._changed.notify_all()

    def _take(self, deadline: float) -> Task | None:
        with self._changed:
            while True:
                now = time.monotonic()
                task = next((each for each in self._waiting.values() if self._may_begin(each, now)), None)
                if task is not None:
                    self._running[task.model.key] = self._waiting.pop(task.model.key)
                    return task
                if now >= deadline:
                    return None
                soonest = min((each.due for each in self._waiting.values() if each.due > now), default=deadline)
                self._changed.wait(min(soonest, deadline) - now)

    def _may_begin(self, task: Task, now: float) -> bool:
        if task.due > now or task.model.key in self._running:
            return False
        place = task.model.place
        return not place or all(place != running.model.place for running in self._running.values())
