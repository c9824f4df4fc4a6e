"""What the rules of omec/lint/rules/containers say, table by table (reference 09 C3 and C6)."""

from __future__ import annotations

from typing import Any

import pytest

from omec.lint.rules.containers.image_unpinned import unpinned
from tests.lint.lint_cases import SGLANG, engine, findings, places, runner, runtime, service

HEALTH = {"httpGet": {"path": "/health", "port": 8080}}
GPUS = {"resources": {"limits": {"nvidia.com/gpu": 2}}}
PORT = [{"name": "http1", "containerPort": 8080}]
DSHM = {"name": "dshm", "mountPath": "/dev/shm"}


@pytest.mark.parametrize(
    ("image", "pinned"),
    [
        ("lmsysorg/sglang", False),
        ("lmsysorg/sglang:latest", False),
        ("lmsysorg/sglang:nightly", False),
        ("lmsysorg/sglang:nightly-dev-20251215-4449c170", True),
        ("reg:5000/a/b", False),
        ("reg:5000/a/b:v1", True),
        ("a/b:v0.5.5", True),
        ("a/b:latest@sha256:0000", True),
        ("a/b@sha256:0000", True),
        ("a/b:", False),
    ],
)
def test_pinned_images(image: str, pinned: bool) -> None:
    assert (unpinned(image) is None) is pinned


@pytest.mark.parametrize(
    ("probe", "seconds"),
    [
        ({"periodSeconds": 60, "failureThreshold": 1}, "60 x 1 = 60 s"),
        ({}, "10 x 3 = 30 s"),
        ({"initialDelaySeconds": 60, "periodSeconds": 6, "failureThreshold": 150}, None),  # the docs' 960 s
        ({"periodSeconds": 6, "failureThreshold": 19}, "6 x 19 = 114 s"),
        ({"periodSeconds": 6, "failureThreshold": 20}, None),
    ],
)
def test_startup_budgets(probe: dict[str, Any], seconds: str | None) -> None:
    found = findings([runtime(**engine(startupProbe={**HEALTH, **probe}))], "OME417")
    assert [seconds is not None and seconds in finding.message for finding in found] == ([True] if seconds else [])


@pytest.mark.parametrize(("largest", "short"), [("7B", False), ("14B", False), ("70B", True), ("405B", True)])
def test_larger_models_need_longer_budgets(largest: str, short: bool) -> None:
    probe = {**HEALTH, "periodSeconds": 10, "failureThreshold": 20}
    made = runtime(modelSizeRange={"max": largest}, **engine(startupProbe=probe))
    assert bool(findings([made], "OME417")) is short


PROBES = {
    "liveness alone": ({"livenessProbe": HEALTH}, ["OME416"]),
    "liveness after a long delay": ({"livenessProbe": {**HEALTH, "initialDelaySeconds": 900}}, []),
    "both": ({"livenessProbe": HEALTH, "startupProbe": HEALTH}, []),
    "one failure": ({"livenessProbe": {**HEALTH, "failureThreshold": 1}, "startupProbe": HEALTH}, ["OME418"]),
    "too fast": ({"livenessProbe": {**HEALTH, "periodSeconds": 5}, "startupProbe": HEALTH}, ["OME418"]),
    "slow answers are legal": ({"livenessProbe": {**HEALTH, "timeoutSeconds": 200}, "startupProbe": HEALTH}, []),
}


@pytest.mark.parametrize(("fields", "expected"), PROBES.values(), ids=PROBES.keys())
def test_probes(fields: dict[str, Any], expected: list[str]) -> None:
    found = findings([runtime(**engine(**fields))], "OME416", "OME418")
    assert [finding.rule.code for finding in found] == expected


def test_probes_that_the_webhook_adds() -> None:
    config = {"annotations": {"runtime.ome.io/probe-profile": "sglang-http"}, "runner": runner(livenessProbe=HEALTH)}
    assert not findings([runtime(engineConfig=config)], "OME416", "OME419")


