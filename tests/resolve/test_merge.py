"""The typed strategic merge: every vector of reference 02 §4, and properties."""

from __future__ import annotations

import copy
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings

from omec.api.defaults import admitted
from omec.api.gojson import dumps
from omec.api.shapes import ENGINE_SPEC, SERVING_RUNTIME_SPEC, Json, normalise
from omec.api.shapes.volume import VOLUME
from omec.resolve.merge import MergeError, strategic_merge
from tests.api.shape_values import values

Spec = dict[str, Any]


def merged(parent: Spec, child: Spec) -> Spec:
    """The merge of two runtime specs as they are written in Git."""
    parent, child = (admitted("ServingRuntime", {"spec": spec})["spec"] for spec in (parent, child))
    spec: Spec = strategic_merge(SERVING_RUNTIME_SPEC, parent, child)
    return spec


def engine(**fields: Json) -> Spec:
    return {"engineConfig": fields}


def runner(**fields: Json) -> Spec:
    return engine(runner={"name": "ome-container", **fields})


def named(keys: str) -> list[dict[str, str]]:
    return [{"name": key} for key in keys.split()]


def names(items: list[dict[str, Any]], key: str = "name") -> str:
    return " ".join(str(item[key]) for item in items)


# Reference 02 §4.1
ORDER = [
    ("A B", "C", "C A B"),
    ("A B", "B C", "A B C"),
    ("A B C", "D B", "D A B C"),
    ("A B C", "C A", "B C A"),
    ("A B C", "D C E A", "D B C E A"),
    ("A B", "C D A", "C D A B"),
    ("A B C D", "X C Y", "X A B C Y D"),
    ("A B C D", "D X", "A B C D X"),
    ("A B C D", "B A X", "B A X C D"),
    ("A", "A", "A"),
    ("R1 R2", "M1 R2", "M1 R1 R2"),
    ("M1 R1 R2", "L1 M1 R1", "L1 M1 R1 R2"),
]


@pytest.mark.parametrize(("parent", "child", "result"), ORDER)
def test_order_of_env(parent: str, child: str, result: str) -> None:
    spec = merged(runner(env=named(parent)), runner(env=named(child)))
    assert names(spec["engineConfig"]["runner"]["env"]) == result


def test_order_of_other_lists() -> None:
    spec = merged(
        engine(containers=named("a b"), initContainers=named("a b"), imagePullSecrets=named("a")),
        engine(containers=named("z b"), initContainers=named("c a"), imagePullSecrets=named("b")),
    )["engineConfig"]
    assert names(spec["containers"]) == "z a b"
    assert names(spec["initContainers"]) == "c a b"
    assert names(spec["imagePullSecrets"]) == "b a"
    ports = merged(
        runner(ports=[{"containerPort": 8080}]), runner(ports=[{"containerPort": 9090}, {"containerPort": 8080}])
    )["engineConfig"]["runner"]["ports"]
    assert names(ports, "containerPort") == "9090 8080"


# Reference 02 §4.2
def test_a_key_twice_in_the_parent() -> None:
    parent = [{"name": "A", "value": "1"}, {"name": "B"}, {"name": "A", "value": "2"}]
    env = merged(runner(env=parent), runner(env=[{"name": "A", "value": "c"}]))["engineConfig"]["runner"]["env"]
    assert env == [{"name": "A", "value": "c"}, {"name": "A", "value": "2"}, {"name": "B"}]


def test_a_key_twice_in_the_parent_only() -> None:
    parent = [{"name": "A", "value": "1"}, {"name": "B"}, {"name": "A", "value": "2"}]
    env = merged(runner(env=parent), runner(env=[{"name": "C"}]))["engineConfig"]["runner"]["env"]
    assert env == [{"name": "C"}, {"name": "A", "value": "1"}, {"name": "A", "value": "2"}, {"name": "B"}]


def test_a_key_twice_in_the_child() -> None:
    child = [{"name": "A", "value": "1"}, {"name": "A", "value": "2"}]
    env = merged(runner(env=[{"name": "A", "value": "p"}]), runner(env=child))["engineConfig"]["runner"]["env"]
    assert env == [{"name": "A", "value": "2"}]


