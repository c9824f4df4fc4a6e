"""BaseModel, ClusterBaseModel and FineTunedWeight: weights, what they are, and where they are."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from omec.api.models import kubernetes as k8s
from omec.api.models.base import DropNullValues, Model, since
from omec.api.models.meta import KubernetesObject, ObjectReference
from omec.api.models.scalars import Int32, Int64, RawExtension, StringMap


class ModelFormat(Model):
    """The storage format of weights, or the one that a runtime reads."""

    name: str
    """For example ``safetensors``."""
    version: str | None = None
    """Format version; quote it."""
    operator: str = "Equal"
    """How a runtime compares versions: ``Equal``, ``GreaterThan`` or ``GreaterThanOrEqual``."""
    weight: Int64 = 1
    """Weight of the format in the selection score."""


class ModelFrameworkSpec(Model):
    """The framework of a model, or the one that a runtime loads."""

    name: str
    """For example ``transformers``."""
    version: str | None = None
    """Framework version; quote it."""
    operator: str = "Equal"
    """How a runtime compares versions: ``Equal``, ``GreaterThan`` or ``GreaterThanOrEqual``."""
    weight: Int64 = 1
    """Weight of the framework in the selection score."""


class ModelExtensionSpec(Model):
    """Description and state, common to models and fine-tuned weights."""

    display_name: str | None = None
    """Name for humans."""
    version: str | None = None
    """Version of the model, free text."""
    disabled: bool | None = None
    """Takes the model out of use."""
    vendor: str | None = None
    """Who made it."""
    compartment_id: str | None = Field(None, alias="compartmentID")
    """OCI compartment."""


class StorageSpec(Model):
    """Where files are, and who may read them."""

    storage_uri: str
    """Source, for example ``hf://org/repo@revision`` or ``pvc://claim/path``."""
    path: str | None = None
    """Absolute path on the node."""
    schema_path: str | None = None
    """Path of a schema or configuration file."""
    parameters: StringMap | None = None
    """Credentials and access settings; ``secretKey`` names the token's key in the Secret."""
    key: str | None = None
    """Secret with a Hugging Face token."""
    node_selector: StringMap | None = None
    """Nodes that keep a copy."""
    node_affinity: k8s.NodeAffinity | None = None
    """Nodes that keep a copy."""
    download_policy: Literal["AlwaysDownload", "ReuseIfExists"] | None = None
    """Whether files of another model may be reused (``AlwaysDownload`` unless set)."""


class DiffusionComponentSpec(Model):
    """One part of a diffusion pipeline."""

    library: str | None = None
    """For example ``diffusers``."""
    type: str | None = None
    """Class name."""


class DiffusionPipelineSpec(Model):
    """The parts of a diffusion model."""

    class_name: str | None = None
    """Class of the pipeline."""
    scheduler: DiffusionComponentSpec | None = None
    """Noise scheduler."""
    text_encoder: DiffusionComponentSpec | None = None
    """Text encoder."""
    tokenizer: DiffusionComponentSpec | None = None
    """Tokenizer."""
    transformer: DiffusionComponentSpec | None = None
    """Denoising transformer."""
    vae: DiffusionComponentSpec | None = None
    """Autoencoder."""
    additional_components: Annotated[dict[str, DiffusionComponentSpec], DropNullValues] | None = None
    """Other parts by their key in ``model_index.json``."""


class BaseModelSpec(ModelExtensionSpec):
    """A model. OME fills the fields about the model from its files where they are unset."""

    model_format: ModelFormat | None = None
    """Storage format of the weights."""
    model_type: str | None = None
    """Architecture family, ``model_type`` of config.json."""
    model_framework: ModelFrameworkSpec | None = None
    """Framework, for example ``transformers``."""
    model_architecture: str | None = None
    """For example ``LlamaForCausalLM``."""
    quantization: str | None = None
    """For example ``fp8``."""
    model_parameter_size: str | None = None
    """Number of parameters, for example ``3.21B``."""
    model_capabilities: list[str] | None = None
    """For example ``TEXT_TO_TEXT``."""
    api_capabilities: list[str] | None = None
    """For example ``OPENAI_V1_CHAT_COMPLETIONS``."""
    model_configuration: RawExtension | None = None
    """Free JSON."""
    storage: StorageSpec
    """Where the weights are."""
    distribution: Literal["PerNode", "Sharded"] | None = since("1.3")
    """Layout (``PerNode`` unless set); ``Sharded`` cannot be served yet."""
    serving_mode: list[str] | None = None
    """``On-demand``, ``Dedicated``."""
    max_tokens: Int32 | None = None
    """Longest token count."""
    diffusion_pipeline: DiffusionPipelineSpec | None = None
    """Parts of a diffusion model."""
    additional_metadata: StringMap | None = None
    """Free metadata."""


class FineTunedWeightSpec(ModelExtensionSpec):
    """Weights that are applied on top of a model."""

    base_model_ref: ObjectReference
    """The base model."""
    model_type: str
    """Kind of fine-tuning, for example ``LoRA``."""
    hyper_parameters: RawExtension
    """Training parameters; may be empty."""
    configuration: RawExtension | None = None
    """Free JSON."""
    storage: StorageSpec
    """Where the weights are."""
    training_job_ref: ObjectReference | None = None
    """Job that made the weights."""


class BaseModel(KubernetesObject):
    """A model for one namespace."""

    kind: Literal["BaseModel"]
    """Always ``BaseModel``."""
    spec: BaseModelSpec | None = None
    """The model."""


class ClusterBaseModel(KubernetesObject):
    """A model for all namespaces."""

    kind: Literal["ClusterBaseModel"]
    """Always ``ClusterBaseModel``."""
    spec: BaseModelSpec | None = None
    """The model."""


class FineTunedWeight(KubernetesObject):
    """Weights of a fine-tuning; cluster-scoped."""

    kind: Literal["FineTunedWeight"]
    """Always ``FineTunedWeight``."""
    spec: FineTunedWeightSpec | None = None
    """The weights."""