PROBE_PORTS: dict[str, tuple[dict[str, Any], bool]] = {
    "the declared one": ({"ports": PORT, "readinessProbe": HEALTH}, True),
    "by its name": ({"ports": PORT, "readinessProbe": {"httpGet": {"port": "http1"}}}, True),
    "by another name": ({"ports": PORT, "readinessProbe": {"httpGet": {"port": "http"}}}, False),
    "by a number in text": ({"ports": PORT, "readinessProbe": {"httpGet": {"port": "8080"}}}, True),
    "another": ({"ports": PORT, "readinessProbe": {"tcpSocket": {"port": 30000}}}, False),
    "gRPC": ({"ports": PORT, "readinessProbe": {"grpc": {"port": 9000}}}, False),
    "another host's": ({"ports": PORT, "readinessProbe": {"httpGet": {"port": 1, "host": "example.com"}}}, True),
    "what the server serves": (
        {"ports": PORT, "command": [*SGLANG, "--port=9"], "readinessProbe": {"tcpSocket": {"port": 9}}},
        True,
    ),
    "none declared": ({"readinessProbe": HEALTH}, True),
    "none declared, and not the server's": ({"command": [*SGLANG, "--port=30000"], "readinessProbe": HEALTH}, False),
    "none declared, and a name": ({"readinessProbe": {"httpGet": {"port": "http1"}}}, False),
    "a command": ({"readinessProbe": {"exec": {"command": ["true"]}}}, True),
}


@pytest.mark.parametrize(("fields", "right"), PROBE_PORTS.values(), ids=PROBE_PORTS.keys())
def test_probed_ports(fields: dict[str, Any], right: bool) -> None:
    assert (not findings([runtime(**engine(**fields))], "OME415")) is right


@pytest.mark.parametrize(
    ("ports", "expected"),
    [
        ([{"containerPort": 1}], []),
        ([{"containerPort": 1, "name": "a"}, {"containerPort": 2, "name": "b"}], []),
        ([{"containerPort": 1}, {"containerPort": 2, "name": "b"}], ["OME412"]),
        ([{"containerPort": 1, "name": "a"}, {"containerPort": 2, "name": "a"}], ["OME412"]),
        ([{"containerPort": 1, "name": "openai-http-server-1"}], ["OME413"]),
        ([{"containerPort": 1, "name": "HTTP"}], ["OME413"]),
        ([{"containerPort": 1, "name": "8080"}], ["OME413"]),
        ([{"containerPort": 1, "name": "a--b"}], ["OME413"]),
        ([{"containerPort": 1, "name": "-a"}], ["OME413"]),
        ([{"containerPort": 1, "name": "fifteen-letters"}], []),
    ],
)
def test_names_of_ports(ports: list[dict[str, Any]], expected: list[str]) -> None:
    found = findings([runtime(**engine(ports=ports))], "OME412", "OME413")
    assert [finding.rule.code for finding in found] == expected


RESOURCES = {
    "limits alone": ({"limits": {"nvidia.com/gpu": 2}}, []),
    "the same": ({"limits": {"nvidia.com/gpu": "2"}, "requests": {"nvidia.com/gpu": 2}}, []),
    "fewer requested": ({"limits": {"nvidia.com/gpu": 2}, "requests": {"nvidia.com/gpu": 1}}, ["OME410"]),
    "no limit": ({"requests": {"nvidia.com/gpu": 1}}, ["OME410"]),
    "a fraction": ({"limits": {"nvidia.com/gpu": "500m"}}, ["OME410"]),
    "another device": ({"limits": {"rdma/hca": 1}, "requests": {"rdma/hca": 2}}, ["OME410"]),
    "memory above": ({"limits": {"memory": "30Gi"}, "requests": {"memory": "64Gi"}}, ["OME411"]),
    "the same in other units": ({"limits": {"memory": "1Gi"}, "requests": {"memory": "1024Mi"}}, []),
    "cpu above": ({"limits": {"cpu": "500m"}, "requests": {"cpu": 1}}, ["OME411"]),
    "no requests": ({"limits": {"cpu": 1, "memory": "1Gi"}}, []),
}


@pytest.mark.parametrize(("resources", "expected"), RESOURCES.values(), ids=RESOURCES.keys())
def test_requests_and_limits(resources: dict[str, Any], expected: list[str]) -> None:
    found = findings([runtime(**engine(resources=resources))], "OME410", "OME411")
    assert [finding.rule.code for finding in found] == expected