EXEC = {"exec": {"command": ["sleep", "1"]}}
HTTP = {"httpGet": {"path": "/h", "port": 8080}}
FIELD = {"fieldRef": {"fieldPath": "status.podIP"}}


def env(*items: Spec) -> Spec:
    return runner(env=list(items))


def port(number: int, **fields: Json) -> Spec:
    return {"containerPort": number, **fields}


def spread(key: str, skew: int, when: str, **fields: Json) -> Spec:
    return {"maxSkew": skew, "topologyKey": key, "whenUnsatisfiable": when, **fields}


def required(key: str) -> Spec:
    term = {"matchExpressions": [{"key": key, "operator": "Exists"}]}
    return {"nodeAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": {"nodeSelectorTerms": [term]}}}


def secret(name: str, **fields: Json) -> Spec:
    return {"name": "X", "valueFrom": {"secretKeyRef": {"name": name, "key": "k", **fields}}}


ANTI = {"podAntiAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": [{"topologyKey": "h"}]}}
ENTRY = {"modelFormat": {"name": "f"}, "modelFramework": {"name": "t"}}

# Reference 02 §4.3: parent, child, and the part of the result that the table shows.
VECTORS: list[tuple[str, Spec, Spec, Spec]] = [
    ("M-1", {"disabled": True}, {}, {"disabled": True}),
    ("M-2", {"disabled": True}, {"disabled": False}, {"disabled": False}),
    (
        "M-3",
        {"modelSizeRange": {"min": "2B", "max": "4B"}},
        {"modelSizeRange": {"max": "9B"}},
        {"modelSizeRange": {"min": "2B", "max": "9B"}},
    ),
    ("M-4", runner(args=["--a", "--b"]), runner(args=["--c"]), runner(args=["--c"])),
    ("M-5", runner(args=["--a"]), runner(args=[]), runner(args=["--a"])),
    (
        "M-6",
        engine(nodeSelector={"arch": "arm64", "from": "parent"}),
        engine(nodeSelector={"arch": "amd64", "from": "child"}),
        engine(nodeSelector={"arch": "amd64", "from": "child"}),
    ),
    (
        "M-7",
        runner(ports=[port(8080, name="http1", protocol="TCP")]),
        runner(ports=[port(9090, name="metrics"), port(8080, name="h")]),
        runner(ports=[port(9090, name="metrics", protocol="TCP"), port(8080, name="h", protocol="TCP")]),
    ),
    (
        "M-7b",
        runner(ports=[port(8125, protocol="UDP")]),
        runner(ports=[port(8125, name="statsd")]),
        runner(ports=[port(8125, name="statsd", protocol="TCP")]),
    ),
    (
        "M-8",
        runner(ports=[port(8080, protocol="TCP", name="a"), port(8080, protocol="UDP", name="b")]),
        runner(ports=[port(8080, protocol="UDP", name="c")]),
        runner(ports=[port(8080, protocol="UDP", name="c"), port(8080, protocol="UDP", name="b")]),
    ),
    (
        "M-8b",
        runner(ports=[port(8080, name="http1")]),
        runner(ports=[port(9090, name="http1")]),
        runner(ports=[port(9090, name="http1", protocol="TCP"), port(8080, name="http1", protocol="TCP")]),
    ),
    (
        "M-9",
        engine(topologySpreadConstraints=[spread("z", 1, "DoNotSchedule"), spread("z", 5, "ScheduleAnyway")]),
        engine(topologySpreadConstraints=[spread("z", 2, "ScheduleAnyway")]),
        engine(topologySpreadConstraints=[spread("z", 2, "ScheduleAnyway"), spread("z", 5, "ScheduleAnyway")]),
    ),
    (
        "M-10",
        engine(topologySpreadConstraints=[spread("z", 1, "DoNotSchedule", labelSelector={"matchLabels": {"a": "b"}})]),
        engine(
            topologySpreadConstraints=[
                spread("z", 2, "ScheduleAnyway", labelSelector={"matchLabels": {"c": "d"}}),
                spread("h", 1, "ScheduleAnyway"),
            ]
        ),
        engine(
            topologySpreadConstraints=[
                spread("z", 2, "ScheduleAnyway", labelSelector={"matchLabels": {"a": "b", "c": "d"}}),
                spread("h", 1, "ScheduleAnyway"),
            ]
        ),
    ),
    (
        "M-11",
        engine(volumes=[{"name": "dshm", "emptyDir": {"medium": "Memory"}}]),
        engine(volumes=[{"name": "dshm", "emptyDir": {"sizeLimit": "10Gi"}}]),
        engine(volumes=[{"name": "dshm", "emptyDir": {"medium": "Memory", "sizeLimit": "10Gi"}}]),
    ),
    (
        "M-12",
        engine(volumes=[{"name": "d", "emptyDir": {}}]),
        engine(volumes=[{"name": "d", "hostPath": {"path": "/x"}}]),
        engine(volumes=[{"name": "d", "hostPath": {"path": "/x"}, "emptyDir": {}}]),
    ),
    (
        "M-13",
        env({"name": "X", "value": "1"}),
        env({"name": "X", "valueFrom": FIELD}),
        env({"name": "X", "value": "1", "valueFrom": FIELD}),
    ),
    (
        "M-14",
        env(secret("s")),
        env({"name": "X", "valueFrom": {"configMapKeyRef": {"name": "c", "key": "k"}}}),
        env(
            {
                "name": "X",
                "valueFrom": {
                    "configMapKeyRef": {"name": "c", "key": "k"},
                    "secretKeyRef": {"name": "s", "key": "k"},
                },
            }
        ),
    ),
    ("M-15", env(secret("s", optional=True)), env(secret("s2")), env(secret("s2", optional=True))),
    ("M-16", env({"name": "X", "value": "1"}), env({"name": "X", "value": ""}), env({"name": "X", "value": "1"})),
    (
        "M-17",
        runner(readinessProbe={**HTTP, "periodSeconds": 60}),
        runner(readinessProbe={"tcpSocket": {"port": 8080}, "timeoutSeconds": 5}),
        runner(readinessProbe={**HTTP, "tcpSocket": {"port": 8080}, "timeoutSeconds": 5, "periodSeconds": 60}),
    ),
    (
        "M-18",
        runner(livenessProbe=HTTP),
        runner(livenessProbe={"httpGet": {"port": "http1"}}),
        runner(livenessProbe={"httpGet": {"path": "/h", "port": "http1"}}),
    ),
    (
        "M-19",
        runner(startupProbe={"initialDelaySeconds": 60}),
        runner(startupProbe={"initialDelaySeconds": 0}),
        runner(startupProbe={"initialDelaySeconds": 60}),
    ),
    (
        "M-20",
        runner(volumeMounts=[{"name": "dshm", "mountPath": "/dev/shm"}]),
        runner(
            volumeMounts=[
                {"name": "cache", "mountPath": "/dev/shm", "readOnly": True},
                {"name": "dshm", "mountPath": "/x"},
            ]
        ),
        runner(
            volumeMounts=[
                {"name": "cache", "mountPath": "/dev/shm", "readOnly": True},
                {"name": "dshm", "mountPath": "/x"},
            ]
        ),
    ),
    (
        "M-21",
        runner(volumeMounts=[{"name": "a", "mountPath": "/a", "subPath": "x"}, {"name": "b", "mountPath": "/b"}]),
        runner(volumeMounts=[{"name": "c", "mountPath": "/c"}, {"name": "z", "mountPath": "/b"}]),
        runner(
            volumeMounts=[
                {"name": "c", "mountPath": "/c"},
                {"name": "a", "mountPath": "/a", "subPath": "x"},
                {"name": "z", "mountPath": "/b"},
            ]
        ),
    ),
    (
        "M-22",
        runner(volumeMounts=[{"name": "a", "mountPath": "/a", "readOnly": True}]),
        runner(volumeMounts=[{"name": "a", "mountPath": "/a", "readOnly": False}]),
        runner(volumeMounts=[{"name": "a", "mountPath": "/a", "readOnly": True}]),
    ),
    ("M-23", engine(hostNetwork=True), engine(hostNetwork=False), engine(hostNetwork=True)),
    (
        "M-24",
        runner(securityContext={"privileged": True}),
        runner(securityContext={"privileged": False}),
        runner(securityContext={"privileged": False}),
    ),
    (
        "M-25",
        engine(securityContext={"runAsUser": 1000, "fsGroup": 2}),
        engine(securityContext={"runAsUser": 0}),
        engine(securityContext={"runAsUser": 0, "fsGroup": 2}),
    ),
    (
        "M-26",
        engine(terminationGracePeriodSeconds=600),
        engine(terminationGracePeriodSeconds=0),
        engine(terminationGracePeriodSeconds=0),
    ),
    (
        "M-27",
        engine(maxReplicas=3, minReplicas=1),
        engine(maxReplicas=0, minReplicas=0),
        engine(maxReplicas=3, minReplicas=0),
    ),
    (
        "M-28",
        runner(resources={"requests": {"cpu": "1", "memory": "1Gi"}, "limits": {"cpu": "1"}}),
        runner(resources={"requests": {"cpu": "2", "nvidia.com/gpu": "1"}}),
        runner(resources={"requests": {"cpu": "2", "memory": "1Gi", "nvidia.com/gpu": "1"}, "limits": {"cpu": "1"}}),
    ),
    (
        "M-29",
        runner(resources={"limits": {"nvidia.com/gpu": 1}}),
        runner(resources={"limits": {"amd.com/gpu": 1}}),
        runner(resources={"limits": {"nvidia.com/gpu": "1", "amd.com/gpu": "1"}}),
    ),
    (
        "M-30",
        engine(tolerations=[{"key": "a"}]),
        engine(tolerations=[{"key": "b"}]),
        engine(tolerations=[{"key": "b"}]),
    ),
    ("M-31 []", engine(tolerations=[{"key": "a"}]), engine(tolerations=[]), engine(tolerations=[{"key": "a"}])),
    ("M-31 null", engine(tolerations=[{"key": "a"}]), engine(tolerations=None), engine(tolerations=[{"key": "a"}])),
    ("M-31 absent", engine(tolerations=[{"key": "a"}]), engine(), engine(tolerations=[{"key": "a"}])),
    ("M-32", engine(affinity=required("a")), engine(affinity=required("b")), engine(affinity=required("b"))),
    (
        "M-33",
        engine(affinity=required("a")),
        engine(affinity=ANTI),
        engine(affinity={**required("a"), **ANTI}),
    ),
    (
        "M-34",
        runner(envFrom=[{"configMapRef": {"name": "a"}}]),
        runner(envFrom=[{"secretRef": {"name": "b"}}]),
        runner(envFrom=[{"secretRef": {"name": "b"}}]),
    ),
    (
        "M-35",
        engine(hostAliases=[{"ip": "1.1.1.1", "hostnames": ["a"]}]),
        engine(hostAliases=[{"ip": "1.1.1.1", "hostnames": ["b"]}, {"ip": "2.2.2.2", "hostnames": ["c"]}]),
        engine(hostAliases=[{"ip": "1.1.1.1", "hostnames": ["b"]}, {"ip": "2.2.2.2", "hostnames": ["c"]}]),
    ),
    (
        "M-36",
        runner(lifecycle={"preStop": EXEC}),
        runner(lifecycle={"preStop": HTTP}),
        runner(lifecycle={"preStop": {**EXEC, **HTTP}}),
    ),
    (
        "M-37",
        runner(securityContext={"capabilities": {"add": ["A"]}}),
        runner(securityContext={"capabilities": {"add": ["B"]}}),
        runner(securityContext={"capabilities": {"add": ["B"]}}),
    ),
    (
        "M-38",
        engine(volumes=[{"name": "p", "projected": {"sources": [{"secret": {"name": "a"}}]}}]),
        engine(volumes=[{"name": "p", "projected": {"sources": [{"configMap": {"name": "b"}}]}}]),
        engine(volumes=[{"name": "p", "projected": {"sources": [{"configMap": {"name": "b"}}]}}]),
    ),
    (
        "M-39",
        engine(resourceClaims=[{"name": "a", "resourceClaimName": "x"}]),
        engine(resourceClaims=[{"name": "a", "resourceClaimTemplateName": "y"}, {"name": "b"}]),
        engine(
            resourceClaims=[{"name": "a", "resourceClaimName": "x", "resourceClaimTemplateName": "y"}, {"name": "b"}]
        ),
    ),
    (
        "M-40",
        {"supportedModelFormats": [{**ENTRY, "acceleratorConfig": {"h100": {}}}, ENTRY]},
        {"supportedModelFormats": [{**ENTRY, "priority": 3}]},
        {
            "supportedModelFormats": [
                {
                    "name": "",
                    "modelFormat": {"name": "f", "operator": "Equal", "weight": 1},
                    "modelFramework": {"name": "t", "operator": "Equal", "weight": 1},
                    "priority": 3,
                }
            ]
        },
    ),
    (
        "M-41",
        {"acceleratorRequirements": {"acceleratorClasses": ["h100"], "minMemory": 80}},
        {"acceleratorRequirements": {"acceleratorClasses": ["l40s"]}},
        {"acceleratorRequirements": {"acceleratorClasses": ["l40s"], "minMemory": 80}},
    ),
    (
        "M-42",
        {"acceleratorRequirements": {"acceleratorClasses": ["h100"]}},
        {"acceleratorRequirements": {"acceleratorClasses": []}},
        {"acceleratorRequirements": {"acceleratorClasses": ["h100"]}},
    ),
    (
        "M-43",
        {"containers": [{"name": "a", "image": "x"}]},
        {"containers": [{"name": "b"}]},
        {"containers": [{"name": "b", "resources": {}}, {"name": "a", "image": "x", "resources": {}}]},
    ),
    (
        "M-44",
        runner(image="i"),
        engine(runner={"name": "my", "args": ["a"]}),
        engine(runner={"name": "my", "image": "i", "args": ["a"]}),
    ),
    (
        "M-45",
        engine(leader={"runner": {"name": "l", "env": [{"name": "A"}]}}),
        engine(worker={"size": 2}),
        engine(leader={"runner": {"name": "l", "env": [{"name": "A"}], "resources": {}}}, worker={"size": 2}),
    ),
    ("M-46", engine(worker={"size": 3}), engine(worker={"size": 0}), engine(worker={"size": 0})),
    (
        "M-47",
        engine(deploymentStrategy={"type": "RollingUpdate", "rollingUpdate": {"maxSurge": 1}}),
        engine(deploymentStrategy={"type": "Recreate"}),
        engine(deploymentStrategy={"type": "Recreate", "rollingUpdate": {"maxSurge": 1}}),
    ),
    ("M-48", {}, {"engineConfig": {}}, {"engineConfig": {}}),
    ("M-49 null", engine(hostname="h"), {"engineConfig": None}, engine(hostname="h")),
    ("M-49 absent", engine(hostname="h"), {}, engine(hostname="h")),
    ("M-51", engine(labels={"a": "1"}), engine(labels={"a": ""}), engine(labels={"a": ""})),
]


