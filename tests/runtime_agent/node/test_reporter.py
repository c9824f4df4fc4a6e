"""What the node says, and what it takes over from what another agent, or an older one, has said."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any, cast

import pytest

from omec.runtime_agent.cluster.client import Cluster
from omec.runtime_agent.cluster.resources import CONFIG_MAPS, Object, Resource
from omec.runtime_agent.contract.entry import FAILED, READY, UPDATING, Change
from omec.runtime_agent.contract.names import ModelKey
from omec.runtime_agent.node.reporter import Reporter

LABEL = "models.ome.io/clusterbasemodel."


class Stored:
    """A Node and its ConfigMap, as a server keeps them that one agent alone writes to."""

    def __init__(self, labels: Mapping[str, str], data: Mapping[str, str]) -> None:
        self.node: Object = {"metadata": {"name": "n", "uid": "u", "labels": dict(labels)}}
        self.config_map: Object = {"metadata": {"name": "n"}, "data": dict(data)}
        self.applied: dict[str, set[str]] = {"nodes": set(), "configmaps": set()}

    def apply(self, resource: Resource, body: Object, *, force: bool) -> Object:
        """What was applied before and is not applied any more goes, as with server-side apply."""
        assert force
        sent = body["data"] if resource is CONFIG_MAPS else body["metadata"]["labels"]
        live = self._live(resource)
        for key in self.applied[resource.plural] - set(sent):
            live.pop(key, None)
        self.applied[resource.plural] = set(sent)
        live.update(sent)
        return self._object(resource)

    def patch(self, resource: Resource, name: str, patch: Any, namespace: str | None = None) -> Object:
        del name, namespace
        if resource is CONFIG_MAPS:
            gone = [key for key, value in patch["data"].items() if value is None]
        else:
            gone = [each["path"].removeprefix("/metadata/labels/").replace("~1", "/") for each in patch]
        for key in gone:
            del self._live(resource)[key]
        return self._object(resource)

    def _live(self, resource: Resource) -> dict[str, str]:
        live: dict[str, str] = self.config_map["data"] if resource is CONFIG_MAPS else self.node["metadata"]["labels"]
        return live

    def _object(self, resource: Resource) -> Object:
        stored: Object = json.loads(json.dumps(self.config_map if resource is CONFIG_MAPS else self.node))
        return stored


def started(stored: Stored) -> Reporter:
    reporter = Reporter(cast(Cluster, stored), "n", "ome")
    reporter.adopt(stored.node, stored.config_map)
    return reporter


@pytest.fixture(scope="module")
def old_texts(testdata: Path) -> list[str]:
    """Entries as OME's agent, its older releases and people have left them."""
    rows = [json.loads(line) for line in (testdata / "oracle" / "configmap-entries.jsonl").open(encoding="utf-8")]
    steps = [step["value"] for row in rows for step in row["expected"]["steps"]]
    texts = [*(row["existing"] for row in rows if "existing" in row), *(text for text in steps if text)]
    assert len(set(texts)) > 30
    return [
        *dict.fromkeys(texts),
        "",
        "Ready",
        "null",
        "[]",
        "{}",
        "{",
        '{"status":1}',
        "\0",
        '{"config":{"artifact":5}}',
    ]


@pytest.mark.parametrize("status", [UPDATING, READY, FAILED])
def test_old_entries_of_models_that_exist(old_texts: list[str], status: str) -> None:
    """Each becomes what OME's agent would make of it, and nothing of one is mixed into another."""
    keys = [ModelKey(None, f"m{number}") for number in range(len(old_texts))]
    stored = Stored({}, {key.entry: text for key, text in zip(keys, old_texts, strict=True)})
    reporter = started(stored)
    for key in keys:
        reporter.report(key, Change(key.name, status=status))
    reporter.flush()
    for key, text in zip(keys, old_texts, strict=True):
        assert stored.config_map["data"][key.entry] == Change(key.name, status=status).applied(text)
        assert json.loads(stored.config_map["data"][key.entry])["status"] == status
        assert stored.node["metadata"]["labels"][key.label] == status


def test_old_entries_of_models_that_are_gone(old_texts: list[str]) -> None:
    keys = [ModelKey(None, f"m{number}") for number in range(len(old_texts))]
    kept, *gone = keys
    data = {key.entry: text for key, text in zip(keys, old_texts, strict=True)}
    stored = Stored({key.label: READY for key in keys} | {"zone": "a"}, {**data, "note": "of somebody"})
    reporter = started(stored)
    assert len(reporter.forget_all_but({kept})) == 2 * len(gone)
    reporter.flush()
    assert stored.node["metadata"]["labels"] == {kept.label: READY, "zone": "a"}
    assert stored.config_map["data"] == {kept.entry: old_texts[0], "note": "of somebody"}


@pytest.mark.parametrize(
    ("entry", "label", "status"),
    [
        ('{"name":"m","status":"Ready"}', "Ready", "Ready"),
        ('{"name":"m","status":"Ready"}', "Failed", ""),
        ('{"name":"m","status":"Ready"}', None, ""),
        ('{"name":"m","status":"Updating","progress":null}', "Updating", "Updating"),
        ("Ready", "Ready", ""),
        (None, "Ready", ""),
    ],
)
def test_ready_is_believed_where_label_and_entry_say_so(entry: str | None, label: str | None, status: str) -> None:
    key = ModelKey(None, "m")
    stored = Stored({key.label: label} if label else {}, {key.entry: entry} if entry else {})
    assert started(stored).status(key) == status


def test_nothing_is_said_before_it_may_be() -> None:
    key = ModelKey(None, "m")
    stored = Stored({}, {})
    reporter = started(stored)
    reporter.report(key, Change("m", status=READY))
    stop, may_write = threading.Event(), threading.Event()
    thread = threading.Thread(target=reporter.run, args=(stop, may_write))
    thread.start()
    try:
        time.sleep(0.2)
        assert stored.config_map["data"] == {}
        may_write.set()
        until = time.monotonic() + 30
        while not stored.config_map["data"] and time.monotonic() < until:
            time.sleep(0.02)
        assert stored.config_map["data"].keys() == {key.entry}
        assert stored.node["metadata"]["labels"] == {key.label: READY}
    finally:
        stop.set()
        thread.join()


@pytest.mark.parametrize("namespace", [None, "n", "n" * 63])
@pytest.mark.parametrize("name", ["m", "m" * 63, "m" * 180, "m" * 236, "m" * 237, "m" * 253, "a.b-" * 62 + "c"])
def test_long_names_are_found_again_after_a_restart(namespace: str | None, name: str) -> None:
    key = ModelKey(namespace, name)
    stored = Stored({}, {})
    first = started(stored)
    first.report(key, Change(name, status=READY))
    first.flush()
    again = started(stored)
    assert again.status(key) == READY
    assert again.forget_all_but({key}) == []
    again.forget(key)
    again.flush()
    assert (stored.node["metadata"]["labels"], stored.config_map["data"]) == ({}, {})
