"""What the rules of omec/lint/rules/engines say, table by table (reference 09 C6)."""

from __future__ import annotations

from typing import Any

import pytest

from tests.lint.lint_cases import SGLANG, engine, findings, places, runner, runtime, service

VLLM = ["vllm", "serve", "$(MODEL_PATH)"]
ABOUT_GPUS = ("OME440", "OME441", "OME442")


def codes(command: list[str], gpus: int, pods: int = 1, **fields: Any) -> list[str]:
    """What is said of the GPUs of a runtime whose replica has so many pods."""
    one = runner(command=command, resources={"limits": {"nvidia.com/gpu": gpus}}, **fields)
    config: dict[str, Any] = {"runner": one}
    if pods > 1:
        one["command"] = [*command, f"--nnodes={pods}"]
        config = {"leader": {"runner": one}, "worker": {"size": pods - 1, "runner": one}}
    return [finding.rule.code for finding in findings([runtime(engineConfig=config)], *ABOUT_GPUS)]


PARALLELISM = {
    "all of one": ([*SGLANG, "--tp-size=1"], 1, 1, []),
    "more than there are": ([*SGLANG, "--tp-size", "8"], 4, 1, ["OME440"]),
    "over two pods": ([*SGLANG, "--tp=8"], 4, 2, []),
    "OME's number": ([*SGLANG, "--tp-size=$(PARALLELISM_SIZE)"], 8, 2, []),
    "nothing": (SGLANG, 2, 1, ["OME442"]),
    "nothing for one": (SGLANG, 1, 1, []),
    "by data parallelism": ([*VLLM, "--tensor-parallel-size", "1", "--data-parallel-size", "4"], 4, 1, []),
    "an unknown number": (["sh", "-c", "vllm serve m -tp $TP"], 4, 1, []),
    "fewer than there are": ([*SGLANG, "--tp-size=1"], 4, 1, ["OME441"]),
    "more by pipelines": ([*VLLM, "-tp=4", "-pp=2"], 4, 1, ["OME440"]),
    "TensorRT-LLM": (["trtllm-serve", "/m", "--tp_size=4"], 2, 1, ["OME440"]),
    "options in a file": ([*SGLANG, "--config=/etc/sglang.yaml"], 4, 1, []),
    "options in a variable": ([*VLLM, "--port=80", "$(EXTRA)"], 4, 1, []),
    "OME's number in a script": (["sh", "-c", "vllm serve m -tp $(PARALLELISM_SIZE)"], 4, 1, []),
    "another server": (["/app/server"], 4, 1, []),
}


@pytest.mark.parametrize(("command", "gpus", "pods", "expected"), PARALLELISM.values(), ids=PARALLELISM.keys())
def test_gpus_and_parallelism(command: list[str], gpus: int, pods: int, expected: list[str]) -> None:
    assert codes(command, gpus, pods) == expected


def test_a_container_that_sees_some_of_its_gpus_is_not_judged() -> None:
    assert codes([*SGLANG, "--tp=8"], 4, env=[{"name": "CUDA_VISIBLE_DEVICES", "value": "0,1"}]) == []


def test_gpus_of_a_class_are_not_known_before_a_service_chooses_one() -> None:
    listing = runtime(
        acceleratorRequirements={"acceleratorClasses": ["h100"]},
        **engine(command=[*SGLANG, "--tp=8"], resources={"limits": {"nvidia.com/gpu": 4}}),
    )
    assert not findings([listing], *ABOUT_GPUS)
    klass = {
        "apiVersion": "ome.io/v1beta1",
        "kind": "AcceleratorClass",
        "metadata": {"name": "h100"},
        "spec": {"discovery": {}, "capabilities": {}, "resources": [{"name": "nvidia.com/gpu", "quantity": "2"}]},
    }
    chosen = service(acceleratorSelector={"acceleratorClass": "h100"})
    assert [f.message for f in findings([listing, klass, chosen], *ABOUT_GPUS)] == [
        "the engine runs SGLang with TP 8 on 2 GPUs"
    ]