@pytest.mark.parametrize(("parent", "child", "result"), [v[1:] for v in VECTORS], ids=[v[0] for v in VECTORS])
def test_vectors(parent: Spec, child: Spec, result: Spec) -> None:
    assert merged(parent, child) == normalise(SERVING_RUNTIME_SPEC, result)


@pytest.mark.parametrize(
    ("parent", "child"),
    [(named("a"), [{}]), ([{}], named("a")), ([{"name": ""}], [{"name": None}])],
)
def test_m_50_a_pull_secret_without_a_name(parent: list[Spec], child: list[Spec]) -> None:
    with pytest.raises(MergeError, match=r"^map: map\[\] does not contain declared merge key: name$"):
        merged({"imagePullSecrets": parent}, {"imagePullSecrets": child})


def test_pull_secrets_without_a_name_are_harmless_where_nothing_is_merged() -> None:
    assert merged({"imagePullSecrets": [{}]}, {})["imagePullSecrets"] == [{}]
    assert merged({}, {"imagePullSecrets": [{}]})["imagePullSecrets"] == [{}]


def test_a_directive_in_a_map_is_an_error() -> None:
    with pytest.raises(MergeError, match="directive"):
        merged(engine(annotations={"a": "b"}), engine(annotations={"$patch": "delete"}))


