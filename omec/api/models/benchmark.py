"""BenchmarkJob: a load test of a service."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from omec.api.models import kubernetes as k8s
from omec.api.models.base import ListSet, Model, list_map
from omec.api.models.meta import KubernetesObject
from omec.api.models.model import StorageSpec
from omec.api.models.scalars import Int64, StringMap


class InferenceServiceReference(Model):
    """A service of the cluster."""

    name: str
    """Name of the InferenceService."""
    namespace: str
    """Its namespace."""


class Endpoint(Model):
    """A service by its URL."""

    url: Annotated[str, Field(pattern="^(http|https)://")]
    """Base URL."""
    api_format: Literal["openai", "oci-cohere", "cohere"]
    """API that the endpoint speaks."""
    model_name: str | None = None
    """Model name to send."""


class EndpointSpec(Model):
    """What to benchmark: one of the two."""

    inference_service: InferenceServiceReference | None = None
    """A service of the cluster."""
    endpoint: Endpoint | None = None
    """A URL."""


class ServiceMetadata(Model):
    """Labels of the experiment."""

    engine: Literal["vLLM", "SGLang", "TGI"]
    """Serving engine."""
    version: str
    """Version of the engine."""
    gpu_type: Literal["H100", "A100", "MI300", "A10"]
    """GPU."""
    gpu_count: Int64
    """Number of GPUs."""


class HuggingFaceSecretReference(Model):
    """Secret with the Hugging Face key."""

    name: str
    """Name of the Secret."""


class PodOverride(Model):
    """Changes of the benchmark's pod."""

    image: str | None = None
    """Image of the benchmark container."""
    env: Annotated[list[k8s.EnvVar], list_map("name")] | None = None
    """Environment variables."""
    env_from: list[k8s.EnvFromSource] | None = None
    """Environment variables from ConfigMaps and Secrets."""
    volume_mounts: Annotated[list[k8s.VolumeMount], list_map("name")] | None = None
    """Volume mounts; unlike in a container, the name must be unique, not the path."""
    resources: k8s.ResourceRequirements | None = None
    """Requests and limits."""
    tolerations: list[k8s.Toleration] | None = None
    """Node taints that the pod accepts."""
    node_selector: StringMap | None = None
    """Labels that the node must have."""
    affinity: k8s.Affinity | None = None
    """Scheduling rules."""
    volumes: list[k8s.Volume] | None = None
    """Volumes."""


class BenchmarkJobSpec(Model):
    """A load test."""

    hugging_face_secret_reference: HuggingFaceSecretReference | None = None
    """Secret with the Hugging Face key, in the namespace of the job."""
    endpoint: EndpointSpec
    """What to benchmark."""
    service_metadata: ServiceMetadata | None = None
    """Labels of the experiment."""
    task: Literal["text-to-text", "image-to-text", "text-to-embeddings", "image-to-embeddings"]
    """Task."""
    traffic_scenarios: Annotated[list[str], ListSet()] | None = None
    """Traffic scenarios."""
    num_concurrency: Annotated[list[Int64], ListSet()] | None = None
    """Concurrency levels."""
    max_time_per_iteration: Int64
    """Minutes of one iteration."""
    max_requests_per_iteration: Int64
    """Requests of one iteration."""
    additional_request_params: StringMap | None = None
    """Further request parameters; quote numbers."""
    dataset: StorageSpec | None = None
    """Input of tasks whose input is not text."""
    output_location: StorageSpec
    """Where the results go."""
    result_folder_name: str | None = None
    """Folder of the results."""
    pod_override: PodOverride | None = None
    """Changes of the pod."""


class BenchmarkJob(KubernetesObject):
    """A load test of a service."""

    kind: Literal["BenchmarkJob"]
    """Always ``BenchmarkJob``."""
    spec: BenchmarkJobSpec | None = None
    """The load test."""
