"""What nodes report, gathered (reference 07 §11.3, §12.1)."""

from __future__ import annotations

import json

import pytest

from omec.runtime_agent.status.entries import NodeEntry, parse_entry
from omec.runtime_agent.status.models import model_state
from omec.runtime_agent.status.reports import ModelReport, NodeReports

KEY = "clusterbasemodel.m"


def entry(status: str, **more: object) -> str:
    return json.dumps({"name": "m", "status": status, **more})


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (entry("Ready"), NodeEntry("Ready")),
        (entry("Ready", config={}), NodeEntry("Ready")),
        (
            entry("Ready", config={"modelType": "llama", "maxTokens": 2}),
            NodeEntry("Ready", '{"maxTokens":2,"modelType":"llama"}'),
        ),
        (entry("Updating", progress={"phase": "downloading"}), NodeEntry("Updating")),
        ('{"name":"m"}', NodeEntry("")),
        ('{"name":"m","Status":"Ready"}', NodeEntry("Ready")),
        ('{"name":"m","status":"Ready","more":1}', NodeEntry("Ready")),
        ('{"status":3}', NodeEntry(None)),
        (entry("Ready", config={"maxTokens": "many"}), NodeEntry(None)),
        ("null", NodeEntry("")),
        ("", NodeEntry(None)),
        ("[]", NodeEntry(None)),
        ("{", NodeEntry(None)),
        ("[" * 100_000, NodeEntry(None)),
    ],
)
def test_entries(text: str, expected: NodeEntry) -> None:
    assert parse_entry(text) == expected


@pytest.mark.parametrize(
    ("ready", "failed", "state"),
    [
        (("n1", "n2"), (), "Ready"),
        (("n1",), ("n2",), "Ready"),
        ((), ("n1",), "Failed"),
        ((), (), "In_Transit"),
    ],
)
def test_states(ready: tuple[str, ...], failed: tuple[str, ...], state: str) -> None:
    """The table of reference 07 §12.1."""
    assert model_state(ModelReport(ready, failed)) == state


def always(_: str) -> bool:
    return True


def test_nodes_are_sorted_and_those_that_are_gone_left_out() -> None:
    reports = NodeReports()
    for node, status in (("n3", "Ready"), ("n1", "Ready"), ("n2", "Failed"), ("n4", "Updating"), ("n5", "Deleted")):
        reports.put(node, {KEY: entry(status)})
    assert reports.report(KEY, always) == ModelReport(("n1", "n3"), ("n2",), ("n1", "n2", "n3", "n4"))
    assert reports.report(KEY, {"n3", "n5"}.__contains__) == ModelReport(("n3",), (), ("n3",))
    assert reports.report("clusterbasemodel.other", always) == ModelReport()


def test_an_unreadable_entry_holds_a_model_and_says_nothing_else() -> None:
    reports = NodeReports()
    reports.put("n1", {KEY: "no json"})
    assert reports.report(KEY, always) == ModelReport(holding=("n1",))


def test_only_what_changed_is_told() -> None:
    reports = NodeReports()
    data = {KEY: entry("Updating"), "a.basemodel.b": entry("Ready")}
    assert reports.put("n1", data) == set(data)
    assert reports.put("n1", data) == set()
    assert reports.put("n1", data | {KEY: entry("Updating", progress={"phase": "downloading"})}) == set()
    assert reports.put("n1", data | {KEY: entry("Ready")}) == {KEY}
    assert reports.put("n1", {KEY: entry("Ready")}) == {"a.basemodel.b"}
    assert reports.keys_of("n1") == {KEY}
    assert reports.remove("n1") == {KEY}
    assert reports.remove("n1") == set()
    assert not reports.nodes


def test_the_facts_are_those_of_the_first_node_that_has_any() -> None:
    reports = NodeReports()
    reports.put("n1", {KEY: entry("Updating")})
    reports.put("n3", {KEY: entry("Ready", config={"modelType": "three"})})
    reports.put("n2", {KEY: entry("Ready", config={"modelType": "two"})})
    assert reports.report(KEY, always).config == '{"modelType":"two"}'


def test_facts_are_kept_once_for_all_nodes() -> None:
    reports = NodeReports()
    for number in range(100):
        reports.put(f"n{number}", {KEY: entry("Ready", config={"modelType": "llama"})})
    first = reports.report(KEY, {"n0"}.__contains__).config
    assert all(reports.report(KEY, {f"n{number}"}.__contains__).config is first for number in range(100))
    for number in range(100):
        reports.put(f"n{number}", {KEY: entry("Ready", config={"modelType": "qwen2"})})
    reports.forget_unused()
    assert reports.report(KEY, always).config == '{"modelType":"qwen2"}'