SHARED_MEMORY: dict[str, tuple[dict[str, Any], list[str]]] = {
    "in memory": ({"volumes": [{"name": "dshm", "emptyDir": {"medium": "Memory"}}]}, []),
    "on disk": ({"volumes": [{"name": "dshm", "emptyDir": {}}]}, ["OME431"]),
    "small": ({"volumes": [{"name": "dshm", "emptyDir": {"medium": "Memory", "sizeLimit": "64Mi"}}]}, ["OME432"]),
    "large": ({"volumes": [{"name": "dshm", "emptyDir": {"medium": "Memory", "sizeLimit": "1Gi"}}]}, []),
    "of the node": ({"volumes": [{"name": "dshm", "hostPath": {"path": "/dev/shm"}}]}, []),
}


@pytest.mark.parametrize(("config", "expected"), SHARED_MEMORY.values(), ids=SHARED_MEMORY.keys())
def test_shared_memory(config: dict[str, Any], expected: list[str]) -> None:
    made = runtime(engineConfig={**config, "runner": runner(volumeMounts=[DSHM])})
    assert [finding.rule.code for finding in findings([made], "OME430", "OME431", "OME432")] == expected


MISSING: dict[str, tuple[dict[str, Any], dict[str, Any], bool]] = {
    "several GPUs": (GPUS, {}, True),
    "one GPU": ({"resources": {"limits": {"nvidia.com/gpu": 1}}}, {}, False),
    "several TPUs": ({"resources": {"limits": {"google.com/tpu": 4}}, "args": ["--tp-size=4"]}, {}, False),
    "tensor parallelism": ({"command": [*SGLANG, "--tp=4"]}, {}, True),
    "data parallelism alone": ({"command": ["vllm", "serve", "m", "-dp=4"]}, {}, False),
    "by the webhook": (GPUS, {"annotations": {"runtime.ome.io/shm-profile": "default"}}, False),
    "by RDMA": (GPUS, {"annotations": {"rdma.ome.io/auto-inject": "true"}}, False),
    "that of the node": (GPUS, {"hostIPC": True}, False),
}


@pytest.mark.parametrize(("fields", "config", "missing"), MISSING.values(), ids=MISSING.keys())
def test_missing_shared_memory(fields: dict[str, Any], config: dict[str, Any], missing: bool) -> None:
    assert bool(findings([runtime(engineConfig={**config, "runner": runner(**fields)})], "OME430")) is missing


REFERENCES: dict[str, tuple[dict[str, Any], list[str]]] = {
    "of env": ({"args": ["$(A)"], "env": [{"name": "A", "value": "1"}]}, []),
    "of OME": ({"args": ["$(MODEL_PATH) $(PARALLELISM_SIZE) $(OME_LEADER_ADDRESS)"]}, []),
    "of a Service": ({"args": ["$(KUBERNETES_SERVICE_HOST)"]}, []),
    "of nobody": ({"args": ["--tp=$(TP)"]}, ["spec.engineConfig.runner.args[0]"]),
    "in a value": ({"env": [{"name": "A", "value": "$(B)"}]}, ["spec.engineConfig.runner.env[0].value"]),
    "escaped": ({"args": ["$$(TP)"]}, []),
    "perhaps of a ConfigMap": ({"args": ["$(TP)"], "envFrom": [{"configMapRef": {"name": "a"}}]}, []),
    "a command of a shell": ({"command": ["sh", "-c", "serve $(nproc)"]}, []),
    "in capitals in a shell": ({"command": ["sh", "-c", "serve $(TP)"]}, ["spec.engineConfig.runner.command[2]"]),
}


@pytest.mark.parametrize(("fields", "expected"), REFERENCES.values(), ids=REFERENCES.keys())
def test_references(fields: dict[str, Any], expected: list[str]) -> None:
    assert [field for _, field in places(findings([runtime(**engine(**fields))], "OME425"))] == expected


def test_a_mistyped_reference_has_a_suggestion() -> None:
    (found,) = findings([runtime(**engine(args=["--model-path=$(MODEL_PTH)"]))], "OME425")
    assert found.help == "did you mean $(MODEL_PATH)?"


def test_mounts_without_a_volume() -> None:
    typo = {"volumes": [{"name": "dshm", "emptyDir": {}}], "runner": runner(volumeMounts=[{**DSHM, "name": "dhsm"}])}
    (found,) = findings([runtime(engineConfig=typo)], "OME407", "OME408")
    assert (found.rule.code, found.help) == ("OME407", "did you mean dshm?")
    top = runtime(volumes=[{"name": "dshm", "emptyDir": {}}], engineConfig={"runner": runner(volumeMounts=[DSHM])})
    (found,) = findings([top], "OME407", "OME408")
    assert found.message == "the engine mounts volume dshm, which only the runtime's own spec.volumes declares"


