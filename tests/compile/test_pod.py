"""Containers, placement and defaults of a pod (reference 04 §9 to §12)."""

from __future__ import annotations

from typing import Any

import pytest

from omec.compile import rules
from omec.compile.problems import Origin, RenderError
from omec.compile.render import render
from tests.compile.rendering import RUNNER, engine_container, engine_pod, inputs, objects_of

Object = dict[str, Any]

MODEL: Object = {"storage": {"storageUri": "hf://a/b", "path": "/m"}}
MODEL_LABEL = "models.ome.io/clusterbasemodel.llama"


def names(pod: Object) -> list[str]:
    return [container["name"] for container in pod["containers"]]


@pytest.mark.parametrize(
    ("containers", "runner", "expected"),
    [
        ([], {"name": "r"}, ["r"]),
        ([{"name": "s"}], {"name": "r"}, ["s", "r"]),
        ([{"name": "s"}, {"name": "r"}, {"name": "t"}], {"name": "r"}, ["s", "r", "t"]),
        ([{"name": "s"}, {"name": "t"}], None, ["s", "t"]),
    ],
)
def test_order_of_containers(containers: list[Object], runner: Object | None, expected: list[str]) -> None:
    own: Object = {"containers": containers} | ({} if runner is None else {"runner": runner})
    assert names(engine_pod(inputs({"engine": own}, {}))) == expected


def test_listed_container_wins_over_the_runner_of_its_name() -> None:
    own = {
        "containers": [{"name": "ome-container", "image": "x:9", "args": ["--c"], "env": [{"name": "A", "value": "2"}]}]
    }
    config = {"runner": {**RUNNER, "args": ["--r"], "env": [{"name": "A", "value": "1"}, {"name": "B", "value": "1"}]}}
    container = engine_container(inputs({"engine": own}, {"engineConfig": config}))
    assert container["image"] == "x:9"
    assert container["args"] == ["--r", "--c"]
    assert container["env"] == [{"name": "A", "value": "2"}, {"name": "B", "value": "1"}]


def test_neither_runner_nor_containers() -> None:
    with pytest.raises(RenderError) as caught:
        render(inputs({"engine": {}}, {}))
    assert caught.value.problem.message == "no containers found in pod spec and no runner spec provided"
    assert caught.value.problem.rule is rules.NO_CONTAINER


def test_placeholders_are_filled_in_the_runner_alone() -> None:
    own = {
        "runner": {**RUNNER, "args": ["{{.Name}}"]},
        "containers": [{"name": "sidecar", "image": "x", "args": ["{{.Name}}"]}],
        "initContainers": [{"name": "init", "image": "x", "args": ["{{.Name}}"]}],
    }
    pod = engine_pod(inputs({"engine": own}, {}))
    assert [container["args"] for container in pod["containers"]] == [["{{.Name}}"], ["chat"]]
    assert pod["initContainers"][0]["args"] == ["{{.Name}}"]


@pytest.mark.parametrize(
    ("own", "config", "origin", "steps"),
    [
        ({"args": ["ok", "{{.Foo}}"]}, {}, Origin.SERVICE, ("spec", "engine", "runner", "args", 1)),
        (
            {},
            {"env": [{"name": "A", "value": "{{.Foo}}"}]},
            Origin.RUNTIME,
            ("spec", "engineConfig", "runner", "env", ("name", "A"), "value"),
        ),
    ],
)
def test_place_of_a_bad_placeholder(own: Object, config: Object, origin: Origin, steps: tuple[Any, ...]) -> None:
    with pytest.raises(RenderError) as caught:
        render(inputs({"engine": {"runner": own}}, {"engineConfig": {"runner": {**RUNNER, **config}}}))
    assert "can't evaluate field Foo" in caught.value.problem.message
    assert (caught.value.problem.place.origin, caught.value.problem.place.steps) == (origin, steps)


