"""A component merged with its runtime's configuration (reference 04 §5 and §24.1)."""

from __future__ import annotations

from typing import Any

import pytest

from omec.compile import rules
from omec.compile.components import merge_components
from omec.compile.problems import Origin, Place, RenderError
from tests.compile.rendering import RUNNER, inputs

Object = dict[str, Any]


def merged(config: Object | None, own: Object | None) -> Object | None:
    spec = {} if own is None else {"engine": own}
    runtime = {} if config is None else {"engineConfig": config}
    components = merge_components(inputs(spec, runtime))
    return components[0].spec if components else None


def a(name: str, **fields: Any) -> Object:
    return {"name": name, **fields}


@pytest.mark.parametrize(
    ("config", "own", "expected"),
    [
        (
            {"minReplicas": 1, "maxReplicas": 3},
            {"minReplicas": 2, "maxReplicas": 10},
            {"minReplicas": 2, "maxReplicas": 10},
        ),
        (None, {"minReplicas": 2, "maxReplicas": 5}, {"minReplicas": 2, "maxReplicas": 5}),
        ({"minReplicas": 1, "maxReplicas": 3}, {"minReplicas": 0}, {"minReplicas": 0, "maxReplicas": 3}),
        ({"minReplicas": 1, "maxReplicas": 3}, {"maxReplicas": 0}, {"minReplicas": 1, "maxReplicas": 3}),
        ({"tolerations": [{"key": "a"}]}, {"tolerations": [{"key": "b"}]}, {"tolerations": [{"key": "b"}]}),
        (
            {"nodeSelector": {"a": "1", "b": "2"}},
            {"nodeSelector": {"b": "3", "c": "4"}},
            {"nodeSelector": {"a": "1", "b": "3", "c": "4"}},
        ),
        (
            {"volumes": [a("d", emptyDir={})]},
            {"volumes": [a("d", hostPath={"path": "/x"})]},
            {"volumes": [a("d", emptyDir={}, hostPath={"path": "/x"})]},
        ),
        ({"imagePullSecrets": [a("a")]}, {"imagePullSecrets": [a("b")]}, {"imagePullSecrets": [a("b"), a("a")]}),
        (
            {"topologySpreadConstraints": [{"topologyKey": "z", "maxSkew": 1, "whenUnsatisfiable": "DoNotSchedule"}]},
            {"topologySpreadConstraints": [{"topologyKey": "z", "maxSkew": 2, "whenUnsatisfiable": "DoNotSchedule"}]},
            {"topologySpreadConstraints": [{"topologyKey": "z", "maxSkew": 2, "whenUnsatisfiable": "DoNotSchedule"}]},
        ),
        (
            {"servicePortAppProtocols": {"http": "h2c"}},
            {"servicePortAppProtocols": {}},
            {"servicePortAppProtocols": {"http": "h2c"}},
        ),
        (
            {"servicePortAppProtocols": {"grpc1": "h2c"}},
            {"servicePortAppProtocols": {"grpc1": ""}},
            {"servicePortAppProtocols": {"grpc1": ""}},
        ),
        ({"hostNetwork": True}, {"hostNetwork": False}, {"hostNetwork": True}),
        ({"enableServiceLinks": True}, {"enableServiceLinks": False}, {"enableServiceLinks": False}),
        ({"labels": {"a": "1"}}, {"labels": {"a": ""}}, {"labels": {"a": ""}}),
        (
            {"deploymentStrategy": {"type": "RollingUpdate", "rollingUpdate": {"maxSurge": 2}}},
            {"deploymentStrategy": {"type": "Recreate"}},
            {"deploymentStrategy": {"type": "Recreate", "rollingUpdate": {"maxSurge": 2}}},
        ),
        ({"acceleratorOverride": {"acceleratorClass": "h100"}}, {}, {}),
    ],
)
def test_component_fields(config: Object | None, own: Object, expected: Object) -> None:
    assert merged(config, own) == expected


@pytest.mark.parametrize("config", [None, {"minReplicas": 1, "maxReplicas": 3}])
def test_runtime_alone_makes_no_component(config: Object | None) -> None:
    assert merged(config, None) is None


@pytest.mark.parametrize(
    ("config", "own", "field", "expected"),
    [
        (
            {"args": ["--arg1", "runtime"]},
            {"args": ["--arg1", "isvc", "--arg2", "new"]},
            "args",
            ["--arg1", "isvc", "--arg2", "new"],
        ),
        ({"args": ["a"]}, {"args": []}, "args", ["a"]),
        ({"command": ["c"], "args": ["a"]}, {"args": ["b"]}, "command", ["c"]),
        (
            {"resources": {"limits": {"cpu": "1", "gpu": "1"}, "requests": {"cpu": "1"}}},
            {"resources": {"limits": {"cpu": "2"}}},
            "resources",
            {"limits": {"cpu": "2", "gpu": "1"}, "requests": {"cpu": "1"}},
        ),
        (
            {"env": [a("A", value="1")]},
            {"env": [a("A", valueFrom={"fieldRef": {"fieldPath": "metadata.name"}})]},
            "env",
            [a("A", value="1", valueFrom={"fieldRef": {"fieldPath": "metadata.name"}})],
        ),
        (
            {"ports": [a("http1", containerPort=8080, protocol="TCP")]},
            {"ports": [a("grpc", containerPort=8080)]},
            "ports",
            [a("grpc", containerPort=8080, protocol="TCP")],
        ),
        (
            {"volumeMounts": [a("a", mountPath="/dev/shm")]},
            {"volumeMounts": [a("b", mountPath="/dev/shm", readOnly=True)]},
            "volumeMounts",
            [a("b", mountPath="/dev/shm", readOnly=True)],
        ),
        (
            {"readinessProbe": {"httpGet": {"path": "/h", "port": 80}, "periodSeconds": 5}},
            {"readinessProbe": {"tcpSocket": {"port": 80}}},
            "readinessProbe",
            {"httpGet": {"path": "/h", "port": 80}, "tcpSocket": {"port": 80}, "periodSeconds": 5},
        ),
        (
            {"securityContext": {"capabilities": {"add": ["A"]}, "privileged": True}},
            {"securityContext": {"capabilities": {"add": ["B"]}, "privileged": False}},
            "securityContext",
            {"capabilities": {"add": ["B"]}, "privileged": False},
        ),
        ({"envFrom": [{"prefix": "a"}]}, {"envFrom": [{"prefix": "b"}]}, "envFrom", [{"prefix": "b"}]),
        ({"stdin": True}, {"stdin": False}, "stdin", True),
    ],
)
def test_runner_fields(config: Object, own: Object, field: str, expected: Any) -> None:
    result = merged({"runner": {"name": "c", **config}}, {"runner": {"name": "c", **own}})
    assert result is not None
    assert result["runner"][field] == expected