def test_mounts_at_the_model_path() -> None:
    model = {
        "apiVersion": "ome.io/v1beta1",
        "kind": "ClusterBaseModel",
        "metadata": {"name": "llama"},
        "spec": {
            "storage": {"storageUri": "hf://a/b", "path": "/models/llama"},
            "modelFormat": {"name": "safetensors"},
        },
    }
    mount = [{"name": "cache", "mountPath": "/models/llama"}]
    config = {"volumes": [{"name": "cache", "emptyDir": {}}], "runner": runner(volumeMounts=mount)}
    made = runtime(engineConfig=config)
    assert not findings([made, model], "OME409")
    (found,) = findings([made, model, service(model="llama")], "OME409")
    assert found.message == "the engine mounts cache at /models/llama, where OME mounts the model"


def test_placeholders_without_a_value() -> None:
    made = runtime(**engine(args=["--name={{.Labels.team}}", "{{index .Annotations `a/b`}}"]))
    chat = service()
    (found,) = findings([made, chat], "OME427")
    assert found.message == (
        "the engine reads label team, annotation a/b of the InferenceService, which does not have it"
    )
    chat["metadata"] |= {"labels": {"team": "search"}, "annotations": {"a/b": "c"}}
    assert not findings([made, chat], "OME427")


def test_nodes_of_the_model_and_of_the_pods() -> None:
    model: dict[str, Any] = {
        "apiVersion": "ome.io/v1beta1",
        "kind": "ClusterBaseModel",
        "metadata": {"name": "llama"},
        "spec": {
            "storage": {"storageUri": "hf://a/b", "path": "/m", "nodeSelector": {"pool": "g6"}},
            "modelFormat": {"name": "safetensors"},
        },
    }
    made = runtime(engineConfig={"nodeSelector": {"pool": "p5"}, "runner": runner()})
    assert places(findings([made, model, service(model="llama")], "OME428")) == [
        ("base", "spec.engineConfig.nodeSelector.pool")
    ]
    # What the service says wins.
    same = service(model="llama", engine={"nodeSelector": {"pool": "g6"}})
    assert not findings([made, model, same], "OME428")


def affinity(*values: str) -> dict[str, Any]:
    """One alternative for each of ``values``."""
    terms = [{"matchExpressions": [{"key": "pool", "operator": "In", "values": [value]}]} for value in values]
    return {"nodeAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": {"nodeSelectorTerms": terms}}}


@pytest.mark.parametrize(
    ("storage", "config", "place"),
    [
        ({"nodeSelector": {"pool": "g6"}}, {"affinity": affinity("p5", "p4")}, "affinity.nodeAffinity"),
        ({"nodeSelector": {"pool": "g6"}}, {"affinity": affinity("p5", "g6")}, None),
        (affinity("g6"), {"nodeSelector": {"pool": "p5"}}, "nodeSelector.pool"),
        (affinity("g6", "p5"), {"nodeSelector": {"pool": "p5"}}, None),
        (affinity("g6"), {"nodeSelector": {"zone": "a"}}, None),
    ],
)
def test_affinity_of_the_model_or_of_the_pods(
    storage: dict[str, Any], config: dict[str, Any], place: str | None
) -> None:
    spec = {"storage": {"storageUri": "hf://a/b", "path": "/m", **storage}, "modelFormat": {"name": "safetensors"}}
    kind = {"apiVersion": "ome.io/v1beta1", "kind": "ClusterBaseModel", "metadata": {"name": "llama"}}
    made = runtime(engineConfig={**config, "runner": runner()})
    found = findings([made, {**kind, "spec": spec}, service(model="llama")], "OME428")
    assert [(finding.field or "").startswith(f"spec.engineConfig.{place}") for finding in found] == [True] * bool(place)


@pytest.mark.parametrize(
    ("operator", "values", "found"), [("In", ["b"], True), ("In", ["a", "b"], False), ("NotIn", ["a"], True)]
)
def test_affinity_against_the_node_selector(operator: str, values: list[str], found: bool) -> None:
    term = {"matchExpressions": [{"key": "pool", "operator": operator, "values": values}]}
    required = {"requiredDuringSchedulingIgnoredDuringExecution": {"nodeSelectorTerms": [term]}}
    config = {"nodeSelector": {"pool": "a"}, "affinity": {"nodeAffinity": required}, "runner": runner()}
    assert bool(findings([runtime(engineConfig=config)], "OME428")) is found