def test_finalizers_are_united() -> None:
    def volume(*finalizers: str) -> Spec:
        return {"name": "v", "ephemeral": {"volumeClaimTemplate": {"metadata": {"finalizers": list(finalizers)}}}}

    result = strategic_merge(VOLUME, volume("a", "b"), volume("c", "b"))
    assert result["ephemeral"]["volumeClaimTemplate"]["metadata"]["finalizers"] == ["c", "a", "b"]


@pytest.mark.parametrize(
    ("original", "patch", "result"),
    [
        (None, None, None),
        (None, {"minReplicas": 2}, {"minReplicas": 2}),
        ({"minReplicas": 1}, None, {"minReplicas": 1}),
        (
            {"minReplicas": 1, "maxReplicas": 3},
            {"minReplicas": 2, "maxReplicas": 10},
            {"minReplicas": 2, "maxReplicas": 10},
        ),
        ({"minReplicas": 1, "maxReplicas": 3}, {"minReplicas": 0}, {"minReplicas": 0, "maxReplicas": 3}),
        (
            {"servicePortAppProtocols": {"http": "h2c"}},
            {"servicePortAppProtocols": {}},
            {"servicePortAppProtocols": {"http": "h2c"}},
        ),
    ],
)
def test_components(original: Json, patch: Json, result: Json) -> None:
    """Reference 04 §24.1: the same merge, of a service's component over its runtime's."""
    assert strategic_merge(ENGINE_SPEC, original, patch) == result


