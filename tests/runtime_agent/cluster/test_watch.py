"""Watches of an API server that breaks off, and of one that refuses; the rest is tested against a real one."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from types import SimpleNamespace
from typing import Any

import pytest

from omec.runtime_agent.cluster import watch
from omec.runtime_agent.cluster.backoff import Backoff
from omec.runtime_agent.cluster.client import Cluster
from omec.runtime_agent.cluster.errors import ApiError, UnreachableError
from omec.runtime_agent.cluster.resources import CONFIG_MAPS
from omec.runtime_agent.cluster.watch import Watch

Pages = Callable[[], Iterator[Any]]


class Scripted(Cluster):
    """An API server whose lists are given, one after the other; its watches end at once."""

    def __init__(self, *lists: Pages) -> None:
        super().__init__(None, "http://127.0.0.1:9")  # type: ignore[arg-type]
        self._lists = list(lists)

    def pages(self, *_: Any, **__: Any) -> Iterator[Any]:
        yield from (self._lists.pop(0) if len(self._lists) > 1 else self._lists[0])()

    def stream(self, *_: Any, **__: Any) -> Iterator[Any]:
        yield {"type": "ERROR", "object": {"code": 410, "reason": "Expired", "message": "too old"}}


def page(*names: str) -> dict[str, Any]:
    return {"metadata": {"resourceVersion": "1"}, "items": [{"metadata": {"name": name}} for name in names]}


def told(cluster: Cluster, count: int) -> list[tuple[str, str]]:
    """The first ``count`` events."""
    stop = threading.Event()
    events = Watch(cluster, CONFIG_MAPS, backoff=Backoff(0.01, 0.05)).events(stop)
    found = [next(events) for _ in range(count)]
    stop.set()
    return [(each.change.value, each.object.get("metadata", {}).get("name", "")) for each in found]


def test_what_a_list_told_before_it_broke_off_is_not_forgotten() -> None:
    """The object went before the next list began: nobody else would ever say so."""

    def broken() -> Iterator[Any]:
        yield page("short-lived")
        raise UnreachableError("cut")

    events = told(Scripted(broken, lambda: iter([page("other")])), 4)
    assert events == [("PRESENT", "short-lived"), ("PRESENT", "other"), ("DELETED", "short-lived"), ("SYNCED", "")]


def refusing() -> Iterator[Any]:
    raise ApiError(403, "Forbidden", "cannot list")
    yield


def test_a_refusal_after_answers_is_waited_out_for_a_while(monkeypatch: pytest.MonkeyPatch) -> None:
    cluster = Scripted(lambda: iter([page("a")]), refusing, refusing, lambda: iter([page("a")]))
    assert told(cluster, 4) == [("PRESENT", "a"), ("SYNCED", "")] * 2
    monkeypatch.setattr(watch, "_REFUSED_SECONDS", 0.1)
    with pytest.raises(ApiError, match="cannot list"):
        told(Scripted(lambda: iter([page("a")]), refusing), 3)


def test_a_refusal_before_any_answer_is_the_last_word() -> None:
    with pytest.raises(ApiError, match="cannot list"):
        told(Scripted(refusing), 1)


def test_lists_do_not_make_up_for_watches_that_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """Who lost the right to watch alone would list everything again and again, and never say so."""

    def refused(*_: Any, **__: Any) -> Iterator[Any]:
        raise ApiError(403, "Forbidden", "cannot watch")

    monkeypatch.setattr(watch, "_REFUSED_SECONDS", 0.1)
    cluster = Scripted(lambda: iter([page("a")]))
    monkeypatch.setattr(cluster, "stream", refused)
    with pytest.raises(ApiError, match="cannot watch"):
        told(cluster, 1000)


def answering() -> Iterator[Any]:
    yield page("a")


def test_a_watch_on_which_nothing_happens_is_not_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """A refusal long after another one is the first one of its own."""
    cluster = Scripted(answering, refusing, answering)
    now = 1.0
    watched = 0

    def stream(*arguments: Any, **more: Any) -> Iterator[Any]:
        nonlocal now, watched
        watched += 1
        if watched == 2:
            now += 90
            raise UnreachableError("nothing was heard", silent=True)
        if watched == 3:
            raise ApiError(403, "Forbidden", "cannot watch")
        return Scripted.stream(cluster, *arguments, **more)

    monkeypatch.setattr(watch, "time", SimpleNamespace(monotonic=lambda: now))
    monkeypatch.setattr(cluster, "stream", stream)
    assert told(cluster, 6) == [("PRESENT", "a"), ("SYNCED", "")] * 3
