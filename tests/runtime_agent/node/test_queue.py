"""One task at a time for each model and each path; newer tasks win."""

from __future__ import annotations

import threading
from contextlib import ExitStack

from omec.runtime_agent.node.changes import Action
from omec.runtime_agent.node.model import NodeModel
from omec.runtime_agent.node.queue import TaskQueue


def model(name: str, path: str = "", uri: str = "hf://a/b", **annotations: str) -> NodeModel:
    storage = {"storageUri": uri, "path": path or f"/m/{name}"}
    return NodeModel.of({"metadata": {"name": name, "annotations": annotations}, "spec": {"storage": storage}})


def test_the_newest_task_of_a_model_is_done() -> None:
    queue = TaskQueue()
    queue.submit(model("a"), Action.DOWNLOAD)
    queue.submit(model("a"), Action.DELETE)
    with queue.next(0) as task:
        assert task is not None
        assert task.action is Action.DELETE
    with queue.next(0) as task:
        assert task is None


def test_a_deletion_stops_what_is_running_and_waits_for_its_end() -> None:
    queue = TaskQueue()
    queue.submit(model("a"), Action.DOWNLOAD)
    with queue.next(0) as running:
        assert running is not None
        queue.submit(model("a"), Action.DELETE)
        assert running.stop.is_set()
        with queue.next(0) as other:
            assert other is None
    with queue.next(0) as task:
        assert task is not None
        assert task.action is Action.DELETE


def test_only_a_change_of_the_files_stops_what_is_running() -> None:
    queue = TaskQueue()
    queue.submit(model("a"), Action.DOWNLOAD)
    with queue.next(0) as running:
        assert running is not None
        for number in range(3):
            queue.submit(model("a", note=str(number)), Action.REPROCESS)
        assert not running.stop.is_set()
        assert len(queue) == 2
        queue.submit(model("a", uri="hf://a/c"), Action.DOWNLOAD)  # as of a node that is selected again
        assert running.stop.is_set()


def test_models_with_one_path_take_turns() -> None:
    queue = TaskQueue()
    for each in (model("a", "/m/x"), model("b", "/m/x"), model("c")):
        queue.submit(each, Action.DOWNLOAD)
    with ExitStack() as stack:
        first, second, third = (stack.enter_context(queue.next(0)) for _ in range(3))
        assert first is not None
        assert second is not None
        assert (first.model.key.name, second.model.key.name, third) == ("a", "c", None)
    assert len(queue) == 1


def test_a_task_that_is_not_due_waits() -> None:
    queue = TaskQueue()
    queue.submit(model("a"), Action.DOWNLOAD, delay=0.2)
    with queue.next(0) as task:
        assert task is None
    with queue.next(5) as task:
        assert task is not None


def test_a_retry_gives_way_to_something_newer() -> None:
    queue = TaskQueue()
    queue.submit(model("a"), Action.DOWNLOAD)
    with queue.next(0) as task:
        assert task is not None
        queue.submit(model("a"), Action.REPROCESS)
        queue.retry(task, 0)
    with queue.next(0) as task:
        assert task is not None
        assert task.action is Action.REPROCESS


def test_waiting_ends_as_soon_as_there_is_something() -> None:
    queue = TaskQueue()
    threading.Timer(0.1, queue.submit, (model("a"), Action.DOWNLOAD)).start()
    with queue.next(10) as task:
        assert task is not None


def test_the_end_of_the_process_stops_everything() -> None:
    queue = TaskQueue()
    queue.submit(model("a"), Action.DOWNLOAD)
    queue.submit(model("b"), Action.DOWNLOAD)
    with queue.next(0) as task:
        assert task is not None
        queue.stop_all()
        assert task.stop.is_set()
    assert len(queue) == 0
