"""What decoding into a Go type and encoding again makes of a value (reference 02 §3 and §8.3)."""

from __future__ import annotations

import copy
import hashlib
import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings

from omec.api.gojson import digest, dumps, encode
from omec.api.shapes import CONTAINER, ENGINE_SPEC, POD_SPEC, ROUTER_SPEC, SERVING_RUNTIME_SPEC, normalise
from omec.api.shapes.kinds import OBJECTS
from omec.api.shapes.model import Shape
from omec.api.shapes.volume import VOLUME
from tests.api.crd_facts import crd_facts
from tests.api.shape_facts import Facts, shape_facts
from tests.api.shape_values import values

CRDS = Path("corpus") / "ome-v0.1.5" / "config" / "crd" / "full"

# Reference 02 §3.1: an explicit zero is kept behind a pointer and lost otherwise.
ZEROS: list[tuple[Shape, dict[str, Any], dict[str, Any]]] = [
    (SERVING_RUNTIME_SPEC, {"disabled": False}, {"disabled": False, "containers": None}),
    (SERVING_RUNTIME_SPEC, {"modelSizeRange": {"min": ""}}, {"modelSizeRange": {"min": ""}, "containers": None}),
    (SERVING_RUNTIME_SPEC, {"hostIPC": False, "dnsPolicy": "", "schedulerName": ""}, {"containers": None}),
    (SERVING_RUNTIME_SPEC, {"containers": []}, {"containers": []}),
    (SERVING_RUNTIME_SPEC, {"tolerations": [], "labels": {}, "volumes": None}, {"containers": None}),
    (ENGINE_SPEC, {"minReplicas": 0, "maxReplicas": 0}, {"minReplicas": 0}),
    (ENGINE_SPEC, {"terminationGracePeriodSeconds": 0, "hostNetwork": False}, {"terminationGracePeriodSeconds": 0}),
    (ENGINE_SPEC, {"automountServiceAccountToken": False}, {"automountServiceAccountToken": False}),
    (ENGINE_SPEC, {"worker": {"size": 0}}, {"worker": {"size": 0}}),
    (ENGINE_SPEC, {"labels": {"a": ""}}, {"labels": {"a": ""}}),
    (ENGINE_SPEC, {"runner": {"name": "r"}}, {"runner": {"name": "r", "resources": {}}}),
    (ENGINE_SPEC, {"minAvailable": 0, "maxUnavailable": "25%"}, {"minAvailable": 0, "maxUnavailable": "25%"}),
    (ROUTER_SPEC, {"config": {}, "affinity": {}}, {"affinity": {}}),
    (CONTAINER, {"name": "c", "stdin": False, "image": ""}, {"name": "c", "resources": {}}),
    (CONTAINER, {}, {"name": "", "resources": {}}),
    (
        CONTAINER,
        {"name": "c", "readinessProbe": {"grpc": {"port": 9}, "periodSeconds": 0}},
        {"name": "c", "resources": {}, "readinessProbe": {"grpc": {"port": 9, "service": None}}},
    ),
    (
        CONTAINER,
        {"name": "c", "securityContext": {"privileged": False, "capabilities": {"add": []}}},
        {"name": "c", "resources": {}, "securityContext": {"capabilities": {}, "privileged": False}},
    ),
    (
        CONTAINER,
        {"name": "c", "env": [{"name": "A", "value": ""}, None]},
        {"name": "c", "env": [{"name": "A"}, {"name": ""}], "resources": {}},
    ),
    (VOLUME, {"name": "v", "emptyDir": {}}, {"name": "v", "emptyDir": {}}),
    (VOLUME, {"name": "v", "projected": {}}, {"name": "v", "projected": {"sources": None}}),
    (
        VOLUME,
        {"name": "v", "ephemeral": {"volumeClaimTemplate": {}}},
        {"name": "v", "ephemeral": {"volumeClaimTemplate": {"metadata": {}, "spec": {"resources": {}}}}},
    ),
    (POD_SPEC, {}, {"containers": None}),
]