@pytest.mark.parametrize(
    ("runtime", "service", "expected"),
    [
        ("A B", "C", "C A B"),
        ("A B D", "B X", "A B X D"),
        ("A B", "B A", "B A"),
        ("ENV1 ENV2", "ENV1 ENV3", "ENV1 ENV3 ENV2"),
    ],
)
def test_order_of_merged_lists(runtime: str, service: str, expected: str) -> None:
    def runner(names: str) -> Object:
        return {"runner": {"name": "c", "env": [{"name": name, "value": "x"} for name in names.split()]}}

    result = merged(runner(runtime), runner(service))
    assert result is not None
    assert [item["name"] for item in result["runner"]["env"]] == expected.split()


@pytest.mark.parametrize(
    ("runtime_name", "service_name", "expected"),
    [
        ("rt-name", "user-name", "user-name"),
        ("rt-name", "", "rt-name"),
        ("rt-name", None, "rt-name"),
        ("", "", "ome-container"),
        (None, None, "ome-container"),
    ],
)
def test_runner_names(runtime_name: str | None, service_name: str | None, expected: str) -> None:
    def runner(name: str | None) -> Object:
        return {"runner": {"image": "x"} if name is None else {"name": name, "image": "x"}}

    result = merged(runner(runtime_name), runner(service_name))
    assert result is not None
    assert result["runner"]["name"] == expected


def test_runner_of_the_service_alone_gets_a_name() -> None:
    result = merged(None, {"runner": {"image": "x"}})
    assert result is not None
    assert result["runner"]["name"] == "ome-container"


def test_pod_fields_reach_leader_and_workers_below_their_own() -> None:
    result = merged(
        {
            "nodeSelector": {"a": "component", "b": "component"},
            "leader": {"nodeSelector": {"b": "leader"}, "runner": RUNNER},
            "worker": {"size": 2},
        },
        {"tolerations": [{"key": "t"}]},
    )
    assert result is not None
    assert result["leader"]["nodeSelector"] == {"a": "component", "b": "leader"}
    assert result["leader"]["runner"]["name"] == "ome-container"
    assert result["worker"] == {
        "nodeSelector": {"a": "component", "b": "component"},
        "tolerations": [{"key": "t"}],
        "size": 2,
    }


@pytest.mark.parametrize(
    ("config", "own", "expected"),
    [
        ({}, {}, "top"),
        ({"schedulerName": "config"}, {}, "config"),
        ({"schedulerName": "config"}, {"schedulerName": "own"}, "own"),
    ],
)
def test_scheduler_of_the_runtime_fills_gaps(config: Object, own: Object, expected: str) -> None:
    (component,) = merge_components(inputs({"engine": own}, {"engineConfig": config, "schedulerName": "top"}))
    assert component.spec["schedulerName"] == expected


@pytest.mark.parametrize(
    ("config", "own", "message"),
    [
        (
            {"imagePullSecrets": [{"name": "a"}]},
            {"imagePullSecrets": [{}]},
            "does not contain declared merge key: name",
        ),
        (
            {"nodeSelector": {"a": "b"}, "leader": {"nodeSelector": {"$patch": "delete"}}},
            {},
            "$patch would be read as a directive of the merge",
        ),
    ],
)
def test_what_cannot_be_merged_is_refused(config: Object, own: Object, message: str) -> None:
    with pytest.raises(RenderError) as caught:
        merged(config, own)
    assert caught.value.problem.rule is rules.MERGE_FAILED
    assert message in caught.value.problem.message


def test_inputs_are_left_as_they_were() -> None:
    own: Object = {"runner": {"env": [a("A", value="1")]}}
    config: Object = {"runner": {"name": "c", "env": [a("B", value="2")]}}
    merged(config, own)
    assert own == {"runner": {"env": [a("A", value="1")]}}
    assert config == {"runner": {"name": "c", "env": [a("B", value="2")]}}


def test_place_of_a_field() -> None:
    (component,) = merge_components(
        inputs(
            {"engine": {"minReplicas": 2}},
            {"engineConfig": {"minReplicas": 1, "runner": {"name": "c", "env": [a("A", value="1")]}}},
        )
    )
    assert component.place("minReplicas") == Place(Origin.SERVICE, ("spec", "engine", "minReplicas"))
    assert component.place("runner", "env", ("name", "A")) == Place(
        Origin.RUNTIME, ("spec", "engineConfig", "runner", "env", ("name", "A"))
    )
    assert component.place("runner", "env", ("name", "Z"), "value") == Place(
        Origin.RUNTIME, ("spec", "engineConfig", "runner", "env")
    )
    assert component.place("maxReplicas") == Place(Origin.SERVICE, ("spec", "engine"))
