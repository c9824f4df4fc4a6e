"""The Job that OME makes of a BenchmarkJob (reference 16 §2, §3, §4, §6, §7)."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from omec.compile.benchmark.config import (
    BenchmarkConfigError,
    PodConfig,
    config_of_settings,
    config_of_text,
)
from omec.compile.benchmark.job import standalone_job
from omec.compile.benchmark.served_model import served_model_name
from omec.compile.benchmark.target import BenchmarkError, base_of
from omec.repo.yaml import load
from tests.compile.benchmarking import (
    CONFIG,
    PATH,
    URL,
    Body,
    arguments_of,
    benchmark,
    container_of,
    job_of,
    model,
    pod,
    pod_of,
    service,
)

EXAMPLE = Path(__file__).resolve().parent / "benchmark_example"
SERVICE = (service(), model())


def test_the_worked_example() -> None:
    """Reference 16 §6."""
    example = load((EXAMPLE / "input.yaml").read_text(encoding="utf-8"))
    found = job_of(
        example,
        service("qwen3", "demo", "qwen3-0-6b"),
        model("qwen3-0-6b", path="/mnt/data/models/qwen3-0-6b"),
        url="http://qwen3.demo.svc.cluster.local:8080",
        pods=[pod("--served-model-name", "Qwen/Qwen3-0.6B")],
        claims={"benchmark-results"},
    )
    assert found == load((EXAMPLE / "output.yaml").read_text(encoding="utf-8"))


def test_a_cluster_without_ome() -> None:
    """No owner, nothing in the template that Kubernetes ignores, and a way for Argo CD to replace the Job."""
    found = standalone_job(job_of(benchmark()))
    assert found["metadata"] == {
        "name": "bench",
        "namespace": "team",
        "labels": {"benchmark": "bench"},
        "annotations": {"logging-forward": "true", "argocd.argoproj.io/sync-options": "Force=true,Replace=true"},
    }
    assert found["spec"]["template"]["metadata"] == {
        "labels": {"benchmark": "bench"},
        "annotations": {"logging-forward": "true"},
    }
    assert job_of(benchmark())["metadata"]["ownerReferences"][0]["name"] == "bench"


# Arguments


def test_a_url_without_a_model_name() -> None:
    """Vector 6: no key, no tokenizer."""
    endpoint = {"endpoint": {"url": "http://x", "apiFormat": "openai"}}
    assert arguments_of(benchmark(endpoint=endpoint)) == (
        "--api-backend openai --api-base http://x --api-model-name '' --task text-to-text --max-time-per-run 10 "
        "--max-requests-per-run 200 --upload-results --namespace ns1 --storage-bucket results --storage-prefix run1"
    )


@pytest.mark.parametrize(
    ("spec", "words"),
    [
        # Vector 7
        ({"numConcurrency": [16, 1, 4]}, "--num-concurrency 16 --num-concurrency 1 --num-concurrency 4"),
        # Vector 8
        ({"resultFolderName": ""}, "--experiment-folder-name ''"),
        ({"trafficScenarios": ["U(1,2)", "D(1,2)"]}, "--traffic-scenario U(1,2) --traffic-scenario D(1,2)"),
        (
            {"serviceMetadata": {"engine": "SGLang", "version": "", "gpuType": "A10", "gpuCount": 0}},
            "--server-engine SGLang --server-gpu-type A10 --server-version '' --server-gpu-count 0",
        ),
        ({"additionalRequestParams": {"temperature": "1"}, "dataset": {"storageUri": "hf://a/b"}}, ""),
    ],
)
def test_arguments_in_order(spec: Body, words: str) -> None:
    before = "--max-requests-per-run 200 "
    assert arguments_of(benchmark(**spec)).partition(before)[2].partition("--upload-results")[0].strip() == words


def test_the_arguments_of_a_service() -> None:
    assert arguments_of(benchmark(service="llama"), *SERVICE).startswith(
        f"--api-backend openai --api-base {URL} --api-model-name vllm-model --task text-to-text --max-time-per-run 10 "
        f"--max-requests-per-run 200 --api-key sample-key --model-tokenizer {PATH} --upload-results"
    )


def test_a_model_with_an_empty_path_has_no_tokenizer() -> None:
    assert "--model-tokenizer" not in arguments_of(benchmark(service="llama"), service(), model(path=""))


# The target


@pytest.mark.parametrize(
    ("url", "base"),
    [
        ("https://h/v1?x=1", "https://h"),  # vector 9
        ("//h", "http://h"),  # vector 10
        ("http://h:8080/", "http://h:8080"),
        ("http://user:secret@h", "http://h"),
        ("h", None),
        ("", None),
    ],
)
def test_the_base_of_a_url(url: str, base: str | None) -> None:
    assert base_of(url) == base


@pytest.mark.parametrize(
    ("containers", "name"),
    [
        ([{"args": ["--model", "/m", "--served-model-name"]}], "/m"),  # vector 11
        ([{"args": ["--served-model-name", "--model", "/m"]}], "/m"),  # vector 12
        ([{"args": ["--model", "/sidecar"]}, {"args": ["--served-model-name", "main"]}], "main"),  # vector 13
        (
            [
                {
                    "args": ["--served-model-name", "$(A)-x"],
                    "env": [{"name": "A", "value": "$(B)"}, {"name": "B", "value": "b"}],
                }
            ],
            "b-x",  # vector 14
        ),
        (
            [
                {
                    "args": ["--served-model-name", "$(A)-x"],
                    "env": [{"name": "B", "value": "b"}, {"name": "A", "value": "$(B)"}],
                }
            ],
            "$(B)-x",
        ),
        ([{"args": ["--model-path", "/y", "--model", "/x"]}], "/x"),  # vector 15
        ([{"args": ["--served-model-name=a", "--served-model-name", "b"]}], "a"),
        ([{"command": ["serve", "--served-model-name", "c"], "args": ["--model", "/m"]}], "c"),
        ([{"args": ["--served-model-name=", "--model-path=/y"]}], "/y"),
        ([{"args": ["--model", "/first"]}, {"args": ["--model", "/second"]}], "/first"),
        ([{"command": ["sh", "-c", "vllm serve --model /m"]}], None),
        ([{"args": ["--served-model-name", "$(N)"], "env": [{"name": "N", "valueFrom": {}}]}], "$(N)"),
        ([], None),
    ],
)
def test_the_served_model_name(containers: list[Body], name: str | None) -> None:
    assert served_model_name([{"containers": containers}]) == name


def test_init_containers_do_not_serve() -> None:
    init = {"args": ["--served-model-name", "x"]}
    assert served_model_name([{"initContainers": [init], "containers": [{}]}]) is None


@pytest.mark.parametrize(
    ("values", "backend"),
    [
        ([], "openai"),
        ([{"value": ""}, {"value": "cohere"}], "openai"),  # vector 16
        ([{"value": "cohere"}, {"value": "openai"}], "cohere"),
        ([{"valueFrom": {"secretKeyRef": {"name": "s", "key": "k"}}}], "openai"),
    ],
)
def test_the_backend(values: list[Body], backend: str) -> None:
    runner = {"name": "ome-container", "env": [{"name": "PROTOCOL_VERSION", **value} for value in values]}
    found = arguments_of(benchmark(service="llama"), service(engine={"runner": runner}), model())
    assert found.startswith(f"--api-backend {backend} ")


def test_the_namespaces_model_comes_first() -> None:
    """Vector 17."""
    found = pod_of(benchmark(service="llama"), service(), model(), model(namespace="team", path="/own"))
    assert found["nodeSelector"] == {"models.ome.io/team.basemodel.llama-3-8b": "Ready"}
    assert found["volumes"] == [{"name": "llama-3-8b", "hostPath": {"path": "/own"}}]


@pytest.mark.parametrize(
    ("cluster", "options", "error"),
    [
        ([], {}, 'failed to get InferenceService team/llama: inferenceservices.ome.io "llama" not found'),
        ([service(model=None)], {}, "InferenceService team/llama has no Model defined"),
        (
            [service()],
            {},
            "failed to get BaseModel llama-3-8b: No BaseModel or ClusterBaseModel with the name: llama-3-8b",
        ),
        ([service(), model(path=None)], {}, "BaseModel llama-3-8b has missing Storage or Path information"),
        (
            SERVICE,
            {"pods": []},
            "cannot determine the served model name of InferenceService team/llama: no engine pod container specifies "
            "--served-model-name, --model or --model-path",
        ),
        (SERVICE, {"url": None}, "InferenceService team/llama has no URL.Host in status"),
        (SERVICE, {"config": None}, 'configmaps "benchmarkjob-config" not found'),
    ],
)
def test_jobs_that_are_not_made(cluster: list[Body], options: dict[str, Any], error: str) -> None:
    with pytest.raises(BenchmarkError) as failure:
        job_of(benchmark(service="llama"), *cluster, **options)
    assert failure.value.message == error


def test_of_several_faults_the_first_in_omes_order_is_told() -> None:
    job = benchmark(service="llama", outputLocation={"storageUri": "hf://a/b"})
    bad = PodConfig("image", "two", "2Gi", "2", "2Gi")
    with pytest.raises(BenchmarkError, match="failed to get InferenceService"):
        job_of(job, config=bad)
    with pytest.raises(BenchmarkConfigError, match="cannot parse 'two': quantities must match"):
        job_of(job, service(model=None), config=bad)
    with pytest.raises(BenchmarkError, match="has no Model defined"):
        job_of(job, service(model=None))
    with pytest.raises(BenchmarkError, match="unsupported storage type: HUGGINGFACE"):
        job_of(job, *SERVICE, claims=set())


# Configuration


def test_keys_match_in_any_letter_case() -> None:
    limits = '"cpuLimit": "1", "memoryLimit": "1Gi"'
    text = f'{{"PodConfig": {{"Image": "i", "CPUREQUEST": "1", "memoryrequest": "1Gi", {limits}}}}}'
    assert config_of_text(text) == PodConfig("i", "1", "1Gi", "1", "1Gi")


@pytest.mark.parametrize(
    ("text", "error"),
    [
        ("{", "unable to unmarshall benchmarkjob json string due to "),
        ("[]", "unable to unmarshall benchmarkjob json string due to an object is expected, not []"),
        ('{"podConfig": {"image": 1}}', "unable to unmarshall benchmarkjob json string due to image is no text: 1"),
    ],
)
def test_texts_that_are_no_configuration(text: str, error: str) -> None:
    with pytest.raises(BenchmarkConfigError) as failure:
        config_of_text(text)
    assert str(failure.value).startswith(error)


@pytest.mark.parametrize("text", ["{}", "null", '{"podConfig": null}', '{"podConfig": {"cpuRequest": null}, "x": 1}'])
def test_a_configuration_without_quantities_crashes_omes_pass(text: str) -> None:
    with pytest.raises(BenchmarkConfigError, match="cannot parse '': quantities must match"):
        config_of_text(text).resources()


def test_settings_lie_over_the_charts_values() -> None:
    assert config_of_settings({"image": CONFIG.image}) == CONFIG
    assert config_of_settings({"cpuLimit": "4"}).resources()["limits"] == {"cpu": "4", "memory": "2Gi"}
    with pytest.raises(BenchmarkConfigError, match="cpu is none of image, cpuRequest"):
        config_of_settings({"cpu": "4"})
    with pytest.raises(BenchmarkConfigError, match="cpuLimit must be a text, not 4"):
        config_of_settings({"cpuLimit": 4})


def test_an_image_that_nothing_names_is_left_out() -> None:
    found = container_of(benchmark(), config=PodConfig("", "2", "2Gi", "2", "2Gi"))
    assert "image" not in found