# A value that the Go type cannot hold counts as not set; the API structure reports it.
WRONG_TYPES = [
    ({"replicas": 3, "minReplicas": "3"}, {}),
    ({"minReplicas": True}, {}),
    ({"minReplicas": 2.0}, {"minReplicas": 2}),
    ({"labels": ["a"], "volumes": "v", "runner": "r"}, {}),
    ({"labels": {"a": 1, "b": "2"}}, {"labels": {"b": "2"}}),
    ({"tolerations": ["a", {"key": "k"}]}, {"tolerations": [{"key": "k"}]}),
    ({"overhead": {"cpu": "many", "memory": 0.5}}, {"overhead": {"memory": "500m"}}),
    ({"lifecycle": {"instanceReadyTimeout": "5m"}}, {"lifecycle": {"instanceReadyTimeout": "5m0s"}}),
    ({"lifecycle": {"instanceReadyTimeout": "soon"}}, {"lifecycle": {}}),
]

# Reference 02 §8.3, vectors.
DIGESTS = [
    ({}, '{"containers":null}', "c1abc5b2"),
    ({"disabled": True}, '{"disabled":true,"containers":null}', "3ca529bb"),
    ({"disabled": False}, '{"disabled":false,"containers":null}', "e98739bd"),
    (
        {"modelSizeRange": {"max": "4B", "min": "2B"}},
        '{"modelSizeRange":{"min":"2B","max":"4B"},"containers":null}',
        "a1d9aa9d",
    ),
    ({"nodeSelector": {"b": "2", "a": "1"}}, '{"containers":null,"nodeSelector":{"a":"1","b":"2"}}', "ef55f167"),
]

DOCUMENTED = (
    '{"supportedModelFormats":[{"name":"","modelFormat":{"name":"safetensors","version":"1.0.0","operator":"Equal",'
    '"weight":1},"modelFramework":{"name":"transformers","version":"4.45.0.dev0","operator":"Equal","weight":1},'
    '"modelArchitecture":"LlamaForCausalLM","autoSelect":true,"priority":1}],"modelSizeRange":{"min":"2B","max":"4B"},'
    '"engineConfig":{"volumes":[{"name":"dshm","emptyDir":{"medium":"Memory"}}],'
    '"tolerations":[{"key":"nvidia.com/gpu","operator":"Exists","effect":"NoSchedule"}],'
    '"runner":{"name":"ome-container","image":"docker.io/lmsysorg/sglang:v0.5.5.post3-cu129-amd64",'
    '"command":["python3","-m","sglang.launch_server"],"args":["--host=0.0.0.0","--port=8080",'
    '"--model-path=$(MODEL_PATH)","--served-model-name={{.Name}}","--tp-size=1","--mem-frac=%s"],'
    '"ports":[{"name":"http1","containerPort":8080,"protocol":"TCP"}],'
    '"resources":{"limits":{"cpu":"10","memory":"30Gi","nvidia.com/gpu":"1"},'
    '"requests":{"cpu":"10","memory":"30Gi","nvidia.com/gpu":"1"}},"volumeMounts":[{"name":"dshm",'
    '"mountPath":"/dev/shm"}],"readinessProbe":{"httpGet":{"path":"/health_generate","port":8080},"timeoutSeconds":200,'
    '"periodSeconds":60},"startupProbe":{"httpGet":{"path":"/health_generate","port":8080},"initialDelaySeconds":60,'
    '"timeoutSeconds":30,"periodSeconds":6,"failureThreshold":150}}},"containers":null}'
)

DROPPED_IN_1_3 = (".scaleTarget", ".scaleMetric", ".kedaConfig", ".canaryTrafficPercent", ".containerConcurrency")
DROPPED_AT_THE_TOP = ("spec.workers", "spec.predictor", "spec.kedaConfig")


