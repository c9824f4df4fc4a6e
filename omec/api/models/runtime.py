"""ServingRuntime and ClusterServingRuntime: how models are served."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from omec.api.models.accelerator import AcceleratorRequirements, AtLeastZero
from omec.api.models.autoscaling import ScalingPolicy
from omec.api.models.base import DropNullValues, Model, since
from omec.api.models.component import DecoderSpec, EngineSpec, RouterSpec
from omec.api.models.meta import KubernetesObject
from omec.api.models.model import DiffusionPipelineSpec, ModelFormat, ModelFrameworkSpec
from omec.api.models.pod import ServingRuntimePodSpec
from omec.api.models.scalars import Int32, StringMap


class TensorParallelismConfig(Model):
    """How a model is cut into parts."""

    tensor_parallel_size: AtLeastZero | None = None
    """Parts of each layer."""
    pipeline_parallel_size: AtLeastZero | None = None
    """Groups of layers."""
    data_parallel_size: AtLeastZero | None = None
    """Copies."""


class AcceleratorModelConfig(Model):
    """What changes on one AcceleratorClass."""

    min_memory_per_billion_params: AtLeastZero | None = None
    """Not read."""
    tensor_parallelism_override: TensorParallelismConfig | None = None
    """Parallelism on this class."""
    runtime_args_override: list[str] | None = None
    """Arguments of the runtime on this class."""
    environment_override: StringMap | None = None
    """Environment variables on this class."""


class SupportedModelFormat(Model):
    """One sort of model that a runtime serves."""

    name: str | None = None
    """Older name of the format; prefer ``modelFormat.name``."""
    model_format: ModelFormat
    """Storage format."""
    model_type: str | None = None
    """Deprecated; selection does not read it."""
    version: str | None = None
    """Selection does not read it; use ``modelFormat.version``."""
    model_framework: ModelFrameworkSpec
    """Framework."""
    model_architecture: str | None = None
    """Architecture."""
    quantization: str | None = None
    """Quantization."""
    diffusion_pipeline: DiffusionPipelineSpec | None = None
    """Parts of a diffusion model."""
    model_cache_providers: list[str] | None = since("1.3")
    """Without effect yet."""
    auto_select: bool | None = None
    """Whether OME may choose the runtime on its own (false unless set)."""
    priority: Annotated[Int32, Field(ge=1)] | None = None
    """Multiplies the selection score."""
    accelerator_config: Annotated[dict[str, AcceleratorModelConfig], DropNullValues] | None = None
    """Changes by AcceleratorClass."""


class ModelSizeRangeSpec(Model):
    """Numbers of parameters that the runtime serves, bounds included."""

    min: str | None = None
    """Least number, for example ``7B``."""
    max: str | None = None
    """Greatest number, for example ``70B``."""


class ServingRuntimeSpec(ServingRuntimePodSpec):
    """A way to serve models."""

    supported_model_formats: list[SupportedModelFormat] | None = None
    """What the runtime can serve."""
    model_size_range: ModelSizeRangeSpec | None = None
    """Sizes that it accepts."""
    disabled: bool | None = None
    """Takes the runtime out of use."""
    router_config: RouterSpec | None = None
    """Template of the router."""
    engine_config: EngineSpec | None = None
    """Template of the engine."""
    decoder_config: DecoderSpec | None = None
    """Template of the decoder."""
    protocol_versions: list[str] | None = None
    """Protocols that it speaks, for example ``openAI``."""
    scaling_policy: ScalingPolicy | None = since("1.3")
    """Default for services on this runtime."""
    accelerator_requirements: AcceleratorRequirements | None = None
    """Accelerators that it supports."""


class ServingRuntime(KubernetesObject):
    """A runtime for one namespace."""

    kind: Literal["ServingRuntime"]
    """Always ``ServingRuntime``."""
    spec: ServingRuntimeSpec | None = None
    """The runtime."""


class ClusterServingRuntime(KubernetesObject):
    """A runtime for all namespaces."""

    kind: Literal["ClusterServingRuntime"]
    """Always ``ClusterServingRuntime``."""
    spec: ServingRuntimeSpec | None = None
    """The runtime."""
