"""What a benchmark's pod stores, and what a BenchmarkJob may change about it (reference 16 §2.5, §4, §7)."""

from __future__ import annotations

from typing import Any

import pytest

from omec.compile.benchmark.job import standalone_job
from omec.compile.benchmark.target import BenchmarkError
from omec.compile.validate import Validator
from tests.compile.benchmarking import (
    PATH,
    Body,
    arguments_of,
    benchmark,
    container_of,
    job_of,
    model,
    pod_of,
    service,
)

SERVICE = (service(), model())


# Storage


@pytest.mark.parametrize(
    ("uri", "parameters", "words"),
    [
        ("oci://n/ns/b/bkt/o/", {}, "--upload-results --namespace ns --storage-bucket bkt --storage-prefix ''"),
        (
            "oci://n/ns/b/bkt/o/a/b",
            {"region": "eu", "auth": "instance_principal", "aws_region": "x"},
            "--upload-results --namespace ns --storage-bucket bkt --storage-prefix a/b --auth instance_principal "
            "--region eu",
        ),
        (
            "s3://b@us-east-1/p",  # vector 27
            {"aws_region": "eu-west-1"},
            "--upload-results --storage-provider aws --storage-bucket b --storage-prefix p "
            "--storage-aws-region eu-west-1",
        ),
        (
            "s3://bkt/runs@2026/x",
            {"aws_profile": ""},
            "--upload-results --storage-provider aws --storage-bucket bkt/runs --storage-prefix x "
            "--storage-aws-profile '' --storage-aws-region 2026",
        ),
        (
            "az://acct.blob.core.windows.net/cont/p",
            {"azure_sas_token": "S"},
            "--upload-results --storage-provider azure --storage-bucket cont --storage-prefix p "
            "--storage-azure-account-name acct --storage-azure-sas-token S",
        ),
        (
            "az://acct/cont",
            {"azure_account_name": "other"},
            "--upload-results --storage-provider azure --storage-bucket cont --storage-azure-account-name other",
        ),
        (
            "gs://bkt/p",
            {"gcp_project_id": "proj"},
            "--upload-results --storage-provider gcp --storage-bucket bkt --storage-prefix p "
            "--storage-gcp-project-id proj",
        ),
        # Vector 28
        (
            "github://acme/bench@latest",
            {},
            "--upload-results --storage-provider github --github-owner acme --github-repo bench",
        ),
        (
            "github://acme/bench@",
            {"github_token": "T"},
            "--upload-results --storage-provider github --github-owner acme --github-repo bench --github-tag '' "
            "--github-token T",
        ),
        ("pvc://other:results/a/", {"auth": "x"}, "--experiment-base-dir /a/"),
    ],
)
def test_storage_arguments(uri: str, parameters: dict[str, str], words: str) -> None:
    found = arguments_of(benchmark(outputLocation={"storageUri": uri, "parameters": parameters}))
    assert found.partition("--max-requests-per-run 200 ")[2] == words


def test_results_on_a_claim() -> None:
    """Vector 29."""
    job = benchmark(outputLocation={"storageUri": "pvc://results/a/"})
    found = pod_of(job, claims={"results"})
    assert found["volumes"] == [{"name": "benchmark-output-storage", "persistentVolumeClaim": {"claimName": "results"}}]
    (mount,) = found["containers"][0]["volumeMounts"]
    assert mount == {"name": "benchmark-output-storage", "mountPath": "/a/", "subPath": "a/"}
    with pytest.raises(BenchmarkError) as failure:
        job_of(job, claims=set())
    assert failure.value.message == 'PVC results not found: persistentvolumeclaims "results" not found'


# podOverride


def overridden(**override: Any) -> Body:
    return pod_of(benchmark(service="llama", podOverride=override), *SERVICE)


def test_any_override_renames_the_container() -> None:
    """Vector 18."""
    plain = pod_of(benchmark(service="llama"), *SERVICE)
    renamed = overridden()
    assert (plain["containers"][0]["name"], renamed["containers"][0].pop("name")) == ("bench", "genai-bench")
    del plain["containers"][0]["name"]
    assert renamed == plain