@pytest.mark.parametrize(("shape", "value", "encoded"), ZEROS)
def test_what_counts_as_set(shape: Shape, value: dict[str, Any], encoded: dict[str, Any]) -> None:
    assert normalise(shape, value) == encoded


@pytest.mark.parametrize(("value", "encoded"), WRONG_TYPES)
def test_values_of_the_wrong_type(value: dict[str, Any], encoded: dict[str, Any]) -> None:
    assert normalise(ENGINE_SPEC, value) == encoded


@pytest.mark.parametrize("value", [None, "spec", [], 3])
def test_what_is_no_object_at_all(value: Any) -> None:
    assert normalise(SERVING_RUNTIME_SPEC, value) is None


@pytest.mark.parametrize(("spec", "text", "begins"), DIGESTS)
def test_the_encoding_and_its_hash(spec: dict[str, Any], text: str, begins: str) -> None:
    assert encode(SERVING_RUNTIME_SPEC, spec) == text
    assert digest(normalise(SERVING_RUNTIME_SPEC, spec)).startswith(begins)


def test_an_explicit_weight_of_zero_is_not_encoded() -> None:
    spec = {"supportedModelFormats": [{"modelFormat": {"name": "f", "weight": 0}}]}
    assert encode(SERVING_RUNTIME_SPEC, spec) == (
        '{"supportedModelFormats":[{"name":"","modelFormat":{"name":"f"}}],"containers":null}'
    )


@pytest.mark.parametrize(("fraction", "begins"), [("0.9", "590753e8"), ("0.85", "af9539ac")])
def test_the_hashes_that_the_documentation_prints(fraction: str, begins: str) -> None:
    text = DOCUMENTED % fraction
    assert hashlib.sha256(text.encode()).hexdigest().startswith(begins)
    shuffled = json.loads(json.dumps(json.loads(text), sort_keys=True))
    assert encode(SERVING_RUNTIME_SPEC, shuffled) == text


def test_go_escapes_html_and_line_separators() -> None:
    value = {"labels": {"é": "<a>&\u2028\u2029\t\x01\x7f"}}
    assert dumps(value) == '{"labels":{"é":"\\u003ca\\u003e\\u0026\\u2028\\u2029\\t\\u0001\x7f"}}'


def test_map_keys_are_in_byte_order() -> None:
    assert list(normalise(ENGINE_SPEC, {"labels": {"b": "", "A": "", "é": "", "a": ""}})["labels"]) == [
        "A",
        "a",
        "b",
        "é",
    ]


@settings(max_examples=60, suppress_health_check=[HealthCheck.too_slow], deadline=None)
@given(values(SERVING_RUNTIME_SPEC))
def test_encoding_twice_changes_nothing_and_leaves_the_input_alone(value: Any) -> None:
    before = copy.deepcopy(value)
    once = normalise(SERVING_RUNTIME_SPEC, value)
    assert value == before
    assert dumps(normalise(SERVING_RUNTIME_SPEC, once)) == dumps(once)


@pytest.mark.parametrize(
    ("kind", "file"),
    [
        ("ClusterServingRuntime", "clusterservingruntimes"),
        ("InferenceService", "inferenceservices"),
        ("BaseModel", "basemodels"),
    ],
)
def test_the_table_agrees_with_the_crds(kind: str, file: str, testdata: Path) -> None:
    """Every field of the v0.1.5 CRDs that v1.3 still has: its JSON type and its default."""
    schema = crd_facts(testdata / CRDS / f"ome.io_{file}.yaml")
    kept: Facts = {
        path: (facts["type"], facts.get("default"))
        for path, facts in schema.items()
        if not path.startswith(DROPPED_AT_THE_TOP) and not any(field in path for field in DROPPED_IN_1_3)
    }
    table = shape_facts(OBJECTS[kind].fields["spec"].shape)
    assert {path: table.get(path) for path in kept} == kept
