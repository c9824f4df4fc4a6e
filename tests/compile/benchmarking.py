"""Small clusters for tests of BenchmarkJobs: a job, a service with its model, and an engine's command line."""

from __future__ import annotations

from typing import Any

from omec.api.kinds import KINDS
from omec.catalog import Catalog, Resource
from omec.compile.benchmark.config import PodConfig
from omec.compile.benchmark.job import ome_job
from omec.compile.benchmark.target import ServedService
from omec.repo.document import Document

Body = dict[str, Any]

CONFIG = PodConfig("ghcr.io/sgl-project/genai-bench:0.1.113", "2", "2Gi", "2", "2Gi")
"""What OME's kustomize installation configures."""

PATH = "/mnt/models/llama-3-8b"
URL = "http://llama.team.svc.cluster.local:8080"
SERVED = ("--model", PATH, "--served-model-name", "vllm-model")


def benchmark(name: str = "bench", namespace: str = "team", **spec: Any) -> Body:
    """A BenchmarkJob of a URL, but for what ``spec`` changes; ``service`` names an InferenceService instead."""
    endpoint: Body = {"endpoint": {"url": "http://llm.example.com", "apiFormat": "openai", "modelName": "llama-3"}}
    if "service" in spec:
        endpoint = {"inferenceService": {"name": spec.pop("service"), "namespace": namespace}}
    whole = {
        "endpoint": endpoint,
        "task": "text-to-text",
        "maxTimePerIteration": 10,
        "maxRequestsPerIteration": 200,
        "outputLocation": {"storageUri": "oci://n/ns1/b/results/o/run1"},
    }
    return {
        "apiVersion": "ome.io/v1beta1",
        "kind": "BenchmarkJob",
        "metadata": {"name": name, "namespace": namespace},
        "spec": {**whole, **spec},
    }


def service(name: str = "llama", namespace: str = "team", model: str | None = "llama-3-8b", **spec: Any) -> Body:
    whole = {"engine": {}, **({"model": {"name": model}} if model else {}), **spec}
    return {
        "apiVersion": "ome.io/v1beta1",
        "kind": "InferenceService",
        "metadata": {"name": name, "namespace": namespace},
        "spec": whole,
    }


def model(name: str = "llama-3-8b", namespace: str | None = None, path: str | None = PATH) -> Body:
    storage = {"storageUri": "hf://meta/llama-3-8b"} | ({} if path is None else {"path": path})
    return {
        "apiVersion": "ome.io/v1beta1",
        "kind": "ClusterBaseModel" if namespace is None else "BaseModel",
        "metadata": {"name": name} | ({} if namespace is None else {"namespace": namespace}),
        "spec": {"modelFormat": {"name": "safetensors"}, "storage": storage},
    }


def resource(body: Body) -> Resource:
    kind, metadata = body["kind"], body["metadata"]
    namespace = metadata.get("namespace") if kind not in KINDS or KINDS[kind].namespaced else None
    return Resource(kind, namespace, metadata["name"], Document("objects", 0, body))


def pod(*args: str, **fields: Any) -> Body:
    return {"containers": [{"name": "ome-container", "args": list(args), **fields}]}


def job_of(
    body: Body,
    *cluster: Body,
    config: PodConfig | None = CONFIG,
    url: str | None = URL,
    pods: list[Body] | None = None,
    claims: set[str] | None = None,
) -> Body:
    """The Job that OME makes of ``body`` beside ``cluster``."""
    served = ServedService(url, [pod(*SERVED)] if pods is None else pods)
    return ome_job(resource(body), Catalog(map(resource, cluster)), config, lambda _: served, claims)


def pod_of(body: Body, *cluster: Body, **options: Any) -> Body:
    spec: Body = job_of(body, *cluster, **options)["spec"]["template"]["spec"]
    return spec


def container_of(body: Body, *cluster: Body, **options: Any) -> Body:
    container: Body = pod_of(body, *cluster, **options)["containers"][0]
    return container


def arguments_of(body: Body, *cluster: Body, **options: Any) -> str:
    """The arguments after ``benchmark``, an empty one as ``''``."""
    return " ".join(word or "''" for word in container_of(body, *cluster, **options)["args"][1:])