@pytest.mark.parametrize(
    ("config", "top", "discovery", "own", "expected"),
    [
        ({"a": "1"}, {}, {"a": "2"}, {}, {"a": "2"}),
        ({"a": "1"}, {"a": "2"}, {}, {}, {"a": "2"}),
        ({}, {"a": "1"}, {"a": "2"}, {"a": "3"}, {"a": "3"}),
        ({"a": "1"}, {"b": "1"}, {"c": "1"}, {"d": "1"}, {"a": "1", "b": "1", "c": "1", "d": "1"}),
    ],
)
def test_node_selector(config: Object, top: Object, discovery: Object, own: Object, expected: Object) -> None:
    runtime = {
        "nodeSelector": top,
        "engineConfig": {"runner": RUNNER, "nodeSelector": config},
        "acceleratorRequirements": {"acceleratorClasses": ["h100"]},
    }
    spec = {"engine": {"nodeSelector": own}, "acceleratorSelector": {"acceleratorClass": "h100"}}
    classes = {"h100": {"discovery": {"nodeSelector": discovery}}}
    for model, label in ((None, {}), (MODEL, {MODEL_LABEL: "Ready"})):
        given = inputs(spec, runtime, model, accelerator_classes=classes)
        assert engine_pod(given)["nodeSelector"] == expected | label


@pytest.mark.parametrize(
    ("model", "label"),
    [
        (MODEL, {MODEL_LABEL: "Ready"}),
        ({}, {MODEL_LABEL: "Ready"}),
        ({"storage": {"storageUri": "pvc://claim/sub"}}, {}),
    ],
)
def test_model_label(model: Object, label: Object) -> None:
    assert engine_pod(inputs(model=model)).get("nodeSelector", {}) == label


def test_model_label_that_the_service_sets_stays() -> None:
    pod = engine_pod(inputs({"engine": {"nodeSelector": {MODEL_LABEL: "Updating"}}}, model=MODEL))
    assert pod["nodeSelector"] == {MODEL_LABEL: "Updating"}


def _node(key: str) -> Object:
    terms = [{"matchExpressions": [{"key": key, "operator": "Exists"}]}]
    return {"nodeAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": {"nodeSelectorTerms": terms}}}


def _anti(key: str) -> Object:
    return {"podAntiAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": [{"topologyKey": key}]}}


@pytest.mark.parametrize(
    ("own", "config", "of_class", "expected"),
    [
        (None, None, _node("n") | _anti("p"), _node("n")),
        (None, _anti("q"), _node("n"), _anti("q") | _node("n")),
        (None, _node("m"), _node("n"), _node("m")),
        (_anti("r"), None, _node("n"), _anti("r")),
        ({}, None, _node("n"), {}),
        (None, None, _anti("p"), None),
    ],
)
def test_affinity(own: Object | None, config: Object | None, of_class: Object, expected: Object | None) -> None:
    def affinity(value: Object | None) -> Object:
        return {} if value is None else {"affinity": value}

    runtime = {
        "engineConfig": {"runner": RUNNER, **affinity(config)},
        "acceleratorRequirements": {"acceleratorClasses": ["h100"]},
    }
    spec = {"engine": affinity(own), "acceleratorSelector": {"acceleratorClass": "h100"}}
    pod = engine_pod(inputs(spec, runtime, accelerator_classes={"h100": {"discovery": {"affinity": of_class}}}))
    assert pod.get("affinity") == expected


def test_defaults() -> None:
    pod = engine_pod(inputs())
    assert pod == {
        "containers": [
            {
                **RUNNER,
                "imagePullPolicy": "IfNotPresent",
                "terminationMessagePath": "/dev/termination-log",
                "terminationMessagePolicy": "File",
                "readinessProbe": {
                    "tcpSocket": {"port": 8080},
                    "timeoutSeconds": 1,
                    "periodSeconds": 10,
                    "successThreshold": 1,
                    "failureThreshold": 3,
                },
            }
        ],
        "dnsPolicy": "ClusterFirst",
        "restartPolicy": "Always",
        "schedulerName": "default-scheduler",
        "securityContext": {},
        "terminationGracePeriodSeconds": 30,
    }