@pytest.mark.parametrize(
    ("command", "name"),
    [
        ([*VLLM, "--tp=4"], "--tp"),
        ([*VLLM, "--dp_size", "4"], "--dp-size"),
        ([*SGLANG, "-tp", "4"], "-tp"),
        ([*SGLANG, "--tp_size", "4"], "--tp_size"),
        ([*VLLM, "-tp=4"], None),
        ([*SGLANG, "--tp=4"], None),
        (["trtllm-serve", "m", "--tp_size=4"], None),
    ],
)
def test_spellings_of_other_servers(command: list[str], name: str | None) -> None:
    found = findings(
        [runtime(**engine(command=command, resources={"limits": {"nvidia.com/gpu": 4}}))], "OME451", "OME442"
    )
    assert [finding.message.rpartition(" ")[2].replace("_", "-") for finding in found] == (
        [] if name is None else [name.replace("_", "-")]
    )


def test_the_message_shows_the_numbers() -> None:
    made = runtime(**engine(command=[*VLLM, "-tp=4", "-pp=2"], resources={"limits": {"amd.com/gpu": 4}}))
    (found,) = findings([made], "OME440")
    assert found.message == "the engine runs vLLM with TP 4 x PP 2 = 8 on 4 GPUs"


PORTS = {
    "the same": ([*SGLANG, "--port=8080"], [8080], []),
    "another": ([*SGLANG, "--port", "30000"], [8080], ["OME445"]),
    "one of two": ([*SGLANG, "--port=9090"], [8080, 9090], []),
    "an open one": ([*SGLANG, "--port=$(PORT)"], [8080], []),
    "SGLang's default": (SGLANG, [30000], []),
    "not SGLang's default": (SGLANG, [8080], ["OME446"]),
    "vLLM's default": (VLLM, [8000], []),
    "not vLLM's default": (VLLM, [8080], ["OME446"]),
    "two servers": (["sh", "-c", "vllm serve a --port=1 & vllm serve b --port=2"], [8080], []),
    "none declared": ([*SGLANG, "--port=30000"], [], ["OME414"]),
    "none declared, and OME's own": ([*SGLANG, "--port=8080"], [], []),
    "none declared, and nothing known": (["/app/server"], [], ["OME414"]),
}


@pytest.mark.parametrize(("command", "ports", "expected"), PORTS.values(), ids=PORTS.keys())
def test_ports_and_servers(command: list[str], ports: list[int], expected: list[str]) -> None:
    declared = [{"name": f"p{port}", "containerPort": port} for port in ports]
    found = findings([runtime(**engine(command=command, ports=declared))], "OME445", "OME446", "OME414")
    assert [finding.rule.code for finding in found] == expected


@pytest.mark.parametrize(
    ("command", "found"),
    [
        (["python3", "-m", "sglang.launch_server"], True),
        (["python3", "-m", "sglang.launch_server", "--host", "127.0.0.1"], True),
        (["python3", "-m", "sglang.launch_server", "--host", "0.0.0.0"], False),
        (["python3", "-m", "sglang.launch_server", "--host=$(POD_IP)"], False),
        (["python3", "-m", "sglang.launch_server", "--config=c.yaml"], False),
        (["vllm", "serve", "m"], False),
        (["vllm", "serve", "m", "--host=localhost"], True),
        (["trtllm-serve", "m"], True),
    ],
)
def test_servers_on_loopback(command: list[str], found: bool) -> None:
    assert bool(findings([runtime(**engine(command=command))], "OME447")) is found


def test_workers_listen_to_nobody() -> None:
    worker = {"leader": {"runner": runner(command=SGLANG)}, "worker": {"runner": runner(command=SGLANG[:3])}}
    assert not findings([runtime(engineConfig=worker)], "OME447", "OME446")


def model(size: str, **spec: Any) -> dict[str, Any]:
    storage = {"storageUri": "hf://acme/llama", "path": "/models/llama"}
    body = {"storage": storage, "modelFormat": {"name": "safetensors"}, "modelParameterSize": size, **spec}
    return {"apiVersion": "ome.io/v1beta1", "kind": "ClusterBaseModel", "metadata": {"name": "llama"}, "spec": body}


H100 = {"nvidia.com/gpu.product": "NVIDIA-H100-80GB-HBM3"}
BF16 = {"modelConfiguration": {"torch_dtype": "bfloat16"}}
FP8 = {"quantization": "fp8"}