PROPERTY = settings(max_examples=60, suppress_health_check=[HealthCheck.too_slow], deadline=None)


@PROPERTY
@given(values(SERVING_RUNTIME_SPEC), values(SERVING_RUNTIME_SPEC))
def test_a_merge_is_encoded_and_leaves_its_inputs_alone(parent: Spec, child: Spec) -> None:
    before = copy.deepcopy((parent, child))
    try:
        result = strategic_merge(SERVING_RUNTIME_SPEC, parent, child)
    except MergeError:
        return
    finally:
        assert (parent, child) == before
    assert dumps(normalise(SERVING_RUNTIME_SPEC, result)) == dumps(result)


@PROPERTY
@given(values(SERVING_RUNTIME_SPEC))
def test_nothing_merged_into_a_spec_is_the_spec(spec: Spec) -> None:
    encoded = dumps(normalise(SERVING_RUNTIME_SPEC, spec))
    assert dumps(strategic_merge(SERVING_RUNTIME_SPEC, spec, {})) == encoded
    assert dumps(strategic_merge(SERVING_RUNTIME_SPEC, {}, spec)) == encoded


@PROPERTY
@given(values(ENGINE_SPEC), values(ENGINE_SPEC))
def test_a_child_is_merged_only_once(parent: Spec, child: Spec) -> None:
    """Holds where no list has one key twice."""
    try:
        once = strategic_merge(ENGINE_SPEC, parent, child)
        twice = strategic_merge(ENGINE_SPEC, once, child)
    except MergeError:
        return
    if not _repeats(parent) and not _repeats(child):
        assert dumps(twice) == dumps(once)


def _repeats(value: Json) -> bool:
    """Whether some list of objects has two items with one merge key."""
    if isinstance(value, dict):
        return any(map(_repeats, value.values()))
    if not isinstance(value, list):
        return False
    for key in ("name", "containerPort", "mountPath", "devicePath", "topologyKey", "ip", "uid"):
        keys = [item[key] for item in value if isinstance(item, dict) and key in item]
        if len(keys) != len(set(keys)):
            return True
    return any(map(_repeats, value))
