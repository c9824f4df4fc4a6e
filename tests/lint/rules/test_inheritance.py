"""What the rules of omec/lint/rules/inheritance say, table by table (reference 02 §4 and §10)."""

from __future__ import annotations

from typing import Any

import pytest

from tests.lint.lint_cases import engine, findings, places, runner, runtime, service

Spec = dict[str, Any]

BASE: Spec = {
    "nodeSelector": {"pool": "h100"},
    "tolerations": [{"key": "nvidia.com/gpu", "operator": "Exists"}],
    "terminationGracePeriodSeconds": 60,
    "hostNetwork": True,
    "runner": runner(
        args=["--port=8080", "--tp-size=1", "--enable-metrics"],
        env=[{"name": "A", "value": "1"}],
        livenessProbe={"httpGet": {"path": "/health", "port": 8080}},
    ),
}


def told(child: Spec, *codes: str) -> list[tuple[str, str | None]]:
    """What is said of a child with this engineConfig."""
    return places(findings([runtime(engineConfig=BASE), runtime("child", parent="base", engineConfig=child)], *codes))


REMOVALS: dict[str, tuple[Spec, str | None]] = {
    "an empty map": ({"nodeSelector": {}}, "nodeSelector"),
    "an empty list": ({"tolerations": []}, "tolerations"),
    "null": ({"nodeSelector": None}, "nodeSelector"),
    "false": ({"hostNetwork": False}, "hostNetwork"),
    "an empty probe": ({"runner": {"name": "ome-container", "livenessProbe": {}}}, "runner.livenessProbe"),
    "an empty text in a list": (
        {"runner": {"name": "ome-container", "env": [{"name": "A", "value": ""}]}},
        "runner.env[0].value",
    ),
    "a zero that counts": ({"terminationGracePeriodSeconds": 0}, None),
    "a value": ({"nodeSelector": {"pool": "b200"}}, None),
    "what the parent has not": ({"volumes": []}, None),
    "an empty value of a map": ({"nodeSelector": {"pool": ""}}, None),
}


@pytest.mark.parametrize(("child", "field"), REMOVALS.values(), ids=REMOVALS.keys())
def test_what_cannot_be_removed(child: Spec, field: str | None) -> None:
    assert told(child, "OME215") == ([] if field is None else [("child", f"spec.engineConfig.{field}")])


def test_what_a_service_cannot_remove() -> None:
    made = runtime(engineConfig=BASE)
    assert places(findings([made, service(engine={"nodeSelector": {}})], "OME215")) == [
        ("chat", "spec.engine.nodeSelector")
    ]
    assert not findings([made, service(engine={})], "OME215")


LISTS: dict[str, tuple[Spec, bool]] = {
    "one flag more": ({"runner": runner(args=["--mem-frac=0.8"])}, True),
    "all of them": ({"runner": runner(args=["--port=8080", "--tp-size=2", "--enable-metrics"])}, False),
    "all but one, on purpose": ({"runner": runner(args=["--port=8080", "--tp-size=2"])}, False),
    "all but the port": ({"runner": runner(args=["--tp-size=2", "--enable-metrics"])}, True),
    "the others in command": (
        {"runner": runner(command=["serve", "--port=8080", "--tp-size=1", "--enable-metrics"], args=["--x"])},
        False,
    ),
    "another toleration": ({"tolerations": [{"key": "spot", "operator": "Exists"}]}, True),
    "a toleration more": ({"tolerations": [{"key": "spot"}, {"key": "nvidia.com/gpu"}]}, False),
    "a toleration of everything": ({"tolerations": [{"operator": "Exists"}]}, False),
}


@pytest.mark.parametrize(("child", "found"), LISTS.values(), ids=LISTS.keys())
def test_lists_that_replace_others(child: Spec, found: bool) -> None:
    assert bool(told(child, "OME216")) is found


def test_what_the_arguments_of_a_service_drop() -> None:
    made = runtime(engineConfig=BASE)
    (found,) = findings([made, service(engine={"runner": {"args": ["--port=9"]}})], "OME218")
    assert found.message == (
        "args of the engine replaces that of ClusterServingRuntime base and drops --tp-size, --enable-metrics"
    )
    assert not findings([made, service(engine={"runner": {"env": [{"name": "B", "value": "1"}]}})], "OME218")


def test_two_kinds_of_handler() -> None:
    probe = {"livenessProbe": {"exec": {"command": ["true"]}}}
    field = "spec.engineConfig.runner.livenessProbe.exec"
    assert told({"runner": runner(**probe)}, "OME212") == [("child", field)]
    alone = {"httpGet": {"port": 1}, "tcpSocket": {"port": 1}}
    assert [name for name, _ in places(findings([runtime(**engine(livenessProbe=alone))], "OME212"))] == ["base"]


def test_a_variable_behind_the_one_that_uses_it() -> None:
    env = [{"name": "B", "value": "$(A)/x"}]
    assert told({"runner": runner(env=env)}, "OME220") == [("child", "spec.engineConfig.runner.env[0].value")]
    assert told({"runner": runner(env=[{"name": "A", "value": "2"}, *env])}, "OME220") == []


@pytest.mark.parametrize(
    ("child", "found"),
    [({}, True), ({"disabled": False}, False), ({"disabled": True}, False)],
)
def test_children_of_profiles(child: Spec, found: bool) -> None:
    objects = [runtime(disabled=True), runtime("child", parent="base", **child)]
    assert bool(findings(objects, "OME210")) is found


def test_a_base_between_a_profile_and_its_children_may_be_disabled() -> None:
    middle = runtime("middle", parent="base")
    child = runtime("child", parent="middle", disabled=False)
    assert not findings([runtime(disabled=True), middle, child], "OME210")


def test_a_runner_that_is_renamed() -> None:
    assert told({"runner": {"name": "server"}}, "OME217") == [("child", "spec.engineConfig.runner.name")]
    renamed = service(engine={"runner": {"name": "server", "env": []}})
    assert places(findings([runtime(engineConfig=BASE), renamed], "OME217")) == [("chat", "spec.engine.runner.name")]
    assert not findings([runtime(engineConfig=BASE), service(engine={"runner": {"args": ["a"]}})], "OME217")