@pytest.mark.parametrize(
    ("size", "facts", "gpus", "nodes", "fits"),
    [
        ("405B", BF16, 8, H100, False),
        ("405B", FP8, 8, H100, True),
        ("405B", FP8, 4, H100, False),
        ("70B", BF16, 1, H100, False),
        ("70B", BF16, 2, H100, True),
        ("70B", {}, 1, H100, True),  # nobody says that it is not quantized to 4 bits
        ("405B", {}, 2, H100, False),  # which would not be enough either
        ("405B", BF16, 1, {}, True),  # on whatever accelerator
        ("0.1", BF16, 1, H100, True),
    ],
)
def test_weights_and_memory(size: str, facts: dict[str, Any], gpus: int, nodes: dict[str, str], fits: bool) -> None:
    command = [*SGLANG, f"--tp={gpus}"]
    made = runtime(nodeSelector=nodes, **engine(command=command, resources={"limits": {"nvidia.com/gpu": gpus}}))
    assert (not findings([made, model(size, **facts), service(model="llama")], "OME450")) is fits


def test_the_arithmetic_of_weights() -> None:
    made = runtime(
        nodeSelector=H100, **engine(command=[*SGLANG, "--tp=4"], resources={"limits": {"nvidia.com/gpu": 4}})
    )
    (found,) = findings([made, model("405B", **BF16), service(model="llama")], "OME450")
    assert found.message == (
        "model llama does not fit the engine: 405B parameters x 2 bytes (bfloat16) = 754.4 GiB of weights on 4 GPUs is "
        "188.6 GiB each, and NVIDIA-H100-80GB-HBM3 has 80.0 GiB"
    )


def test_memory_of_the_node_inventory() -> None:
    group = {"name": "a100", "labels": {"nvidia.com/gpu.memory": "40960"}, "capacity": {"nvidia.com/gpu": 8}}
    made = runtime(**engine(command=[*SGLANG, "--tp=1"], resources={"limits": {"nvidia.com/gpu": 1}}))
    objects = [made, model("70B", **BF16), service(model="llama")]
    (found,) = findings(objects, "OME450", config={"nodes": [group]})
    assert found.message.endswith("and node group a100 has 40.0 GiB")
    unknown = {"name": "other", "capacity": {"nvidia.com/gpu": 8}}
    assert not findings(objects, "OME450", config={"nodes": [group, unknown]})


def test_a_model_that_is_named_in_a_runtime_for_many() -> None:
    formats = [{"modelFormat": {"name": "safetensors"}, "modelFramework": {"name": "transformers"}}]
    command = ["vllm", "serve", "Qwen/Qwen3-8B"]
    assert places(findings([runtime(supportedModelFormats=formats, **engine(command=command))], "OME448")) == [
        ("base", "spec.engineConfig.runner.command[2]")
    ]
    path = ["vllm", "serve", "/opt/ml/model"]
    assert findings([runtime(supportedModelFormats=formats, **engine(command=path))], "OME448")
    for mount in ("/opt/ml", "/opt/ml/model/", "/"):
        mounted = {"command": path, "volumeMounts": [{"name": "weights", "mountPath": mount}]}
        assert not findings([runtime(supportedModelFormats=formats, **engine(**mounted))], "OME448")
    given = {"command": command, "env": [{"name": "HF_HOME", "value": "$(MODEL_PATH)"}]}
    assert not findings([runtime(supportedModelFormats=formats, **engine(**given))], "OME448")


@pytest.mark.parametrize(("value", "told"), [("4", "replaces PARALLELISM_SIZE 4"), ("8", "by itself")])
def test_parallelism_that_ome_sets(value: str, told: str) -> None:
    set_by_hand = {"env": [{"name": "PARALLELISM_SIZE", "value": value}]}
    resources = {"limits": {"nvidia.com/gpu": 8}}
    (found,) = findings([runtime(**engine(resources=resources, **set_by_hand))], "OME443")
    assert told in found.message


def test_variables_of_a_leader_worker_set() -> None:
    command = [*SGLANG, "--nnodes=$(LWS_GROUP_SIZE)"]
    config: dict[str, Any] = {
        "leader": {"runner": runner(command=command)},
        "worker": {"runner": runner(command=command)},
    }
    assert len(findings([runtime(engineConfig=config)], "OME577")) == 2
    config["annotations"] = {"ome.io/deploymentMode": "MultiNode"}
    assert not findings([runtime(engineConfig=config)], "OME577")
    # Rendering a service says the same; nothing is said twice.
    del config["annotations"]
    assert len(findings([runtime(engineConfig=config), service()], "OME577")) == 2