def test_what_is_set_stays() -> None:
    own = {
        "terminationGracePeriodSeconds": 0,
        "dnsPolicy": "Default",
        "securityContext": {"runAsUser": 0},
        "runner": {
            **RUNNER,
            "imagePullPolicy": "Always",
            "readinessProbe": {"exec": {"command": ["true"]}},
            "ports": [{"containerPort": 9000}],
        },
    }
    pod = engine_pod(inputs({"engine": own}, {}))
    assert pod["terminationGracePeriodSeconds"] == 0
    assert pod["dnsPolicy"] == "Default"
    assert pod["securityContext"] == {"runAsUser": 0}
    assert pod["containers"][0]["imagePullPolicy"] == "Always"
    assert pod["containers"][0]["readinessProbe"] == {"exec": {"command": ["true"]}}


@pytest.mark.parametrize(
    ("runner", "port"),
    [
        ({"name": "ome-container", "ports": [{"containerPort": 9000}, {"containerPort": 9001}]}, 9000),
        ({"name": "ome-container"}, 8080),
        ({"name": "main", "ports": [{"containerPort": 9000}]}, None),
    ],
)
def test_default_probe(runner: Object, port: int | None) -> None:
    probe = engine_container(inputs({"engine": {"runner": runner}}, {})).get("readinessProbe")
    assert (None if probe is None else probe["tcpSocket"]["port"]) == port


def test_values_are_what_ome_sends() -> None:
    """Zero values are dropped, pointers keep theirs, quantities are canonical."""
    runner = {
        **RUNNER,
        "stdin": False,
        "env": [{"name": "A", "value": ""}],
        "resources": {"limits": {"cpu": 1.5, "memory": "1024Mi"}, "requests": {}},
        "volumeMounts": [{"name": "v", "mountPath": "/v", "readOnly": False}],
        "securityContext": {"privileged": False},
        "livenessProbe": {"grpc": {"port": 1}},
    }
    container = engine_container(inputs({"engine": {"runner": runner}}, {}))
    assert "stdin" not in container
    assert container["env"] == [{"name": "A"}]
    assert container["resources"] == {"limits": {"cpu": "1500m", "memory": "1Gi"}}
    assert container["volumeMounts"] == [{"name": "v", "mountPath": "/v"}]
    assert container["securityContext"] == {"privileged": False}
    assert container["livenessProbe"] == {"grpc": {"port": 1}}


def test_leader_gives_the_pod_of_a_forced_deployment() -> None:
    config = {
        "annotations": {"ome.io/deploymentMode": "RawDeployment"},
        "volumes": [{"name": "v", "emptyDir": {}}],
        "leader": {"runner": {**RUNNER, "image": "leader:1"}},
        "worker": {"runner": RUNNER},
    }
    pod = engine_pod(inputs({"engine": {}}, {"engineConfig": config}, MODEL))
    assert pod["containers"][0]["image"] == "leader:1"
    assert [volume["name"] for volume in pod["volumes"]] == ["v", "llama"]


def test_router_pod() -> None:
    spec = {
        "engine": {},
        "router": {
            "config": {"B": "2", "A": "9"},
            "serviceAccountName": "mine",
            "nodeSelector": {"pool": "cpu"},
            "runner": {"name": "router", "image": "r:1", "env": [{"name": "A", "value": "1"}], "args": ["{{.Name}}"]},
        },
    }
    runtime = {
        "engineConfig": {"runner": RUNNER},
        "routerConfig": {"config": {"C": "3", "A": "1"}},
        "nodeSelector": {"x": "y"},
    }
    objects = objects_of(inputs(spec, runtime, MODEL))
    pod = objects["Deployment", "chat-router"]["spec"]["template"]["spec"]
    (container,) = pod["containers"]
    assert [(item["name"], item["value"]) for item in container["env"]] == [
        ("A", "1"),
        ("A", "9"),
        ("B", "2"),
        ("C", "3"),
    ]
    assert container["args"] == ["chat"]
    assert "volumeMounts" not in container
    assert "readinessProbe" not in container
    assert pod["volumes"] == [{"name": "llama", "hostPath": {"path": "/m"}}]
    assert pod["nodeSelector"] == {"pool": "cpu"}
    assert pod["serviceAccountName"] == "chat-router"


def test_router_config_without_runner_is_ignored() -> None:
    spec = {"engine": {}, "router": {"config": {"A": "1"}, "containers": [{"name": "c", "image": "x"}]}}
    pod = objects_of(inputs(spec))["Deployment", "chat-router"]["spec"]["template"]["spec"]
    assert "env" not in pod["containers"][0]