@pytest.mark.parametrize(
    ("override", "field", "value"),
    [
        # Vector 19
        (
            {"env": [{"name": "B", "value": "2"}, {"name": "A", "value": "1"}]},
            "env",
            [
                {"name": "B", "value": "2"},
                {"name": "A", "value": "1"},
                {"name": "ENABLE_UI", "value": "false"},
                {"name": "MODEL_PATH", "value": PATH},
            ],
        ),
        # Vector 20
        (
            {"resources": {"requests": {"cpu": "4"}}},
            "resources",
            {"requests": {"cpu": "4", "memory": "2Gi"}, "limits": {"cpu": "2", "memory": "2Gi"}},
        ),
        # Vector 21
        (
            {"resources": {"limits": {"nvidia.com/gpu": "1"}}},
            "resources",
            {
                "requests": {"cpu": "2", "memory": "2Gi"},
                "limits": {"cpu": "2", "memory": "2Gi", "nvidia.com/gpu": "1"},
            },
        ),
        ({"image": "mine:1"}, "image", "mine:1"),
        ({"envFrom": [{"secretRef": {"name": "s"}}]}, "envFrom", [{"secretRef": {"name": "s"}}]),
        (
            {"volumeMounts": [{"name": "other", "mountPath": PATH}]},
            "volumeMounts",
            [{"name": "other", "mountPath": PATH, "readOnly": True}],
        ),
    ],
)
def test_overrides_of_the_container(override: Body, field: str, value: Any) -> None:
    assert overridden(**override)["containers"][0][field] == value


READY = "models.ome.io/clusterbasemodel.llama-3-8b"


@pytest.mark.parametrize(
    ("override", "field", "value"),
    [
        # Vector 22
        ({"tolerations": [{"key": "a", "operator": "Exists"}]}, "tolerations", [{"key": "a", "operator": "Exists"}]),
        (
            {"tolerations": []},
            "tolerations",
            [{"key": "nvidia.com/gpu", "operator": "Exists", "effect": "NoSchedule"}],
        ),
        # Vector 23
        ({"nodeSelector": {READY: "Updating"}}, "nodeSelector", {READY: "Updating"}),
        ({"nodeSelector": {"pool": "gpu"}}, "nodeSelector", {READY: "Ready", "pool": "gpu"}),
        # Vector 24
        (
            {"volumes": [{"name": "llama-3-8b", "persistentVolumeClaim": {"claimName": "m"}}]},
            "volumes",
            [{"name": "llama-3-8b", "hostPath": {"path": PATH}, "persistentVolumeClaim": {"claimName": "m"}}],
        ),
        (
            {"volumes": [{"name": "data", "emptyDir": {}}]},
            "volumes",
            [{"name": "data", "emptyDir": {}}, {"name": "llama-3-8b", "hostPath": {"path": PATH}}],
        ),
    ],
)
def test_overrides_of_the_pod(override: Body, field: str, value: Any) -> None:
    assert overridden(**override)[field] == value


def test_a_key_that_an_override_replaces() -> None:
    other = {"name": "HUGGINGFACE_API_KEY", "valueFrom": {"secretKeyRef": {"name": "other", "key": "token"}}}
    job = benchmark(huggingFaceSecretReference={"name": "hf"}, podOverride={"env": [other]})
    assert container_of(job)["env"][1] == other


# What the API server refuses


def refused(job: Body) -> list[str]:
    return [error.message.partition(": ")[2] for error in Validator("1.35").errors(standalone_job(job))]


@pytest.mark.parametrize(
    ("spec", "texts"),
    [
        ({"podOverride": {"resources": {"requests": {"cpu": "4"}}}}, ["must be less than or equal to cpu limit of 2"]),
        (
            {"podOverride": {"volumes": [{"name": "llama-3-8b", "persistentVolumeClaim": {"claimName": "m"}}]}},
            ["may not specify more than 1 volume type"],
        ),
        (
            {
                "huggingFaceSecretReference": {"name": "hf"},
                "podOverride": {"env": [{"name": "HUGGINGFACE_API_KEY", "value": "x"}]},
            },
            ["may not be specified when `value` is not empty"],
        ),
        ({"podOverride": {"volumeMounts": [{"name": "nope", "mountPath": "/x"}]}}, ['Not found: "nope"']),
        ({"outputLocation": {"storageUri": "pvc://c//x"}}, ['Invalid value: "/x": must be a relative path']),
        ({}, []),
    ],
)
def test_jobs_that_the_api_server_refuses(spec: Body, texts: list[str]) -> None:
    found = refused(job_of(benchmark(service="llama", **spec), *SERVICE))
    assert len(found) == len(texts)
    assert all(text in told for text, told in zip(texts, found, strict=True))


def test_names_with_a_dot() -> None:
    """Vectors 25 and 26."""
    assert refused(job_of(benchmark("bench.v1"))) == ['Invalid value: "bench.v1": must not contain dots']
    assert refused(job_of(benchmark("bench.v1", podOverride={}))) == []
    dotted = job_of(benchmark(service="llama"), service(model="llama-3.1-8b"), model("llama-3.1-8b"))
    assert refused(dotted) == ['Invalid value: "llama-3.1-8b": must not contain dots']


def test_names_that_are_too_long() -> None:
    assert refused(job_of(benchmark("b" * 63))) == []
    assert refused(job_of(benchmark("b" * 64, podOverride={}))) != []