def test_deadlines_of_instances() -> None:
    probe = {**HEALTH, "periodSeconds": 10, "failureThreshold": 240}
    native = {"annotations": {"ome.io/deploymentMode": "OMENative"}, "runner": runner(startupProbe=probe)}
    (found,) = findings([runtime(engineConfig=native)], "OME424")
    assert (
        found.message
        == "the startupProbe of the engine allows 10 x 240 = 2400 s, and OME's default of 30m ends before that"
    )
    assert not findings([runtime(engineConfig={**native, "lifecycle": {"instanceReadyTimeout": "1h"}})], "OME424")
    assert not findings([runtime(engineConfig={"runner": runner(startupProbe=probe)})], "OME424")


@pytest.mark.parametrize(
    ("taints", "key", "told"),
    [
        ([], "nvidia.com/gpu", False),
        ([], "gpu", True),
        (["gpu", "pool"], "pool", False),
        (["gpu"], "nvidia.com/gpu", True),
    ],
)
def test_taints_of_gpu_nodes(taints: list[str], key: str, told: bool) -> None:
    tolerations = [{"key": key, "operator": "Exists"}]
    config = {"tolerations": tolerations, "runner": runner(resources={"limits": {"nvidia.com/gpu": 1}})}
    lint = {"extend-select": ["OME903"], "gpu-taints": taints}
    assert bool(findings([runtime(engineConfig=config)], "OME903", config={"lint": lint})) is told


@pytest.mark.parametrize(
    ("component", "told"),
    [
        ({"hook": {"sleep": {"seconds": 15}}}, "OME gives the pod 600 s"),
        ({"hook": {"exec": {"command": ["sh", "-c", "touch /tmp/x && sleep 15"]}}}, "OME gives the pod 600 s"),
        ({"hook": {"sleep": {"seconds": 15}}, "terminationGracePeriodSeconds": 60}, ""),
        ({"hook": {"sleep": {"seconds": 90}}, "terminationGracePeriodSeconds": 60}, "the pod is killed after 60 s"),
        ({"hook": {"httpGet": {"port": 8080}}}, ""),
        ({"timeoutSeconds": 900}, "may take 900 s"),
        ({"timeoutSeconds": 900, "terminationGracePeriodSeconds": 1000}, ""),
        ({"timeoutSeconds": 60}, ""),
    ],
)
def test_grace_periods(component: dict[str, Any], told: str) -> None:
    hook = component.pop("hook", None)
    made = runner(lifecycle={"preStop": hook}) if hook else runner()
    base, chat = runtime(engineConfig={"runner": runner()}), service(engine={**component, "runner": made})
    found = findings([base, chat], "OME433")
    assert len(found) == bool(told)
    assert all(told in finding.message for finding in found)


def test_without_a_setting_pods_have_30_seconds() -> None:
    settings = {
        "apiVersion": "v1",
        "kind": "ConfigMap",
        "metadata": {"name": "inferenceservice-config", "namespace": "ome"},
        "data": {"deploy": '{"defaultDeploymentMode": "RawDeployment"}'},
    }
    chat = service(engine={"timeoutSeconds": 300})
    (found,) = findings([runtime(engineConfig={"runner": runner()}), chat, settings], "OME433")
    assert found.message == "requests to the engine may take 300 s, and its pods are killed 30 s after a stop"


@pytest.mark.parametrize("uri", ["hf://a/b", "pvc://demo:claim/llama"])
def test_a_volume_that_ome_adds_itself(uri: str) -> None:
    storage = {"storageUri": uri} | ({"path": "/m"} if uri.startswith("hf") else {})
    spec = {"storage": storage, "modelFormat": {"name": "safetensors"}}
    model = {"apiVersion": "ome.io/v1beta1", "kind": "ClusterBaseModel", "metadata": {"name": "llama"}, "spec": spec}
    made = runtime(engineConfig={"volumes": [{"name": "llama", "emptyDir": {}}], "runner": runner()})
    (found,) = findings([made, model, service(model="llama")], "OME434")
    assert found.field == "spec.engineConfig.volumes[0].name"
    assert not findings([made, service()], "OME434")
