"""Chains of runtimes as status (reference 02 §7)."""

from __future__ import annotations

from typing import Any

from omec.runtime_agent.status.inheritance import changed_chains

NOW, LATER = "2026-01-02T03:04:05Z", "2026-01-02T03:05:05Z"


def runtime(name: str, parent: str | None = None, namespace: str | None = None, **status: Any) -> dict[str, Any]:
    metadata: dict[str, Any] = {"name": name, "generation": 2}
    if namespace:
        metadata["namespace"] = namespace
    if parent:
        metadata["annotations"] = {"ome.io/inherit-from": parent}
    kind = "ServingRuntime" if namespace else "ClusterServingRuntime"
    return {"kind": kind, "metadata": metadata, "spec": {"engineConfig": {}}, **({"status": status} if status else {})}


def statuses(*runtimes: dict[str, Any], now: str = NOW) -> dict[str, dict[str, Any]]:
    return {each.runtime["metadata"]["name"]: each.status for each in changed_chains(runtimes, now)}


def test_a_chain_is_written_root_first_in_the_scope_of_its_head() -> None:
    found = statuses(
        runtime("root"), runtime("child", "root"), runtime("grandchild", "child"), runtime("x", "child", "team-a")
    )
    assert {name: status["inheritanceChain"] for name, status in found.items()} == {
        "root": ["root"],
        "child": ["root", "child"],
        "grandchild": ["root", "child", "grandchild"],
        "x": ["root", "child", "x"],
    }
    assert all(
        condition["type"] == "InheritanceReady"
        and condition["status"] == "True"
        and condition["reason"] == "Resolved"
        and condition["observedGeneration"] == 2
        and condition["lastTransitionTime"] == NOW
        for status in found.values()
        for condition in status["conditions"]
    )


def test_a_broken_chain_keeps_the_last_good_one_and_says_what_is_wrong() -> None:
    good = statuses(runtime("root"), runtime("child", "root"))["child"]
    (broken,) = changed_chains([runtime("child", "root", **good)], LATER)
    assert broken.status["inheritanceChain"] == ["root", "child"]
    (condition,) = broken.status["conditions"]
    assert condition == {
        "type": "InheritanceReady",
        "status": "False",
        "reason": "ParentNotFound",
        "message": 'inherit-from parent "root" not found (chain so far: [child])',
        "observedGeneration": 2,
        "lastTransitionTime": LATER,
    }
    assert broken.failure == condition


def test_each_fault_has_its_reason() -> None:
    found = statuses(
        runtime("a", "b"),
        runtime("b", "a"),
        runtime("r1"),
        *(runtime(f"r{number}", f"r{number - 1}") for number in range(2, 7)),
    )
    reasons = {name: status["conditions"][0]["reason"] for name, status in found.items()}
    assert reasons["a"] == reasons["b"] == "InheritanceCycle"
    assert reasons["r5"] == "Resolved"
    assert reasons["r6"] == "MaxDepthExceeded"
    assert found["r6"]["conditions"][0]["message"] == (
        "inheritance chain exceeds max depth 5 (chain: [r6 r5 r4 r3 r2])"
    )


def test_a_status_that_is_right_is_left_alone() -> None:
    found = statuses(runtime("root"), runtime("child", "root"), runtime("lost", "nowhere"))
    again = [
        runtime("root", **found["root"]),
        runtime("child", "root", **found["child"]),
        runtime("lost", "nowhere", **found["lost"]),
    ]
    assert list(changed_chains(again, LATER)) == []


def test_the_transition_time_stays_while_the_status_does_and_the_event_comes_once() -> None:
    lost = statuses(runtime("lost", "nowhere"))["lost"]
    other = runtime("lost", "elsewhere", **lost)
    (changed,) = changed_chains([other], LATER)
    assert changed.status["conditions"][0]["lastTransitionTime"] == NOW
    assert changed.failure is not None
    newer = runtime("lost", "nowhere", **lost)
    newer["metadata"]["generation"] = 3
    (observed,) = changed_chains([newer], LATER)
    assert observed.failure is None
